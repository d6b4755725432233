package delegation_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/docket-engine/docket/lineage/delegation"
)

// TestACallHandsOverOneMemberOfAToolOfTheTable and nothing else.
func TestACallHandsOverOneMemberOfAToolOfTheTable(t *testing.T) {
	const none = delegation.Kind("")
	for name, c := range map[string]struct {
		tool, arguments string
		kind            delegation.Kind
		text            string
	}{
		"Docket":                      {"task", `{"prompt":"Go."}`, delegation.Spawns, "Go."},
		"Claude Code":                 {"Agent", `{"description":"x","prompt":"Go.","subagent_type":"general-purpose"}`, delegation.Spawns, "Go."},
		"Claude Code, before":         {"Task", `{"description":"x","prompt":"Go.","subagent_type":"explore"}`, delegation.Spawns, "Go."},
		"Claude Code's message":       {"SendMessage", `{"to":"a1","summary":"x","message":"Go on."}`, delegation.Tells, "Go on."},
		"Codex":                       {"spawn_agent", `{"message":"Go."}`, delegation.Spawns, "Go."},
		"Codex in a program":          {"spawn_agent", `{"task_name":"x","message":"Go.","fork_turns":"none"}`, delegation.Spawns, "Go."},
		"Codex' message":              {"send_message", `{"target":"x","message":"Go on."}`, delegation.Tells, "Go on."},
		"Codex' next task":            {"followup_task", `{"target":"x","message":"Go on."}`, delegation.Tells, "Go on."},
		"Codex' message, before":      {"send_input", `{"id":"x","message":"Go on.","interrupt":true}`, delegation.Tells, "Go on."},
		"Qwen Code":                   {"agent", `{"description":"x","prompt":"Go.","subagent_type":"general-purpose"}`, delegation.Spawns, "Go."},
		"Gemini CLI":                  {"invoke_agent", `{"agent_name":"x","prompt":"Go."}`, delegation.Spawns, "Go."},
		"opencode":                    {"task", `{"description":"x","prompt":"Go.","subagent_type":"general"}`, delegation.Spawns, "Go."},
		"dsh":                         {"subagent", `{"description":"x","prompt":"Go.","run_in_background":false}`, delegation.Spawns, "Go."},
		"dsh with a copy":             {"subagent_fork", `{"description":"x","prompt":"Go."}`, delegation.Spawns, "Go."},
		"dsh's message":               {"send_message", `{"subagent_id":"x","message":"Go on."}`, delegation.Tells, "Go on."},
		"escaped":                     {"task", `{"prompt":"\u0047o.\n"}`, delegation.Spawns, "Go.\n"},
		"an empty text":               {"task", `{"prompt":""}`, delegation.Spawns, ""},
		"another tool":                {"write", `{"path":"a","content":"Go.","prompt":"Go."}`, none, ""},
		"a command":                   {"bash", `{"command":"Go."}`, none, ""},
		"a message to a person":       {"send_message_to_user_async", `{"message":"Go."}`, none, ""},
		"a list of tasks":             {"todo_write", `{"todos":[{"prompt":"Go."}]}`, none, ""},
		"a name in another case":      {"TASK", `{"prompt":"Go."}`, none, ""},
		"a name with a server":        {"mcp__x__task", `{"prompt":"Go."}`, none, ""},
		"a name with a space":         {"task ", `{"prompt":"Go."}`, none, ""},
		"another member":              {"task", `{"description":"Go."}`, none, ""},
		"another tool's member":       {"task", `{"message":"Go."}`, none, ""},
		"and the other way":           {"spawn_agent", `{"prompt":"Go."}`, none, ""},
		"a member in another case":    {"task", `{"Prompt":"Go."}`, none, ""},
		"and beside it":               {"task", `{"prompt":"Go.","PROMPT":"Stay."}`, none, ""},
		"a member twice":              {"task", `{"prompt":"Go.","prompt":"Go."}`, none, ""},
		"inside of another":           {"task", `{"input":{"prompt":"Go."}}`, none, ""},
		"inside of the member":        {"task", `{"prompt":{"text":"Go."}}`, none, ""},
		"a list":                      {"task", `{"prompt":["Go."]}`, none, ""},
		"a list of blocks":            {"spawn_agent", `{"items":[{"type":"text","text":"Go."}]}`, none, ""},
		"a number":                    {"task", `{"prompt":1}`, none, ""},
		"null":                        {"task", `{"prompt":null}`, none, ""},
		"no object":                   {"task", `"Go."`, none, ""},
		"no JSON":                     {"task", `Go.`, none, ""},
		"something behind the object": {"task", `{"prompt":"Go."}{}`, none, ""},
		"no UTF-8":                    {"task", "{\"prompt\":\"Go\xff\"}", none, ""},
		"half a character":            {"task", `{"prompt":"Go\ud800"}`, none, ""},
	} {
		t.Run(name, func(t *testing.T) {
			kind, text, ok := delegation.Read(c.tool, []byte(c.arguments))
			if kind != c.kind || text != c.text || ok != (c.kind != none) {
				t.Errorf("got %q %q %t, want %q %q", kind, text, ok, c.kind, c.text)
			}
		})
	}
}

// TestTheTableIsWhole: each tool has a kind and a text, no member twice, and one
// meaning in whatever case its name is written.
func TestTheTableIsWhole(t *testing.T) {
	folded := map[string]delegation.Tool{}
	for name, tool := range delegation.Tools() {
		if tool.Kind != delegation.Spawns && tool.Kind != delegation.Tells || tool.Text == "" {
			t.Errorf("%s: got %+v", name, tool)
		}
		seen := map[string]bool{tool.Text: true}
		for _, m := range tool.Others {
			if seen[m] {
				t.Errorf("%s: %s is there twice", name, m)
			}
			seen[m] = true
		}
		if same, there := folded[strings.ToLower(name)]; there && !reflect.DeepEqual(same, tool) {
			t.Errorf("%s: another case of the name is another tool", name)
		}
		folded[strings.ToLower(name)] = tool
	}
}
