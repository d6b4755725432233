package compaction

import (
	"slices"
	"strconv"

	"github.com/docket-engine/docket/events"
)

// place follows the surface (reference 1.5): the event is put at the end, or in
// the place of a range.
func (s *State) place(e events.Envelope) {
	n := nodeOf(e)
	start, end, replaces := e.Surface.Replace()
	if !replaces {
		s.Nodes = append(s.Nodes, s.count(n))
		s.instruct(e)
		return
	}
	first, last := s.position(start), s.position(end)
	if first < 0 || last < first {
		return // no Validator accepts it
	}
	s.shadowInstructions(e, s.Nodes[first:last+1])
	s.Nodes = slices.Concat(s.Nodes[:first], []Node{n}, s.Nodes[last+1:])
	s.Generation++
	s.Pending = nil
	for i, n := range s.Nodes {
		s.Nodes[i] = s.count(n)
	}
}

// position is the node's place on the surface, -1 if it is not there.
func (s *State) position(seq events.Seq) int {
	return slices.IndexFunc(s.Nodes, func(n Node) bool { return n.Seq == seq })
}

// count follows which calls have no result behind the node.
func (s *State) count(n Node) Node {
	for _, scope := range n.Asks {
		if s.Pending == nil {
			s.Pending = map[string]bool{}
		}
		s.Pending[scope] = true
	}
	if n.Answers != "" {
		delete(s.Pending, n.Answers)
	}
	n.Unanswered = len(s.Pending)
	return n
}

func nodeOf(e events.Envelope) Node {
	n := Node{Seq: e.Seq, Type: e.Type(), Tokens: Tokens(e.Event)}
	n.Voice, n.Words, n.Sender = voice(e.Event)
	switch ev := any(e.Event).(type) { // the messages that belong to others
	case events.UserMessage:
		n.Checkpoint = ev.Source.Checkpoint()
	case events.AssistantMessage:
		for _, b := range ev.Message.Content {
			if b.Type == "tool-call" {
				n.Asks = append(n.Asks, scopeOf(ev.Turn, ev.Step, b.ID))
			}
		}
	case events.ToolResult:
		n.Answers = scopeOf(ev.Turn, ev.Step, ev.CallID())
	}
	return n
}

// scopeOf tells a call apart from calls of other steps with its id (reference 5.4).
func scopeOf(turn, step int, callID string) string {
	return strconv.Itoa(turn) + "." + strconv.Itoa(step) + "." + callID
}
