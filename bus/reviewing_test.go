package bus_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// settled runs a call that was allowed, and ends it.
func settled(t *testing.T, agent *client, call string, k *calling) {
	t.Helper()
	a := k.answer()
	if a.Permit == nil {
		t.Fatalf("got %+v for %s, want a permit", a.Refused, call)
	}
	do[api.Done](agent, "settle", api.Settle{Command: agent.command(""), CallID: call, Nonce: a.Permit.Permit.Nonce, Content: []events.Block{events.TextBlock("done")}})
}

// TestAReviewerApartJudgesTheSameRequest as one beside the engine would, also when it
// keeps the session folded, and for whichever engine asks.
func TestAReviewerApartJudgesTheSameRequest(t *testing.T) {
	a := newApart(t, 0)
	one, two := a.serve(allows), a.serve(allows)
	m := answering(modelAllows)
	a.join(m)
	calls := []string{"c1", "c2", "c3", "c4"}
	agent, x := a.begun(calls...), a.executor()
	for _, call := range calls {
		settled(t, agent, call, agent.call(x, "work", call))
		record := one.recorded("work", call)
		if local, _ := a.locals.Load(call); record.Digest != local || record.Outcome != events.VerdictAllow || record.Route != "builtin/policy" {
			t.Errorf("got %+v, want the digest %v", record, local)
		}
	}
	if v := two.verdict("work", "c4"); v.Reviewer != auto.Name || v.Outcome != events.VerdictAllow {
		t.Errorf("got %+v", v)
	}
	if n := m.times.Load(); int(n) != len(calls) {
		t.Errorf("the model was asked %d times for %d calls", n, len(calls))
	}
}

// TestALongLogIsReadInParts, and a fork's with what it began with, by a reviewer that
// has seen neither.
func TestALongLogIsReadInParts(t *testing.T) {
	a := newApart(t, 0)
	r := a.serve(allows)
	m := answering(modelAllows)
	a.join(m)
	x, ada := a.executor(), a.client(api.RoleHuman, "ada")
	ada.session("work", presets.Auto)
	for i := range 8 {
		do[api.Done](ada, "message.send", api.MessageSend{
			Command: ada.command("work"), MessageID: fmt.Sprintf("m%d", i), Content: []events.Block{events.TextBlock(strings.Repeat("a long text ", 12<<10))},
		})
	}
	do[api.Created](ada, "session.fork", api.SessionFork{Command: ada.command("work"), Child: "fork"})
	for _, id := range []events.SessionID{"work", "fork"} {
		call := "of-" + string(id)
		agent := a.client(api.RoleAgent, string(id))
		agent.wants("", call)
		settled(t, agent, call, agent.call(x, id, call))
		if local, _ := a.locals.Load(call); r.recorded(id, call).Digest != local {
			t.Errorf("%s: the reviewer was shown something else", id)
		}
	}
}

func TestADenialApartKeepsItsReason(t *testing.T) {
	a := newApart(t, 0)
	r := a.serve(allows)
	a.join(answering(modelDenies))
	agent := a.begun("c1")
	ada := a.client(api.RoleHuman, "ada")
	do[api.Done](ada, "policy.set", api.PolicySet{Command: ada.command("work"), Policy: events.PolicyNever})
	got := agent.call(a.executor(), "work", "c1").answer()
	if got.Refused == nil || got.Refused.Kind != string(engine.Denied) {
		t.Fatalf("got %+v, want a denial", got)
	}
	if v := r.verdict("work", "c1"); v.Outcome != events.VerdictDeny || string(v.Reason) != `"too \ud800 much"` {
		t.Errorf("got the reason %s of %s", v.Reason, v.Outcome)
	}
}

func TestAFailureApartKeepsClassAndCode(t *testing.T) {
	a := newApart(t, 0)
	r := a.serve(allows)
	a.join(answering("maybe"))
	agent := a.begun("c1")
	if got := agent.call(a.executor(), "work", "c1").answer(); got.Refused == nil || got.Refused.Kind != string(engine.Failed) {
		t.Fatalf("got %+v, want a failure", got)
	}
	r.wantFailure("c1", reviewer.ClassMalformed, "ANSWER_NOT_JSON")
}

