package engine_test

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

// TestALostReviewStaysLostWhenThePresetChanges: a call that was to be reviewed
// never runs without a verdict, whatever the session is on by now.
func TestALostReviewStaysLostWhenThePresetChanges(t *testing.T) {
	cut := &cutLog{n: 1 << 20}
	y := newYard(t, &judge{answer: always(reviewer.Allow, "")}, onLog(func(l events.Log) events.Log { cut.Log = l; return cut }))
	y.on(presets.Auto, "")
	y.wants("c1")
	cut.n, cut.done = 1, 0
	if _, err := y.run(t.Context(), y.request("c1")); err == nil {
		t.Fatal("got no error from the engine that dies")
	}
	y.log = y.memory
	y.open()
	y.on(presets.DangerFullAccess, "")
	wantRefused(t, y.ran(t.Context(), "c1"), engine.Failed, "REVIEWER_LOST")
	wantBodies(t, y)
	got := y.tail(events.TypeReviewVerdict)
	if len(got) == 0 || got[0] != "review/verdict c1 failure lost" {
		t.Errorf("got %v", got)
	}
}

// TestACallIsDispatchedByOneEngine: the other one, which was on its way as well,
// finds that out.
func TestACallIsDispatchedByOneEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pass := make(chan struct{})
		y := newYard(t, &judge{answer: always(reviewer.Deny, "")}, func(g *engine.GateConfig, _ *yard) {
			g.Checks = []engine.Check{func(context.Context, engine.PendingCall) engine.Decision {
				<-pass
				return engine.Decision{Kind: engine.DecisionAllow}
			}}
		})
		y.on(presets.DangerFullAccess, "")
		y.wants("c1")
		slow, executor := y.gate, y.executor
		done := make(chan error, 1)
		go func() {
			_, err := slow.Run(t.Context(), executor, y.request("c1"), y.meta(), y.body)
			done <- err
		}()
		synctest.Wait()
		y.open()
		if a, err := y.gate.Call(t.Context(), withNonce(y.request("c1")), y.meta()); err != nil || a.Permit == nil {
			t.Fatalf("got %+v, %v", a, err)
		}
		close(pass)
		wantRefusal(t, <-done, engine.CodeCallRunning, "nonce")
		wantBodies(t, y)
		wantTail(t, y, "tool/call c1", "tool/dispatched c1 by preset")
	})
}

// onEnd is a tail that says when its reader has had enough.
type onEnd struct {
	of  events.Tail
	end func()
}

func (o onEnd) Tail(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		defer o.end()
		o.of.Tail(ctx, id, from)(yield)
	}
}

// TestAnUnloadBehindAPersonsAllowStillCancels: the lifecycle is looked at once
// more before the dispatch (reference 5.6).
func TestAnUnloadBehindAPersonsAllowStillCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var y *yard
		unloaded := make(chan error, 1)
		y = denied(t, func(g *engine.GateConfig, own *yard) {
			g.Tail = onEnd{own.memory, func() {
				go func() { unloaded <- own.gate.Uninstall(context.Background(), "auto", human) }()
				synctest.Wait() // it has aborted, and drains
			}}
		})
		done := make(chan engine.Ran, 1)
		go func() { done <- y.ran(t.Context(), "c1") }()
		synctest.Wait()
		y.do(engine.AnswerApprovals{Answers: []approvals.Answer{y.openAnswer(t, "c1")}})
		wantRefused(t, <-done, engine.Cancelled, "cancelled before")
		if err := <-unloaded; err != nil {
			t.Error(err)
		}
		wantBodies(t, y)
		if got := y.tail(events.TypeApprovalDecided)[0]; got != "approval/decided allowed-once" {
			t.Errorf("got %s, want that the person had allowed it", got)
		}
	})
}

// TestACallThatAnotherEngineHasBegunIsEnrolledOnce: else a removal would wait for
// it for ever.
func TestACallThatAnotherEngineHasBegunIsEnrolledOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
		other, err := engine.New(engine.Config{Log: y.log})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Do(t.Context(), y.id, engine.StartCall{CallID: "c1", Name: "shell", Arguments: argumentsOf("c1")}, y.meta()); err != nil {
			t.Fatal(err)
		}
		wantRefused(t, y.ran(t.Context(), "c1"), engine.Failed, "REVIEWER_LOST")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := y.gate.Uninstall(ctx, "auto", human); err != nil {
			t.Error(err)
		}
	})
}
