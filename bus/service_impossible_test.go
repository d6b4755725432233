package bus_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

// These tests try on a serving engine, over real connections and with each role's
// real credentials, what docs/bus.md says to be impossible there. What the server
// alone refuses is tried in bustest.

// wantSame fails if something was stored of a session since it was at next.
func (r *replica) wantSame(t *testing.T, id events.SessionID, next events.Seq) {
	t.Helper()
	if got := r.next(id); got != next {
		t.Errorf("%s has %d events, want %d as before: %v", id, got, next, r.types(id, ""))
	}
}

// wantForbidden tries to publish on others' subjects, which the server refuses.
func wantForbidden(t *testing.T, nc *nats.Conn, subjects ...string) {
	t.Helper()
	for _, subject := range subjects {
		if allowed, err := (bus.Attempt{What: "publish", Subject: subject}).Try(nc, 10*time.Second); allowed || err != nil {
			t.Errorf("%s: got %v, %v, want a refusal", subject, allowed, err)
		}
	}
}

// wantNobody sends a request that nothing listens to, on a subject of the caller's own.
func (c *client) wantNobody(t *testing.T, command, request string) {
	t.Helper()
	m, err := c.nc.Request(c.subject(command), []byte(request), 5*time.Second)
	if !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("%s as %s %s: got %v, %v, want nobody there", command, c.role, c.identity, m, err)
	}
}

// TestNoRoleHasTheCommandsOfAnother: what is not a role's is not there for it under
// its own name, and not permitted under another's.
func TestNoRoleHasTheCommandsOfAnother(t *testing.T) {
	y, _ := newBankedYard(t)
	r := y.serve(allows)
	y.client(api.RoleHuman, "ada").session("work", presets.Auto)
	next := r.next("work")
	roles := map[api.Role]*client{}
	serves := map[api.Role]map[string]bool{}
	for role, name := range map[api.Role]string{api.RoleHuman: "eve", api.RoleAgent: "work", api.RoleHost: "box", api.RoleSpawner: "farm"} {
		roles[role], serves[role] = y.client(role, name), map[string]bool{}
	}
	for _, e := range api.Endpoints() {
		serves[e.Role][e.Command] = true
	}
	request := `{"id":"x","session":"work","preset":"danger-full-access","policy":"never","tier":"aggressive"}`
	for role, c := range roles {
		for _, e := range api.Endpoints() {
			if !serves[role][e.Command] {
				c.wantNobody(t, e.Command, request)
			}
			if e.Role != role {
				wantForbidden(t, c.nc, api.Address{Role: e.Role, Identity: roles[e.Role].identity, Command: e.Command}.Subject())
			}
		}
		for _, command := range []string{"verdict", "review.verdict", "append", "dispatch", "permit"} {
			c.wantNobody(t, command, request)
		}
	}
	r.wantSame(t, "work", next)
}

// TestAnAgentReachesItsOwnSessionAlone: neither another one of its owner's, nor one of
// another family, not by a member of its request, and not by the store.
func TestAnAgentReachesItsOwnSessionAlone(t *testing.T) {
	y, _ := newBankedYard(t)
	r := y.serve(allows)
	y.client(api.RoleHuman, "ada").session("mine", presets.Auto)
	y.client(api.RoleHuman, "ada").session("sibling", presets.Auto)
	y.client(api.RoleHuman, "eve").session("foreign", presets.Auto)
	agent := y.client(api.RoleAgent, "mine")
	for _, e := range api.Endpoints() {
		text := good[e.Command].request
		if e.Role != api.RoleAgent || !strings.Contains(text, "SESSION") {
			continue
		}
		for _, other := range []events.SessionID{"sibling", "foreign"} {
			next := r.next(other)
			data, failed := agent.request(e.Command, []byte(strings.NewReplacer("ID", y.name("id"), "SESSION", string(other)).Replace(text)), nil)
			wantCode(t, failed, api.CodeUnauthorized)
			if strings.Contains(string(data), "ada") || strings.Contains(string(data), "eve") {
				t.Errorf("%s says %s", e.Command, data)
			}
			r.wantSame(t, other, next)
		}
	}
	wantForbidden(t, agent.nc, "$JS.API.STREAM.MSG.GET.SESSIONS_0_0", "$JS.API.DIRECT.GET.SESSIONS_0_0.session.0.0.foreign",
		"$JS.API.CONSUMER.CREATE.SESSIONS_0_0.c.session.0.0.foreign", "docket.v1.agent.foreign.read", "docket.v1.human.ada.read")
}

