package engine

import (
	"errors"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// Command is something that a caller wants done to a session. What it comes to is
// decided by a pure function of the folded state: the same state and command give
// the same events, or the same refusal.
type Command interface {
	// decide gives what is to be appended as one frame; nothing, if the state is
	// already what the command wants. An error is a *[events.Refusal].
	decide(s *projections.Session) ([]events.Draft, error)
}

// Meta is what every command carries.
type Meta struct {
	// ID makes a command repeatable: a second one of that id does nothing more.
	ID    events.AppendID
	Actor events.Actor
	Now   int64 // Unix ms, the time of the events
	// Expect, unless it is nil, is the seq that the caller believes to be next: the
	// command is refused where the session has gone on.
	Expect *events.Seq
}

// check refuses an id that no append may have.
func (m Meta) check() error {
	if f, ok := errors.AsType[*events.FieldError](m.ID.Check()); ok {
		return invalid("id", "%s", f.Rule)
	}
	return nil
}

// part is the meta of one append of several that a request consists of.
func (m Meta) part(name string) Meta {
	m.ID = events.AppendID(string(m.ID) + "-" + name)
	return m
}

// Decide gives the events that a command comes to in a state, without appending
// them. Errors are *[events.Refusal].
//
// A child that is still being made takes its first frame and nothing else: what
// came before it would stand in front of what the child inherits, or keep it out.
func Decide(s *projections.Session, c Command) ([]events.Draft, error) {
	if _, first := c.(firstFrame); !first && s.Unmade() {
		return nil, events.Refuse(lineage.CodeCreationPending, "session", "%s is still being made: its first events are its parent's", s.Header().ID)
	}
	return c.decide(s)
}

// The codes of refusals that are the engine's own. Those of presets, approvals,
// compaction and lineage are theirs.
const (
	CodeInvalid       = "invalid"         // a member of the command is missing or wrong
	CodeStale         = "stale"           // the session has gone on since the caller looked
	CodeTurnOpen      = "turn-open"       // a turn is open
	CodeNoTurn        = "no-open-turn"    // no turn is open
	CodeStepOpen      = "step-open"       // a step is open
	CodeNoStep        = "no-open-step"    // no step is open
	CodeCallsOpen     = "calls-open"      // a call of the step has no result
	CodeCallUnknown   = "call-unknown"    // no such call in the open step
	CodeCallDuplicate = "call-duplicate"  // the step has a call of that id
	CodeCallNotWanted = "call-not-wanted" // the model did not ask for it, or for another one first
	CodeCallSettled   = "call-settled"    // the call has its result
	CodeCallRunning   = "call-dispatched" // the call was dispatched
	CodeNotAllowed    = "call-not-allowed"
	CodeDuplicate     = "duplicate-id"
	CodeReused        = "conflict"     // the command's id was used for something else
	CodeTooLarge      = "too-large"    // what would be written does not fit
	CodeReplayOnly    = "replay-only"  // the session was imported, and nobody has adopted it
	CodeOrder         = "out-of-order" // it had to come before what is there
)

// invalid refuses a command for one of its members.
func invalid(field, rule string, args ...any) *events.Refusal {
	return events.Refuse(CodeInvalid, field, rule, args...)
}

// needTurn gives the open turn.
func needTurn(s *projections.Session) (int, error) {
	turn, open := s.OpenTurn()
	if !open {
		return 0, events.Refuse(CodeNoTurn, "", "no turn is open")
	}
	return turn, nil
}

// needStep gives the open step.
func needStep(s *projections.Session) (turn, step int, err error) {
	turn, step, open := s.OpenStep()
	if !open {
		return 0, 0, events.Refuse(CodeNoStep, "", "no step is open")
	}
	return turn, step, nil
}
