package agent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/internal/agent"
	"github.com/docket-engine/docket/reviewer"
)

func task(prompt string) agent.Said {
	return agent.Said{Calls: []agent.Call{call("c1", agent.TaskName, map[string]string{"prompt": prompt})}}
}

func wantError(t *testing.T, ran []engine.Ran, code, says string) {
	t.Helper()
	r := ran[0].Result
	if r == nil || !r.IsError || r.Error.Code != code || !strings.Contains(r.Content[0].Text, says) {
		t.Errorf("got %+v, want %s with %q", ran[0], code, says)
	}
}

// TestATaskIsAChildWhoseCallsAreReviewedOnTheirOwn and whose denials are final:
// nobody watches it.
func TestATaskIsAChildWhoseCallsAreReviewedOnTheirOwn(t *testing.T) {
	var child events.SessionID
	var ends []engine.Ran
	w := newWorldOf(t, func(c reviewer.Call) bool { return c.Name == "delete" }, func(ctx context.Context, c agent.Child) (string, error) {
		child = c.Agent.Session()
		ran, err := c.Agent.Step(ctx, agent.Said{Text: "working", Calls: []agent.Call{
			call("k1", "write", map[string]string{"path": "a.txt", "content": c.Prompt}), call("k2", "delete", map[string]string{"path": "old.txt"}),
		}})
		ends = ran
		if err != nil {
			return "", err
		}
		_, err = c.Agent.Step(ctx, agent.Said{Text: "done"})
		return "it is written", errors.Join(err, c.Agent.EndTurn(ctx))
	})
	must(t, os.WriteFile(filepath.Join(w.dir, "old.txt"), []byte("x"), 0o600))
	ran := w.turn(task("Write it down."))
	if r := ran[0].Result; r == nil || r.IsError || r.Content[0].Text != "it is written" {
		t.Fatalf("got %+v", ran[0])
	}
	if text, err := os.ReadFile(filepath.Join(w.dir, "a.txt")); err != nil || string(text) != "Write it down." {
		t.Errorf("got %q, %v", text, err)
	}
	if r := ends[1].Refused; r == nil || r.Kind != engine.Denied || r.Error == nil || r.Error.Code != "AUTO_REVIEW_DENIED" {
		t.Errorf("got %+v, want a final denial", ends[1])
	}
	var types []events.Type
	for _, e := range eventstest.Check(t, w.log, child) {
		types = append(types, e.Type())
	}
	want := []events.Type{
		"sandbox/mode", "approval/policy", "permission/preset", "turn/start", "subagent/descriptor", "step/start", "user/message",
		"request/header", "assistant/message",
		"tool/call", "review/requested", "review/verdict", "tool/dispatched", "tool/result", "artifact/observed",
		"tool/call", "review/requested", "review/verdict", "tool/result", "step/end",
		"step/start", "assistant/message", "step/end", "turn/end",
	}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Error(diff)
	}
}

func TestATaskThatCannotBeDoneIsAnErrorOfItsCall(t *testing.T) {
	var child events.SessionID
	w := newWorldOf(t, nothing, func(_ context.Context, c agent.Child) (string, error) {
		child = c.Agent.Session()
		return "", errors.New("the model is away")
	})
	wantError(t, w.turn(task("Write.")), "TASK_FAILED", "the model is away")
	all := eventstest.Check(t, w.log, child)
	if end, ok := all[len(all)-1].Event.(events.TurnEnd); !ok || end.Reason.Kind != events.EndAborted {
		t.Errorf("the child ends with %+v, want its turn aborted", all[len(all)-1])
	}
}

func TestATasksArgumentsAreAPromptAndNothingElse(t *testing.T) {
	w := newWorldOf(t, nothing, func(context.Context, agent.Child) (string, error) { return "", errors.New("a child was made") })
	for name, arguments := range map[string]any{
		"no prompt":       map[string]string{},
		"an empty prompt": map[string]string{"prompt": ""},
		"a number":        map[string]int{"prompt": 1},
		"another case":    map[string]string{"Prompt": "x"},
		"something more":  map[string]string{"prompt": "x", "model": "y"},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, w.turn(agent.Said{Calls: []agent.Call{call("c1", agent.TaskName, arguments)}}), "INVALID_ARGUMENTS", "prompt")
		})
	}
}

func TestWithoutADelegateThereIsNoTask(t *testing.T) {
	w := newWorld(t, nothing)
	wantError(t, w.turn(task("Write.")), "UNKNOWN_TOOL", "task")
}
