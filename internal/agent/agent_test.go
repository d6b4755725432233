package agent_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/internal/agent"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
	"github.com/docket-engine/docket/tools"
)

func TestMain(m *testing.M) {
	if handled, code := tools.ProgramMain(os.Args[1:]); handled {
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

// double stands for a model's judgement: it denies what its function says.
type double struct {
	denies func(c reviewer.Call) bool
}

func (d double) Name() string { return "double" }

func (d double) Prepare(_ reviewer.View, c reviewer.Call) (reviewer.Review, error) {
	return answer{d.denies(c)}, nil
}

type answer struct{ deny bool }

func (a answer) Ask(context.Context) (reviewer.Verdict, error) {
	if a.deny {
		return reviewer.Verdict{Outcome: reviewer.Deny}, nil
	}
	return reviewer.Verdict{Outcome: reviewer.Allow}, nil
}
func (answer) Digest() string { return strings.Repeat("0", 64) }
func (answer) Route() string  { return "double/double" }

type world struct {
	t     *testing.T
	log   *eventstest.Memory
	agent *agent.Agent
	dir   string
	pace  func(context.Context, events.SessionID) // nil for at once
}

var person = events.Actor{Class: "human", Name: "ada"}

func newWorld(t *testing.T, denies func(reviewer.Call) bool) *world {
	t.Helper()
	return newWorldOf(t, denies, nil)
}

func newWorldOf(t *testing.T, denies func(reviewer.Call) bool, delegate func(context.Context, agent.Child) (string, error)) *world {
	t.Helper()
	w := &world{t: t, log: &eventstest.Memory{}, dir: t.TempDir()}
	_, key, err := ed25519.GenerateKey(nil)
	must(t, err)
	e, err := engine.New(engine.Config{Log: w.log})
	must(t, err)
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	must(t, err)
	program, err := agent.Program(tools.Shipped())
	must(t, err)
	gate, err := engine.NewGate(engine.GateConfig{
		Engine: e, Registry: presets.NewRegistry(table, nil), Tail: w.log, Instance: "test", Key: key, Programs: []engine.Program{program},
	})
	must(t, err)
	must(t, gate.Install(engine.Installation{Integration: presets.AutoIntegration(), Reviewer: double{denies}, Words: auto.Words()}))
	header := eventstest.Header(t, "work", func(h *events.Header) { h.CWD = w.dir })
	must(t, w.log.Create(t.Context(), events.Creation{ID: "create", Header: header}))
	meta := func(id string) engine.Meta { return engine.Meta{ID: events.AppendID(id), Actor: person, Now: 1} }
	_, err = gate.Publish(t.Context(), "work", engine.Publish{}, meta("publish"))
	must(t, err)
	_, err = gate.SetPreset(t.Context(), "work", engine.SetPreset{Preset: presets.Auto}, meta("preset"))
	must(t, err)
	_, err = e.Do(t.Context(), "work", engine.SetPolicy{Policy: events.PolicyNever}, meta("policy"))
	must(t, err)
	w.agent, err = agent.New(agent.Config{
		Engine: e, Gate: gate, Executor: permit.NewExecutor(key.Public().(ed25519.PublicKey)), Tools: tools.Shipped(),
		Route: reviewer.RouteName{Provider: "p", Model: "m"}, Delegate: delegate,
		Pace: func(ctx context.Context, id events.SessionID) {
			if w.pace != nil {
				w.pace(ctx, id)
			}
		},
	}, header)
	must(t, err)
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func call(id, name string, arguments any) agent.Call {
	text, err := json.Marshal(arguments, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return agent.Call{ID: id, Name: name, Arguments: string(text)}
}

// turn is one turn of one step.
func (w *world) turn(said agent.Said) []engine.Ran {
	w.t.Helper()
	must(w.t, w.agent.Hear(w.t.Context(), person, "do it"))
	must(w.t, w.agent.StartTurn(w.t.Context()))
	ran, err := w.agent.Step(w.t.Context(), said)
	must(w.t, err)
	must(w.t, w.agent.EndTurn(w.t.Context()))
	return ran
}

func (w *world) types(from events.Type) []string {
	w.t.Helper()
	var out []string
	for _, e := range eventstest.Check(w.t, w.log, "work") {
		if len(out) > 0 || e.Type() == from {
			out = append(out, string(e.Type()))
		}
	}
	return out
}

func nothing(reviewer.Call) bool { return false }

func TestAnAgentsCallsRunOnRealFilesBehindTheirReviews(t *testing.T) {
	w := newWorld(t, nothing)
	ran := w.turn(agent.Said{Text: "writing", Calls: []agent.Call{
		call("c1", "write", map[string]string{"path": "a.txt", "content": "hello\n"}),
		call("c2", "read", map[string]string{"path": "a.txt"}),
		call("c3", "shell", map[string]string{"command": "wc -c < a.txt"}),
	}})
	for i, want := range []string{"a.txt", "hello", "6"} {
		if r := ran[i].Result; r == nil || r.IsError || !strings.Contains(r.Content[0].Text, want) {
			t.Errorf("call %d: got %+v, want %q in it", i+1, ran[i], want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(w.dir, "a.txt")); err != nil || string(text) != "hello\n" {
		t.Errorf("got %q, %v", text, err)
	}
	want := []string{
		"tool/call", "review/requested", "review/verdict", "tool/dispatched", "tool/result", "artifact/observed",
		"tool/call", "review/requested", "review/verdict", "tool/dispatched", "tool/result",
		"tool/call", "review/requested", "review/verdict", "tool/dispatched", "tool/result", "step/end", "turn/end",
	}
	if diff := cmp.Diff(want, w.types(events.TypeToolCall)); diff != "" {
		t.Error(diff)
	}
}

func TestADeniedCallTouchesNothing(t *testing.T) {
	w := newWorld(t, func(c reviewer.Call) bool { return c.Name == "delete" })
	must(t, os.WriteFile(filepath.Join(w.dir, "old.txt"), []byte("x"), 0o600))
	ran := w.turn(agent.Said{Calls: []agent.Call{call("c1", "delete", map[string]string{"path": "old.txt"})}})
	if r := ran[0].Refused; r == nil || r.Kind != engine.Denied {
		t.Errorf("got %+v, want a denial", ran[0])
	}
	if _, err := os.Stat(filepath.Join(w.dir, "old.txt")); err != nil {
		t.Errorf("the file is gone: %v", err)
	}
}

// TestAProgramsCallsAreReviewedEachAndADenialCanBeCaught: the program goes on and
// its own call succeeds (reference 4).
func TestAProgramsCallsAreReviewedEachAndADenialCanBeCaught(t *testing.T) {
	w := newWorld(t, func(c reviewer.Call) bool { return c.Name == "delete" })
	code := `await tools.write({path: "a.txt", content: "a"});
try { await tools.delete({path: "a.txt"}); return "deleted" } catch (e) { return "caught: " + e.message }`
	ran := w.turn(agent.Said{Calls: []agent.Call{call("c1", "run_code", map[string]string{"code": code})}})
	r := ran[0].Result
	if r == nil || r.IsError || !strings.Contains(r.Content[0].Text, `caught: Auto review rejected tool "delete"; its body was not executed`) {
		t.Fatalf("got %+v", ran[0])
	}
	want := []string{
		"tool/call", "tool/dispatched",
		"tool/ptc-dispatch-start", "review/requested", "review/verdict", "tool/dispatched", "tool/ptc-dispatch", "artifact/observed",
		"tool/ptc-dispatch-start", "review/requested", "review/verdict", "tool/ptc-dispatch",
		"tool/result", "step/end", "turn/end",
	}
	if diff := cmp.Diff(want, w.types(events.TypeToolCall)); diff != "" {
		t.Error(diff)
	}
}

func TestAnUncaughtDenialFailsTheProgram(t *testing.T) {
	w := newWorld(t, func(c reviewer.Call) bool { return c.Name == "delete" })
	ran := w.turn(agent.Said{Calls: []agent.Call{call("c1", "run_code", map[string]string{"code": `await tools.delete({path: "a.txt"})`})}})
	r := ran[0].Result
	if r == nil || !r.IsError || r.Error.Code != "CODE_RUN_FAILED" {
		t.Errorf("got %+v, want CODE_RUN_FAILED", ran[0])
	}
}

// TestInnerResultsAreOnTheLogInTheOrderOfTheCalls although bodies overlap.
func TestInnerResultsAreOnTheLogInTheOrderOfTheCalls(t *testing.T) {
	w := newWorld(t, nothing)
	for i := range 8 {
		must(t, os.WriteFile(filepath.Join(w.dir, fmt.Sprint(i)), fmt.Append(nil, "file ", i), 0o600))
	}
	code := `const all = []; for (let i = 0; i < 8; i++) all.push(tools.read({path: String(i)})); return (await Promise.all(all)).length`
	ran := w.turn(agent.Said{Calls: []agent.Call{call("c1", "run_code", map[string]string{"code": code})}})
	if r := ran[0].Result; r == nil || r.IsError {
		t.Fatalf("got %+v", ran[0])
	}
	var starts, settles []string
	for _, e := range eventstest.Check(t, w.log, "work") {
		switch ev := any(e.Event).(type) {
		case events.PTCDispatchStart:
			starts = append(starts, ev.SubCallID)
		case events.PTCDispatch:
			settles = append(settles, ev.SubCallID)
		}
	}
	if len(starts) != 8 || !slices.Equal(starts, settles) {
		t.Errorf("got the starts %v and the settles %v", starts, settles)
	}
}

// TestEveryCallOfAMessageHasAResult, also one that was given up before it began.
func TestEveryCallOfAMessageHasAResult(t *testing.T) {
	w := newWorld(t, nothing)
	gone, leave := context.WithCancel(t.Context())
	leave()
	first, second := call("c1", "write", map[string]string{"path": "a.txt", "content": "a"}), call("c2", "write", map[string]string{"path": "b.txt", "content": "b"})
	first.Context = gone
	ran := w.turn(agent.Said{Calls: []agent.Call{first, second}})
	if r := ran[0].Refused; r == nil || r.Kind != engine.Cancelled || r.Error.Code != "ABORTED_BEFORE_DISPATCH" {
		t.Errorf("got %+v", ran[0])
	}
	if _, err := os.Stat(filepath.Join(w.dir, "a.txt")); err == nil {
		t.Error("the body ran")
	}
	want := []string{"tool/call", "tool/result", "tool/call", "review/requested", "review/verdict", "tool/dispatched", "tool/result", "artifact/observed", "step/end", "turn/end"}
	if diff := cmp.Diff(want, w.types(events.TypeToolCall)); diff != "" {
		t.Error(diff)
	}
}

// TestACallWaitsForItsPace: when it begins, the results before it are on the log.
func TestACallWaitsForItsPace(t *testing.T) {
	w := newWorld(t, nothing)
	var seen []int
	w.pace = func(context.Context, events.SessionID) {
		results := 0
		for _, e := range eventstest.Check(t, w.log, "work") {
			if e.Type() == events.TypeToolResult || e.Type() == events.TypePTCDispatch {
				results++
			}
		}
		seen = append(seen, results)
	}
	w.turn(agent.Said{Calls: []agent.Call{
		call("c1", "write", map[string]string{"path": "a.txt", "content": "a"}),
		call("c2", "run_code", map[string]string{"code": `await tools.write({path: "b.txt", content: "b"}); await tools.delete({path: "b.txt"})`}),
	}})
	if want := []int{0, 1, 1, 2}; !slices.Equal(seen, want) {
		t.Errorf("got %v results before the calls, want %v", seen, want)
	}
}

// TestACallThatWasDeniedBeforeIsJudgedAnew, however often that was: the sixth of
// six identical calls runs, and its body alone.
func TestACallThatWasDeniedBeforeIsJudgedAnew(t *testing.T) {
	asked := 0
	w := newWorld(t, func(reviewer.Call) bool { asked++; return asked < 6 })
	must(t, os.WriteFile(filepath.Join(w.dir, "old.txt"), []byte("x"), 0o600))
	for i := 1; i <= 6; i++ {
		ran := w.turn(agent.Said{Calls: []agent.Call{call("c1", "delete", map[string]string{"path": "old.txt"})}})
		_, err := os.Stat(filepath.Join(w.dir, "old.txt"))
		if denied := ran[0].Refused != nil && ran[0].Refused.Kind == engine.Denied; denied != (i < 6) || (err == nil) != (i < 6) {
			t.Errorf("call %d: got %+v, and of the file: %v", i, ran[0], err)
		}
	}
	if asked != 6 {
		t.Errorf("the reviewer was asked %d times, want 6", asked)
	}
}
