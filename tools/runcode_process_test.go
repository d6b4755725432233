package tools_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/docket-engine/docket/tools"
)

// held is a gate whose calls wait until they are let go, or their context ends.
// called gets the number of each that waits.
func held() (g *gateDouble, called chan int, let chan struct{}) {
	called, let = make(chan int, 16), make(chan struct{})
	g = &gateDouble{body: func(ctx context.Context, c tools.InnerCall) tools.InnerResult {
		called <- c.Number
		select {
		case <-let:
			return tools.InnerResult{Text: "let go"}
		case <-ctx.Done():
			return tools.InnerResult{IsError: true, Message: "cancelled"}
		}
	}}
	return g, called, let
}

func TestAnEndlessLoopIsEndedInTime(t *testing.T) {
	for name, code := range map[string]string{
		"a loop":                 `console.log("begun"); for (;;) {}`,
		"a loop that catches":    `console.log("begun"); for (;;) try { for (;;) {} } catch {} finally { continue }`,
		"promises":               `console.log("begun"); for (;;) await null`,
		"a loop in a reaction":   `console.log("begun"); await Promise.resolve().then(() => { for (;;) {} })`,
		"a regular expression":   `console.log("begun"); return /^(?=(a+)+$)(a+)+$/.test("a".repeat(40) + "b")`,
		"a conversion at last":   `console.log("begun"); return {toJSON() { for (;;) {} }}`,
		"an error that is shown": `console.log("begun"); throw Object.defineProperty(new Error(), "stack", {get() { for (;;) {} }})`,
	} {
		t.Run(name, func(t *testing.T) {
			begun := time.Now()
			got := runLimited(t.Context(), t, &gateDouble{}, tools.Limits{Time: 200 * time.Millisecond}, code)
			if got.Code != tools.CodeTimeout || !strings.HasPrefix(got.Text, "begun\nthe program took more than") {
				t.Errorf("got %q: %s", got.Code, got.Text)
			}
			if took := time.Since(begun); took > 8*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

func TestTheTimeOfCallsDoesNotCount(t *testing.T) {
	g := &gateDouble{body: func(context.Context, tools.InnerCall) tools.InnerResult {
		<-time.After(600 * time.Millisecond)
		return tools.InnerResult{Text: "slow"}
	}}
	got := runLimited(t.Context(), t, g, tools.Limits{Time: 300 * time.Millisecond}, `return await tools.read({})`)
	want(t, got, "", "slow")
}

func TestALoopBesideARunningCallIsEndedAndTheCallCancelled(t *testing.T) {
	g, _, _ := held()
	got := runLimited(t.Context(), t, g, tools.Limits{Time: 200 * time.Millisecond}, `tools.read({}); for (;;) {}`)
	want(t, got, tools.CodeTimeout, "the program took more than 200 ms of its own")
	wantNotes(t, g, "start 1 read {}", "settle 1")
}

func TestAMemoryBombEndsItsProcessAndNotThisOne(t *testing.T) {
	for name, c := range map[string]struct {
		code  string
		codes string
	}{
		"slowly":         {`const a = []; for (;;) a.push({a: [1, 2, 3]})`, "OUT_OF_MEMORY"},
		"strings":        {`let s = "x"; const a = []; for (;;) { s += s.slice(0, 1 << 20); a.push(s + a.length) }`, "OUT_OF_MEMORY PROGRAM_LOST"},
		"at once":        {`return new Uint8Array(2 ** 31 - 1).length`, "OUT_OF_MEMORY PROGRAM_LOST"},
		"a long string":  {`return "x".repeat(2 ** 30).length`, "OUT_OF_MEMORY PROGRAM_LOST"},
		"while it waits": {`tools.read({}); const a = []; for (;;) a.push([1, 2, 3])`, "OUT_OF_MEMORY"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			g, _, _ := held()
			got := runLimited(t.Context(), t, g, tools.Limits{Memory: 64 << 20}, c.code)
			lost := underRace && got.Code == tools.CodeLost
			if !got.IsError || !lost && !strings.Contains(c.codes, string(got.Code)) {
				t.Errorf("got %q: %.300s, want one of %s", got.Code, got.Text, c.codes)
			}
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 16<<20 {
				t.Errorf("this process grew by %d bytes", grown)
			}
		})
	}
}

func TestAFloodOfOutputIsCut(t *testing.T) {
	for name, code := range map[string]string{
		"lines":    `for (let i = 0; i < 1e5; i++) console.log("ä".repeat(50))`,
		"one line": `console.log("ä".repeat(1e6))`,
		"a value":  `return "ä".repeat(1e6)`,
		"an error": `throw "ä".repeat(1e6)`,
		"both":     `console.log("ä".repeat(3e4)); return "ä".repeat(1e6)`,
	} {
		t.Run(name, func(t *testing.T) {
			got := runCode(t, &gateDouble{}, code)
			if len(got.Text) > 64<<10+512 || len(got.Text) < 32<<10 {
				t.Errorf("got %d bytes", len(got.Text))
			}
			if !strings.Contains(got.Text, "bytes of output were over the limit") && !strings.Contains(got.Text, "bytes cut here") {
				t.Errorf("it does not say what is missing: …%s", got.Text[len(got.Text)-200:])
			}
			if strings.ContainsRune(got.Text, '\uFFFD') {
				t.Error("it is cut within a letter")
			}
		})
	}
}

func TestAKilledProcessEndsTheRunAndItsCalls(t *testing.T) {
	g, called, _ := held()
	done := make(chan tools.Result)
	go func() { done <- runCode(t, g, `console.log("begun"); await tools.read({})`) }()
	<-called
	if err := syscall.Kill(awaitPrograms(t, 1)[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	want(t, <-done, tools.CodeLost, "begun\nthe program's process has ended: signal: killed")
	wantNotes(t, g, "start 1 read {}", "settle 1")
}

func TestACancelledRunEndsTheProgramCancelsItsCallsAndDrainsThem(t *testing.T) {
	for name, code := range map[string]string{
		"while it waits": `await tools.read({}); await tools.read({})`,
		"while it loops": `tools.read({}); for (;;) {}`,
		"after its end":  `tools.read({}); return 1`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			g, called, _ := held()
			done := make(chan tools.Result)
			go func() { done <- runLimited(ctx, t, g, tools.Limits{}, code) }()
			<-called
			if name == "after its end" {
				awaitPrograms(t, 0)
			}
			cancel()
			got := <-done
			if got.Code != tools.CodeAborted || got.Name != "AbortError" {
				t.Errorf("got %+v", got)
			}
			wantNotes(t, g, "start 1 read {}", "settle 1")
			if left := programs(t); len(left) > 0 {
				t.Errorf("processes %v are left", left)
			}
		})
	}
}

func TestARunThatIsCancelledBeforehandStartsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := &gateDouble{}
	got := runLimited(ctx, t, g, tools.Limits{}, `await tools.read({})`)
	want(t, got, tools.CodeAborted, "cancelled before the program started")
	wantNotes(t, g)
}

func TestACallThatIsBeforeTheGateWhenTheRunIsCancelledIsDrained(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	g := &gateDouble{start: func(ctx context.Context, _ tools.InnerCall) error {
		cancel()
		<-ctx.Done()
		return denial("cancelled by the gate")
	}}
	got := runLimited(ctx, t, g, tools.Limits{}, `await Promise.all([tools.read({}), tools.read({})])`)
	want(t, got, tools.CodeAborted, "cancelled")
	wantNotes(t, g, "start 1 read {}", "settle 1")
}

func TestTheProcessHasNoFilesNoEnvironmentAndNoPrivilegesToGain(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux: elsewhere the process keeps what it was started with")
	}
	t.Setenv("DOCKET_TEST_SECRET", "secret")
	open, err := os.Open("/dev/null") // as other tests of the process have files open
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	// A file that is not closed on exec, as one that this process inherited.
	inherited, err := syscall.Dup(int(open.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)

	g, called, let := held()
	done := make(chan tools.Result)
	go func() { done <- runCode(t, g, `return await tools.read({})`) }()
	<-called
	proc := fmt.Sprintf("/proc/%d/", awaitPrograms(t, 1)[0])
	fds, err := os.ReadDir(proc + "fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		target, _ := os.Readlink(proc + "fd/" + fd.Name())
		if !strings.HasPrefix(target, "pipe:") && !strings.HasPrefix(target, "anon_inode:[event") {
			t.Errorf("file %s is open: %s", fd.Name(), target)
		}
	}
	wantIn := func(file string, texts ...string) {
		t.Helper()
		content, err := os.ReadFile(proc + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if !strings.Contains(strings.Join(strings.Fields(string(content)), " "), text) {
				t.Errorf("%s lacks %q:\n%s", file, text, content)
			}
		}
	}
	wantIn("status", "NoNewPrivs: 1")
	wantIn("limits", "Max open files 0 0", "Max core file size 0 0", "Max file size 0 0", "Max cpu time 25 25")
	environ, err := os.ReadFile(proc + "environ")
	if want := "GODEBUG=containermaxprocs=0,updatemaxprocs=0\x00"; err != nil || string(environ) != want {
		t.Errorf("the environment is %q, %v, want %q", environ, err, want)
	}
	close(let)
	want(t, <-done, "", "let go")
}
