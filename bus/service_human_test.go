package bus_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/presets"
)

func withProjects(t *testing.T, y *yard) option {
	return func(cfg *bus.ServiceConfig) {
		log, err := jetstream.NewLog(jetstream.LogConfig{Conn: cfg.Conn, Keys: y.keys, Projects: true})
		must(t, err)
		cfg.Projects = engine.NewProjects(log)
	}
}

// TestAPersonAnswersAQuestionAndTheCallGoesOn: a denial under ask is asked of the
// owner, who sees what the call is and what an answer carries.
func TestAPersonAnswersAQuestionAndTheCallGoesOn(t *testing.T) {
	y := newYard(t)
	r := y.serve(denies, withProjects(t, y))
	ada, agent := y.client(api.RoleHuman, "ada"), y.begun("c1")
	eve := y.client(api.RoleHuman, "eve")
	k := agent.call(y.executor(), "work", "c1")
	<-r.judge.asked
	var questions []api.Question
	for len(questions) == 0 {
		questions = do[api.Approvals](ada, "approvals.list", api.ApprovalsList{}).Questions
	}
	q := questions[0]
	if q.Session != "work" || q.Tool != "shell" || !strings.Contains(q.Arguments, "echo c1") || q.Hash == "" {
		t.Errorf("got %+v", q)
	}
	if got := do[api.Approvals](eve, "approvals.list", api.ApprovalsList{}); len(got.Questions) != 0 {
		t.Errorf("somebody else sees %+v", got)
	}
	yes := []api.Reply{{ID: q.ID, Reply: "once", Hash: q.Hash, Feedback: "only this time"}}
	wantCode(t, eve.try("approvals.answer", api.ApprovalsAnswer{Command: eve.command("work"), Answers: yes}), api.CodeNotFound)
	wrong := []api.Reply{{ID: q.ID, Reply: "once", Hash: "other"}}
	if failed := ada.try("approvals.answer", api.ApprovalsAnswer{Command: ada.command("work"), Answers: wrong}); failed == nil {
		t.Error("an answer about something else was taken")
	}
	answer := api.ApprovalsAnswer{Command: ada.command("work"), Answers: yes}
	got := do[api.Answered](ada, "approvals.answer", answer)
	if diff := cmp.Diff([]api.Outcome{{ID: q.ID, Outcome: events.OutcomeAllowedOnce}}, got.Results); diff != "" {
		t.Error(diff)
	}
	if again := do[api.Answered](ada, "approvals.answer", answer); !again.Already {
		t.Errorf("got %+v the second time", again)
	}
	answer.Answers[0].Reply = "reject"
	wantCode(t, ada.try("approvals.answer", answer), api.CodeConflict)
	if a := k.answer(); a.Permit == nil || a.Permit.Permit.DecisionSeq == nil {
		t.Errorf("got %+v, want a permit by the decision", a)
	}
}

// TestMembersWorkWithASessionAndItsChildren, and the owner alone says who they are.
func TestMembersWorkWithASessionAndItsChildren(t *testing.T) {
	y := newYard(t)
	y.serve(allows)
	ada, bob, agent := y.client(api.RoleHuman, "ada"), y.client(api.RoleHuman, "bob"), y.begun(delegation)
	agent.spawns(y.executor(), "work", api.Spawn{SpawnID: "s", Child: "child", Mode: "one-shot", Provider: "spawn"})
	show := func(id events.SessionID) api.SessionShow { return api.SessionShow{Query: api.Query{Session: id}} }
	wantCode(t, bob.try("session.show", show("child")), api.CodeNotFound)
	do[api.Done](ada, "session.share", api.SessionShare{Command: ada.command("work"), Members: []string{"bob"}})
	if s := do[api.State](bob, "session.show", show("child")); s.Owner != "ada" || !cmp.Equal(s.Members, []string{"bob"}) {
		t.Errorf("got %+v", s)
	}
	list := do[api.Sessions](bob, "session.list", api.SessionList{})
	if len(list.Sessions) != 2 || list.More != "" {
		t.Errorf("got %+v, want both", list)
	}
	if one := do[api.Sessions](bob, "session.list", api.SessionList{Limit: 1}); len(one.Sessions) != 1 || one.More != "child" {
		t.Errorf("got %+v, want the first and from where to go on", one)
	}
	wantCode(t, bob.try("session.share", api.SessionShare{Command: bob.command("work"), Members: []string{"bob", "eve"}}), api.CodeUnauthorized)
	do[api.Done](ada, "session.share", api.SessionShare{Command: ada.command("work"), Members: []string{}})
	wantCode(t, bob.try("session.show", show("child")), api.CodeNotFound)
}

