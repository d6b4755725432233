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
	switch c.Reason.Kind {
	case events.EndInterrupted, events.EndForked:
		return nil, invalid("reason.kind", "%s is for repair and forks alone", c.Reason.Kind)
	}
	// Nobody waits for an answer any more.
	drafts := approvals.CancelAll(&s.Approvals)
	return append(drafts, events.Drafts(events.TurnEnd{Turn: turn, Reason: c.Reason})...), nil
}

// StartStep opens the next step of the open turn, and claims what waits in the
// inbox: everything that waits for a step, and with a turn's first step the first
// message that waits for a turn.
type StartStep struct{}

func (StartStep) decide(s *projections.Session) ([]events.Draft, error) {
	turn, err := needTurn(s)
	if err != nil {
		return nil, err
	}
	_, step, open := s.OpenStep()
	if open {
		return nil, events.Refuse(CodeStepOpen, "", "step %d is still open", step)
	}
	steered := s.Inbox.Waiting(events.InboxNextStep)
	var prompt []projections.Waiting
	if waiting := s.Inbox.Waiting(events.InboxNextTurn); step == 0 && len(waiting) > 0 {
		prompt = waiting[:1]
	}
	var evs []events.Event
	evs = append(evs, claim(events.InboxNextStep, len(steered))...)
	evs = append(evs, claim(events.InboxNextTurn, len(prompt))...)
	evs = append(evs, events.StepStart{Turn: turn, Step: step + 1})
	for _, w := range append(slices.Clone(steered), prompt...) {
		evs = append(evs, claimed(w, s.Imported))
	}
	return events.Drafts(evs...), nil
}

// claim takes the first messages out of a queue.
func claim(target string, n int) []events.Event {
	if n == 0 {
		return nil
	}
	return []events.Event{events.InboxSpliced{Target: target, RemovedCount: n, Inserted: []events.UserMessage{}}}
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
	for _, c := range s.Calls.Open.Inner {
		if c.Settled == nil {
			return nil, events.Refuse(CodeCallsOpen, "", "inner call %s is not settled", c.ID)
		}
	}
	return events.Drafts(events.StepEnd{Turn: turn, Step: step}), nil
}
