package tools_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/tools"
)

// parentVariable makes this binary run one program, and nothing else.
const parentVariable = "DOCKET_TEST_PROGRAM"

// parentMain is a process that runs a program, for tests that end it.
func parentMain(code string) int {
	args, err := jsontext.AppendQuote([]byte(`{"code":`), code)
	if err != nil {
		return 1
	}
	run := tools.RunCode(tools.Limits{})
	fmt.Println(run.Run(context.Background(), tools.Env{Caller: &gateDouble{}}, append(args, '}')).Text)
	return 0
}

func TestTheProcessEndsWithItsParent(t *testing.T) {
	for name, code := range map[string]string{
		"while it loops":    `for (;;) {}`,
		"while it has mail": `tools.read({}); for (;;) {}`,
		"while it computes": `return /^(?=(a+)+$)(a+)+$/.test("a".repeat(40) + "b")`,
	} {
		t.Run(name, func(t *testing.T) {
			parent := exec.Command(os.Args[0])
			parent.Env = append(os.Environ(), parentVariable+"="+code)
			if err := parent.Start(); err != nil {
				t.Fatal(err)
			}
			var found []int
			eventually(t, "the program runs", func() bool {
				found = programsOf(t, parent.Process.Pid)
				return len(found) == 1 && confined(found[0])
			})
			if err := parent.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = parent.Wait() // it was killed
			eventually(t, "the program's process has ended", func() bool { return gone(found[0]) })
		})
	}
}

// confined says whether a process is in its second stage, where it runs programs.
func confined(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && strings.HasSuffix(string(line), "confined\x00")
}

func TestAParentThatCannotRunProgramsDoesNotStartItselfForEver(t *testing.T) {
	args := os.Args
	defer func() { os.Args = args }()
	os.Args = []string{args[0], "__program"}
	g := &gateDouble{}
	want(t, runCode(t, g, `return 1`), tools.CodeNotStarted, "this process was started to run a program, and does not know how to")
}

func TestTwoToolsOfOneNameAreRefused(t *testing.T) {
	g := &gateDouble{bound: []tools.Schema{{Name: "a"}, {Name: "a"}}}
	want(t, runCode(t, g, `return 1`), tools.CodeNotStarted, `there are two tools, or one without a name, where the program would be bound to "a"`)
}

func TestAProcessThatLeavesOthersBehindDoesNotHoldTheRunUp(t *testing.T) {
	script := `echo '{"ready":{}}'; (echo $$ >&2; sleep 5) & echo '{"end":{"kind":"returned","text":"x","dropped":0}}'; wait`
	got := tools.RunOther(t.Context(), []string{"/bin/sh", "sh", "-c", script}, &gateDouble{}, tools.Limits{})
	want(t, got, "", "x")
}

func TestStrangersDoNotBecomePrograms(t *testing.T) {
	for _, args := range [][]string{{}, {"serve"}, {"", "__program"}, {"__program "}} {
		if handled, _ := tools.ProgramMain(args); handled {
			t.Errorf("%q was taken for a program's process", args)
		}
	}
	handled, code := tools.ProgramMain([]string{"__program", "confined", "more"})
	if !handled || code == 0 {
		t.Errorf("got %v, %d", handled, code)
	}
}