// TestAnImportIsReplayOnlyUntilItIsAdopted, by who imported it.
func TestAnImportIsReplayOnlyUntilItIsAdopted(t *testing.T) {
	y := newYard(t)
	r := y.serve(allows)
	ada, eve := y.client(api.RoleHuman, "ada"), y.client(api.RoleHuman, "eve")
	ada.session("source", "")
	do[api.Done](ada, "message.send", api.MessageSend{Command: ada.command("source"), MessageID: "m1", Content: []events.Block{events.TextBlock("x")}})
	var file bytes.Buffer
	_, err := engine.Export(t.Context(), r.log, "source", &file, engine.ExportOptions{})
	must(t, err)
	text := bytes.Replace(file.Bytes(), []byte(`"id":"source"`), []byte(`"id":"foreign","owner":"eve"`), 1)
	_, err = engine.Import(t.Context(), r.log, engine.ImportRequest{
		File:  engine.File{Name: "f", Size: int64(len(text)), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }},
		Actor: events.Actor{Class: "human", Name: "ada"},
	})
	must(t, err)
	about := api.Query{Session: "foreign"}
	wantCode(t, eve.try("read", api.Read{Query: about}), api.CodeNotFound)
	if s := do[api.State](ada, "session.show", api.SessionShow{Query: about}); !s.ReplayOnly || s.Owner != "" {
		t.Errorf("got %+v, want it to be replayed only", s)
	}
	agent := y.client(api.RoleAgent, "foreign")
	do[api.Page](agent, "read", api.Read{})
	wantCode(t, agent.try("turn.start", api.TurnStart{Command: agent.command("")}), bus.CodeReplayOnly)
	wantCode(t, ada.try("session.fork", api.SessionFork{Command: ada.command("foreign"), Child: "copy"}), bus.CodeReplayOnly)
	wantCode(t, ada.try("message.send", api.MessageSend{Command: ada.command("foreign"), MessageID: "m2", Content: []events.Block{events.TextBlock("x")}}), bus.CodeReplayOnly)
	wantCode(t, eve.try("session.adopt", api.SessionAdopt{Command: eve.command("foreign")}), api.CodeNotFound)
	adopt := api.SessionAdopt{Command: ada.command("foreign")}
	for range 2 {
		if c := do[api.Created](ada, "session.adopt", adopt); c.Owner != "ada" {
			t.Errorf("got %+v", c)
		}
	}
	adopt.Expect = new(events.Seq(9999))
	wantCode(t, ada.try("session.adopt", adopt), api.CodeConflict)
	do[api.Done](agent, "turn.start", api.TurnStart{Command: agent.command("")})
	wantCode(t, ada.try("session.adopt", api.SessionAdopt{Command: ada.command("source")}), engine.CodeNotImported)
}

