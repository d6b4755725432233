package tools_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/tools"
)

// call runs a shipped tool with arguments in a folder.
func call(t *testing.T, name, cwd string, args map[string]any) tools.Result {
	t.Helper()
	return callIn(t.Context(), t, name, tools.Env{CWD: cwd}, args)
}

func callIn(ctx context.Context, t *testing.T, name string, env tools.Env, args map[string]any) tools.Result {
	t.Helper()
	tool, ok := tools.Shipped().Tool(name)
	if !ok {
		t.Fatalf("there is no tool %q", name)
	}
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return tool.Run(ctx, env, jsontext.Value(text))
}

func TestACommandGivesItsOutputAndItsExitCode(t *testing.T) {
	folder := t.TempDir()
	for name, c := range map[string]struct {
		command string
		code    tools.Code
		text    string
	}{
		"both outputs":   {`echo a; echo b >&2; echo c`, "", "a\nb\nc\n[exit code 0]"},
		"no output":      {`:`, "", "[exit code 0]"},
		"no newline":     {`printf x`, "", "x\n[exit code 0]"},
		"failure":        {`echo a; exit 3`, tools.CodeNonzeroExit, "a\n[exit code 3]"},
		"no such thing":  {`exec /nonexistent/x 2>/dev/null`, tools.CodeNonzeroExit, "[exit code 127]"},
		"its own signal": {`kill -TERM $$`, tools.CodeKilled, "[signal: terminated]"},
		"its folder":     {`pwd -P`, "", folder + "\n[exit code 0]"},
		"empty input":    {`cat; read x || echo none`, "", "none\n[exit code 0]"},
		"no text":        {`printf 'a\377b'`, "", "a\uFFFDb\n[exit code 0]"},
	} {
		t.Run(name, func(t *testing.T) {
			want(t, call(t, "shell", folder, map[string]any{"command": c.command}), c.code, c.text)
		})
	}
}

func TestACommandGetsHarmlessVariablesOnly(t *testing.T) {
	t.Setenv("DOCKET_TEST_KEY", "secret")
	t.Setenv("LC_TEST", "x")
	got := call(t, "shell", t.TempDir(), map[string]any{"command": `echo "$DOCKET_TEST_KEY|$LC_TEST|$TERM"`})
	want(t, got, "", "|x|dumb\n[exit code 0]")
	env := tools.Env{CWD: t.TempDir(), Variables: []string{"A=b"}}
	got = callIn(t.Context(), t, "shell", env, map[string]any{"command": `echo "$A|$LC_TEST"`})
	want(t, got, "", "b|\n[exit code 0]")
}

func TestALongOutputLosesItsMiddle(t *testing.T) {
	got := call(t, "shell", t.TempDir(), map[string]any{"command": `echo first; head -c 3000000 /dev/zero | tr '\0' x; echo; echo last`})
	if got.IsError || !strings.HasPrefix(got.Text, "first\nxxx") || !strings.HasSuffix(got.Text, "xxx\nlast\n[exit code 0]") {
		t.Errorf("got %v …%s", got.IsError, got.Text[max(0, len(got.Text)-100):])
	}
	if cut := 3000012 - 64<<10; !strings.Contains(got.Text, "[… "+strconv.Itoa(cut)+" bytes cut here …]") {
		t.Errorf("it does not say that %d bytes are cut", cut)
	}
	if len(got.Text) > 64<<10+100 {
		t.Errorf("got %d bytes", len(got.Text))
	}
}

// child is a command that leaves its process id and that of a grandchild, which
// ignores what can be ignored, and then does what comes after it.
const child = `(trap '' TERM HUP INT; echo $$ >parent; sh -c 'trap "" TERM HUP INT; echo $$ >grandchild; while :; do sleep 1; done') & 
	while ! test -s grandchild; do sleep 0.01; done; echo begun; `

// wantGone wants the grandchild of such a command to have ended.
func wantGone(t *testing.T, folder string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "grandchild"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the grandchild has ended", func() bool { return gone(pid) })
}

// gone says whether a process has ended; one that nobody has reaped has.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestWhatACommandLeavesInTheBackgroundIsKilledWhenItEnds(t *testing.T) {
	folder := t.TempDir()
	begun := time.Now()
	want(t, call(t, "shell", folder, map[string]any{"command": child + `exit 0`}), "", "begun\n[exit code 0]")
	wantGone(t, folder)
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestATimeoutKillsTheWholeGroup(t *testing.T) {
	folder := t.TempDir()
	got := call(t, "shell", folder, map[string]any{"command": child + `sleep 100`, "timeoutMs": 700})
	want(t, got, tools.CodeTimeout, "begun\n[killed: it took more than 700ms]")
	wantGone(t, folder)
}

func TestACancelledCommandIsKilledWithItsGroup(t *testing.T) {
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan tools.Result)
	go func() {
		done <- callIn(ctx, t, "shell", tools.Env{CWD: folder}, map[string]any{"command": child + `sleep 100`})
	}()
	eventually(t, "the grandchild runs", func() bool {
		text, _ := os.ReadFile(filepath.Join(folder, "grandchild"))
		return len(text) > 0
	})
	cancel()
	got := <-done
	if got.Code != tools.CodeAborted || got.Name != "AbortError" || !strings.HasSuffix(got.Text, "[cancelled; the command was killed]") {
		t.Errorf("got %+v", got)
	}
	wantGone(t, folder)
}

func TestAProcessThatLeftItsGroupDoesNotHoldTheCallUp(t *testing.T) {
	folder := t.TempDir()
	begun := time.Now()
	got := call(t, "shell", folder, map[string]any{"command": `setsid sh -c 'echo $$ >grandchild; exec sleep 30' & while ! test -s grandchild; do sleep 0.01; done`})
	want(t, got, "", "[exit code 0; a process that left its group still had the output open]")
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	text, _ := os.ReadFile(filepath.Join(folder, "grandchild"))
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil { // this one is ours to end
		t.Error(err)
	}
}

