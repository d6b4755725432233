package lineage

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Tail is what a log leaves open at its end, folded from its events. It holds
// nothing of a step that has ended, so that it does not grow with the log. The
// zero Tail is that of an empty log. A copy shares what the Tail holds.
type Tail struct {
	Next events.Seq `json:"next"`
	Time int64      `json:"time"` // of the last event, Unix ms

	Turn     int  `json:"turn"` // the last that was opened
	Step     int  `json:"step"`
	TurnOpen bool `json:"turnOpen"` // whether it still is
	StepOpen bool `json:"stepOpen"`

	Scope Scope `json:"scope"`
}

// Scope is what belongs to the open step, or to the part of the open turn that
// is between two steps.
type Scope struct {
	Nodes []TailNode          `json:"nodes,omitempty"` // on the surface, in its order
	Calls map[string]TailCall `json:"calls,omitempty"` // by call id
	Order []string            `json:"order,omitempty"` // the ids of calls in the order of their start
	// Inner are the starts of a program's calls that are not settled, in log order.
	Inner []events.PTCDispatchStart `json:"inner,omitempty"`
}

// TailNode is a surface event of the scope and the tool calls that it asks for.
type TailNode struct {
	Seq   events.Seq `json:"seq"`
	Calls []string   `json:"calls,omitempty"`
}

// TailCall is what became of a call id: the last start counts.
type TailCall struct {
	Started  bool       `json:"started,omitempty"`
	Seq      events.Seq `json:"seq,omitempty"` // of the tool/call, if it started
	Answered bool       `json:"answered,omitempty"`
}

// Balanced reports whether the log leaves no turn open, so that it needs no
// closers.
func (t *Tail) Balanced() bool { return !t.TurnOpen }

// Apply folds an event that an [events.Validator] has accepted. Steps and turns
// that have ended may be left out if the last event is not.
func (t *Tail) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) { // few events open or end something
	case events.TurnStart:
		t.Turn, t.TurnOpen, t.StepOpen, t.Scope = ev.Turn, true, false, Scope{}
	case events.TurnEnd:
		t.TurnOpen, t.StepOpen, t.Scope = false, false, Scope{}
	case events.StepStart:
		t.Step, t.StepOpen, t.Scope = ev.Step, true, Scope{}
	case events.StepEnd:
		t.StepOpen, t.Scope = false, Scope{}
	case events.ToolCall:
		t.Scope.started(ev.CallID, e.Seq)
	case events.ToolResult:
		// A result in the place of another one is of a call that has its answer, be it
		// in this step or an older one.
		if _, _, replaces := e.Surface.Replace(); !replaces {
			t.Scope.answered(ev.CallID())
		}
	case events.PTCDispatchStart:
		t.Scope.Inner = append(t.Scope.Inner, ev)
	case events.PTCDispatch:
		t.Scope.settled(ev.SubCallID)
	}
	t.Scope.place(e)
	t.Next, t.Time = e.Seq+1, e.Time
}

func (s *Scope) started(id string, seq events.Seq) {
	if s.Calls == nil {
		s.Calls = map[string]TailCall{}
	}
	s.Order = append(s.Order, id)
	s.Calls[id] = TailCall{Started: true, Seq: seq}
}

func (s *Scope) answered(id string) {
	if s.Calls == nil {
		s.Calls = map[string]TailCall{}
	}
	c := s.Calls[id]
	c.Answered = true
	s.Calls[id] = c
}

// settled takes the last start of that id: an earlier one of the same id is
// another call, which is still open.
func (s *Scope) settled(id string) {
	for i, in := range slices.Backward(s.Inner) {
		if in.SubCallID == id {
			s.Inner = slices.Delete(s.Inner, i, i+1)
			return
		}
	}
}

// place follows the surface (reference 1.5) as far as the scope's own nodes go.
// They stand behind all older ones, so an end of a range that is not among them
// stands before them.
func (s *Scope) place(e events.Envelope) {
	if e.Surface.None() || !e.Type().Surface() {
		return
	}
	n := TailNode{Seq: e.Seq, Calls: toolCalls(e.Event)}
	start, end, replaces := e.Surface.Replace()
	if !replaces {
		s.Nodes = append(s.Nodes, n)
		return
	}
	last := s.position(end)
	if last < 0 {
		return // the whole range is older
	}
	if first := s.position(start); first >= 0 {
		s.Nodes = slices.Replace(s.Nodes, first, last+1, n)
		return
	}
	s.Nodes = slices.Delete(s.Nodes, 0, last+1)
}

func (s *Scope) position(seq events.Seq) int {
	return slices.IndexFunc(s.Nodes, func(n TailNode) bool { return n.Seq == seq })
}

// blockToolCall is the type of a message's block that asks for a call.
const blockToolCall = "tool-call"

func toolCalls(e events.Event) []string {
	message, ok := e.(events.AssistantMessage)
	if !ok {
		return nil
	}
	var ids []string
	for _, b := range message.Message.Content {
		if b.Type == blockToolCall {
			ids = append(ids, b.ID)
		}
	}
	return ids
}

// unanswered gives the call ids of the open step that have no result: those that
// visible messages ask for in model order, then started ones whose message is
// not there, in log order.
func (t *Tail) unanswered() []string {
	if !t.StepOpen {
		return nil
	}
	var ids []string
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] && !t.Scope.Calls[id].Answered {
			ids = append(ids, id)
		}
		seen[id] = true
	}
	for _, n := range t.Scope.Nodes {
		for _, id := range n.Calls {
			add(id)
		}
	}
	for _, id := range t.Scope.Order {
		add(id)
	}
	return ids
}
