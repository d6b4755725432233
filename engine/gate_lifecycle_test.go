package engine_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// second makes another session on auto that wants one call.
func (y *yard) second(t *testing.T) *yard {
	t.Helper()
	other := &yard{t: t, log: y.log, memory: y.memory, engine: y.engine, registry: y.registry, gate: y.gate, judge: y.judge, executor: y.executor, key: y.key, id: "second", n: 5000}
	h := eventstest.Header(t, other.id, func(h *events.Header) { h.CWD = "/srv/demo" })
	if err := y.memory.Create(t.Context(), events.Creation{ID: "create", Header: h}); err != nil {
		t.Fatal(err)
	}
	other.on(presets.Auto, "")
	other.wants("c1")
	return other
}

func (y *yard) current(t *testing.T) string {
	t.Helper()
	name := ""
	if err := y.engine.View(t.Context(), y.id, func(s *projections.Session) error {
		name = y.registry.Catalogue().Current(s.Presets)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return name
}

func (y *yard) listed() bool {
	_, ok := y.registry.Catalogue().Find(presets.Auto)
	return ok
}

// TestAnUnloadDrainsMigratesAndThenWithdraws is reference 5.7 in the order of 8,
// item 5.
func TestAnUnloadDrainsMigratesAndThenWithdraws(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLate(always(reviewer.Allow, ""))
		y := asks(t, &judge{answer: l.answer}, "", "c1", "c2")
		other := y.second(t)
		done := make(chan engine.Ran, 1)
		go func() { done <- y.ran(t.Context(), "c1") }()
		synctest.Wait()
		unloaded := make(chan error, 1)
		go func() { unloaded <- y.gate.Uninstall(t.Context(), "auto", human) }()
		synctest.Wait()

		// In the window: auto is listed, cannot be chosen, and reviews nothing.
		if !y.listed() {
			t.Error("auto left the catalogue before its reviews were drained")
		}
		if got := y.current(t); got != presets.Auto {
			t.Errorf("the session is on %s while its review is pending, want auto: no call runs unreviewed meanwhile", got)
		}
		_, err := y.gate.SetPreset(t.Context(), other.id, engine.SetPreset{Preset: presets.Auto}, other.meta())
		wantRefusal(t, err, presets.CodeClosing, "preset")
		wantRefused(t, other.ran(t.Context(), "c1"), engine.Cancelled, "cancelled before")
		if n := y.judge.asked(); n != 1 {
			t.Errorf("got %d reviews, want the one from before", n)
		}

		close(l.release)
		wantRefused(t, <-done, engine.Cancelled, "cancelled before")
		if err := <-unloaded; err != nil {
			t.Fatal(err)
		}
		for _, session := range []*yard{y, other} {
			if got := session.current(t); got != presets.DangerFullAccess {
				t.Errorf("session %s is on %s, want full access", session.id, got)
			}
		}
		if y.listed() {
			t.Error("auto is still in the catalogue")
		}
		y.ran(t.Context(), "c2")
		wantBodies(t, y, `c2 {"command":"echo c2"} danger-full-access`)
		if n := y.judge.asked(); n != 1 {
			t.Errorf("the next call was reviewed")
		}
	})
}

// TestAnObserverOfTheMigrationCannotUndoIt: whoever hears of the catalogue's
// change cannot choose auto, and no review of another session starts.
func TestAnObserverOfTheMigrationCannotUndoIt(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
	var seen error
	y.registry.Subscribe(func() {
		_, seen = y.gate.SetPreset(context.Background(), y.id, engine.SetPreset{Preset: presets.Auto}, y.meta())
	})
	if err := y.gate.Uninstall(t.Context(), "auto", human); err != nil {
		t.Fatal(err)
	}
	if refusalOf(t, seen).Code != presets.CodeUnknownPreset {
		t.Errorf("got %v, want auto refused", seen)
	}
	if got := y.current(t); got != presets.DangerFullAccess {
		t.Errorf("the session is on %s", got)
	}
}

func TestAReinstallBringsTheOptionBackAndNothingElse(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1", "c2")
	if err := y.gate.Uninstall(t.Context(), "auto", human); err != nil {
		t.Fatal(err)
	}
	y.install()
	if !y.listed() {
		t.Error("auto is not in the catalogue")
	}
	if got := y.current(t); got != presets.DangerFullAccess {
		t.Errorf("the migrated session is on %s, want full access until somebody switches it", got)
	}
	y.ran(t.Context(), "c1")
	if n := y.judge.asked(); n != 0 {
		t.Errorf("got %d reviews of a migrated session", n)
	}
	y.on(presets.Auto, "")
	y.ran(t.Context(), "c2")
	if n := y.judge.asked(); n != 1 {
		t.Errorf("got %d reviews, want the reinstalled reviewer's", n)
	}
}

