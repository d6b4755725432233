package effects_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

// TestToolsAreToldByNameAndShape: those of well-known agents, in their own spellings.
func TestToolsAreToldByNameAndShape(t *testing.T) {
	for _, c := range []struct {
		name, tool, arguments string
		decision              effects.Decision
	}{
		{"Docket reads", "read", `{"path":"a.go","offset":1,"limit":20}`, effects.Allow},
		{"Docket edits", "edit", `{"path":"a.go","oldText":"a","newText":"b","replaceAll":true}`, effects.Allow},
		{"Docket deletes", "delete", `{"path":"a.go"}`, effects.Review},
		{"Docket runs", "shell", `{"command":"ls","timeoutMs":1000}`, effects.Allow},
		{"Claude Code reads", "Read", `{"file_path":"/workspace/demo/a.go","offset":1}`, effects.Allow},
		{"Claude Code writes", "Write", `{"file_path":"/workspace/demo/a.go","content":"x"}`, effects.Allow},
		{"Claude Code edits", "Edit", `{"file_path":"/workspace/demo/a.go","old_string":"a","new_string":"b","replace_all":false}`, effects.Allow},
		{"Claude Code edits twice", "MultiEdit", `{"file_path":"/workspace/demo/a.go","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}`, effects.Allow},
		{"Claude Code edits a notebook", "NotebookEdit", `{"notebook_path":"/workspace/demo/a.ipynb","cell_id":"1","new_source":"x","edit_mode":"insert","cell_type":"code"}`, effects.Allow},
		{"Claude Code globs", "Glob", `{"pattern":"**/*.go","path":"/workspace/demo"}`, effects.Allow},
		{"Claude Code globs elsewhere", "Glob", `{"pattern":"/etc/*"}`, effects.Review},
		{"Claude Code greps", "Grep", `{"pattern":"func main","output_mode":"content","-n":true,"glob":"*.go"}`, effects.Allow},
		{"Claude Code greps for secrets", "Grep", `{"pattern":"password","output_mode":"content"}`, effects.Review},
		{"Claude Code lists", "LS", `{"path":"/workspace/demo","ignore":["x"]}`, effects.Allow},
		{"Claude Code runs", "Bash", `{"command":"ls","description":"List","timeout":1000,"run_in_background":false}`, effects.Allow},
		{"Claude Code leaves its sandbox", "Bash", `{"command":"ls","dangerouslyDisableSandbox":true}`, effects.Review},
		{"Claude Code fetches", "WebFetch", `{"url":"https://example.com/a","prompt":"sum it up"}`, effects.Allow},
		{"Claude Code searches the web", "WebSearch", `{"query":"go generics","allowed_domains":["go.dev"]}`, effects.Allow},
		{"Claude Code starts an agent", "Task", `{"description":"look","prompt":"find it","subagent_type":"explore"}`, effects.Allow},
		{"Claude Code starts an agent, as it does now", "Agent", `{"description":"look","prompt":"find it","subagent_type":"explore","run_in_background":true}`, effects.Allow},
		{"Claude Code tells an agent something", "SendMessage", `{"to":"a1","summary":"x","message":"go on"}`, effects.Allow},
		{"Codex starts an agent", "spawn_agent", `{"task_name":"x","message":"find it"}`, effects.Allow},
		{"Codex tells an agent something", "send_input", `{"id":"x","message":"go on","interrupt":true}`, effects.Allow},
		{"Gemini starts an agent", "invoke_agent", `{"agent_name":"x","prompt":"find it"}`, effects.Allow},
		{"an agent of another program's member", "spawn_agent", `{"prompt":"find it"}`, effects.Review},
		{"an agent whose prompt is a list", "task", `{"prompt":["find it"]}`, effects.Review},
		{"an agent elsewhere", "invoke_agent", `{"agent_name":"x","prompt":"find it","region":"y"}`, effects.Review},
		{"Claude Code starts an agent that never asks", "Agent", `{"prompt":"find it","mode":"bypassPermissions"}`, effects.Deny},
		{"Claude Code notes what to do", "TodoWrite", `{"todos":[{"content":"a","status":"pending"}]}`, effects.Allow},
		{"Codex runs an array", "shell", `{"command":["bash","-lc","ls src"],"workdir":"/workspace/demo"}`, effects.Allow},
		{"Codex runs a program", "shell", `{"command":["rm","-rf","/"]}`, effects.Deny},
		{"Codex runs a text", "exec_command", `{"cmd":"ls","yield_time_ms":1000}`, effects.Allow},
		{"Codex asks for more", "exec_command", `{"cmd":"ls","sandbox_permissions":"require_escalated","justification":"it must"}`, effects.Review},
		{"Codex plans", "update_plan", `{"plan":[{"step":"a","status":"pending"}],"explanation":"b"}`, effects.Allow},
		{"Codex types", "write_stdin", `{"session_id":1,"chars":"rm -rf /\n"}`, effects.Review},
		{"Qwen Code runs", "run_shell_command", `{"command":"ls","description":"List","is_background":false}`, effects.Allow},
		{"Gemini runs elsewhere", "run_shell_command", `{"command":"cat app.log","directory":"/var/log"}`, effects.Review},
		{"Gemini replaces", "replace", `{"file_path":"/workspace/demo/a.go","old_string":"a","new_string":"b","expected_replacements":1,"instruction":"c"}`, effects.Allow},
		{"Gemini reads many", "read_many_files", `{"paths":["src/**/*.go","README.md"]}`, effects.Allow},
		{"Gemini reads many, secrets among them", "read_many_files", `{"paths":["**/*"]}`, effects.Review},
		{"Gemini fetches what a prompt names", "web_fetch", `{"prompt":"sum up https://example.com/a please"}`, effects.Allow},
		{"opencode edits", "edit", `{"filePath":"/workspace/demo/a.go","oldString":"a","newString":"b"}`, effects.Allow},
		{"an editor views", "str_replace_editor", `{"command":"view","path":"/workspace/demo/a.go","view_range":[1,2]}`, effects.Allow},
		{"an editor views the system", "str_replace_editor", `{"command":"view","path":"/etc/nginx/nginx.conf"}`, effects.Review},
		{"an editor changes the system", "str_replace_editor", `{"command":"str_replace","path":"/etc/hosts","old_str":"a","new_str":"b"}`, effects.Deny},
		{"an editor inserts", "str_replace_editor", `{"command":"insert","path":"/workspace/demo/a.go","insert_line":1,"new_str":"b"}`, effects.Allow},
		{"an editor does what nobody knows", "str_replace_editor", `{"command":"frobnicate","path":"/workspace/demo/a.go"}`, effects.Review},
		{"a command in the engine's folder", "shell", `{"command":"ls","workdir":"/var/lib/docket"}`, effects.Deny},
		{"a command in the engine's folder by dots", "shell", `{"command":["ls"],"workdir":"/var/lib/x/../docket"}`, effects.Deny},
		{"Docket runs a program", "run_code", `{"code":"const r = await tools.shell({command: 'ls'}); return r.length"}`, effects.Allow},
		{"a program that reaches for files", "run_code", `{"code":"require('fs').rmSync('/etc', {recursive: true})"}`, effects.Deny},
		{"a program in another language", "run_code", `{"code":"import os\nos.system('ls')"}`, effects.Review},
		{"a member that nobody knows", "read", `{"path":"a.go","then":"rm"}`, effects.Review},
		{"two paths", "read", `{"path":"a.go","file_path":"/etc/shadow"}`, effects.Review},
		{"a path of another type", "read", `{"path":["a.go"]}`, effects.Review},
		{"no path", "read", `{}`, effects.Review},
		{"a member twice", "read", `{"path":"a.go","path":"/etc/shadow"}`, effects.Review},
		{"no object", "read", `["a.go"]`, effects.Review},
		{"no JSON", "read", `{"path":`, effects.Review},
		{"nothing", "read", ``, effects.Review},
		{"both a text and an array", "shell", `{"command":"ls","argv":["rm","-rf","/"]}`, effects.Review},
		{"another shell", "exec_command", `{"cmd":"ls","shell":"/workspace/demo/sh"}`, effects.Review},
		{"a write with keys in it", "write", `{"path":"a.txt","content":"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"}`, effects.Review},
		{"an edit in a script that would destroy", "edit", `{"path":"a.sh","oldText":"a","newText":"rm -rf /"}`, effects.Review},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := effects.Analyze(effects.Call{Tool: c.tool, Arguments: jsontext.Value(c.arguments)}, facts())
			if a.Decision != c.decision {
				t.Errorf("got %s by %v, want %s", a.Decision, ruleIDs(a), c.decision)
			}
		})
	}
}

