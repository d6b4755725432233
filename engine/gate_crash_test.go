package engine_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

// TestACrashBetweenAnyTwoStepsOfTheGate: the process dies before the n-th append
// of a call, or after it was stored and before anybody knew. Another engine takes
// the log over, and the same executor, a restarted one, or a repair goes on. No
// body runs without its permit, or twice.
func TestACrashBetweenAnyTwoStepsOfTheGate(t *testing.T) {
	for _, outcome := range []reviewer.Outcome{reviewer.Allow, reviewer.Deny} {
		for n := range 4 {
			for _, lost := range []bool{false, true} {
				for _, then := range []string{"same executor", "restarted executor", "repair"} {
					name := fmt.Sprintf("%s, append %d, lost %v, %s", outcome, n, lost, then)
					t.Run(name, func(t *testing.T) { crashOnce(t, outcome, n, lost, then) })
				}
			}
		}
	}
}

func crashOnce(t *testing.T, outcome reviewer.Outcome, n int, lost bool, then string) {
	cut := &cutLog{n: 1 << 20, lost: lost}
	y := newYard(t, &judge{answer: always(outcome, "")}, onLog(func(l events.Log) events.Log { cut.Log = l; return cut }))
	y.on(presets.Auto, events.PolicyNever)
	y.wants("c1")
	cut.n, cut.done = n, 0
	nonceHolder, request := y.executor, y.request("c1")
	request.Nonce = nonceHolder.Expect(permit.Scope{Session: y.id, CallID: "c1", Tool: "shell"})
	m := y.meta()
	answer, err := y.gate.Call(t.Context(), request, m)
	if err == nil && answer.Permit != nil {
		finish(t, y, nonceHolder, answer, m)
	}
	reviewedBefore := y.judge.asked()

	// The process is gone. Another one opens the log.
	y.log = y.memory
	y.open()
	switch then {
	case "same executor":
		again, err := y.gate.Call(t.Context(), request, m)
		if err == nil && again.Permit != nil {
			finish(t, y, nonceHolder, again, m)
		}
	case "restarted executor":
		if _, err := y.run(t.Context(), y.request("c1")); err != nil && asCode(err) == "" {
			t.Errorf("got %v, want a result or a refusal", err)
		}
	}
	if _, err := engine.Repair(t.Context(), y.memory, y.id, human); err != nil {
		t.Fatal(err)
	}
	check(t, y, reviewedBefore)
}

// finish burns the permit and runs the body. The executor may die as well.
func finish(t *testing.T, y *yard, x *permit.Executor, a engine.Answer, m engine.Meta) {
	t.Helper()
	p, err := x.Burn(a.Permit.Signed, nowOf(a))
	if err != nil {
		return
	}
	result := y.body(t.Context(), p)
	m.ID += "-settled"
	_, _ = y.gate.Settle(t.Context(), engine.Settlement{Session: y.id, CallID: "c1", Nonce: p.Nonce, Content: result.Content}, m)
}

// check: at most one body, and only behind a dispatch that its verdict allows; at
// most one verdict and one dispatch; the model was asked at most once.
func check(t *testing.T, y *yard, reviewedBefore int) {
	t.Helper()
	count := map[events.Type]int{}
	allowed := false
	for _, e := range eventsOf(t, y.memory, y.id) {
		count[e.Type()]++
		if v, ok := e.Event.(events.ReviewVerdict); ok {
			allowed = v.Outcome == events.VerdictAllow
		}
	}
	dispatched := count[events.TypeToolDispatched]
	switch {
	case len(y.bodies) > 1:
		t.Errorf("the body ran %d times", len(y.bodies))
	case len(y.bodies) > dispatched:
		t.Error("the body ran without a dispatch")
	case dispatched > 1 || count[events.TypeReviewVerdict] > 1:
		t.Errorf("got %d dispatches and %d verdicts, want at most one of each", dispatched, count[events.TypeReviewVerdict])
	case dispatched > 0 && !allowed:
		t.Error("dispatched without an allow")
	case count[events.TypeToolCall] > 0 && count[events.TypeToolResult] != 1:
		t.Errorf("got %d results, want one", count[events.TypeToolResult])
	case y.judge.asked() > max(1, reviewedBefore):
		t.Errorf("the reviewer was asked %d times", y.judge.asked())
	}
	verified(t, y.memory, y.id)
}