func TestACommandThatCannotStartSaysSo(t *testing.T) {
	got := call(t, "shell", filepath.Join(t.TempDir(), "none"), map[string]any{"command": "true"})
	if got.Code != tools.CodeNotStarted || !strings.Contains(got.Text, "no such file or directory") {
		t.Errorf("got %+v", got)
	}
	got = call(t, "shell", "", map[string]any{"command": "true"})
	want(t, got, tools.CodeNotStarted, `the command has no folder to start in: "" is not absolute`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	folder := t.TempDir()
	got = callIn(ctx, t, "shell", tools.Env{CWD: folder}, map[string]any{"command": "touch x"})
	want(t, got, tools.CodeAborted, "cancelled before the command started")
	if found, _ := os.ReadDir(folder); len(found) > 0 {
		t.Error("the command ran")
	}
}

func TestNothingRunsOnBadArguments(t *testing.T) {
	type cases map[string]string // arguments to the error
	for tool, bad := range map[string]cases{
		"shell": {
			`{"command":"touch x","timeoutMs":0}`:       "timeoutMs is 0, want 1 to 600000",
			`{"command":"touch x","timeoutMs":600001}`:  "timeoutMs is 600001, want 1 to 600000",
			`{"command":"touch x","timeoutMs":1.5}`:     "timeoutMs is 1.5, want a whole number",
			`{"command":"touch x","timeoutMs":1e400}`:   "timeoutMs is a number, want a whole number",
			`{"command":"touch x","timeoutMs":"1"}`:     "timeoutMs is a string, want a whole number",
			`{"command":"touch x","timeoutMs":null}`:    "timeoutMs is null, want a whole number",
			`{"command":"touch x","workdir":"/"}`:       `"workdir" is not an argument of shell, which has: command, timeoutMs`,
			`{"Command":"touch x"}`:                     `"Command" is not an argument of shell, which has: command, timeoutMs`,
			`{"command":"touch x","Command":"touch x"}`: `"Command" is not an argument of shell, which has: command, timeoutMs`,
			`{"command":"touch x","command":"touch y"}`: `the arguments are not JSON: `,
			`{"command":["touch","x"]}`:                 "command is an array, want a string",
			`{"command":"touch x\u0000"}`:               "command has a zero byte",
			`{"command":"touch x\ud800"}`:               `the arguments are not JSON: `,
			`{"command":"touch x"} {}`:                  `the arguments are not JSON: `,
			`{"command":"touch x"`:                      `the arguments are not JSON: `,
			`{}`:                                        "command is missing",
			`[]`:                                        "the arguments are an array, want an object",
			`"touch x"`:                                 "the arguments are a string, want an object",
			``:                                          "the arguments are no JSON value, want an object",
			`null`:                                      "the arguments are null, want an object",
			"{\"command\":\"touch x\",\"a\xff\":\"\"}":  `the arguments are not JSON: `,
			`{"command":"touch x","__proto__":{}}`:      `"__proto__" is not an argument of shell`,
			`{"command":"` + strings.Repeat("a", 9<<20): "the arguments have 9437196 bytes, 8388608 are the most",
		},
		"read": {
			`{}`:                          "path is missing",
			`{"path":""}`:                 "path is empty",
			`{"path":"a\u0000"}`:          "path has a zero byte",
			`{"path":"a","offset":0}`:     "offset is 0, want 1 to 2147483648",
			`{"path":"a","limit":-1}`:     "limit is -1, want 1 to 100000",
			`{"path":"a","file_path":""}`: `"file_path" is not an argument of read, which has: path, offset, limit`,
		},
		"write": {
			`{"path":"x"}`:               "content is missing",
			`{"content":"x"}`:            "path is missing",
			`{"path":"x","content":{}}`:  "content is an object, want a string",
			`{"path":"","content":"x"}`:  "path is empty",
			`{"path":true,"content":""}`: "path is a boolean, want a string",
		},
		"edit": {
			`{"path":"a","oldText":"a"}`:                                 "newText is missing",
			`{"path":"a","oldText":"","newText":"b"}`:                    "oldText is empty",
			`{"path":"a","oldText":"a","newText":"a"}`:                   "newText is the same as oldText",
			`{"path":"a","oldText":"a","newText":"b","replaceAll":"no"}`: "replaceAll is a string, want true or false",
		},
		"delete": {
			`{"path":"."}`:                  "path is the session's folder, which is not deleted",
			`{"path":"a","recursive":true}`: `"recursive" is not an argument of delete, which has: path`,
			`{"path":["a"]}`:                "path is an array, want a string",
		},
	} {
		for args, text := range bad {
			t.Run(tool+" "+args[:min(len(args), 60)], func(t *testing.T) {
				folder := t.TempDir()
				write(t, filepath.Join(folder, "a"), "a")
				shipped, _ := tools.Shipped().Tool(tool)
				got := shipped.Run(t.Context(), tools.Env{CWD: folder}, jsontext.Value(args))
				if got.Code != tools.CodeInvalidArguments || !strings.HasPrefix(got.Text, text) {
					t.Errorf("got %q: %.200s, want %q", got.Code, got.Text, text)
				}
				if diff := cmp.Diff(map[string]string{"a": "a"}, contents(t, folder)); diff != "" {
					t.Errorf("the folder (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// contents are the files of a folder, and the names of what else is in it.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, entry := range entries {
		text := entry.Type().String()
		if entry.Type().IsRegular() {
			read, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			text = string(read)
		}
		found[entry.Name()] = text
	}
	return found
}
