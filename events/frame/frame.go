package frame

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/docket-engine/docket/events"
)

// The headers of a frame. All but the first are signed by the last, together
// with the subject and the message id.
const (
	HeaderMsgID = "Nats-Msg-Id" // <session>/<seq>/<append id>

	HeaderFormat = "Docket-Format" // storage version of the records
	HeaderFrame  = "Docket-Frame"  // ordinal in its session; 0 is the header frame
	HeaderSeq    = "Docket-Seq"    // of the first event
	HeaderCount  = "Docket-Count"  // events
	HeaderTrust  = "Docket-Trust"  // the level of trust that the engine was on
	HeaderTypes  = "Docket-Types"  // distinct types, in the order of the records
	HeaderActor  = "Docket-Actor"  // <class>/<name>, both escaped as in URLs
	HeaderChain  = "Docket-Chain"  // behind the last record, hex
	HeaderHash   = "Docket-Header-Hash"
	HeaderSeed   = "Docket-Seed" // <kind> <next> <chain>[ <imported>], on the header frame
	HeaderSig    = "Docket-Sig"  // <key id> <signature>
)

// TypeHeader is what the list of types of a header frame says.
const TypeHeader = "session/header"

// Frame is one stored message of a session's log: the header line (frame 0), or
// the records of one append.
type Frame struct {
	Index  int64
	Seq    events.Seq // of the first event
	Count  int        // events
	Format events.Format
	Chain  events.Chain // behind the last record
	Actor  events.Actor
	MsgID  string
	Seed   events.Seed
	// HeaderHash is that of the header line, on the header frame and on the one behind
	// it, so that neither goes with another; "" elsewhere.
	HeaderHash string
	Types      string
	Trust      events.Trust // "" for none
	Body       []byte
}

// End is the seq behind the last event.
func (f Frame) End() events.Seq { return f.Seq + events.Seq(f.Count) }

// Position is the place behind a frame.
func (f Frame) Position() Position {
	return Position{Next: f.End(), Chain: f.Chain, Index: f.Index, Trust: f.Trust}
}

// Position is a place in a log between two frames. That before the header frame is
// [Start].
type Position struct {
	Next  events.Seq
	Chain events.Chain
	Index int64        // of the frame before it
	Trust events.Trust // of the frame before it
}

// Start is the place before a session's header frame.
func Start() Position { return Position{Index: -1, Chain: events.ChainStart()} }

// New puts records behind a position. There is at least one.
func New(at Position, id events.SessionID, a events.Append) Frame {
	f := Frame{
		Index: at.Index + 1, Seq: a.Next, Format: a.Records[0].Format, Actor: a.Actor,
		MsgID: MsgID(id, a.Next, a.ID), Types: typesOf(a.Records),
	}
	for _, r := range a.Records {
		f.Count += r.Count
	}
	f.Chain, f.Body = at.Chain.Over(a.Records...), events.Join(a.Records)
	return f
}

// NewHeader is the first frame of a session.
func NewHeader(c events.Creation) Frame {
	return Frame{
		Format: c.Header.Version, Chain: events.ChainStart(), Actor: c.Actor, MsgID: string(c.Header.ID) + "/header/" + string(c.ID),
		Seed: c.Seed, HeaderHash: HashLine(c.Header.Line), Types: TypeHeader, Body: c.Header.Line,
	}
}

// MsgID names an append for the server's window of duplicates. The place is part
// of it: the same id elsewhere is another append.
func MsgID(id events.SessionID, next events.Seq, a events.AppendID) string {
	return string(id) + "/" + strconv.FormatInt(int64(next), 10) + "/" + string(a)
}

// HashLine is what frames say of a header line: its SHA-256, hex.
func HashLine(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}
