package projections

import "github.com/docket-engine/docket/events"

// CallEnd is how a call ended.
type CallEnd string

// The ends of calls. A call without one is under way.
const (
	EndPending   CallEnd = "pending"
	EndSucceeded CallEnd = "succeeded" // its body ran, and says so
	EndFailed    CallEnd = "failed"    // its body ran, and says that it failed
	EndReturned  CallEnd = "returned"  // its permit came back unused: no body ran
	EndRefused   CallEnd = "refused"   // it was never dispatched
	EndUnknown   CallEnd = "unknown"   // its body may have run, to its end as well
)

// course follows what becomes of the step's calls.
func (p *historyStep) course(e events.Envelope) {
	if p == nil {
		return
	}
	switch ev := any(e.Event).(type) {
	case events.ToolDispatched:
		if c := p.find(ev.CallID); c != nil {
			c.dispatched = true
		}
	case events.ToolResult:
		p.ended(ev.CallID(), ev.Message.IsError, ev.Error)
	case events.PTCDispatch:
		p.ended(ev.SubCallID, ev.IsError != nil && *ev.IsError, ev.Error)
	}
}

func (p *historyStep) ended(id string, isError bool, structured *events.ToolError) {
	if c := p.find(id); c != nil && c.Ended == EndPending {
		c.Ended = endOf(c.dispatched, isError, structured)
	}
}

// find gives the last call of an id: native ids and inner ones are not alike.
func (p *historyStep) find(id string) *historyCall {
	if calls := p.byID[id]; len(calls) > 0 {
		return calls[len(calls)-1]
	}
	return p.innerByID[id]
}

// endOf says how a call ended by its result. A body that was cancelled may have done
// its work before it heard of that.
func endOf(dispatched, isError bool, structured *events.ToolError) CallEnd {
	code := ""
	if structured != nil {
		code = structured.Code
	}
	switch {
	case !isError:
		return EndSucceeded
	case code == events.CodeOutcomeUnknown:
		return EndUnknown
	case !dispatched:
		return EndRefused
	case code == events.CodePermitReturned, code == events.CodeBeforeDispatch:
		return EndReturned
	case code == events.CodeAborted:
		return EndUnknown
	default:
		return EndFailed
	}
}
