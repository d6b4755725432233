package engine_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

func decides(d engine.Decision) engine.Check {
	return func(context.Context, engine.PendingCall) engine.Decision { return d }
}

// checked is a yard with checks behind the review.
func checked(t *testing.T, outcome reviewer.Outcome, policy string, checks []engine.Check, guards ...engine.Guard) *yard {
	t.Helper()
	y := newYard(t, &judge{answer: always(outcome, "")}, func(g *engine.GateConfig, _ *yard) { g.Checks, g.Guards = checks, guards })
	y.on(presets.Auto, policy)
	y.wants("c1")
	return y
}

// TestALaterCheckThatDoesNotAllowWinsUnprompted: nobody is asked about a denial
// when the rest of the chain refuses as well (reference 3).
func TestALaterCheckThatDoesNotAllowWinsUnprompted(t *testing.T) {
	structured := &events.ToolError{Name: "PolicyError", Code: "FORBIDDEN"}
	for _, outcome := range []reviewer.Outcome{reviewer.Allow, reviewer.Deny} {
		for name, c := range map[string]struct {
			check engine.Check
			kind  engine.RefusalKind
			text  string
			line  string
		}{
			"denies":  {decides(engine.Decision{Kind: engine.DecisionDeny, Reason: "not on Sundays", Error: structured}), engine.Denied, "not on Sundays", "tool/result c1 FORBIDDEN"},
			"cancels": {decides(engine.Decision{Kind: engine.DecisionCancel}), engine.Cancelled, "cancelled before", "tool/result c1 ABORTED_BEFORE_DISPATCH"},
			"nothing": {decides(engine.Decision{}), engine.Denied, "was refused", "tool/result c1 error"},
			"panics":  {func(context.Context, engine.PendingCall) engine.Decision { panic("oh") }, engine.Failed, "check 0 of the gate failed: oh", "tool/result c1 CHECK_FAILED"},
		} {
			t.Run(string(outcome)+", "+name, func(t *testing.T) {
				y := checked(t, outcome, "", []engine.Check{c.check})
				wantRefused(t, y.ran(t.Context(), "c1"), c.kind, c.text)
				verdict := string(outcome)
				if outcome == reviewer.Allow && c.kind == engine.Cancelled {
					verdict = events.VerdictCancelled // an allow that does not count
				}
				wantTail(t, y, "tool/call c1", "review/requested", "review/verdict c1 "+verdict, c.line)
				wantBodies(t, y)
			})
		}
	}
}

func TestALaterCheckMayAskAPerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := checked(t, reviewer.Allow, "", []engine.Check{decides(engine.Decision{Kind: engine.DecisionAsk, Reason: "a second look"})})
		done := asking(t, y, t.Context())
		if got := last(t, y).(events.ApprovalAsked); got.Reason != "a second look" {
			t.Errorf("got %+v", got)
		}
		y.answer(t, "c1", approvals.ReplyOnce)
		<-done
		wantTail(t, y, "tool/call c1", "review/requested", "review/verdict c1 allow", "approval/asked", "approval/decided allowed-once", "tool/dispatched c1 by decision", "tool/result c1 ok")
	})
}

// TestChecksAreNotAskedAboutWhatIsFinal: under never the rest of the chain is not
// consulted, nor about a failure.
func TestChecksAreNotAskedAboutWhatIsFinal(t *testing.T) {
	consulted := 0
	count := func(context.Context, engine.PendingCall) engine.Decision {
		consulted++
		return engine.Decision{Kind: engine.DecisionAllow}
	}
	y := checked(t, reviewer.Deny, events.PolicyNever, []engine.Check{count})
	y.ran(t.Context(), "c1")
	y = checked(t, reviewer.Allow, "", []engine.Check{count})
	y.judge.answer = fails
	y.ran(t.Context(), "c1")
	if consulted != 0 {
		t.Errorf("the check was asked %d times", consulted)
	}
}