// TestAReviewWhoseEngineDiedIsLost is reference 8, item 9.
func TestAReviewWhoseEngineDiedIsLost(t *testing.T) {
	cut := &cutLog{n: 1 << 20}
	y := newYard(t, &judge{answer: always(reviewer.Allow, "")}, onLog(func(l events.Log) events.Log { cut.Log = l; return cut }))
	y.on(presets.Auto, "")
	y.wants("c1", "c2")
	cut.n, cut.done = 1, 0
	if _, err := y.run(t.Context(), y.request("c1")); err == nil {
		t.Fatal("got no error from the engine that dies")
	}
	y.log = y.memory
	y.open()
	_, err := y.run(t.Context(), y.request("c2"))
	wantRefusal(t, err, engine.CodeReviewPending, "callId")
	wantRefused(t, y.ran(t.Context(), "c1"), engine.Failed, "REVIEWER_LOST")
	wantTail(t, y, "tool/call c1", "review/requested", "review/verdict c1 failure lost", "tool/result c1 error")
	if n := y.judge.asked(); n != 1 {
		t.Errorf("the model was asked %d times, want once", n)
	}
	y.ran(t.Context(), "c2")
	wantBodies(t, y, `c2 {"command":"echo c2"} danger-full-access`)
}

// TestAnotherEngineTakesAWaitingApprovalOver: the question stays, and a person's
// answer to it counts.
func TestAnotherEngineTakesAWaitingApprovalOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := denied(t)
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		first := y.gate
		dying := make(chan struct{})
		go func() { // an engine that stops answering
			defer close(dying)
			_, _ = first.Call(ctx, withNonce(y.request("c1")), y.meta())
		}()
		synctest.Wait()
		y.open()
		done := make(chan error, 1)
		go func() {
			_, err := y.run(t.Context(), y.request("c1"))
			done <- err
		}()
		synctest.Wait()
		y.answer(t, "c1", approvals.ReplyOnce)
		err := <-done
		<-dying
		// Whichever of the two engines is first dispatches it, to its own executor alone.
		if got := len(y.bodies); err == nil && got != 1 || err != nil && (got != 0 || asCode(err) != engine.CodeCallRunning) {
			t.Errorf("got %d bodies, and %v", got, err)
		}
		dispatched := 0
		for _, line := range y.tail(events.TypeToolCall) {
			if line == "tool/dispatched c1 by decision" {
				dispatched++
			}
		}
		if dispatched != 1 {
			t.Errorf("got %d dispatches, want 1", dispatched)
		}
	})
}

func withNonce(r engine.CallRequest) engine.CallRequest {
	r.Nonce = "of-an-executor-that-is-gone"
	return r
}

// TestTheSameCallAskedAgain gets the same answer, to the same nonce only.
func TestTheSameCallAskedAgain(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
	r := y.request("c1")
	r.Nonce = y.executor.Expect(permit.Scope{Session: y.id, CallID: "c1", Tool: "shell"})
	first, err := y.gate.Call(t.Context(), r, y.meta())
	if err != nil || first.Permit == nil {
		t.Fatalf("got %+v, %v", first, err)
	}
	again, err := y.gate.Call(t.Context(), r, y.meta()) // the reply was lost
	if err != nil || again.Permit == nil || again.Permit.Permit.Seq != first.Permit.Permit.Seq || again.Permit.Permit.Nonce != r.Nonce {
		t.Fatalf("got %+v, %v, want the same dispatch", again, err)
	}
	other := r
	other.Nonce = "another"
	_, err = y.gate.Call(t.Context(), other, y.meta())
	wantRefusal(t, err, engine.CodeCallRunning, "nonce")
	changed := r
	changed.Arguments = `{"command":"rm -rf /"}`
	_, err = y.gate.Call(t.Context(), changed, y.meta())
	wantRefusal(t, err, engine.CodeCallDuplicate, "arguments")
	changed = r
	changed.Name = "write"
	_, err = y.gate.Call(t.Context(), changed, y.meta())
	wantRefusal(t, err, engine.CodeCallDuplicate, "name")

	burn := func(a engine.Answer) error {
		_, err := y.executor.Burn(a.Permit.Signed, nowOf(a))
		return err
	}
	if err := burn(again); err != nil {
		t.Fatal(err)
	}
	if err := burn(first); err == nil {
		t.Error("one call's two permits ran two bodies")
	}
	if n := y.judge.asked(); n != 1 {
		t.Errorf("got %d reviews", n)
	}
}

