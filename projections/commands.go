package projections

import (
	"slices"
	"strings"

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

// Reused reports whether another command had the same name. An id that names its
// command and says what it holds is <name>.<digest>, with -<part> behind it where a
// command makes several appends; ids of another form are never reused.
func (c *Commands) Reused(id events.AppendID) bool {
	name, digest, part, ok := named(id)
	if !ok {
		return false
	}
	for _, r := range c.Recent {
		if n, d, p, ok := named(r.ID); ok && n == name && p == part && d != digest {
			return true
		}
	}
	return false
}

func named(id events.AppendID) (name, digest, part string, ok bool) {
	i := strings.LastIndexByte(string(id), '.')
	if i < 0 {
		return "", "", "", false
	}
	digest, part, _ = strings.Cut(string(id[i+1:]), "-")
	return string(id[:i]), digest, part, true
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
