package engine

import (
	"slices"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// StartTurn opens the next turn.
type StartTurn struct{}

func (StartTurn) decide(s *projections.Session) ([]events.Draft, error) {
	turn, open := s.OpenTurn()
	if open {
		return nil, events.Refuse(CodeTurnOpen, "", "turn %d is still open", turn)
	}
	return events.Drafts(events.TurnStart{Turn: turn + 1}), nil
}

// EndTurn closes the open turn, whose steps have ended. Questions that are still
// open are cancelled.
type EndTurn struct {
	Reason events.TurnEndReason
}

func (c EndTurn) decide(s *projections.Session) ([]events.Draft, error) {
	turn, err := needTurn(s)
	if err != nil {
		return nil, err
	}
	if _, step, open := s.OpenStep(); open {
		return nil, events.Refuse(CodeStepOpen, "", "step %d is still open", step)
	}
	if err := checkEnd(c.Reason); err != nil {
		return nil, err
	}
	// Nobody waits for an answer any more.
	drafts := approvals.CancelAll(&s.Approvals)
	return append(drafts, events.Drafts(events.TurnEnd{Turn: turn, Reason: c.Reason})...), nil
}

// checkEnd: who aborted is told of a turn that was aborted, what failed of one
// that failed, and neither of any other (reference 1.4).
func checkEnd(r events.TurnEndReason) error {
	switch {
	case r.Kind == events.EndInterrupted, r.Kind == events.EndForked:
		return invalid("reason.kind", "%s is for repair and forks alone", r.Kind)
	case (r.Reason != nil) != (r.Kind == events.EndAborted):
		return invalid("reason.reason", "must be there exactly when kind is %s", events.EndAborted)
	case (r.Failure != nil) != (r.Kind == events.EndError):
		return invalid("reason.failure", "must be there exactly when kind is %s", events.EndError)
	case r.Failure != nil && (r.Failure.Message == "" || r.Failure.Code == ""):
		return invalid("reason.failure", "must have a message and a code")
	case r.Reason != nil && !slices.Contains([]string{"user", "parent", "hook", "disposed"}, r.Reason.Kind):
		return invalid("reason.reason.kind", "must be user, parent, hook or disposed, is %q", r.Reason.Kind)
	case r.Reason != nil && (r.Reason.Text != "") != (r.Reason.Kind == "hook"):
		return invalid("reason.reason.text", "must be there exactly when a hook aborted")
	}
	return nil
}

// StartStep opens the next step of the open turn, and claims what waits in the
// inbox: with a turn's first step the first message that waits for a turn, and
// everything that waits for a step. What would not fit into one frame stays for
// the next step. Project instructions that a compaction took off the surface come
// back before that, so that no review of the step is without them.
type StartStep struct {
	// System is the step's system prompt, empty for none. It is given here, because
	// it stands before the messages that the step claims (reference 1.4).
	System   []events.Block
	SystemID string // of its message
}

func (c StartStep) decide(s *projections.Session) ([]events.Draft, error) {
	turn, err := needTurn(s)
	if err != nil {
		return nil, err
	}
	_, step, open := s.OpenStep()
	if open {
		return nil, events.Refuse(CodeStepOpen, "", "step %d is still open", step)
	}
	step++
	var first []events.Event
	if len(c.System) > 0 {
		if err := systemFirst(s); err != nil {
			return nil, err
		}
		first = append(first, systemMessage(turn, step, c.SystemID, c.System))
	}
	back := s.Compaction.Returning()
	steered, prompt := claims(s, step == 1, claimLimit-eventsSize(back))
	var evs []events.Event
	evs = append(evs, claim(events.InboxNextStep, len(steered))...)
	evs = append(evs, claim(events.InboxNextTurn, len(prompt))...)
	evs = append(evs, events.StepStart{Turn: turn, Step: step})
	evs = append(evs, first...)
	evs = append(evs, back...)
	for _, w := range append(slices.Clone(steered), prompt...) {
		evs = append(evs, claimed(w, s))
	}
	return events.Drafts(evs...), nil
}

// EndStep closes the open step, all calls of which have their results.
type EndStep struct{}

func (EndStep) decide(s *projections.Session) ([]events.Draft, error) {
	turn, step, err := needStep(s)
	if err != nil {
		return nil, err
	}
	for _, c := range s.Calls.Open.Native {
		if c.Settled == nil {
			return nil, events.Refuse(CodeCallsOpen, "", "call %s has no result", c.ID)
		}
	}
	// Without its result, a call that the model asked for would keep everything from
	// there on from being compacted.
	if next, more := nextWanted(s); more {
		return nil, events.Refuse(CodeCallsOpen, "", "call %s has not started: one that is not to run is started and gets a result that says so", next.ID)
	}
	for _, c := range s.Calls.Open.Inner {
		if c.Settled == nil {
			return nil, events.Refuse(CodeCallsOpen, "", "inner call %s is not settled", c.ID)
		}
	}
	return events.Drafts(events.StepEnd{Turn: turn, Step: step}), nil
}