func TestARefusalAskedForAgainIsTheSame(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer func(context.Context, reviewer.Call) (reviewer.Verdict, error)
		kind   engine.RefusalKind
	}{
		{"denied", always(reviewer.Deny, `"no"`), engine.Denied},
		{"failed", fails, engine.Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			y := asks(t, &judge{answer: c.answer}, events.PolicyNever, "c1")
			first, second := y.ran(t.Context(), "c1").Refused, y.ran(t.Context(), "c1").Refused
			if first.Kind != c.kind || second.Kind != c.kind || first.Text != second.Text || *first.Seq != *second.Seq {
				t.Errorf("got %+v, then %+v", first, second)
			}
			if n := y.judge.asked(); n != 1 {
				t.Errorf("got %d reviews", n)
			}
		})
	}
}

// TestTwoCallersOfOneCall: whoever has the nonce of the first one shares its
// answer, and anybody else is refused.
func TestTwoCallersOfOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLate(always(reviewer.Allow, ""))
		y := asks(t, &judge{answer: l.answer}, "", "c1")
		r := y.request("c1")
		r.Nonce = y.executor.Expect(permit.Scope{Session: y.id, CallID: "c1", Tool: "shell"})
		answers := make(chan engine.Answer, 2)
		for range 2 {
			go func() {
				a, err := y.gate.Call(t.Context(), r, y.meta())
				if err != nil {
					t.Error(err)
				}
				answers <- a
			}()
		}
		synctest.Wait()
		other := r
		other.Nonce = "another"
		_, err := y.gate.Call(t.Context(), other, y.meta())
		wantRefusal(t, err, engine.CodeCallRunning, "nonce")
		close(l.release)
		a, b := <-answers, <-answers
		if a.Permit == nil || b.Permit == nil || a.Permit.Permit.Seq != b.Permit.Permit.Seq {
			t.Errorf("got %+v and %+v", a, b)
		}
		if n := y.judge.asked(); n != 1 {
			t.Errorf("got %d reviews", n)
		}
	})
}

// TestALatePermitIsReturnedUnused: the executor got it too late, runs nothing, and
// says so with a proof.
func TestALatePermitIsReturnedUnused(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
	r := y.request("c1")
	r.Nonce = y.executor.Expect(permit.Scope{Session: y.id, CallID: "c1", Tool: "shell"})
	a, err := y.gate.Call(t.Context(), r, y.meta())
	if err != nil {
		t.Fatal(err)
	}
	late := nowOf(a).Add(1 << 40)
	if _, err := y.executor.Burn(a.Permit.Signed, late); err == nil {
		t.Fatal("burnt a permit that has expired")
	}
	_, err = y.gate.Return(t.Context(), engine.Returned{Session: y.id, CallID: "c1", Proof: "made up"}, y.meta())
	wantRefusal(t, err, engine.CodeNotAllowed, "nonce")
	proof, err := y.executor.Return(r.Nonce)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := y.gate.Return(t.Context(), engine.Returned{Session: y.id, CallID: "c1", Proof: proof}, y.meta()); err != nil {
		t.Fatal(err)
	}
	wantTail(t, y, "tool/call c1", "review/requested", "review/verdict c1 allow", "tool/dispatched c1 by verdict", "tool/result c1 PERMIT_RETURNED_UNUSED")
}