// TestGuardsComeLastAndNothingLiftsThem: behind the review, the checks and a
// person's allow; the first reason wins; their denial goes before a cancellation.
func TestGuardsComeLastAndNothingLiftsThem(t *testing.T) {
	refuse := func(reason string) engine.Guard { return func(engine.PendingCall) string { return reason } }
	t.Run("first reason wins", func(t *testing.T) {
		y := checked(t, reviewer.Allow, "", nil, refuse(""), refuse("one"), refuse("two"))
		wantRefused(t, y.ran(t.Context(), "c1"), engine.Denied, "one")
	})
	t.Run("a guard that panics fails the call", func(t *testing.T) {
		y := checked(t, reviewer.Allow, "", nil, func(engine.PendingCall) string { panic("oh") })
		wantRefused(t, y.ran(t.Context(), "c1"), engine.Failed, "guard 0 of the gate failed")
	})
	t.Run("behind a person's allow", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			y := checked(t, reviewer.Deny, "", nil, refuse("never"))
			done := asking(t, y, t.Context())
			y.answer(t, "c1", approvals.ReplyOnce)
			wantRefused(t, <-done, engine.Denied, "never")
			wantBodies(t, y)
		})
	})
	t.Run("before a cancellation", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLate(always(reviewer.Allow, ""))
			y := checked(t, reviewer.Allow, "", nil, refuse("guarded"))
			y.judge.answer = l.answer
			ctx, leave := context.WithCancel(t.Context())
			done := asking(t, y, ctx)
			leave()
			close(l.release)
			wantRefused(t, <-done, engine.Denied, "guarded")
		})
	})
}

// TestABodyIsAwaitedAndItsOutcomeKept: a started body is waited for; ABORTED
// replaces a success alone; a panic is an error (reference 4).
func TestABodyIsAwaitedAndItsOutcomeKept(t *testing.T) {
	own := engine.BodyResult{IsError: true, Error: &events.ToolError{Name: "E", Code: "OWN"}, Content: []events.Block{events.TextBlock("Error: own")}}
	for name, c := range map[string]struct {
		body func(leave func()) engine.BodyResult
		want string
	}{
		"success":                      {func(func()) engine.BodyResult { return engine.BodyResult{} }, "tool/result c1 ok"},
		"own error":                    {func(func()) engine.BodyResult { return own }, "tool/result c1 OWN"},
		"success, but the caller went": {func(leave func()) engine.BodyResult { leave(); return engine.BodyResult{} }, "tool/result c1 ABORTED"},
		"own error, and it went":       {func(leave func()) engine.BodyResult { leave(); return own }, "tool/result c1 OWN"},
		"panic":                        {func(func()) engine.BodyResult { panic("oh") }, "tool/result c1 TOOL_PANIC"},
	} {
		t.Run(name, func(t *testing.T) {
			y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			_, err := y.gate.Run(ctx, y.executor, y.request("c1"), y.meta(), func(context.Context, permit.Permit) engine.BodyResult { return c.body(leave) })
			if err != nil {
				t.Fatal(err)
			}
			got := y.tail(events.TypeToolResult)
			if len(got) != 1 || got[0] != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
}

func TestAGateSaysWhatItLacks(t *testing.T) {
	if _, err := engine.NewGate(engine.GateConfig{}); err == nil {
		t.Error("made a gate of nothing")
	}
}

// TestACheckThatSettlesBehindTheCallersAbortKeepsItsOutcome: a denial and a
// failure stay what they are, and an allow is cancelled (reference 4 and 7).
func TestACheckThatSettlesBehindTheCallersAbortKeepsItsOutcome(t *testing.T) {
	for name, c := range map[string]struct {
		settle func() engine.Decision
		kind   engine.RefusalKind
		text   string
	}{
		"denial":  {func() engine.Decision { return engine.Decision{Kind: engine.DecisionDeny, Reason: "no"} }, engine.Denied, "no"},
		"failure": {func() engine.Decision { panic("oh") }, engine.Failed, "check 0 of the gate failed"},
		"allow":   {func() engine.Decision { return engine.Decision{Kind: engine.DecisionAllow} }, engine.Cancelled, "cancelled before"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, leave := context.WithCancel(t.Context())
			y := checked(t, reviewer.Allow, "", []engine.Check{func(context.Context, engine.PendingCall) engine.Decision {
				leave()
				return c.settle()
			}})
			wantRefused(t, y.ran(ctx, "c1"), c.kind, c.text)
			wantBodies(t, y)
		})
	}
}