// TestAnAgentSendsMessagesAsItselfAlone: not as a person, not as another agent, and
// only to its parent and its children.
func TestAnAgentSendsMessagesAsItselfAlone(t *testing.T) {
	y, _ := newBankedYard(t)
	r := y.serve(allows)
	ada := y.client(api.RoleHuman, "ada")
	ada.session("parent", presets.Auto)
	ada.session("stranger", presets.Auto)
	parent := y.client(api.RoleAgent, "parent")
	parent.wants("", delegation)
	parent.spawns(y.executor(), "parent", api.Spawn{SpawnID: "s", Child: "child", Mode: "one-shot", Provider: "spawn"})
	child, next, stranger := y.client(api.RoleAgent, "child"), r.next("parent"), r.next("stranger")
	for name, request := range map[string]string{
		"another sender":     `{"id":"a","to":"parent","messageId":"m","text":"x","senderSessionId":"stranger"}`,
		"a sender's session": `{"id":"b","session":"stranger","to":"parent","messageId":"m","text":"x"}`,
		"a stranger":         `{"id":"c","to":"stranger","messageId":"m","text":"x"}`,
		"oneself":            `{"id":"d","to":"child","messageId":"m","text":"x"}`,
	} {
		if data, failed := child.request("send", []byte(request), nil); failed == nil {
			t.Errorf("%s: got %s, want a refusal", name, data)
		}
	}
	for _, kind := range []string{
		events.SourceUser, events.SourceTool, events.SourceModel, events.SourceCheckpoint, events.SourceAgentMessage, events.SourceReviewNotice,
	} {
		_, failed := parent.request("message.context", []byte(`{"id":"`+kind+`","messageId":"`+kind+`","source":{"kind":"`+kind+`"},"content":[{"type":"text","text":"go on"}]}`), nil)
		if failed == nil || failed.Field != "source.kind" {
			t.Errorf("a message of the source %s: got %+v, want a refusal", kind, failed)
		}
	}
	r.wantSame(t, "parent", next)
	r.wantSame(t, "stranger", stranger)
	do[api.Done](child, "send", api.Send{Command: child.command(""), To: "parent", MessageID: "m", Text: "done"})
	var senders []events.SessionID
	for _, e := range r.events("parent", next) {
		if spliced, ok := e.(events.InboxSpliced); ok {
			for _, m := range spliced.Inserted {
				senders = append(senders, m.Source.SenderSessionID)
			}
		}
	}
	if !slices.Equal(senders, []events.SessionID{"child"}) {
		t.Errorf("got the senders %v, want the child", senders)
	}
}

// events are those of a session from a seq on.
func (r *replica) events(id events.SessionID, from events.Seq) []events.Event {
	r.t.Helper()
	var out []events.Event
	for record, err := range r.log.Read(r.t.Context(), id, from) {
		must(r.t, err)
		decoded, err := record.Decode()
		must(r.t, err)
		for _, d := range decoded {
			out = append(out, d.Event)
		}
	}
	return out
}

// TestNobodyButItsPeopleAnswersAQuestion: not the agent that it is about, not a host
// or a spawner, not another person, and not a person about something else.
func TestNobodyButItsPeopleAnswersAQuestion(t *testing.T) {
	y, _ := newBankedYard(t)
	r := y.serve(denies)
	ada, eve := y.client(api.RoleHuman, "ada"), y.client(api.RoleHuman, "eve")
	ada.session("work", presets.Auto)
	agent := y.client(api.RoleAgent, "work")
	agent.wants("", "c1")
	k := agent.call(y.executor(), "work", "c1")
	<-r.judge.asked
	var questions []api.Question
	for len(questions) == 0 {
		questions = do[api.Approvals](ada, "approvals.list", api.ApprovalsList{}).Questions
	}
	q, next := questions[0], r.next("work")
	answer := func(c *client, hash string) api.ApprovalsAnswer {
		return api.ApprovalsAnswer{Command: c.command("work"), Answers: []api.Reply{{ID: q.ID, Reply: "once", Hash: hash}}}
	}
	for _, c := range []*client{agent, y.client(api.RoleHost, "box"), y.client(api.RoleSpawner, "farm")} {
		c.wantNobody(t, "approvals.answer", string(encode(t, answer(c, q.Hash))))
		wantForbidden(t, c.nc, ada.subject("approvals.answer"), eve.subject("approvals.answer"))
	}
	wantCode(t, eve.try("approvals.answer", answer(eve, q.Hash)), api.CodeNotFound)
	for _, hash := range []string{"", "00", strings.ToUpper(q.Hash) + "0"} {
		if ada.try("approvals.answer", answer(ada, hash)) == nil {
			t.Errorf("the hash %q was taken", hash)
		}
	}
	r.wantSame(t, "work", next)
	do[api.Answered](ada, "approvals.answer", answer(ada, q.Hash))
	if a := k.answer(); a.Permit == nil {
		t.Errorf("got %+v, want a permit by the owner's answer", a)
	}
}

