package bus_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

// again sends a command a second time, which is done already, and then another one
// under its id, which is a conflict. Nothing more is stored.
func again(t *testing.T, r *replica, c *client, command string, request any, other func()) {
	t.Helper()
	if _, failed := c.request(command, encode(t, request), nil); failed != nil {
		t.Fatalf("%s: got %v (%s) the first time", command, failed, failed.Code)
	}
	before := storedIn(t, r)
	if _, failed := c.request(command, encode(t, request), nil); failed != nil {
		t.Errorf("%s: got %v (%s) the second time", command, failed, failed.Code)
	}
	other()
	if after := storedIn(t, r); !maps.Equal(before, after) {
		t.Errorf("%s: something was stored: %v, before %v", command, after, before)
	}
}

func storedIn(t *testing.T, r *replica) map[events.SessionID]events.Seq {
	t.Helper()
	all := map[events.SessionID]events.Seq{}
	for id, err := range r.log.Sessions(t.Context()) {
		must(t, err)
		all[id] = r.next(id)
	}
	return all
}

// TestAnIdIsOneRequestAlsoWhereACallIsOpen.
func TestAnIdIsOneRequestAlsoWhereACallIsOpen(t *testing.T) {
	y := newYard(t)
	r := y.serve(allows)
	agent, x := y.begun(delegation, "c1", "c2"), y.executor()
	_, nonce := agent.spawns(x, "work", api.Spawn{SpawnID: "s", Child: "child", Mode: "continuable", Label: "l", Provider: "spawn"})
	do[api.Done](agent, "settle", api.Settle{Command: agent.command(""), CallID: delegation, Nonce: nonce, Content: []events.Block{events.TextBlock("started")}})
	a := agent.call(x, "work", "c1").answer()

	settle := api.Settle{Command: agent.command(""), CallID: "c1", Nonce: a.Permit.Permit.Nonce, Content: []events.Block{events.TextBlock("done")}}
	again(t, r, agent, "settle", settle, func() {
		settle.Content = []events.Block{events.TextBlock("something else")}
		wantCode(t, agent.try("settle", settle), api.CodeConflict)
	})
	send := api.Send{Command: agent.command(""), To: "child", MessageID: "m", Text: "hello"}
	again(t, r, agent, "send", send, func() {
		send.MessageID, send.Text = "m2", "something else"
		wantCode(t, agent.try("send", send), api.CodeConflict)
	})
	b := agent.call(x, "work", "c2").answer()
	proof, err := x.Return(b.Permit.Permit.Nonce)
	must(t, err)
	give := api.Return{Command: agent.command(""), CallID: "c2", Proof: proof}
	again(t, r, agent, "return", give, func() {
		give.Cancelled = true
		wantCode(t, agent.try("return", give), api.CodeConflict)
	})
	for _, id := range []string{"long", "last"} { // the newest stays, and is behind all results
		do[api.Done](agent, "message.context", api.ContextMessage{
			Command: agent.command(""), MessageID: id, Source: []byte(`{"kind":"agent-instructions"}`),
			Content: []events.Block{events.TextBlock(strings.Repeat("many words ", 500))},
		})
	}
	compact := api.Compact{Command: agent.command(""), Summary: "nothing of note", Provider: "p", Model: "m"}
	again(t, r, agent, "compact", compact, func() {
		compact.Summary = "something else"
		wantCode(t, agent.try("compact", compact), api.CodeConflict)
	})
	ada := y.client(api.RoleHuman, "ada")
	stop := api.SessionStop{Command: ada.command("work")}
	again(t, r, ada, "session.stop", stop, func() {
		stop.Expect = new(events.Seq(9999))
		wantCode(t, ada.try("session.stop", stop), api.CodeConflict)
	})
}

// TestAnIdThatAnotherCallerUsedIsFree: nobody can take a person's ids away.
func TestAnIdThatAnotherCallerUsedIsFree(t *testing.T) {
	y := newYard(t)
	y.serve(allows)
	ada, agent := y.client(api.RoleHuman, "ada"), y.client(api.RoleAgent, "work")
	ada.session("work", presets.Auto)
	do[api.Done](ada, "session.share", api.SessionShare{Command: ada.command("work"), Members: []string{"bob"}})
	taken := api.Command{ID: "taken", Session: "work"}
	do[api.Done](agent, "turn.start", api.TurnStart{Command: taken})
	do[api.Done](ada, "policy.set", api.PolicySet{Command: taken, Policy: events.PolicyNever})
	bob := y.client(api.RoleHuman, "bob")
	do[api.Done](bob, "preset.set", api.PresetSet{Command: taken, Preset: "read-only"})
}
