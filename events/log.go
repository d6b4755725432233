package events

import (
	"context"
	"iter"
)

// Log stores session logs. Its methods are safe for concurrent use, also from
// several processes. Wherever a log is found to be other than what was appended,
// the error is a *[CorruptError] and nothing is written.
type Log interface {
	// Create stores the header of a new session, whose log is then empty.
	// Repeating it with the same id, header and seed succeeds; any other session
	// of that name is ErrExists.
	Create(ctx context.Context, c Creation) error

	// Open gives a session's header, seed, head and creator, read from the store. A session
	// that is not there is ErrNotFound.
	Open(ctx context.Context, id SessionID) (Opened, error)

	// Append stores records as one unit, all or none, and gives the seq behind
	// them. If the log is not at a.Next, nothing is stored and the error is a
	// *[ConflictError], unless it is this very append that stands there: a repeat
	// succeeds again. Where the store does not say in time whether the records are
	// stored, the error is ErrOutcomeUnknown, never a conflict. Records that do not
	// fit into one frame are ErrTooLarge; records that are not what their lines
	// say, or do not follow one another from a.Next in one format, are a
	// *[FieldError]. A log whose seed is incomplete takes only
	// appends that say Seeding, up to the end of its seed, and others are
	// ErrSeedIncomplete.
	Append(ctx context.Context, id SessionID, a Append) (Seq, error)

	// Read yields the records with events at or behind from that are stored when
	// it is called, in order; the first may begin before from, if it is a packed
	// row. It yields all of them, or an error, once and last, with a zero Record.
	// Each names the append that stored it. Records do not alias what the caller may
	// change.
	Read(ctx context.Context, id SessionID, from Seq) iter.Seq2[Record, error]

	// Sessions yields the ids of all stored sessions, in no order.
	Sessions(ctx context.Context) iter.Seq2[SessionID, error]
}

// Creation is a new session.
type Creation struct {
	ID     AppendID
	Actor  Actor
	Header Header // with its Line
	Seed   Seed
}

// Append is one unit of records at a place in a log.
type Append struct {
	ID AppendID
	// Next is the seq that the first record gets: how many events the caller has
	// seen.
	Next    Seq
	Actor   Actor
	Records []Record
	// Seeding marks the frames of a fork or an import. Behind the end of the seed,
	// or where the seed ends at another chain than it declares, it is refused with a
	// *[FieldError].
	Seeding bool
	// Sent, unless it is nil, may be called while the records are being stored: it is
	// for what the writer would otherwise do when they are. It says nothing of whether
	// they are, and must not wait. A log need not call it, and may call it again.
	Sent func()
}

// Seed declares what a fork or an import will put into the log before it may be
// used. The zero Seed is of a log that begins empty.
type Seed struct {
	Kind  SeedKind
	Next  Seq   // the seq behind the seed's last event
	Chain Chain // the chain there, which the seed has to lead to; zero declares none
	// Imported is, for a fork, how many events at the front of what it copies were
	// imported; see [Seed.Foreign].
	Imported Seq
}

// Foreign is how many events at the front of the log an import brought, into this
// log or into one that it is a fork of: what they claim was never checked here.
func (s Seed) Foreign() Seq {
	if s.Kind == SeedImport {
		return s.Next
	}
	return s.Imported
}

// SeedKind says where a seed comes from.
type SeedKind string

// The kinds of seeds.
const (
	SeedNone   SeedKind = ""
	SeedFork   SeedKind = "fork"
	SeedImport SeedKind = "import"
)

// Actor is who caused an append, as the engine established it.
type Actor struct {
	Class string // human, agent, host, spawner, reviewer, engine
	Name  string
}

// Head is where a log ends.
type Head struct {
	Next  Seq   // the seq of the next event
	Chain Chain // the chain behind the last record
}

// Opened is what Open finds.
type Opened struct {
	Header Header
	Seed   Seed
	Head   Head
	// Creator is who created the session, as the engine established it. No import
	// can claim to be another's: it is the actor of the import.
	Creator Actor
	Trust   Trusted
}

// Complete reports whether the log's seed is all there.
func (o Opened) Complete() bool { return o.Head.Next >= o.Seed.Next }

// Tail follows logs as they grow.
type Tail interface {
	// Tail yields the records with events at or behind from, those that are stored
	// and then those that come, until ctx ends, which is not an error. Each was read
	// from the store, or its append acknowledged: what wakes the reader up is never
	// evidence.
	Tail(ctx context.Context, id SessionID, from Seq) iter.Seq2[Record, error]
}

// Snapshot is folded state at a place in a log.
type Snapshot struct {
	Session SessionID
	Head    Head // the log up to here is folded
	// Version is the fold's; a snapshot of another version is dropped, never
	// migrated.
	Version string
	State   []byte
}

// Snapshots keeps the latest snapshot of each session. It is a cache: losing it
// costs time, never facts.
type Snapshots interface {
	// Save replaces the session's snapshot.
	Save(ctx context.Context, s Snapshot) error
	// Load gives the session's snapshot of that fold version whose digest the
	// engine signed, and whether there is one. One that does not verify is none.
	Load(ctx context.Context, id SessionID, version string) (Snapshot, bool, error)
}