// TestAnUnknownToolIsNeverAllowed, whatever its maker says of it, and what its
// arguments name may be worse.
func TestAnUnknownToolIsNeverAllowed(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		name, tool, arguments string
		hints                 *effects.Hints
		rule                  string
		decision              effects.Decision
	}{
		{"that says it only reads", "mcp__db__query", `{"sql":"SELECT 1"}`, &effects.Hints{ReadOnly: &yes, Destructive: &no}, "tool-unknown", effects.Review},
		{"that says it destroys", "mcp__db__query", `{"sql":"SELECT 1"}`, &effects.Hints{Destructive: &yes}, "tool-hinted", effects.Review},
		{"whose name deletes", "mcp__files__deleteFolder", `{"target":"build"}`, nil, "tool-destroys", effects.Review},
		{"that deletes the root", "mcp__files__delete_path", `{"target":{"dir":"/"}}`, nil, "delete-root", effects.Deny},
		{"that deletes the home", "mcp__files__removeAll", `{"targets":["~"]}`, nil, "delete-home", effects.Deny},
		{"that deletes the home by a variable", "purge", `{"target":"$HOME"}`, nil, "delete-home", effects.Deny},
		{"that deletes the system", "mcp__files__delete_path", `{"target":"/usr/lib"}`, nil, "delete-system", effects.Deny},
		{"that deletes all by a pattern", "mcp__files__delete_path", `{"target":"/*"}`, nil, "delete-root", effects.Deny},
		{"that only reads a path of the system", "mcp__files__stat", `{"target":"/usr/lib"}`, nil, "tool-unknown", effects.Review},
		{"that reads the engine's files", "mcp__files__stat", `{"target":"/var/lib/docket/keys"}`, nil, "engine-touched", effects.Deny},
		{"that reads the engine's files with dots", "mcp__files__stat", `{"target":"/var/lib/x/../docket/keys"}`, nil, "engine-touched", effects.Deny},
		{"that sends a token", "mcp__mail__send", `{"text":"here: ` + "gh" + `p_0123456789abcdefghijABCDEFGHIJ012345"}`, nil, "secret-sent", effects.Deny},
		{"that reaches out with a key's place", "lookup", `{"text":"see .ssh/id_ed25519"}`, &effects.Hints{OpenWorld: &yes}, "secret-sent", effects.Deny},
		{"named like one that is known, with other members", "Read", `{"url":"https://example.com"}`, nil, "tool-unknown", effects.Review},
		{"without a name", "", `{"path":"a"}`, nil, "tool-unknown", effects.Review},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := effects.Analyze(effects.Call{Tool: c.tool, Arguments: jsontext.Value(c.arguments), Hints: c.hints}, facts())
			wantRule(t, a, c.rule)
			if a.Decision != c.decision {
				t.Errorf("got %s by %v, want %s", a.Decision, ruleIDs(a), c.decision)
			}
		})
	}
}

