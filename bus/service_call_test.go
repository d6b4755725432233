package bus_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

// impatient counts callers as gone soon.
func impatient(cfg *bus.ServiceConfig) {
	cfg.Limits.Alive, cfg.Limits.Gone = 50*time.Millisecond, 200*time.Millisecond
}

// begun is a session under review whose model asks for calls.
func (y *yard) begun(calls ...string) *client {
	y.t.Helper()
	y.client(api.RoleHuman, "ada").session("work", presets.Auto)
	agent := y.client(api.RoleAgent, "work")
	agent.wants("", calls...)
	return agent
}

func TestACallIsReviewedDispatchedAndSettledOverTheBus(t *testing.T) {
	y := newYard(t)
	r := y.serve(allows)
	agent, x := y.begun("c1"), y.executor()
	a := agent.call(x, "work", "c1").answer()
	if a.Permit == nil || a.Refused != nil {
		t.Fatalf("got %+v, want a permit", a)
	}
	p, err := x.Burn(*a.Permit, time.Now())
	must(t, err)
	do[api.Done](agent, "settle", api.Settle{Command: agent.command(""), CallID: "c1", Nonce: p.Nonce, Content: []events.Block{events.TextBlock("done")}})
	do[api.Done](agent, "step.end", api.StepEnd{Command: agent.command("")})
	do[api.Done](agent, "turn.end", api.TurnEnd{Command: agent.command(""), Reason: api.EndReason{Kind: "completed"}})
	want := []string{"tool/call", "review/requested", "review/verdict", "tool/dispatched", "tool/result", "step/end", "turn/end"}
	if diff := cmp.Diff(want, r.types("work", events.TypeToolCall)); diff != "" {
		t.Error(diff)
	}
}

func TestADenialIsARefusalAndItsResultIsOnTheLog(t *testing.T) {
	y := newYard(t)
	r := y.serve(denies)
	ada := y.client(api.RoleHuman, "ada")
	agent := y.begun("c1")
	do[api.Done](ada, "policy.set", api.PolicySet{Command: ada.command("work"), Policy: events.PolicyNever})
	a := agent.call(y.executor(), "work", "c1").answer()
	if a.Refused == nil || a.Refused.Kind != string(engine.Denied) || a.Refused.Error == nil || string(a.Refused.Error.Reason) != `"no"` || a.Refused.Seq == nil {
		t.Errorf("got %+v, want a denial", a.Refused)
	}
	want := []string{"tool/call", "review/requested", "review/verdict", "tool/result"}
	if diff := cmp.Diff(want, r.types("work", events.TypeToolCall)); diff != "" {
		t.Error(diff)
	}
}

func TestAPermitIsGivenBackUnused(t *testing.T) {
	y := newYard(t)
	y.serve(allows)
	agent, x := y.begun("c1"), y.executor()
	a := agent.call(x, "work", "c1").answer()
	proof, err := x.Return(a.Permit.Permit.Nonce)
	must(t, err)
	wantCode(t, agent.try("return", api.Return{Command: agent.command(""), CallID: "c1", Proof: "guessed"}), "call-not-allowed")
	do[api.Done](agent, "return", api.Return{Command: agent.command(""), CallID: "c1", Proof: proof, Cancelled: true})
}

// TestACallThatIsAskedForAgainGetsTheSameAnswer: while it is under way, and when it
// has its answer.
func TestACallThatIsAskedForAgainGetsTheSameAnswer(t *testing.T) {
	y := newYard(t)
	r := y.serve(waits)
	agent, x := y.begun("c1"), y.executor()
	first := agent.call(x, "work", "c1")
	<-r.judge.asked
	again := *first
	again.ask()
	again.accepted()
	other := *first
	other.request.ID = agent.name("command")
	other.ask()
	if _, failed := other.final(); failed == nil || failed.Code != api.CodeConflict {
		t.Errorf("got %+v for another request about the call, want a conflict", failed)
	}
	for name, change := range otherCalls() {
		other := *first
		change(&other.request)
		other.ask()
		if a, failed := other.final(); failed == nil || failed.Code != api.CodeConflict {
			t.Errorf("%s: got %+v, %+v, want a conflict", name, a, failed)
		}
	}
	if u := do[api.UnderWay](agent, "call.cancel", api.CallCancel{CallID: "c1"}); !u.Known {
		t.Error("the call is not known")
	}
	one, two := first.answer(), again.answer()
	if one.Refused == nil || one.Refused.Kind != string(engine.Cancelled) {
		t.Errorf("got %+v, want a cancellation", one)
	}
	third := *first
	third.ask()
	third.accepted()
	for _, a := range []api.Answer{two, third.answer()} {
		if diff := cmp.Diff(one, a); diff != "" {
			t.Errorf("another answer than the first (-first +again):\n%s", diff)
		}
	}
	if u := do[api.UnderWay](agent, "call.alive", api.CallAlive{CallID: "c1"}); u.Known {
		t.Error("the call is still under way")
	}
	first.wantNothingElse(t)
	if n := len(r.judge.asked); n != 0 {
		t.Errorf("the reviewer was asked %d more times", n)
	}
}

// otherCalls are what a request may turn into that has the same id.
func otherCalls() map[string]func(*api.Call) {
	return map[string]func(*api.Call){
		"other arguments":  func(c *api.Call) { c.Arguments = `{"command":"rm -rf /"}` },
		"another tool":     func(c *api.Call) { c.Name = "write" },
		"another executor": func(c *api.Call) { c.Nonce = "another" },
	}
}

