package main

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

// callEnd is how a call has ended.
type callEnd string

const (
	endRan         callEnd = "ran" // its body, whatever that came to
	endDenied              = callEnd(engine.Denied)
	endFailed              = callEnd(engine.Failed)
	endCancelled           = callEnd(engine.Cancelled)
	endUnavailable         = callEnd(engine.Unasked)
)

// callCourse is what a log has said of a call so far.
type callCourse struct {
	id, tool, arguments string
	inner               bool   // a program makes it
	verdict             string // its outcome, "" for none
	asked               bool   // a person
	answer              string // the outcome of that, "" for none
	dispatched          bool
	settled             bool
	isError             bool // the result's
	code                string
}

func (c *callCourse) argumentHash() string { return permit.ArgumentHash(jsontext.Value(c.arguments)) }

// end says which of its ends a settled call has come to. It is denied if a
// reviewer denied it and no person was asked, or if a person rejected it.
func (c *callCourse) end() callEnd {
	switch {
	case c.dispatched && c.code != engine.CodePermitReturned && c.code != engine.CodeBeforeDispatch:
		return endRan
	case c.code == engine.CodeBeforeDispatch, c.verdict == events.VerdictCancelled, c.answer == events.OutcomeCancelled:
		return endCancelled
	case c.answer == events.OutcomeRejected, c.verdict == events.VerdictDeny && !c.asked:
		return endDenied
	case c.answer == events.OutcomeUnavailable:
		return endUnavailable
	default:
		return endFailed
	}
}

// callCourses folds a log to its calls' courses. The zero value has seen nothing.
type callCourses struct {
	open  map[string]*callCourse // of the open step
	asked map[string]*callCourse // by question
}

// apply folds an event of a valid log, and gives the call that it is about, nil
// for none.
func (k *callCourses) apply(e events.Envelope) *callCourse {
	switch ev := any(e.Event).(type) {
	case events.StepStart:
		k.open, k.asked = map[string]*callCourse{}, map[string]*callCourse{}
	case events.ToolCall:
		return k.start(&callCourse{id: ev.CallID, tool: ev.Name, arguments: *ev.Arguments})
	case events.PTCDispatchStart:
		return k.start(&callCourse{id: ev.SubCallID, tool: ev.Name, arguments: string(ev.Arguments), inner: true})
	case events.ToolDispatched:
		return k.note(ev.CallID, func(c *callCourse) { c.dispatched = true })
	case events.ToolResult:
		return k.settle(ev.CallID(), ev.Message.IsError, ev.Error)
	case events.PTCDispatch:
		return k.settle(ev.SubCallID, ev.IsError != nil && *ev.IsError, ev.Error)
	default:
		return k.judge(e)
	}
	return nil
}

func (k *callCourses) judge(e events.Envelope) *callCourse {
	switch ev := any(e.Event).(type) {
	case events.ReviewRequested:
		return k.note(ev.CallID, func(*callCourse) {})
	case events.ReviewVerdict:
		return k.note(ev.CallID, func(c *callCourse) { c.verdict = ev.Outcome })
	case events.ApprovalAsked:
		return k.note(ev.CallID, func(c *callCourse) { c.asked, k.asked[ev.ID] = true, c })
	case events.ApprovalDecided:
		c := k.asked[ev.ID]
		if c != nil {
			c.answer = ev.Outcome
		}
		return c
	default:
		return nil
	}
}

// start takes a call in. A foreign log may have a program's calls outside of steps,
// of which nothing follows.
func (k *callCourses) start(c *callCourse) *callCourse {
	if k.open != nil {
		k.open[c.id] = c
	}
	return c
}

func (k *callCourses) note(id string, change func(*callCourse)) *callCourse {
	c := k.open[id]
	if c != nil {
		change(c)
	}
	return c
}

func (k *callCourses) settle(id string, isError bool, structured *events.ToolError) *callCourse {
	return k.note(id, func(c *callCourse) {
		c.settled, c.isError = true, isError
		if structured != nil {
			c.code = structured.Code
		}
		delete(k.open, id)
	})
}
