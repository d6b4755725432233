package lineage

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Tail is what a log leaves open at its end, folded from its events. It holds
// nothing of a step that has ended, so that it does not grow with the log. The
// zero Tail is that of an empty log. A copy shares what the Tail holds.
type Tail struct {
	next events.Seq
	time int64 // of the last event, Unix ms

	turn, step         int  // the last that were opened
	turnOpen, stepOpen bool // whether they still are

	scope scope
}

// scope is what belongs to the open step, or to the part of the open turn that
// is between two steps.
type scope struct {
	nodes []node          // on the surface, in its order
	calls map[string]call // by call id
	order []string        // the ids of calls in the order of their start
	// inner are the starts of a program's calls that are not settled, in log order.
	inner []events.PTCDispatchStart
}

// node is a surface event of the scope and the tool calls that it asks for.
type node struct {
	seq   events.Seq
	calls []string
}

// call is what became of a call id: the last start counts.
type call struct {
	started  bool
	seq      events.Seq // of the tool/call, if it started
	answered bool
}

// Balanced reports whether the log leaves no turn open, so that it needs no
// closers.
func (t *Tail) Balanced() bool { return !t.turnOpen }

// Apply folds an event that an [events.Validator] has accepted. Steps and turns
// that have ended may be left out if the last event is not.
func (t *Tail) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) { // few events open or end something
	case events.TurnStart:
		t.turn, t.turnOpen, t.stepOpen, t.scope = ev.Turn, true, false, scope{}
	case events.TurnEnd:
		t.turnOpen, t.stepOpen, t.scope = false, false, scope{}
	case events.StepStart:
		t.step, t.stepOpen, t.scope = ev.Step, true, scope{}
	case events.StepEnd:
		t.stepOpen, t.scope = false, scope{}
	case events.ToolCall:
		t.scope.started(ev.CallID, e.Seq)
	case events.ToolResult:
		// A result in the place of another one is of a call that has its answer, be it
		// in this step or an older one.
		if _, _, replaces := e.Surface.Replace(); !replaces {
			t.scope.answered(ev.CallID())
		}
	case events.PTCDispatchStart:
		t.scope.inner = append(t.scope.inner, ev)
	case events.PTCDispatch:
		t.scope.settled(ev.SubCallID)
	}
	t.scope.place(e)
	t.next, t.time = e.Seq+1, e.Time
}

func (s *scope) started(id string, seq events.Seq) {
	if s.calls == nil {
		s.calls = map[string]call{}
	}
	s.order = append(s.order, id)
	s.calls[id] = call{started: true, seq: seq}
}

func (s *scope) answered(id string) {
	if s.calls == nil {
		s.calls = map[string]call{}
	}
	c := s.calls[id]
	c.answered = true
	s.calls[id] = c
}

// settled takes the last start of that id: an earlier one of the same id is
// another call, which is still open.
func (s *scope) settled(id string) {
	for i, in := range slices.Backward(s.inner) {
		if in.SubCallID == id {
			s.inner = slices.Delete(s.inner, i, i+1)
			return
		}
	}
}

// place follows the surface (reference 1.5) as far as the scope's own nodes go.
// They stand behind all older ones, so an end of a range that is not among them
// stands before them.
func (s *scope) place(e events.Envelope) {
	if e.Surface.None() || !e.Type().Surface() {
		return
	}
	n := node{seq: e.Seq, calls: toolCalls(e.Event)}
	start, end, replaces := e.Surface.Replace()
	if !replaces {
		s.nodes = append(s.nodes, n)
		return
	}
	last := s.position(end)
	if last < 0 {
		return // the whole range is older
	}
	if first := s.position(start); first >= 0 {
		s.nodes = slices.Replace(s.nodes, first, last+1, n)
		return
	}
	s.nodes = slices.Delete(s.nodes, 0, last+1)
}

func (s *scope) position(seq events.Seq) int {
	return slices.IndexFunc(s.nodes, func(n node) bool { return n.seq == seq })
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
	if !t.stepOpen {
		return nil
	}
	var ids []string
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] && !t.scope.calls[id].answered {
			ids = append(ids, id)
		}
		seen[id] = true
	}
	for _, n := range t.scope.nodes {
		for _, id := range n.calls {
			add(id)
		}
	}
	for _, id := range t.scope.order {
		add(id)
	}
	return ids
}
