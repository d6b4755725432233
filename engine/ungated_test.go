package engine

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/projections"
)

// The commands of this file write what the gate writes, without a gate: for tests
// of what else happens on a log that has such events. Nothing but a test has them.

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

// Dispatch says that a call's body may start, on an allow that is on the log.
type Dispatch struct {
	CallID    string
	Arguments jsontext.Value // parsed, as the body gets them
	Mode      string
	Nonce     string
	ExpiresAt int64 // Unix ms
}

func (c Dispatch) decide(s *projections.Session) ([]events.Draft, error) {
	if _, _, err := needStep(s); err != nil {
		return nil, err
	}
	call, err := findCall(s, c.CallID)
	if err != nil {
		return nil, err
	}
	p := call.Progress
	switch {
	case p.Settled != nil:
		return nil, events.Refuse(CodeCallSettled, "callId", "call %s has its result", c.CallID)
	case p.Dispatched != nil:
		return nil, events.Refuse(CodeCallRunning, "callId", "call %s was dispatched", c.CallID)
	case p.Verdict == nil || p.Outcome != events.VerdictAllow:
		return nil, events.Refuse(CodeNotAllowed, "callId", "call %s has no verdict that allows it", c.CallID)
	case c.ExpiresAt < 1:
		return nil, invalid("expiresAt", "must be a time in Unix ms")
	}
	if err := call.holds("arguments", c.Arguments); err != nil {
		return nil, err
	}
	return events.Drafts(events.ToolDispatched{
		CallID: c.CallID, VerdictSeq: p.Verdict, ArgumentHash: permit.ArgumentHash(c.Arguments), Mode: c.Mode, Nonce: c.Nonce, ExpiresAt: c.ExpiresAt,
	}), nil
}