// TestAddressesThatAreFetched: what is written out and of the web, and no more.
func TestAddressesThatAreFetched(t *testing.T) {
	f := facts()
	f.Engine.Hosts = []string{"127.0.0.1:4222"}
	for address, rule := range map[string]string{
		"https://example.com/a?b=c":               "network-fetch",
		"https://user:secret@example.com/":        "secret-sent",
		"https://example.com/?api_key=0123456789": "secret-sent",
		"https://example.com/?page=2":             "network-fetch",
		"http://localhost:3000/":                  "address-inside",
		"http://127.0.0.1:4222/":                  "engine-touched",
		"http://localhost:4222/":                  "engine-touched",
		"http://[::1]:4222/":                      "engine-touched",
		"http://2130706433:4222/":                 "engine-touched",
		"http://0x7f.1:4222/":                     "engine-touched",
		"http://169.254.169.254/latest/meta-data": "address-inside",
		"http://2852039166/latest/meta-data":      "address-inside",
		"http://[fd00:ec2::254]/latest":           "address-inside",
		"http://metadata.google.internal/":        "address-inside",
		"http://10.0.0.1/":                        "address-inside",
		"file:///etc/passwd":                      "address-strange",
		"ftp://example.com/a":                     "address-strange",
		"https://example.com/$(id)":               "address-strange",
		"javascript:alert(1)":                     "address-strange",
		"":                                        "address-strange",
	} {
		wantRule(t, answered(t, f, "WebFetch", "url", address, "prompt", "sum it up"), rule)
	}
}

// TestRecordedCallsAreUnderstood: no tool call that a released agent made here is of
// an unknown tool, but for those that were made up.
func TestRecordedCallsAreUnderstood(t *testing.T) {
	root := filepath.Join("..", "..", "shared", "realdata", "hooks")
	if _, err := os.Stat(root); err != nil {
		t.Fatalf("the recorded data is absent: %v", err)
	}
	calls := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(path, "PreToolUse") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var recorded struct {
			Stdin struct {
				Tool  string         `json:"tool_name"`
				Input jsontext.Value `json:"tool_input"`
			} `json:"stdin"`
		}
		if err := json.Unmarshal(bytes.TrimSpace(text), &recorded); err != nil {
			return err
		}
		calls++
		a := effects.Analyze(effects.Call{Tool: recorded.Stdin.Tool, Arguments: recorded.Stdin.Input}, facts())
		for _, f := range a.Findings {
			if f.Rule == "tool-unknown" || f.Rule == "arguments-unknown" && f.Span.Argument == "" {
				t.Errorf("%s: %s %s: %v", path, recorded.Stdin.Tool, recorded.Stdin.Input, ruleIDs(a))
			}
		}
		return nil
	})
	if err != nil || calls < 20 {
		t.Fatalf("read %d calls: %v", calls, err)
	}
}
