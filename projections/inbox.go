package projections

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Inbox is what waits to be said to the agent, in two queues.
type Inbox struct {
	NextStep []events.UserMessage `json:"nextStep,omitempty"`
	NextTurn []events.UserMessage `json:"nextTurn,omitempty"`
}

// queue is the one with a name; the Validator has accepted the name.
func (b *Inbox) queue(target string) *[]events.UserMessage {
	if target == events.InboxNextTurn {
		return &b.NextTurn
	}
	return &b.NextStep
}

// Waiting gives the messages of a queue, in order.
func (b *Inbox) Waiting(target string) []events.UserMessage { return *b.queue(target) }

// Apply folds an event that the Validator has accepted. Places beyond the end of
// a queue, which only foreign logs have, are taken for its end.
func (b *Inbox) Apply(e events.Envelope) {
	ev, ok := e.Event.(events.InboxSpliced)
	if !ok {
		return
	}
	q := b.queue(ev.Target)
	start := min(ev.Start, len(*q))
	end := start + min(ev.RemovedCount, len(*q)-start)
	*q = slices.Concat((*q)[:start], ev.Inserted, (*q)[end:])
}
