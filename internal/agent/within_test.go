package agent_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/agent"
)

// TestAStepOfSomebodyElsesTakesOneMessage: whoever opened the step ends it.
func TestAStepOfSomebodyElsesTakesOneMessage(t *testing.T) {
	w := newWorld(t, nothing)
	must(t, w.agent.Hear(t.Context(), person, "do it"))
	must(t, w.agent.StartTurn(t.Context()))
	if _, err := w.agent.Within(t.Context(), agent.Said{Calls: []agent.Call{call("c1", "read", map[string]string{"path": "a"})}}); err == nil {
		t.Error("there was no step, and no error")
	}
	ran, err := w.agent.Step(t.Context(), agent.Said{Text: "thinking"})
	must(t, err)
	if len(ran) > 0 {
		t.Errorf("got %v", ran)
	}
	must(t, w.agent.StartStep(t.Context()))
	ran, err = w.agent.Within(t.Context(), agent.Said{Calls: []agent.Call{call("c1", "write", map[string]string{"path": "a", "content": "x"})}})
	must(t, err)
	if len(ran) != 1 || ran[0].Result == nil || ran[0].Result.IsError {
		t.Errorf("got %+v", ran)
	}
	if _, err := w.agent.Within(t.Context(), agent.Said{Text: "more"}); err == nil {
		t.Error("the step took a second message")
	}
	want := []string{"tool/call", "review/requested", "review/verdict", "tool/dispatched", "tool/result", "artifact/observed"}
	if diff := cmp.Diff(want, w.types("tool/call")); diff != "" {
		t.Errorf("the step was ended (-want +got):\n%s", diff)
	}
	must(t, w.agent.EndStep(t.Context()))
	must(t, w.agent.FailTurn(t.Context(), events.Failure{Code: "GIVEN_UP", Message: "no more"}))
	if got := w.types("step/end"); !slices.Equal(got[len(got)-2:], []string{"step/end", "turn/end"}) {
		t.Errorf("got %v", got)
	}
}