// TestAVerdictIsNobodysButOfTheReviewerThatWasAsked: while a review is under way,
// everybody says what it came to, with the nonce that is on the log and with another.
func TestAVerdictIsNobodysButOfTheReviewerThatWasAsked(t *testing.T) {
	y, b := newBankedYard(t)
	judged := make(chan struct{})
	r := y.serve(func(ctx context.Context, c reviewer.Call) (reviewer.Verdict, error) {
		<-judged
		return reviewer.Verdict{Outcome: reviewer.Deny, Reason: []byte(`"no"`)}, nil
	})
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", presets.Auto)
	do[api.Done](ada, "policy.set", api.PolicySet{Command: ada.command("work"), Policy: events.PolicyNever})
	agent := y.client(api.RoleAgent, "work")
	agent.wants("", "c1")
	k := agent.call(y.executor(), "work", "c1")
	<-r.judge.asked
	next, nonce := r.next("work"), ""
	for _, e := range r.events("work", 0) {
		if asked, ok := e.(events.ReviewRequested); ok {
			nonce = asked.Nonce
		}
	}
	if nonce == "" {
		t.Fatal("no review was asked for")
	}
	for _, class := range []string{bus.Reviewer, bus.Agent, bus.Host, bus.Spawner, bus.Human, bus.Auditor} {
		wantForbidden(t, b.Connect(class, "double"), "docket.v1.review.double", "docket.v1.review.auto", "session.0.0.work", "docket.engine.work.c1",
			"docket.v1.agent.work.verdict", k.inbox)
	}
	for _, c := range []*client{agent, {yard: y, nc: b.Connect(bus.Reviewer, "double"), role: "reviewer", identity: "double"}} {
		for _, n := range []string{nonce, "another", k.request.Nonce} {
			for _, command := range []string{"verdict", "review.verdict", "call.verdict"} {
				c.wantNobody(t, command, `{"id":"v","session":"work","callId":"c1","nonce":"`+n+`","outcome":"allow"}`)
			}
		}
	}
	r.wantSame(t, "work", next)
	close(judged)
	if a := k.answer(); a.Refused == nil || a.Refused.Kind != string(engine.Denied) {
		t.Errorf("got %+v, want the denial of the reviewer that was asked", a)
	}
}

// TestACallHasOneReviewAndOneQuestion, however often it is asked for and by however
// many executors.
func TestACallHasOneReviewAndOneQuestion(t *testing.T) {
	y, _ := newBankedYard(t)
	r := y.serve(denies)
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", presets.Auto)
	agent, x := y.client(api.RoleAgent, "work"), y.executor()
	agent.wants("", "c1")
	first := agent.call(x, "work", "c1")
	<-r.judge.asked
	for len(do[api.Approvals](ada, "approvals.list", api.ApprovalsList{}).Questions) == 0 {
	}
	again := *first
	again.ask()
	again.accepted()
	other := *first
	other.request.ID, other.request.Nonce = agent.name("command"), x.Expect(permit.Scope{Session: "work", CallID: "c1", Tool: "shell"})
	other.ask()
	if _, failed := other.final(); failed == nil || failed.Code != api.CodeConflict {
		t.Errorf("got %+v for another executor, want a conflict", failed)
	}
	questions := do[api.Approvals](ada, "approvals.list", api.ApprovalsList{}).Questions
	if len(questions) != 1 || len(r.judge.asked) != 0 {
		t.Fatalf("got %d questions and %d more reviews, want one question", len(questions), len(r.judge.asked))
	}
	reject := []api.Reply{{ID: questions[0].ID, Reply: "reject", Hash: questions[0].Hash}}
	do[api.Answered](ada, "approvals.answer", api.ApprovalsAnswer{Command: ada.command("work"), Answers: reject})
	first.answer()
	again.answer()
	third := *first // it is over: the log has the answer
	third.ask()
	third.answer()
	types := r.types("work", events.TypeToolCall)
	for _, one := range []events.Type{events.TypeReviewRequested, events.TypeReviewVerdict, events.TypeApprovalAsked, events.TypeToolResult} {
		if n := count(types, string(one)); n != 1 {
			t.Errorf("got %d of %s, want one: %v", n, one, types)
		}
	}
}