// TestWithoutAReviewerThereIsNoWaiting: nobody is there, and the call fails at once.
func TestWithoutAReviewerThereIsNoWaiting(t *testing.T) {
	a := newApart(t, time.Hour)
	r := a.serve(allows)
	agent := a.begun("c1")
	started := time.Now()
	got := agent.call(a.executor(), "work", "c1").answer()
	if took := time.Since(started); took > 5*time.Second || got.Refused == nil {
		t.Errorf("got %+v after %s", got, took)
	}
	r.wantFailure("c1", reviewer.ClassUnavailable, "REVIEWER_UNAVAILABLE")
}

func TestAReviewerThatIsFullIsUnavailableAtOnce(t *testing.T) {
	a := newApart(t, 0)
	r := a.serve(allows)
	m, answer := pondering(modelAllows)
	defer answer()
	a.join(m, func(c *bus.ReviewServiceConfig) { c.Places = 1 })
	x := a.executor()
	a.client(api.RoleHuman, "ada").session("other", presets.Auto)
	busy := a.client(api.RoleAgent, "other")
	busy.wants("", "c0")
	busy.call(x, "other", "c0")
	<-m.asked
	a.begun("c1").call(x, "work", "c1").answer()
	r.wantFailure("c1", reviewer.ClassUnavailable, "REVIEWER_UNAVAILABLE")
}

func TestReviewersShareTheQueue(t *testing.T) {
	a := newApart(t, 0)
	a.serve(allows)
	models := []*modelDouble{answering(modelAllows), answering(modelAllows)}
	for _, m := range models {
		a.join(m)
	}
	var calls []string
	for i := range 20 {
		calls = append(calls, fmt.Sprintf("c%d", i))
	}
	agent, x := a.begun(calls...), a.executor()
	for _, call := range calls {
		settled(t, agent, call, agent.call(x, "work", call))
	}
	first, second := models[0].times.Load(), models[1].times.Load()
	if first == 0 || second == 0 || int(first+second) != len(calls) {
		t.Errorf("the two were asked %d and %d times for %d calls", first, second, len(calls))
	}
}

// TestACallerThatCancelsEndsItsReviewApart: the model is not asked on, and what it
// says then changes nothing.
func TestACallerThatCancelsEndsItsReviewApart(t *testing.T) {
	a := newApart(t, 0)
	r := a.serve(allows)
	ended := make(chan struct{})
	m := answering(modelAllows)
	m.answer = func(ctx context.Context) (string, error) {
		<-ctx.Done()
		close(ended)
		return modelAllows, nil
	}
	a.join(m)
	agent := a.begun("c1")
	k := agent.call(a.executor(), "work", "c1")
	<-m.asked
	do[api.UnderWay](agent, "call.cancel", api.CallCancel{CallID: "c1"})
	if got := k.answer(); got.Refused == nil || got.Refused.Kind != string(engine.Cancelled) {
		t.Errorf("got %+v, want a cancellation", got)
	}
	<-ended
	if v := r.verdict("work", "c1"); v.Outcome != events.VerdictCancelled {
		t.Errorf("got %+v", v)
	}
}

// TestAReviewerThatLeaves answers what it has under way while it is given time, takes
// nothing new, and gives up the rest as lost.
func TestAReviewerThatLeaves(t *testing.T) {
	a := newApart(t, 0)
	r := a.serve(allows)
	m, answer := pondering(modelAllows)
	s := a.join(m)
	agent, x := a.begun("c1", "c2", "c3"), a.executor()
	k := agent.call(x, "work", "c1")
	<-m.asked
	left := make(chan error)
	go func() { left <- s.Shutdown(t.Context()) }()
	answer()
	settled(t, agent, "c1", k)
	must(t, <-left)
	agent.call(x, "work", "c2").answer()
	r.wantFailure("c2", reviewer.ClassUnavailable, "REVIEWER_UNAVAILABLE")

	m, _ = pondering(modelAllows)
	s = a.join(m)
	k = agent.call(x, "work", "c3")
	<-m.asked
	over, cancel := context.WithCancel(t.Context())
	cancel()
	must(t, s.Shutdown(over))
	k.answer()
	r.wantFailure("c3", reviewer.ClassLost, "REVIEWER_LOST")
}

