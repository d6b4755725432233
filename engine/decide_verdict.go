package engine

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// RecordVerdict puts what a review came to on the log: at most one verdict a call,
// ever (reference 8, item 8).
type RecordVerdict struct {
	CallID   string
	Preset   string
	Reviewer string
	Outcome  string                // one of the Verdict constants of events
	Reason   jsontext.Value        // the string literal that the reviewer wrote, or nothing
	Failure  *events.ReviewFailure // exactly for a failure
	Evidence jsontext.Value
}

func (c RecordVerdict) decide(s *projections.Session) ([]events.Draft, error) {
	turn, step, err := needStep(s)
	if err != nil {
		return nil, err
	}
	call, err := findCall(s, c.CallID)
	switch {
	case err != nil:
		return nil, err
	case call.Verdict != nil:
		return nil, events.Refuse(CodeDuplicate, "callId", "call %s has its verdict", c.CallID)
	case call.Settled != nil:
		return nil, events.Refuse(CodeCallSettled, "callId", "call %s has its result", c.CallID)
	}
	mode := "native"
	if call.inner {
		mode = "ptc-inner"
	}
	return events.Drafts(events.ReviewVerdict{
		Turn: turn, Step: step, CallID: c.CallID, Mode: mode, Preset: c.Preset, Reviewer: c.Reviewer,
		Outcome: c.Outcome, Reason: c.Reason, Failure: c.Failure, Evidence: c.Evidence,
	}), nil
}