func count(all []string, one string) (n int) {
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

// TestAPermitIsGoodForOneBodyOfOneExecutor: not twice, not late, not with anything in
// it changed, not elsewhere, and not for a result that has another nonce.
func TestAPermitIsGoodForOneBodyOfOneExecutor(t *testing.T) {
	y, _ := newBankedYard(t)
	r := y.serve(allows)
	y.client(api.RoleHuman, "ada").session("work", presets.Auto)
	agent, x := y.client(api.RoleAgent, "work"), y.executor()
	agent.wants("", "c1", "c2")
	given := *agent.call(x, "work", "c1").answer().Permit
	for name, c := range map[string]struct {
		by     *permit.Executor
		at     time.Duration
		change func(*permit.Permit)
		want   error
	}{
		"another executor": {y.executor(), 0, nil, permit.ErrNonce},
		"late":             {x, time.Minute, nil, permit.ErrExpired},
		"other arguments":  {x, 0, func(p *permit.Permit) { p.Arguments = []byte(`{"command":"rm -rf /"}`) }, permit.ErrSignature},
		"a wider mode":     {x, 0, func(p *permit.Permit) { p.Mode = "danger" }, permit.ErrSignature},
		"another call":     {x, 0, func(p *permit.Permit) { p.CallID = "c2" }, permit.ErrSignature},
		"a longer life":    {x, time.Minute, func(p *permit.Permit) { p.ExpiresAt += time.Hour.Milliseconds() }, permit.ErrSignature},
	} {
		signed := given
		if c.change != nil {
			c.change(&signed.Permit)
		}
		if p, err := c.by.Burn(signed, time.Now().Add(c.at)); !errors.Is(err, c.want) {
			t.Errorf("%s: got %+v, %v, want %v", name, p, err, c.want)
		}
	}
	p, err := x.Burn(given, time.Now())
	must(t, err)
	if p, err := x.Burn(given, time.Now()); !errors.Is(err, permit.ErrNonce) {
		t.Errorf("used twice: got %+v, %v", p, err)
	}
	next := r.next("work")
	settle := api.Settle{Command: agent.command(""), CallID: "c1", Nonce: "another", Content: []events.Block{events.TextBlock("done")}}
	if agent.try("settle", settle) == nil {
		t.Error("a result with another nonce was taken")
	}
	settle.CallID, settle.ID = "c2", agent.name("command") // which was never dispatched
	if agent.try("settle", settle) == nil {
		t.Error("a result of a call without a permit was taken")
	}
	r.wantSame(t, "work", next)
	settle.CallID, settle.ID, settle.Nonce = "c1", agent.name("command"), p.Nonce
	do[api.Done](agent, "settle", settle)
	next = r.next("work")
	settle.ID, settle.Content = agent.name("command"), []events.Block{events.TextBlock("something else")}
	_ = agent.try("settle", settle) // it is settled already, or refused: nothing more is on the log
	r.wantSame(t, "work", next)
}

// TestARefusalGivesNothingAway: it repeats no value that it was sent, which may be in
// the wrong place, says the same of what is another's as of what there is not, and
// nothing of what fails within the engine.
func TestARefusalGivesNothingAway(t *testing.T) {
	const secret = "sk-live-51Hx9QjQz0Kk3vGZ"
	y, _ := newBankedYard(t)
	y.serve(allows, func(cfg *bus.ServiceConfig) {
		cfg.Issue = func(context.Context, events.SessionID) (api.Credential, error) {
			return api.Credential{}, errors.New("open /var/state/agent.nk: " + secret)
		}
	})
	y.client(api.RoleHuman, "eve").session("of-eve", presets.Auto)
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", presets.Auto)
	for role, name := range map[api.Role]string{api.RoleHuman: "ada", api.RoleAgent: "work", api.RoleHost: "box", api.RoleSpawner: "farm"} {
		c := y.client(role, name)
		for _, e := range api.Endpoints() {
			if e.Role != role {
				continue
			}
			for _, request := range []string{
				secret, `"` + secret + `"`, `{"id":"x","` + secret + `":1}`, `{"id":["` + secret + `"]}`, `{"id":"x","id":"` + secret + `"}`,
				`{"id":"x","session":"` + secret + `/"}`, `{"id":"x","session":{"a":"` + secret + `"}}`,
			} {
				data, failed := c.request(e.Command, []byte(request), nil)
				if failed == nil && e.Command != "preset.catalog" {
					t.Errorf("%s %s: got %s for %s", role, e.Command, data, request)
				}
				// An unknown member is named, since that is the field at fault.
				if strings.Contains(strings.Replace(string(data), `"field":"`+secret+`"`, "", 1), secret) {
					t.Errorf("%s %s repeats it: %s", role, e.Command, data)
				}
			}
		}
	}
	data, failed := ada.request("session.credential", encode(t, api.SessionCredential{Query: api.Query{Session: "work"}}), nil)
	wantCode(t, failed, api.CodeInternal)
	if strings.Contains(string(data), secret) || strings.Contains(string(data), "/var") {
		t.Errorf("got %s", data)
	}
	for _, command := range []string{"session.show", "read", "preset.set", "approvals.answer", "session.credential", "session.stop"} {
		var said []string
		for _, id := range []string{"of-eve", "there-is-none"} {
			data, _ := ada.request(command, []byte(strings.NewReplacer("ID", y.name("id"), "SESSION", id).Replace(good[command].request)), nil)
			var e api.Error
			must(t, json.Unmarshal(data, &e))
			said = append(said, string(e.Code)+" "+e.Field+" "+e.Message)
		}
		if said[0] != said[1] {
			t.Errorf("%s tells another's session from none: %q", command, said)
		}
	}
}

// TestAnAgentCannotFillTheLogAgainstAPersonsTightening: on a store with a real limit it
// writes until it is refused, and a person's commands are still stored.
func TestAnAgentCannotFillTheLogAgainstAPersonsTightening(t *testing.T) {
	y, b := newBankedYard(t)
	admin := b.JetStream(bus.Admin, "root")
	stream, err := admin.Stream(t.Context(), "SESSIONS_0_0")
	must(t, err)
	limited := stream.CachedInfo().Config
	limited.MaxBytes = 4 << 20
	_, err = admin.UpdateStream(t.Context(), limited)
	must(t, err)
	y.serve(allows, func(cfg *bus.ServiceConfig) {
		log, err := jetstream.NewLog(jetstream.LogConfig{Conn: cfg.Conn, Keys: y.keys})
		must(t, err)
		cfg.Room, cfg.Limits.RoomKept = log.Fill, 1 // ns: each request asks
	})
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", presets.Auto)
	agent := y.client(api.RoleAgent, "work")
	agent.wants("")
	var failed *api.Error
	for i := 0; failed == nil && i < 100; i++ {
		failed = agent.try("message.context", api.ContextMessage{
			Command: agent.command(""), MessageID: y.name("m"), Source: []byte(`{"kind":"agent-instructions"}`),
			Content: []events.Block{events.TextBlock(strings.Repeat("x", 128<<10))},
		})
	}
	wantCode(t, failed, api.CodeUnavailable)
	do[api.Done](ada, "preset.set", api.PresetSet{Command: ada.command("work"), Preset: presets.ReadOnly})
	do[api.Done](ada, "policy.set", api.PolicySet{Command: ada.command("work"), Policy: events.PolicyNever})
	do[api.Done](ada, "session.stop", api.SessionStop{Command: ada.command("work")})
	if s := do[api.State](ada, "session.show", api.SessionShow{Query: api.Query{Session: "work"}}); s.Sandbox != events.ModeReadOnly || s.Approval != events.PolicyNever {
		t.Errorf("got %+v, want the preset that the person set", s)
	}
}
