package projections

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/presets"
)

// Session is a session's folded state: all that a decision needs. It is for one
// goroutine at a time; the zero value is not usable, see [NewSession].
type Session struct {
	header    events.Header
	validator *events.Validator
	State
}

// State is the folded state beside the rules of the log itself. It is plain
// data: a snapshot is its JSON.
type State struct {
	Presets    presets.State    `json:"presets"`
	Approvals  approvals.State  `json:"approvals"`
	Compaction compaction.State `json:"compaction"`
	Lineage    lineage.State    `json:"lineage"`
	Tail       lineage.Tail     `json:"tail"`
	Calls      Calls            `json:"calls"`
	Request    Request          `json:"request"`
	Inbox      Inbox            `json:"inbox"`
	Commands   Commands         `json:"commands"`
	Counts     Counts           `json:"counts"`
	Access     Access           `json:"access"`
	Artifacts  Artifacts        `json:"artifacts"`
	Judges     Judges           `json:"judges"`
	// Marked says that the last event is a session/end-seed.
	Marked bool `json:"marked,omitempty"`
	// Imported is how many events at the front of the log were imported: what they
	// claim of other sessions was never checked here.
	Imported events.Seq `json:"imported,omitempty"`
}

// Version names what a snapshot of this fold holds. It changes whenever folding
// changes: a snapshot of another version is dropped, never migrated.
const Version = "session-7"

// NewSession begins with an empty log under a header.
func NewSession(h events.Header) *Session {
	return &Session{header: h, validator: events.NewValidator(h)}
}

// Header is the session's.
func (s *Session) Header() events.Header { return s.header }

// Next is the seq that the next event gets.
func (s *Session) Next() events.Seq { return s.validator.Next() }

// Surface is what the model sees.
func (s *Session) Surface() *events.Surface { return s.validator.Surface() }

// OpenTurn is the open turn, and whether there is one.
func (s *Session) OpenTurn() (turn int, open bool) { return s.validator.OpenTurn() }

// OpenStep is the open step, and whether there is one.
func (s *Session) OpenStep() (turn, step int, open bool) { return s.validator.OpenStep() }

// Kin is the session as its relatives see it.
func (s *Session) Kin() lineage.Kin {
	return lineage.Kin{Header: s.header, State: &s.Lineage, Imported: s.Imported}
}

// Authority reads whose words the session's messages are.
func (s *Session) Authority() lineage.Authority {
	return lineage.Authority{Header: s.header, State: &s.Lineage, Imported: s.Imported}
}

// Own reports whether an event is the session's own, not inherited from the
// parent of a fork (reference 1.1).
func (s *Session) Own(seq events.Seq) bool {
	return seq >= s.validator.InheritedCount() && seq < s.Next()
}

// Unmade reports whether the session is a child of which nothing but what it
// inherits is stored: its first frame is still to come (design section 6).
func (s *Session) Unmade() bool {
	if s.header.Origin != events.OriginSubagent || s.header.ParentSession == "" {
		return false
	}
	marker := events.Seq(0)
	if s.header.Seeded() {
		marker = 1
	}
	return s.Next() <= s.validator.InheritedCount()+marker
}

// Apply folds events that follow the log so far, all or none. The error is the
// Validator's.
func (s *Session) Apply(es ...events.Envelope) error {
	if err := s.validator.Apply(es...); err != nil {
		return err
	}
	for _, e := range es {
		s.fold(e)
	}
	return nil
}

// Stage holds events against the rules without folding them. If they are stored,
// commit folds them; if not, undo takes them back. One of the two is called
// before anything else.
func (s *Session) Stage(es ...events.Envelope) (commit, undo func(), err error) {
	undo, err = s.validator.Stage(es...)
	if err != nil {
		return nil, nil, err
	}
	commit = func() {
		for _, e := range es {
			s.fold(e)
		}
	}
	return commit, undo, nil
}

// Record folds a stored line and gives its events.
func (s *Session) Record(r events.Record) ([]events.Envelope, error) {
	decoded, err := s.validator.Record(r)
	if err != nil {
		return nil, err
	}
	for _, e := range decoded {
		s.fold(e)
	}
	if r.Append != "" {
		s.Commands.Note(r.Append, r.End())
	}
	return decoded, nil
}

// fold cannot fail: the Validator has accepted the event.
func (s *Session) fold(e events.Envelope) {
	s.Presets.Apply(e)
	s.Approvals.Apply(e)
	s.Compaction.Apply(e)
	s.Lineage.Apply(e)
	s.Tail.Apply(e)
	s.Marked = e.Type() == events.TypeEndSeed
	s.Calls.Apply(e)
	s.Request.Apply(e)
	s.Judges.Apply(e)
	s.Inbox.Apply(e)
	s.Counts.Apply(e)
	s.Access.Apply(e)
	if e.Seq >= s.Imported { // what an import says of files was never observed here
		s.Artifacts.Apply(e)
	}
}

// snapshot is a Session as JSON.
type snapshot struct {
	Header    string                `json:"header"`
	Validator events.ValidatorState `json:"validator"`
	State     State                 `json:"state"`
}

// Snapshot encodes the session. The same session gives the same bytes.
func (s *Session) Snapshot() ([]byte, error) {
	text, err := json.Marshal(snapshot{Header: string(s.header.Line), Validator: s.validator.State(), State: s.State}, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("projections: snapshot session %s: %w", s.header.ID, err)
	}
	return text, nil
}

// Restore decodes what Snapshot gave.
func Restore(text []byte) (*Session, error) {
	var snap snapshot
	if err := json.Unmarshal(text, &snap, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("projections: restore a session: %w", err)
	}
	header, err := events.ParseHeader([]byte(snap.Header))
	if err != nil {
		return nil, fmt.Errorf("projections: restore a session: %w", err)
	}
	v, err := events.RestoreValidator(header, snap.Validator)
	if err != nil {
		return nil, fmt.Errorf("projections: restore session %s: %w", header.ID, err)
	}
	return &Session{header: header, validator: v, State: snap.State}, nil
}