// TestAConnectionThatIsLostLosesItsReviews, which are not asked for again when it is
// back.
func TestAConnectionThatIsLostLosesItsReviews(t *testing.T) {
	a := newApart(t, time.Hour)
	r := a.serve(allows)
	m, answer := pondering(modelAllows)
	defer answer()
	a.join(m)
	agent := a.begun("c1")
	k := agent.call(a.executor(), "work", "c1")
	<-m.asked
	must(t, (<-a.asking).ForceReconnect())
	k.answer()
	r.wantFailure("c1", reviewer.ClassLost, "REVIEWER_LOST")
	if n := m.times.Load(); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}
}

// TestShutdownAndRemovalDifferWithAReviewerApart as they do with one beside the
// engine: both end what is under review, and only the removal moves the session.
func TestShutdownAndRemovalDifferWithAReviewerApart(t *testing.T) {
	for name, remove := range map[string]bool{"removal": true, "shutdown": false} {
		t.Run(name, func(t *testing.T) {
			a := newApart(t, 0)
			r, other := a.serve(allows), a.serve(allows)
			m, answer := pondering(modelAllows)
			defer answer()
			a.join(m)
			agent := a.begun("c1")
			k := agent.call(a.executor(), "work", "c1")
			<-m.asked
			for _, e := range []*replica{r, other} { // whichever of them has the call
				if remove {
					must(t, e.gate.Uninstall(t.Context(), presets.IntegrationAuto, events.Actor{Class: "human", Name: "ada"}))
				} else {
					must(t, e.gate.Shutdown(t.Context()))
				}
			}
			if got := k.answer(); got.Refused == nil || got.Refused.Kind != string(engine.Cancelled) {
				t.Errorf("got %+v, want a cancellation", got)
			}
			want := presets.Auto
			if remove {
				want = presets.DangerFullAccess
			}
			if got := r.preset("work"); got != want {
				t.Errorf("the session is on %s, want %s", got, want)
			}
		})
	}
}

// preset is what the log says last.
func (r *replica) preset(id events.SessionID) string {
	r.t.Helper()
	preset := ""
	for record, err := range r.log.Read(r.t.Context(), id, 0) {
		must(r.t, err)
		envelopes, err := record.Decode()
		must(r.t, err)
		if p, ok := any(envelopes[0].Event).(events.PermissionPreset); ok {
			preset = p.Preset
		}
	}
	return preset
}

// TestAReviewIsReadByItsReviewerAlone, and only while it is open.
func TestAReviewIsReadByItsReviewerAlone(t *testing.T) {
	a := newApart(t, 0)
	a.serve(allows)
	asked := make(chan *nats.Msg, 1)
	a.raw(func(m *nats.Msg) { asked <- m })
	agent := a.begun("c1")
	k := agent.call(a.executor(), "work", "c1")
	m := <-asked
	mine := a.bus.Connect(bus.Reviewer, auto.Name)
	for want, answer := range map[string]bool{"header": true, "records": true, "alive": true} {
		if got := read(t, mine, m, nonceOf(m), want); got != answer {
			t.Errorf("%s: the log is read: %t", want, got)
		}
	}
	if read(t, mine, m, "ANOTHER", "records") {
		t.Error("a log is read for a review that nobody asked for")
	}
	do[api.UnderWay](agent, "call.cancel", api.CallCancel{CallID: "c1"})
	k.answer()
	if read(t, mine, m, nonceOf(m), "records") || read(t, mine, m, nonceOf(m), "alive") {
		t.Error("a log is read for a review that is over")
	}
	judge := a.bus.Connect(bus.Reviewer, "judge")
	if _, err := judge.Request(readOf(m, auto.Name), []byte(`{"nonce":"`+nonceOf(m)+`","want":"records"}`), 300*time.Millisecond); err == nil {
		t.Error("another reviewer's name can be used")
	}
}
