package bus_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// said is something that a reviewer says, with rest behind what it has to begin with.
func said(nonce, name, state, rest string) []byte {
	return fmt.Appendf(nil, `{"nonce":%q,"reviewer":%q,"state":%q%s}`, nonce, name, state, rest)
}

const (
	rawRequest = `,"route":"a/b","digest":"0000000000000000000000000000000000000000000000000000000000000000"`
	rawAllow   = rawRequest + `,"verdict":{"outcome":"allow"}`
	rawDeny    = rawRequest + `,"verdict":{"outcome":"deny"}`
)

// TestWhatIsNoAnswerToTheRequestIsNone: it is a failure, or it is not heard and the
// reviewer lost.
func TestWhatIsNoAnswerToTheRequestIsNone(t *testing.T) {
	lost, malformed := "REVIEWER_LOST", "REVIEWER_ANSWER"
	tests := map[string]struct {
		say  func(nonce string) [][]byte
		code string
	}{
		"nothing": {func(string) [][]byte { return nil }, lost},
		"that it works, and then nothing": {func(n string) [][]byte {
			return [][]byte{said(n, "auto", "working", "")}
		}, lost},
		"an answer to another request": {func(string) [][]byte {
			return [][]byte{said("OTHER", "auto", "answered", rawAllow)}
		}, lost},
		"an answer of another reviewer": {func(n string) [][]byte {
			return [][]byte{said(n, "judge", "answered", rawAllow)}
		}, lost},
		"no JSON":              {func(string) [][]byte { return [][]byte{[]byte("allow")} }, malformed},
		"an answer without it": {func(n string) [][]byte { return [][]byte{said(n, "auto", "answered", rawRequest)} }, malformed},
		"two answers in one": {func(n string) [][]byte {
			return [][]byte{said(n, "auto", "answered", rawAllow+`,"failure":{"class":"timeout","code":"X"}`)}
		}, malformed},
		"a member twice": {func(n string) [][]byte {
			return [][]byte{said(n, "auto", "answered", rawDeny+`,"verdict":{"outcome":"allow"}`)}
		}, malformed},
		"a member that there is not": {func(n string) [][]byte {
			return [][]byte{said(n, "auto", "answered", rawAllow+`,"permit":true`)}
		}, malformed},
		"an allow before the end": {func(n string) [][]byte { return [][]byte{said(n, "auto", "working", rawAllow)} }, malformed},
		"an allow of no request": {func(n string) [][]byte {
			return [][]byte{said(n, "auto", "answered", `,"verdict":{"outcome":"allow"}`)}
		}, malformed},
		"an allow of another request than it made": {func(n string) [][]byte {
			return [][]byte{said(n, "auto", "asking", strings.Replace(rawRequest, "00", "11", 1)), said(n, "auto", "answered", rawAllow)}
		}, malformed},
		"an outcome that there is not": {func(n string) [][]byte {
			return [][]byte{said(n, "auto", "answered", rawRequest+`,"verdict":{"outcome":"Allow"}`)}
		}, malformed},
		"an allow with a reason": {func(n string) [][]byte {
			return [][]byte{said(n, "auto", "answered", rawRequest+`,"verdict":{"outcome":"allow","reason":"\"x\""}`)}
		}, malformed},
		"a failure of a class that is the engine's to say": {func(n string) [][]byte {
			return [][]byte{said(n, "auto", "answered", `,"failure":{"class":"stale","code":"STALE_REVIEW"}`)}
		}, malformed},
		"a failure first, and an allow then": {func(n string) [][]byte {
			return [][]byte{said(n, "auto", "answered", `,"failure":{"class":"timeout","code":"MODEL_IDLE"}`), said(n, "auto", "answered", rawAllow)}
		}, "MODEL_IDLE"},
	}
	a := newApart(t, 2*time.Second) // long enough for an answer on a busy machine
	r := a.serve(allows)
	var say atomic.Pointer[func(string) [][]byte]
	a.raw(func(m *nats.Msg) {
		for _, text := range (*say.Load())(nonceOf(m)) {
			_ = m.Respond(text)
		}
	})
	agent, x := a.begun(callsOf(len(tests))...), a.executor()
	n := 0
	for name, tt := range tests {
		call := fmt.Sprintf("c%d", n)
		n++
		t.Run(name, func(t *testing.T) {
			say.Store(&tt.say)
			if got := agent.call(x, "work", call).answer(); got.Refused == nil || got.Refused.Kind != string(engine.Failed) {
				t.Errorf("got %+v, want a failure", got)
			}
			if got := r.recorded("work", call).Failure; got == nil || got.Code != tt.code {
				t.Errorf("got %+v, want the failure %s", got, tt.code)
			}
		})
	}
}