// TestAShutdownLeavesAutoRecorded: stopping the program does not take its
// integration back (reference 5.7).
func TestAShutdownLeavesAutoRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLate(always(reviewer.Allow, ""))
		y := asks(t, &judge{answer: l.answer}, "", "c1")
		other := y.second(t)
		done := make(chan engine.Ran, 1)
		go func() { done <- y.ran(t.Context(), "c1") }()
		synctest.Wait()
		shut := make(chan error, 1)
		go func() { shut <- y.gate.Shutdown(t.Context()) }()
		synctest.Wait()
		if _, err := other.run(t.Context(), other.request("c1")); !errors.Is(err, engine.ErrShutdown) {
			t.Errorf("got %v from a call after the shutdown began, want ErrShutdown", err)
		}
		if got := other.tail(events.TypeToolCall); len(got) > 0 {
			t.Errorf("got %v on the log, want nothing", got)
		}
		close(l.release)
		wantRefused(t, <-done, engine.Cancelled, "cancelled before")
		if err := <-shut; err != nil {
			t.Fatal(err)
		}
		wantTail(t, y, "tool/call c1", "review/requested", "review/verdict c1 cancelled", "tool/result c1 ABORTED_BEFORE_DISPATCH")
		for _, session := range []*yard{y, other} {
			if got := session.current(t); got != presets.Auto {
				t.Errorf("session %s is on %s, want auto", session.id, got)
			}
		}
		if err := y.gate.Install(engine.Installation{Integration: presets.AutoIntegration(), Reviewer: y.judge}); err == nil {
			t.Error("installed into a gate that is shut down")
		}
	})
}

func TestADrainThatDoesNotEndLeavesTheIntegrationClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLate(always(reviewer.Allow, ""))
		y := asks(t, &judge{answer: l.answer}, "", "c1")
		done := make(chan engine.Ran, 1)
		go func() { done <- y.ran(t.Context(), "c1") }()
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := y.gate.Uninstall(ctx, "auto", human); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want that it is not drained", err)
		}
		if got := y.current(t); got != presets.Auto {
			t.Errorf("migrated to %s before the drain ended", got)
		}
		close(l.release)
		<-done
		if err := y.gate.Uninstall(t.Context(), "auto", human); err != nil {
			t.Errorf("again: %v", err)
		}
	})
}

func TestAnUnloadDuringALaterCheckCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered := make(chan struct{})
		y := newYard(t, &judge{answer: always(reviewer.Allow, "")}, func(g *engine.GateConfig, _ *yard) {
			g.Checks = []engine.Check{func(context.Context, engine.PendingCall) engine.Decision {
				<-entered
				return engine.Decision{Kind: engine.DecisionAllow}
			}}
		})
		y.on(presets.Auto, "")
		y.wants("c1")
		done := make(chan engine.Ran, 1)
		go func() { done <- y.ran(t.Context(), "c1") }()
		synctest.Wait()
		unloaded := make(chan error, 1)
		go func() { unloaded <- y.gate.Uninstall(t.Context(), "auto", human) }()
		synctest.Wait()
		close(entered)
		wantRefused(t, <-done, engine.Cancelled, "cancelled before")
		if err := <-unloaded; err != nil {
			t.Error(err)
		}
		wantBodies(t, y)
	})
}

func TestACallerAbortedByALaterCheckDoesNotHoldUpTheUnload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		y := newYard(t, &judge{answer: always(reviewer.Allow, "")}, func(g *engine.GateConfig, _ *yard) {
			g.Checks = []engine.Check{func(context.Context, engine.PendingCall) engine.Decision {
				leave()
				return engine.Decision{Kind: engine.DecisionAllow}
			}}
		})
		y.on(presets.Auto, "")
		y.wants("c1")
		wantRefused(t, y.ran(ctx, "c1"), engine.Cancelled, "cancelled before")
		if err := y.gate.Uninstall(t.Context(), "auto", human); err != nil {
			t.Error(err)
		}
		wantBodies(t, y)
	})
}

