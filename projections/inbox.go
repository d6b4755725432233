package projections

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// messagesKept is how many ids of messages an inbox remembers.
const messagesKept = 256

// Inbox is what waits to be said to the agent, in two queues.
type Inbox struct {
	NextStep []Waiting `json:"nextStep,omitempty"`
	NextTurn []Waiting `json:"nextTurn,omitempty"`
	// Known are the ids of the last messages that were put into a queue, the oldest
	// first. Messages come more rarely than commands, so that one which is sent again
	// long after its command is forgotten is still found.
	Known []string `json:"known,omitempty"`
}

// Waiting is a message and where it was put into its queue.
type Waiting struct {
	Seq     events.Seq         `json:"seq"`
	Message events.UserMessage `json:"message"`
}

// queue is the one with a name; the Validator has accepted the name.
func (b *Inbox) queue(target string) *[]Waiting {
	if target == events.InboxNextTurn {
		return &b.NextTurn
	}
	return &b.NextStep
}

// Waiting gives the messages of a queue, in order.
func (b *Inbox) Waiting(target string) []Waiting { return *b.queue(target) }

// Has reports whether a message of that id waits in one of the queues, or was one
// of the last that did.
func (b *Inbox) Has(messageID string) bool {
	is := func(w Waiting) bool { return w.Message.ID == messageID }
	return slices.Contains(b.Known, messageID) || slices.ContainsFunc(b.NextStep, is) || slices.ContainsFunc(b.NextTurn, is)
}

// Apply folds an event that the Validator has accepted. Places beyond the end of
// a queue, which only foreign logs have, are taken for its end.
func (b *Inbox) Apply(e events.Envelope) {
	ev, ok := e.Event.(events.InboxSpliced)
	if !ok {
		return
	}
	inserted := make([]Waiting, 0, len(ev.Inserted))
	for _, m := range ev.Inserted {
		b.know(m.ID)
		inserted = append(inserted, Waiting{Seq: e.Seq, Message: m})
	}
	q := b.queue(ev.Target)
	start := min(ev.Start, len(*q))
	end := start + min(ev.RemovedCount, len(*q)-start)
	*q = slices.Concat((*q)[:start], inserted, (*q)[end:])
}

func (b *Inbox) know(id string) {
	if len(b.Known) >= messagesKept {
		// The oldest quarter at once, so that this costs nothing by the event.
		b.Known = slices.Clone(b.Known[messagesKept/4:])
	}
	b.Known = append(b.Known, id)
}