func callsOf(n int) []string {
	calls := make([]string, n)
	for i := range calls {
		calls[i] = fmt.Sprintf("c%d", i)
	}
	return calls
}

// TestWhatCountsIsTheFirstAnswer, and none behind it.
func TestWhatCountsIsTheFirstAnswer(t *testing.T) {
	a := newApart(t, 0)
	r := a.serve(allows)
	a.raw(func(m *nats.Msg) {
		_ = m.Respond(said(nonceOf(m), auto.Name, "answered", rawDeny))
		_ = m.Respond(said(nonceOf(m), auto.Name, "answered", rawAllow))
	})
	agent := a.begun("c1")
	ada := a.client(api.RoleHuman, "ada")
	do[api.Done](ada, "policy.set", api.PolicySet{Command: ada.command("work"), Policy: events.PolicyNever})
	if got := agent.call(a.executor(), "work", "c1").answer(); got.Refused == nil || got.Refused.Kind != string(engine.Denied) {
		t.Errorf("got %+v, want a denial", got)
	}
	if v := r.verdict("work", "c1"); v.Outcome != events.VerdictDeny {
		t.Errorf("got %+v", v)
	}
}

// TestALateAnswerChangesNothing: the caller has cancelled, and the log stays as it is.
func TestALateAnswerChangesNothing(t *testing.T) {
	a := newApart(t, 0)
	r := a.serve(allows)
	asked := make(chan *nats.Msg, 1)
	a.raw(func(m *nats.Msg) { asked <- m })
	agent := a.begun("c1")
	k := agent.call(a.executor(), "work", "c1")
	m := <-asked
	do[api.UnderWay](agent, "call.cancel", api.CallCancel{CallID: "c1"})
	if got := k.answer(); got.Refused == nil || got.Refused.Kind != string(engine.Cancelled) {
		t.Errorf("got %+v, want a cancellation", got)
	}
	next := r.next("work")
	must(t, m.Respond(said(nonceOf(m), auto.Name, "answered", rawAllow)))
	must(t, m.Respond(said(nonceOf(m), auto.Name, "answered", rawAllow)))
	if s := do[api.State](agent, "state", api.StateQuery{}); s.Next != next || r.next("work") != next {
		t.Errorf("the log has grown from %d to %d", next, s.Next)
	}
	again := *k
	again.ask()
	again.accepted()
	if got := again.answer(); got.Refused == nil || got.Refused.Kind != string(engine.Cancelled) {
		t.Errorf("got %+v, want the same cancellation", got)
	}
}

// TestARequestThatAReviewerCannotReadIsRefusedAtOnce: it is of another version.
func TestARequestThatAReviewerCannotReadIsRefusedAtOnce(t *testing.T) {
	a := newApart(t, 0)
	a.join(answering(modelAllows))
	nc := a.bus.Connect(bus.Engine, "engine")
	m, err := nc.Request(bus.ReviewPrefix+auto.Name, []byte(`{"nonce":"N1","unheard":"of"}`), 5*time.Second)
	must(t, err)
	if text := string(m.Data); !strings.Contains(text, `"nonce":"N1"`) || !strings.Contains(text, `"class":"`+string(reviewer.ClassUnavailable)+`"`) {
		t.Errorf("got %s", text)
	}
}