// TestAnAutoChildIsReviewedByItselfAndItsDenialsAreFinal is reference 6.
func TestAnAutoChildIsReviewedByItselfAndItsDenialsAreFinal(t *testing.T) {
	y := newYard(t, &judge{answer: always(reviewer.Allow, "")})
	y.on(presets.Auto, "")
	prompt := "Count the lines."
	arguments := `{"prompt":"Count the lines."}`
	y.do(engine.StartTurn{}, engine.StartStep{}, engine.SetRequest{Header: shellHeader(), Reason: "initial"},
		engine.AssistantMessage{MessageID: "a", Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c1", "task", arguments)}})
	var child engine.Spawned
	started := y.request("c1")
	started.Name, started.Arguments = "task", arguments
	s, err := y.gate.Start(t.Context(), y.executor, started, y.meta())
	if err != nil || s.Refused != nil {
		t.Fatalf("got %+v, %v", s, err)
	}
	child, err = y.gate.Spawn(t.Context(), y.id, engine.SpawnRequest{Delegation: lineage.Delegation{
		SpawnID: "spawn-1", ChildID: "child", CreatedAt: 1_800_000_000_500, PromptID: "prompt-1", Mode: events.ChildOneShot, Provider: lineage.ProviderSpawn, Prompt: prompt, CallID: "c1",
	}, Meta: engine.Meta{ID: "spawn-1", Now: 1_800_000_000_500, Actor: events.Actor{Class: "agent", Name: string(y.id)}}})
	if err != nil || !child.Verified {
		t.Fatalf("got %+v, %v", child, err)
	}
	y.judge.answer = always(reviewer.Deny, `"no"`)
	kid := &yard{t: t, log: y.log, memory: y.memory, engine: y.engine, registry: y.registry, gate: y.gate, judge: y.judge, executor: y.executor, key: y.key, id: "child", n: 7000}
	kid.do(engine.SetRequest{Header: shellHeader(), Reason: "initial"},
		engine.AssistantMessage{MessageID: "k", Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("k1", "shell", argumentsOf("k1"))}})
	r := wantRefused(t, kid.ran(t.Context(), "k1"), engine.Denied, "Auto review rejected")
	if r.Error.Code != "AUTO_REVIEW_DENIED" {
		t.Errorf("got %+v", r.Error)
	}
	if n := y.judge.asked(); n != 2 {
		t.Errorf("got %d reviews, want one of the delegation and one of the child's call", n)
	}
}

// TestADeniedDelegationStartsNoChild: the call that would spawn is a call like any
// other.
func TestADeniedDelegationStartsNoChild(t *testing.T) {
	y := newYard(t, &judge{answer: always(reviewer.Deny, "")})
	y.on(presets.Auto, events.PolicyNever)
	arguments := `{"prompt":"x"}`
	y.do(engine.StartTurn{}, engine.StartStep{}, engine.AssistantMessage{MessageID: "a", Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c1", "task", arguments)}})
	r := y.request("c1")
	r.Name, r.Arguments = "task", arguments
	ran, err := y.run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	wantRefused(t, ran, engine.Denied, `Auto review rejected tool "task"`)
	wantBodies(t, y)
	_, err = y.gate.Spawn(t.Context(), y.id, engine.SpawnRequest{Delegation: lineage.Delegation{
		SpawnID: "spawn-1", ChildID: "child", CreatedAt: 1_800_000_000_500, PromptID: "prompt-1", Mode: events.ChildOneShot, Provider: lineage.ProviderSpawn, Prompt: "x", CallID: "c1",
	}, Meta: y.meta()})
	wantRefusal(t, err, lineage.CodeUnproven, "callId")
	if _, err := y.log.Open(t.Context(), "child"); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("got %v, want no child", err)
	}
}

// TestAPersonsStopEndsAReviewThatIsUnderWay: it takes effect at once, through
// whichever engine it came, and the next turn's calls do not wait for the model.
func TestAPersonsStopEndsAReviewThatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := asks(t, &judge{answer: func(ctx context.Context, _ reviewer.Call) (reviewer.Verdict, error) {
			<-ctx.Done()
			return reviewer.Verdict{}, ctx.Err()
		}}, "", "c1")
		done := make(chan engine.Ran, 1)
		go func() { done <- y.ran(t.Context(), "c1") }()
		synctest.Wait()
		other, err := engine.New(engine.Config{Log: y.log})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Do(t.Context(), y.id, engine.EndSession{By: "user"}, y.meta()); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		wantRefused(t, <-done, engine.Cancelled, "was ended")
		if waited := time.Since(start); waited > 2*time.Second {
			t.Errorf("the review went on for %s", waited)
		}
		wantBodies(t, y)
	})
}