// wantNothingElse sends other requests under the id of this one, which has ended:
// nothing comes of them.
func (k *calling) wantNothingElse(t *testing.T) {
	t.Helper()
	others := otherCalls()
	others["another call"] = func(c *api.Call) { c.CallID = "c2" } // which had to wait for its turn before
	for name, change := range others {
		other := *k
		change(&other.request)
		other.ask()
		a, failed := other.final()
		told := name == "another executor" && a.Refused != nil // how the call has ended is no secret
		if a.Permit != nil || failed == nil && !told {
			t.Errorf("%s: got %+v, %+v, want a refusal", name, a, failed)
		}
	}
}

func TestACallerThatGoesAwayCancelsItsCall(t *testing.T) {
	y := newYard(t)
	y.serve(waits, impatient)
	agent := y.begun("c1")
	started := time.Now()
	k := agent.call(y.executor(), "work", "c1")
	for range 6 { // longer than a silent caller is waited for
		if u := do[api.UnderWay](agent, "call.alive", api.CallAlive{CallID: "c1"}); !u.Known {
			t.Fatal("the call is gone although its caller is there")
		}
		if m, err := k.answers.NextMsg(50 * time.Millisecond); err == nil {
			t.Fatalf("got %v %s while the caller is there", m.Header, m.Data)
		}
	}
	if a := k.answer(); a.Refused == nil || a.Refused.Kind != string(engine.Cancelled) {
		t.Errorf("got %+v, want a cancellation", a)
	}
	if took := time.Since(started); took < 400*time.Millisecond {
		t.Errorf("the call was cancelled after %s", took)
	}
}

// TestAnyEngineServesACall: what one engine has under way another one does not take
// over, and passes on what its caller says.
func TestAnyEngineServesACall(t *testing.T) {
	y := newYard(t)
	a := y.serve(waits)
	agent, x := y.begun("c1"), y.executor()
	first := agent.call(x, "work", "c1")
	<-a.judge.asked
	b := y.serve(allows)
	for range 8 { // which engine gets a request is chance
		again := *first
		again.ask()
		again.accepted()
		defer func() {
			if a := again.answer(); a.Refused == nil || a.Refused.Kind != string(engine.Cancelled) {
				t.Errorf("got %+v, want a cancellation", a)
			}
		}()
		if u := do[api.UnderWay](agent, "call.alive", api.CallAlive{CallID: "c1"}); !u.Known {
			t.Error("an engine does not find the call")
		}
	}
	other := *first
	other.request.ID = "another"
	other.ask()
	failed := &api.Error{}
	if _, failed = other.final(); failed == nil || failed.Code != api.CodeConflict {
		t.Errorf("got %+v for another request about the call, want a conflict", failed)
	}
	if n := len(b.judge.asked); n != 0 {
		t.Error("the other engine asked a reviewer")
	}
	do[api.UnderWay](agent, "call.cancel", api.CallCancel{CallID: "c1"})
	first.answer()
}

// TestAnEngineThatIsKilledInMidCallIsReplaced: the next one resolves the call, which
// no reviewer is asked about twice.
func TestAnEngineThatIsKilledInMidCallIsReplaced(t *testing.T) {
	y := newYard(t)
	a := y.serve(waits)
	agent, x := y.begun("c1"), y.executor()
	first := agent.call(x, "work", "c1")
	<-a.judge.asked
	a.nc.Close() // as the server sees a process that is killed
	b := y.serve(allows)
	again := *first
	again.ask()
	again.accepted()
	got := again.answer()
	if got.Refused == nil || got.Refused.Kind != string(engine.Failed) {
		t.Errorf("got %+v, want a failure: the reviewer is lost", got)
	}
	if n := len(b.judge.asked); n != 0 {
		t.Error("a reviewer was asked a second time")
	}
	types := b.types("work", events.TypeToolCall)
	if diff := cmp.Diff([]string{"tool/call", "review/requested", "review/verdict", "tool/result"}, types); diff != "" {
		t.Error(diff)
	}
	ctx := t.Context()
	_ = a.service.Shutdown(ctx) // what is left of it in this process
	_ = a.log.Close(ctx)
}

func TestASessionHasSoManyCallsUnderWay(t *testing.T) {
	y := newYard(t)
	r := y.serve(waits, func(cfg *bus.ServiceConfig) { cfg.Limits.OpenCalls = 1 })
	agent, x := y.begun("c1", "c2"), y.executor()
	first := agent.call(x, "work", "c1")
	<-r.judge.asked
	wantCode(t, agent.try("call", api.Call{Command: agent.command(""), CallID: "c2", Name: "shell", Arguments: arguments("c2"), Nonce: "n"}), api.CodeUnavailable)
	do[api.UnderWay](agent, "call.cancel", api.CallCancel{CallID: "c1"})
	first.answer()
}

// TestAShutdownAnswersWhatIsUnderWay, and the call has its end on the log.
func TestAShutdownAnswersWhatIsUnderWay(t *testing.T) {
	y := newYard(t)
	r := y.serve(waits)
	agent := y.begun("c1")
	k := agent.call(y.executor(), "work", "c1")
	<-r.judge.asked
	r.stop()
	if a := k.answer(); a.Refused == nil || a.Refused.Kind != string(engine.Cancelled) {
		t.Errorf("got %+v, want a cancellation", a)
	}
	next := y.serve(allows)
	want := []string{"tool/call", "review/requested", "review/verdict", "tool/result"}
	if diff := cmp.Diff(want, next.types("work", events.TypeToolCall)); diff != "" {
		t.Error(diff)
	}
}