// TestOnlyWhatWasDispatchedIsSettled: by the executor that it was dispatched to,
// once.
func TestOnlyWhatWasDispatchedIsSettled(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1", "c2")
	settle := func(call, nonce string) error {
		_, err := y.gate.Settle(t.Context(), engine.Settlement{Session: y.id, CallID: call, Nonce: nonce, Content: []events.Block{events.TextBlock("done")}}, y.meta())
		return err
	}
	wantRefusal(t, settle("c1", "n"), engine.CodeCallUnknown, "callId")
	y.do(engine.StartCall{CallID: "c1", Name: "shell", Arguments: argumentsOf("c1")})
	wantRefusal(t, settle("c1", ""), engine.CodeNotAllowed, "callId")
	r := y.request("c2")
	r.Nonce = y.executor.Expect(permit.Scope{Session: y.id, CallID: "c2", Tool: "shell"})
	if _, err := y.gate.Call(t.Context(), r, y.meta()); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, settle("c2", "another"), engine.CodeNotAllowed, "nonce")
	if err := settle("c2", r.Nonce); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, settle("c2", r.Nonce), engine.CodeCallSettled, "callId")
}

// TestTwoEnginesOnOneLog: whichever is first, one body runs.
func TestTwoEnginesOnOneLog(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
	first, executor := y.gate, y.executor
	y.open()
	done := make(chan struct{}, 2)
	for _, g := range []struct {
		gate *engine.Gate
		x    *permit.Executor
	}{{first, executor}, {y.gate, y.executor}} {
		go func() {
			_, _ = g.gate.Run(t.Context(), g.x, y.request("c1"), y.meta(), y.body)
			done <- struct{}{}
		}()
	}
	<-done
	<-done
	if n := len(y.bodies); n > 1 {
		t.Errorf("the body ran %d times", n)
	}
	if got := slices.Contains(y.tail(events.TypeToolCall), "tool/dispatched c1 by verdict"); got != (len(y.bodies) == 1) {
		t.Errorf("got dispatched %v and %d bodies", got, len(y.bodies))
	}
}

// TestAStaleReviewDispatchesNothing: what tightens while a call is under review
// counts (design section 6, stage 6); what widens does not make the mode wider.
func TestAStaleReviewDispatchesNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(y *yard)
		want   []string
	}{
		{"a narrower preset", func(y *yard) { y.on(presets.ReadOnly, "") }, []string{"review/verdict c1 failure stale", "tool/result c1 error"}},
		{"full access", func(y *yard) { y.on(presets.DangerFullAccess, "") }, []string{"review/verdict c1 allow", "tool/dispatched c1 by verdict", "tool/result c1 ok"}},
		{"a person's stop", func(y *yard) { y.do(engine.EndSession{By: "user"}) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLate(always(reviewer.Allow, ""))
				y := asks(t, &judge{answer: l.answer}, "", "c1")
				done := make(chan engine.Ran, 1)
				go func() { done <- y.ran(t.Context(), "c1") }()
				synctest.Wait()
				c.change(y)
				close(l.release)
				ran := <-done
				got := y.tail(events.TypeReviewVerdict)
				if !slices.Equal(got, c.want) {
					t.Errorf("got %v, want %v", got, c.want)
				}
				if c.want == nil {
					wantRefused(t, ran, engine.Cancelled, "was ended")
				}
			})
		})
	}
}

// TestAuditKeepsHowAReviewCameAbout and never what was said in it.
func TestAuditKeepsHowAReviewCameAbout(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Deny, `"no"`)}, events.PolicyNever, "c1")
	y.ran(t.Context(), "c1")
	if err := y.gate.Shutdown(t.Context()); err != nil { // which waits for what is still written
		t.Fatal(err)
	}
	n := 0
	for r, err := range y.memory.Reviews(t.Context(), y.id) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if r.CallID != "c1" || r.Reviewer != "double" || r.Outcome != events.VerdictDeny || r.Route != "double/double" || len(r.Digest) != 64 {
			t.Errorf("got %+v", r)
		}
	}
	if n != 1 {
		t.Errorf("got %d records, want 1", n)
	}
}
