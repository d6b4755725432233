package compaction

import (
	"fmt"
	"slices"

	"github.com/docket-engine/docket/events"
)

// Instruction is a message of project instructions.
type Instruction struct {
	Seq     events.Seq         `json:"seq"`
	Message events.UserMessage `json:"message"`
	// Owed is the id of the checkpoint that stands for it, "" while it is visible. It
	// comes back with the next step, before a model or a reviewer is asked anything.
	Owed string `json:"owed,omitempty"`
	// Back says that it is visible because it came back.
	Back bool `json:"back,omitempty"`
}

// Returning are the messages with which the project instructions come back that a
// compaction took off the surface, for the front of the next step.
func (s *State) Returning() []events.Event {
	var out []events.Event
	for _, in := range s.Instructions {
		if in.Owed != "" {
			out = append(out, in.again(in.Owed))
		}
	}
	return out
}

// again is the same message, under an id that is the same whenever it is made.
func (in Instruction) again(checkpoint string) events.Event {
	m := in.Message
	m.ID = fmt.Sprintf("%s-instructions-%d", checkpoint, in.Seq)
	return m
}

// leaving are the instructions that leave the surface with the nodes, but for those
// that one which stays, or comes later, says too.
func (s *State) leaving(nodes []Node) []Instruction {
	gone := func(in Instruction) bool {
		return slices.ContainsFunc(nodes, func(n Node) bool { return n.Seq == in.Seq })
	}
	var out []Instruction
	for i, in := range s.Instructions {
		if !gone(in) {
			continue
		}
		again := slices.ContainsFunc(s.Instructions[i+1:], in.says)
		again = again || slices.ContainsFunc(s.Instructions[:i], func(before Instruction) bool { return !gone(before) && before.says(in) })
		if !again {
			out = append(out, in)
		}
	}
	return out
}

// says reports whether two say the same.
func (in Instruction) says(other Instruction) bool {
	return slices.EqualFunc(in.Message.Content, other.Message.Content, func(a, b events.Block) bool {
		if a.Type != b.Type || a.Text != b.Text {
			return false
		}
		return a.Type == "text" || string(a.Raw) == string(b.Raw)
	})
}

// instruct notes instructions that have become visible: what was to come back is
// there again.
func (s *State) instruct(e events.Envelope) {
	m, ok := e.Event.(events.UserMessage)
	if !ok || m.Source.Kind != events.SourceAgentInstructions {
		return
	}
	visible := Instruction{Seq: e.Seq, Message: m}
	kept := slices.DeleteFunc(slices.Clone(s.Instructions), func(in Instruction) bool { return in.Owed != "" && in.says(visible) })
	visible.Back = len(kept) < len(s.Instructions)
	s.Instructions = append(kept, visible)
}

// shadowInstructions notes what leaves the surface with the nodes that an event
// replaces: it comes back if that is a checkpoint.
func (s *State) shadowInstructions(by events.Envelope, nodes []Node) {
	leaving := s.leaving(nodes)
	m, _ := by.Event.(events.UserMessage)
	var kept []Instruction
	for _, in := range s.Instructions {
		leaves := slices.ContainsFunc(leaving, func(l Instruction) bool { return l.Seq == in.Seq })
		switch {
		case !slices.ContainsFunc(nodes, func(n Node) bool { return n.Seq == in.Seq }):
			kept = append(kept, in)
		case leaves && m.Source.Checkpoint():
			in.Owed, in.Back = m.ID, false
			kept = append(kept, in)
		}
	}
	s.Instructions = kept
}

// letGo forgets what was to come back when a model has been asked without it: the
// log is another program's, which has its own way with instructions.
func (s *State) letGo() {
	owed := func(in Instruction) bool { return in.Owed != "" }
	if slices.ContainsFunc(s.Instructions, owed) {
		s.Instructions = slices.DeleteFunc(slices.Clone(s.Instructions), owed)
	}
}

// cameBack reports whether a node holds instructions that are visible again.
func (s *State) cameBack(n Node) bool {
	return n.Voice == VoiceProject && slices.ContainsFunc(s.Instructions, func(in Instruction) bool { return in.Seq == n.Seq && in.Back })
}
