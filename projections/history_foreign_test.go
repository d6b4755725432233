package projections_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// foreignLog draws what the Validator accepts of calls and our engine never writes:
// calls that nobody asked for or that were logged twice, blocks that repeat, programs
// in what was not started, messages that come behind their calls or leave the surface
// in the middle of a step.
func foreignLog(rt *rapid.T) *eventstest.Script {
	s := eventstest.NewScript(rt, eventstest.Header(rt, "foreign", nil))
	s.StartTurn()
	inner := []string{}
	call := func() string { return rapid.SampledFrom([]string{"c1", "c2", "c3"}).Draw(rt, "id") }
	name := func() string { return rapid.SampledFrom([]string{"bash", "bash", "read"}).Draw(rt, "tool") }
	actions := []func(){
		func() {
			var blocks []events.Block
			for range rapid.IntRange(1, 3).Draw(rt, "blocks") {
				blocks = append(blocks, events.ToolCallBlock(call(), name(), "{}"))
			}
			s.Assistant("", blocks...)
		},
		func() { s.Call(call(), name(), "{}") },
		func() { s.Call(call(), "bash", "{}") },
		func() {
			parent := call()
			if len(inner) > 0 && rapid.Bool().Draw(rt, "nested") {
				parent = rapid.SampledFrom(inner).Draw(rt, "parent")
			}
			id := fmt.Sprintf("%s:ptc:%d", parent, s.Next())
			inner = append(inner, id)
			s.Add(events.PTCDispatchStart{RootCallID: "c1", ParentCallID: parent, SubCallID: id, Name: "read", Arguments: jsontext.Value(`{"a":[]}`)})
		},
		func() { s.User("go on") },
		func() {
			if nodes := s.Surface(); len(nodes) > 0 && rapid.Bool().Draw(rt, "compact") {
				at := rapid.IntRange(0, len(nodes)-1).Draw(rt, "up to")
				from := rapid.IntRange(0, at).Draw(rt, "from")
				s.Compact(nodes[from], nodes[at], "so far")
			}
		},
		func() { s.EndStep(); s.StartStep(); inner = nil },
	}
	s.StartStep()
	for range rapid.IntRange(0, 25).Draw(rt, "actions") {
		actions[rapid.IntRange(0, len(actions)-1).Draw(rt, "action")]()
	}
	return s
}

func TestForeignLogsShowAndFailAsAPlainReadingOfThem(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		script := foreignLog(rt)
		s, h := projections.NewSession(script.Header), projections.NewHistory()
		for _, e := range script.Events {
			if err := s.Apply(e); err != nil {
				rt.Fatal(err)
			}
			h.Apply(s, e)
			if rapid.IntRange(0, 3).Draw(rt, "look") > 0 {
				continue
			}
			es := script.Events[:s.Next()]
			root := rapid.SampledFrom([]string{"c1", "c2", "c3"}).Draw(rt, "root")
			for what, history := range map[string]*projections.History{"by increments": h, "cold": cold(s, es)} {
				if err := history.Complete(s); err != nil {
					rt.Fatalf("%s at seq %d: %v", what, e.Seq, err)
				}
				wantFault, wantMet := plainFault(s, es, root)
				fault, met := history.Faults(s, root)
				if fault != wantFault || wantFault.Kind == "" && met != wantMet {
					rt.Fatalf("%s at seq %d for %s: got %+v %t, want %+v %t", what, e.Seq, root, fault, met, wantFault, wantMet)
				}
				if diff := cmp.Diff(plainStarts(s, es), startsOf(history, s)); diff != "" {
					rt.Fatalf("%s at seq %d (-plain reading +history):\n%s", what, e.Seq, diff)
				}
			}
		}
	})
}

// plainStep is what a step logged, by a reading of the whole log.
type plainStep struct {
	native map[string][]events.ToolCall
	seqs   map[string][]events.Seq
	inner  []events.Envelope
}

func plainSteps(es []events.Envelope) map[[2]int]*plainStep {
	steps := map[[2]int]*plainStep{}
	var open *plainStep
	for _, e := range es {
		switch ev := any(e.Event).(type) {
		case events.StepStart:
			open = &plainStep{native: map[string][]events.ToolCall{}, seqs: map[string][]events.Seq{}}
			steps[[2]int{ev.Turn, ev.Step}] = open
		case events.ToolCall:
			open.native[ev.CallID] = append(open.native[ev.CallID], ev)
			open.seqs[ev.CallID] = append(open.seqs[ev.CallID], e.Seq)
		case events.PTCDispatchStart:
			open.inner = append(open.inner, e)
		}
	}
	return steps
}

// plainStarts lists the seqs of the calls that a history shows.
func plainStarts(s *projections.Session, es []events.Envelope) []events.Seq {
	var out []events.Seq
	steps := plainSteps(es)
	for _, seq := range s.Surface().Nodes() {
		m, ok := any(es[seq].Event).(events.AssistantMessage)
		if !ok {
			continue
		}
		step := steps[[2]int{m.Turn, m.Step}]
		for _, b := range m.Message.Content {
			logged := step.seqs[b.ID]
			if b.Type != "tool-call" || len(logged) == 0 {
				continue
			}
			out = append(out, logged[len(logged)-1])
			family := []string{b.ID}
			for _, in := range step.inner {
				start := in.Event.(events.PTCDispatchStart)
				if slices.Contains(family, start.ParentCallID) {
					family = append(family, start.SubCallID)
					out = append(out, in.Seq)
				}
			}
		}
	}
	return out
}

func startsOf(h *projections.History, s *projections.Session) []events.Seq {
	var out []events.Seq
	for e := range h.Entries(s, projections.CallRef{}) {
		if e.Kind == projections.EntryCall {
			out = append(out, e.Seq)
		}
	}
	return out
}

// plainFault walks all visible messages, each against the whole log (reference 5.4,
// checks 8 to 14).
func plainFault(s *projections.Session, es []events.Envelope, root string) (projections.Fault, bool) {
	steps := plainSteps(es)
	turn, step, open := s.OpenStep()
	met := false
	for _, seq := range s.Surface().Nodes() {
		m, ok := any(es[seq].Event).(events.AssistantMessage)
		if !ok {
			continue
		}
		key := [2]int{m.Turn, m.Step}
		current := open && key == [2]int{turn, step}
		gap, asked := false, map[string]bool{}
		for _, b := range m.Message.Content {
			if b.Type != "tool-call" {
				continue
			}
			logged := steps[key].native[b.ID]
			inner := slices.ContainsFunc(steps[key].inner, func(e events.Envelope) bool {
				return e.Event.(events.PTCDispatchStart).ParentCallID == b.ID
			})
			kind := projections.FaultKind("")
			if current && met && b.ID == root {
				kind = projections.FaultRootTwice
			} else if len(logged) > 1 || asked[b.ID] {
				kind = projections.FaultAmbiguousID
			} else if len(logged) == 0 && current && !met {
				kind = projections.FaultMissingLog
			} else if len(logged) == 0 && inner {
				kind = projections.FaultUnstartedHasInner
			} else if len(logged) == 1 && gap {
				kind = projections.FaultNotPrefix
			} else if len(logged) == 1 && (logged[0].Name != b.Name || *logged[0].Arguments != b.Arguments) {
				kind = projections.FaultMismatch
			}
			if kind != "" {
				return projections.Fault{Kind: kind, Message: seq, CallID: b.ID}, met
			}
			gap = gap || len(logged) == 0
			asked[b.ID] = true
			met = met || current && b.ID == root
		}
	}
	return projections.Fault{}, met
}
