package bus_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

// wanted is a call that the model of a session makes.
type wanted struct{ tool, arguments string }

// asks takes a session to a step whose model makes that call.
func (w wanted) asks(c *client, about events.SessionID) {
	c.t.Helper()
	do[api.Done](c, "turn.start", api.TurnStart{Command: c.command("")})
	do[api.Done](c, "step.start", api.StepStart{Command: c.command("")})
	do[api.Done](c, "message.assistant", api.AssistantMessage{
		Command: c.command(""), MessageID: "a-" + string(about), Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c", w.tool, w.arguments)},
	})
}

// deniesSome is a judge that denies a call that says so.
func deniesSome(ctx context.Context, c reviewer.Call) (reviewer.Verdict, error) {
	if strings.Contains(string(c.Arguments), "denied") {
		return denies(ctx, c)
	}
	return allows(ctx, c)
}

// TestWhoMaySpawnWhatOverTheBus: only a session's own agent spawns, and under review
// only what a dispatched call of a tool that starts agents has for its prompt. Without
// a review the same is a fact.
func TestWhoMaySpawnWhatOverTheBus(t *testing.T) {
	y, _ := newBankedYard(t)
	r := y.serve(deniesSome)
	ada := y.client(api.RoleHuman, "ada")
	for i, c := range []struct {
		name   string
		prompt string
		call   wanted
		asked  bool   // the call is made, and not only wanted
		field  string // of the refusal under review, "" for none
	}{
		{"without a call", "go", wanted{"task", `{"prompt":"go"}`}, false, "callId"},
		{"with a call that was denied", "denied", wanted{"task", `{"prompt":"denied"}`}, true, "callId"},
		{"with what is written", "go", wanted{"write", `{"path":"a.md","content":"go"}`}, true, "callId"},
		{"with a command", "go", wanted{"shell", `{"command":"go"}`}, true, "callId"},
		{"with a message", "go", wanted{"send_message", `{"message":"go"}`}, true, "callId"},
		{"with a description", "go", wanted{"task", `{"description":"go","prompt":"wait"}`}, true, "prompt"},
		{"with a part", "go", wanted{"task", `{"prompt":"do not go"}`}, true, "prompt"},
		{"with a dispatched call", "go", wanted{"task", `{"prompt":"go"}`}, true, ""},
		{"with another program's", "go", wanted{"spawn_agent", `{"message":"go"}`}, true, ""},
	} {
		for _, preset := range []string{presets.DangerFullAccess, presets.Auto} {
			t.Run(fmt.Sprint(preset, " ", c.name), func(t *testing.T) {
				id := events.SessionID(fmt.Sprintf("s%d-%s", i, preset))
				ada.session(id, preset)
				do[api.Done](ada, "policy.set", api.PolicySet{Command: ada.command(id), Policy: events.PolicyNever})
				agent := y.client(api.RoleAgent, string(id))
				c.call.asks(agent, id)
				if c.asked {
					k := &calling{client: agent, session: id, request: api.Call{
						Command: agent.command(""), CallID: "c", Name: c.call.tool, Arguments: c.call.arguments, Nonce: strings.Repeat("0", 64),
					}}
					k.ask()
					k.accepted()
					k.answer()
				}
				next := r.next(id)
				reply, failed := agent.request("spawn", encode(t, api.Spawn{
					Command: agent.command(""), SpawnID: "s", Child: "child-" + id, Mode: "one-shot", Provider: "spawn", Prompt: c.prompt, PromptID: "p", CallID: "c",
				}), nil)
				unproven := c.field != "" && (preset == presets.Auto || c.prompt != "denied") // where nobody reviews, nobody denies
				if preset == presets.Auto && unproven {
					wantCode(t, failed, lineage.CodeUnproven)
					if failed != nil && failed.Field != c.field {
						t.Errorf("got the field %q, want %q", failed.Field, c.field)
					}
					r.wantSame(t, id, next)
					if _, err := r.log.Open(t.Context(), "child-"+id); !errors.Is(err, events.ErrNotFound) {
						t.Errorf("got %v, want no child", err)
					}
					return
				}
				var made api.Spawned
				if failed != nil || json.Unmarshal(reply, &made) != nil || made.Verified == unproven {
					t.Errorf("got %s %v, want a child, verified %t", reply, failed, !unproven)
				}
			})
		}
	}
	for role, name := range map[api.Role]string{api.RoleHuman: "ada", api.RoleHost: "box", api.RoleSpawner: "farm"} {
		y.client(role, name).wantNobody(t, "spawn", `{"id":"x","session":"s7-auto","spawnId":"x","child":"x","mode":"one-shot","provider":"spawn","prompt":"go","promptId":"p","callId":"c"}`)
		y.client(role, name).wantNobody(t, "send", `{"id":"y","session":"s7-auto","to":"child-s7-auto","messageId":"m","text":"go","callId":"c"}`)
	}
}