// TestAForkStartsUnderTheNarrowerPreset of then and now, and is its maker's.
func TestAForkStartsUnderTheNarrowerPreset(t *testing.T) {
	y := newYard(t)
	r := y.serve(allows)
	ada := y.client(api.RoleHuman, "ada")
	ada.session("source", "danger-full-access")
	wide := r.next("source") - 1
	do[api.Done](ada, "preset.set", api.PresetSet{Command: ada.command("source"), Preset: "read-only"})
	narrow := r.next("source") - 1
	do[api.Done](ada, "preset.set", api.PresetSet{Command: ada.command("source"), Preset: presets.Auto})
	for name, c := range map[string]struct {
		at   *events.Seq
		want string
	}{
		"wide then, under review now": {&wide, presets.Auto},
		"narrow then, wide now":       {&narrow, "read-only"},
		"now":                         {nil, presets.Auto},
	} {
		id := events.SessionID(strings.NewReplacer(" ", "-", ",", "").Replace(name))
		fork := api.SessionFork{Command: ada.command("source"), Child: id, At: c.at}
		got := do[api.Created](ada, "session.fork", fork)
		if got.Preset != c.want || got.Owner != "ada" {
			t.Errorf("%s: got %+v, want %s", name, got, c.want)
		}
		if s := do[api.State](ada, "session.show", api.SessionShow{Query: api.Query{Session: id}}); s.Preset != c.want {
			t.Errorf("%s: the fork is on %s, want %s", name, s.Preset, c.want)
		}
	}
	wantCode(t, ada.try("session.fork", api.SessionFork{Command: ada.command("source"), Child: "x", At: new(events.Seq(9999))}), api.CodeInvalid)
}

// TestAHostStaysBelowItsCeiling: in what it creates, and when somebody widens its
// session later; and what it relays says so.
func TestAHostStaysBelowItsCeiling(t *testing.T) {
	in := newInputYard(t)
	box, farm := in.clients[api.RoleHost], in.clients[api.RoleSpawner]
	for _, wide := range []string{"danger-full-access", presets.Auto} {
		wantCode(t, box.try("session.create", api.SessionCreate{Command: box.command("wide"), CWD: "/w", Preset: wide}), api.CodeUnauthorized)
		wantCode(t, farm.try("session.create", api.SessionCreate{Command: farm.command("wide"), CWD: "/w", Preset: wide, Owner: "bob"}), api.CodeUnauthorized)
	}
	wantCode(t, box.try("session.create", api.SessionCreate{Command: box.command("named"), CWD: "/w", Owner: "bob"}), api.CodeUnauthorized)
	do[api.Done](box, "message.send", api.MessageSend{Command: box.command("of-box"), MessageID: "m", Content: []events.Block{events.TextBlock("hi")}})
	box.wants("of-box", "c1")
	relayed := ""
	for record, err := range in.log.Read(t.Context(), "of-box", 0) {
		must(t, err)
		if record.Type() == events.TypeUserMessage {
			relayed = string(record.Line)
		}
	}
	if !strings.Contains(relayed, `"kind":"user"`) || !strings.Contains(relayed, `"via":"host"`) {
		t.Errorf("got %s", relayed)
	}
	_, err := in.gate.SetPreset(t.Context(), "of-box", engine.SetPreset{Preset: "danger-full-access"}, engine.Meta{ID: "widen", Now: 1})
	must(t, err)
	next := in.next("of-box")
	wantCode(t, box.try("call", api.Call{Command: box.command("of-box"), CallID: "c1", Name: "shell", Arguments: arguments("c1"), Nonce: "n"}), api.CodeUnauthorized)
	if in.next("of-box") != next {
		t.Error("something was stored")
	}
	in.callers["host.box"] = bus.Caller{Class: "host", Name: "box"}
	wantCode(t, box.try("session.create", api.SessionCreate{Command: box.command("more"), CWD: "/w"}), api.CodeUnauthorized)
	in.callers["spawner.farm"] = bus.Caller{Class: "spawner", Name: "farm", Ceiling: "workspace-write", Owner: "bob"}
	wantCode(t, farm.try("session.create", api.SessionCreate{Command: farm.command("more"), CWD: "/w", Owner: "eve"}), api.CodeUnauthorized)
}
