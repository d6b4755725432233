package lineage

import (
	"fmt"
	"slices"

	"github.com/docket-engine/docket/events"
)

// Closers gives the events that end what a fork's prefix leaves open: those of
// [Repair], but the turn's end is forked (reference 8, item 10).
func Closers(t *Tail) ([]events.Envelope, error) {
	return closers(t, events.TurnEndReason{Kind: events.EndForked})
}

// End gives the events that end the open turn of a session that is stopped: those
// of [Repair], with the given end. What ran has an outcome that nobody waited for.
func End(t *Tail, reason events.TurnEndReason) ([]events.Envelope, error) { return closers(t, reason) }

// The names of errors as the reference writes them.
const (
	nameNotStarted     = "ToolNotStartedError"
	nameOutcomeUnknown = "ToolOutcomeUnknownError"
)

// What the model reads in the place of a result, be the log cut by a crash or by
// a fork.
const (
	textNotStarted     = "This call was never begun here, so nothing of it ran. Make it again if it is still needed."
	textOutcomeUnknown = "This call was begun, and what came of it is not on record here: it may have run in whole, in part or not at all. " +
		"Look at what it would have changed, or ask the user, before you make it again; only a call that merely reads can be repeated as it is."
)

// roleTool is the role of a message that answers a call.
const roleTool = "tool"

// closers ends the open turn with the given end.
func closers(t *Tail, reason events.TurnEndReason) ([]events.Envelope, error) {
	if t.Balanced() {
		return nil, nil
	}
	c := closing{next: t.Next, time: t.Time}
	for _, start := range slices.Backward(t.Scope.Inner) {
		c.add(settle(start))
	}
	for _, id := range t.unanswered() {
		c.answer(t, id)
	}
	if t.StepOpen {
		c.add(events.StepEnd{Turn: t.Turn, Step: t.Step})
	}
	c.add(events.TurnEnd{Turn: t.Turn, Reason: reason})
	return c.events, c.err
}

// closing collects closers at their places.
type closing struct {
	next   events.Seq
	time   int64
	events []events.Envelope
	err    error // the first
}

func (c *closing) add(ev events.Event, sources ...events.Seq) {
	e, err := events.NewEnvelope(c.next, c.time, ev)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("lineage: close %s: %w", ev.Type(), err)
	}
	e.Sources = sources
	c.events = append(c.events, e)
	c.next++
}

// answer adds the result of a call that has none; it cites the call's start if
// there is one.
func (c *closing) answer(t *Tail, id string) {
	failure, text := &events.ToolError{Name: nameNotStarted, Code: events.CodeNotStarted}, textNotStarted
	var sources []events.Seq
	if started := t.Scope.Calls[id]; started.Started {
		failure, text = &events.ToolError{Name: nameOutcomeUnknown, Code: events.CodeOutcomeUnknown}, textOutcomeUnknown
		sources = []events.Seq{started.Seq}
	}
	c.add(events.ToolResult{
		Turn: t.Turn, Step: t.Step, Error: failure,
		Message: events.Message{
			ID: fmt.Sprintf("interrupted-tool-result-%s-%d", id, c.next), Role: roleTool,
			Source:  &events.Source{Kind: events.SourceTool, CallID: id},
			Content: []events.Block{events.TextBlock(text)}, IsError: true,
		},
	}, sources...)
}

// settle ends an inner call whose start is on the log.
func settle(start events.PTCDispatchStart) events.PTCDispatch {
	failed := true
	return events.PTCDispatch{
		RootCallID: start.RootCallID, ParentCallID: start.ParentCallID, SubCallID: start.SubCallID,
		Name: start.Name, Arguments: start.Arguments,
		IsError: &failed, Content: []events.Block{events.TextBlock(textOutcomeUnknown)},
		Error: &events.ToolError{Name: nameOutcomeUnknown, Code: events.CodeOutcomeUnknown},
	}
}
