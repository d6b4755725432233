package engine

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// Answer is what the gate says to a call: a permit, or a refusal whose result is
// on the log. Exactly one of the two is there.
type Answer struct {
	Permit  *Permitted
	Refused *Refused
}

// Refused is a call whose body does not run. Its result is on the log.
type Refused struct {
	Kind RefusalKind
	// Text is what the agent reads, without a leading "Error: ".
	Text string
	// Error is the structured error, nil for none.
	Error *events.ToolError
	// Seq is that of the result, nil where somebody else has ended the call.
	Seq *events.Seq
}

// RefusalKind says which of the four ends of a call it was (design section 6).
// They are never shown as one another.
type RefusalKind string

// The kinds of refusals.
const (
	Denied    RefusalKind = "denied"      // a reviewer, a guard or a person said no
	Failed    RefusalKind = "failed"      // no answer could be had
	Cancelled RefusalKind = "cancelled"   // the caller, or the integration, went away
	Unasked   RefusalKind = "unavailable" // nobody was there to approve
)

// The structured error of a call that was cancelled before its body started
// (reference 4).
const (
	AbortName           = "AbortError"
	CodeBeforeDispatch  = events.CodeBeforeDispatch
	CodeAborted         = events.CodeAborted
	CodeFileChanged     = "FILE_CHANGED" // of a script, between its review and its start
	CodePermitReturned  = events.CodePermitReturned
	textBeforeDispatch  = "The call was cancelled before its body started"
	textPermitReturned  = "The executor returned the call's permit unused; its body was not executed"
	textStale           = "The session was narrowed while the call was under review; its body was not executed"
	textEndedByOthers   = "The call was ended while it waited; its body was not executed"
	permitReturnedError = "PermitReturnedError"
	gateError           = "GateError"
	codeCheckFailed     = "CHECK_FAILED"
)

func cancelledCall() *Refused {
	return &Refused{Kind: Cancelled, Text: textBeforeDispatch, Error: &events.ToolError{Name: AbortName, Code: CodeBeforeDispatch}}
}

// failedCall is a failure that is not a review's.
func failedCall(code, text string) *Refused {
	return &Refused{Kind: Failed, Text: text, Error: &events.ToolError{Name: gateError, Code: code}}
}

// failedReview has no structured error: it is no denial, and must not look like
// one (reference 3).
func failedReview(w reviewer.Words, tool string, f *reviewer.Failure) *Refused {
	return &Refused{Kind: Failed, Text: w.Failed(tool, f)}
}

func finalDenial(w reviewer.Words, tool string, reason jsontext.Value) *Refused {
	return &Refused{Kind: Denied, Text: w.Denied(tool), Error: &events.ToolError{Name: w.DeniedName, Code: w.DeniedCode, Reason: reason}}
}

// refusedBy is the refusal of a stage or a guard.
func refusedBy(tool string, reason string, structured *events.ToolError) *Refused {
	if reason == "" {
		reason = "The call of " + tool + " was refused; its body was not executed"
	}
	return &Refused{Kind: Denied, Text: reason, Error: structured}
}

// notApproved is the refusal of a question that was not answered with an allow:
// a text for each outcome, and no structured error (reference 3).
func notApproved(tool string, d events.ApprovalDecided) *Refused {
	kind := Denied
	switch d.Outcome {
	case events.OutcomeCancelled:
		kind = Cancelled
	case events.OutcomeUnavailable:
		kind = Unasked
	}
	return &Refused{Kind: kind, Text: approvals.RefusalText(tool, d)}
}

// target is a call to which a result is written.
type target struct {
	turn, step int
	id, name   string
	seq        events.Seq // of its start
	inner      *events.PTCDispatchStart
}

// target is the operation's call, which starts at seq.
func (op *operation) target(s *projections.Session, seq events.Seq) target {
	turn, step, _ := s.OpenStep()
	t := target{turn: turn, step: step, id: op.req.CallID, name: op.req.Name, seq: seq}
	if in := op.req.Inner; in != nil {
		t.inner = &events.PTCDispatchStart{
			RootCallID: in.RootCallID, ParentCallID: in.ParentCallID, SubCallID: op.req.CallID, Name: op.req.Name, Arguments: jsontext.Value(op.req.Arguments),
		}
	}
	return t
}

// refusal is the result of a call that is refused.
func (t target) refusal(r *Refused) events.Draft {
	content := []events.Block{events.TextBlock("Error: " + r.Text)}
	if in := t.inner; in != nil {
		failed := true
		return events.Draft{Event: events.PTCDispatch{
			RootCallID: in.RootCallID, ParentCallID: in.ParentCallID, SubCallID: in.SubCallID, Name: in.Name, Arguments: in.Arguments,
			IsError: &failed, Content: content, Error: r.Error,
		}}
	}
	m := events.Message{Role: "tool", Source: &events.Source{Kind: events.SourceTool, CallID: t.id}, Content: content, IsError: true}
	return events.Draft{Event: events.ToolResult{Turn: t.turn, Step: t.step, Message: m, Error: r.Error}, Sources: []events.Seq{t.seq}}
}
