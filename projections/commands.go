package projections

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// commandsKept is how many of the last commands a session remembers.
const commandsKept = 256

// Commands are the ids of the last appends: a command that is repeated because
// its answer was lost finds itself here, also when others came behind it. Older
// ones are told by what they did, since calls, messages, questions and children
// have ids of their own.
type Commands struct {
	Recent []Command `json:"recent,omitempty"`
}

// Command is an append that is stored.
type Command struct {
	ID  events.AppendID `json:"id"`
	End events.Seq      `json:"end"` // the seq behind its last event
}

// Note remembers an append that reaches up to end.
func (c *Commands) Note(id events.AppendID, end events.Seq) {
	if n := len(c.Recent); n > 0 && c.Recent[n-1].ID == id {
		c.Recent[n-1].End = end
		return
	}
	if len(c.Recent) >= commandsKept {
		// The oldest quarter at once, so that this costs nothing by the event.
		c.Recent = slices.Clone(c.Recent[commandsKept/4:])
	}
	c.Recent = append(c.Recent, Command{ID: id, End: end})
}

// Find gives the seq behind an append, if it is remembered.
func (c *Commands) Find(id events.AppendID) (events.Seq, bool) {
	for _, r := range slices.Backward(c.Recent) {
		if r.ID == id {
			return r.End, true
		}
	}
	return 0, false
}
