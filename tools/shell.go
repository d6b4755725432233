package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// The limits of a command's time.
const (
	shellDefault = 2 * time.Minute
	shellMost    = 10 * time.Minute
)

// drainFor is how long a command's output is read after the command has ended and
// its group was killed: only a process that left the group still holds the pipe.
const drainFor = time.Second

func shellTool() Tool {
	params := []param{
		{name: "command", typ: typeText, required: true, description: "The command line, as `sh -c` takes it."},
		{
			name: "timeoutMs", typ: typeInteger, least: 1, most: shellMost.Milliseconds(),
			description: fmt.Sprintf("After how many milliseconds the command is killed. Default %d.", shellDefault.Milliseconds()),
		},
	}
	return Tool{
		Name: "shell",
		Description: "Runs a command with `sh -c` in the session's folder and gives what it printed, standard output and " +
			"error together, and its exit code. There is no input: a command that asks something gets the end of the file. " +
			"When the command ends, everything that it started in the background is killed; so it is when the time is up. " +
			"A long output loses its middle.",
		Parameters: schema(params...),
		Run: func(ctx context.Context, env Env, args jsontext.Value) Result {
			a, err := parse("shell", args, params)
			if err == nil && strings.ContainsRune(a.texts["command"], 0) {
				err = errors.New("command has a zero byte")
			}
			if err != nil {
				return failure(CodeInvalidArguments, err.Error())
			}
			timeout := time.Duration(a.integer("timeoutMs", shellDefault.Milliseconds())) * time.Millisecond
			return runShell(ctx, env, a.texts["command"], timeout)
		},
	}
}

func runShell(ctx context.Context, env Env, command string, timeout time.Duration) Result {
	switch {
	case ctx.Err() != nil:
		return failure(CodeAborted, "cancelled before the command started")
	case !filepath.IsAbs(env.CWD):
		return failure(CodeNotStarted, fmt.Sprintf("the command has no folder to start in: %q is not absolute", env.CWD))
	}
	// The system ends the shell with the thread that started it, so that it does
	// not outlive a crash of this process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	out := &middleless{limit: textLimit}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = env.CWD, env.variables()
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr, cmd.WaitDelay = withParent(), drainFor
	if err := cmd.Start(); err != nil {
		return failure(CodeNotStarted, "the command could not be started: "+err.Error())
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	killed, err := reap(cmd, watchCommand(limited, cmd))
	end := commandEnd{output: out.String(), state: cmd.ProcessState, err: err}
	if end.state != nil && end.state.Exited() {
		killed = false // it was faster
	}
	switch {
	case killed && ctx.Err() != nil:
		return end.failed(CodeAborted, "cancelled; the command was killed")
	case killed:
		return end.failed(CodeTimeout, fmt.Sprintf("killed: it took more than %s", timeout))
	}
	return end.result()
}

// watch kills a command's group when its context ends.
type watch struct {
	cancel func() bool
	done   chan struct{}
}

func watchCommand(ctx context.Context, cmd *exec.Cmd) *watch {
	w := &watch{done: make(chan struct{})}
	w.cancel = context.AfterFunc(ctx, func() {
		killGroup(cmd)
		close(w.done)
	})
	return w
}

// stop ends the watch, and says whether it has killed.
func (w *watch) stop() (killed bool) {
	if w.cancel() {
		return false
	}
	<-w.done
	return true
}

// commandEnd is what is known of a command that has ended.
type commandEnd struct {
	output string
	state  *os.ProcessState
	err    error // of waiting for it
}

func (e commandEnd) result() Result {
	switch {
	case e.state == nil:
		return e.failed(CodeFailed, fmt.Sprint("its end is not known: ", e.err))
	case e.state.Success():
		return Result{Text: e.text("exit code 0")}
	case e.state.Exited():
		return e.failed(CodeNonzeroExit, fmt.Sprintf("exit code %d", e.state.ExitCode()))
	}
	return e.failed(CodeKilled, e.state.String())
}

func (e commandEnd) failed(code Code, how string) Result {
	r := failure(code, "")
	r.Text = e.text(how)
	return r
}

// text is the output, and how it ended in the last line.
func (e commandEnd) text(how string) string {
	if errors.Is(e.err, exec.ErrWaitDelay) {
		how += "; a process that left its group still had the output open"
	}
	output := e.output
	if output != "" && !strings.HasSuffix(output, "\n") {
		output += "\n"
	}
	return output + "[" + how + "]"
}

// harmless are the variables that a command gets of this process where its Env
// has none. Keys and tokens of the engine are in others.
var harmless = []string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "SystemRoot"}

// variables is the environment of a command.
func (e Env) variables() []string {
	if e.Variables != nil {
		return e.Variables
	}
	chosen := []string{"TERM=dumb"}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if slices.Contains(harmless, name) || strings.HasPrefix(name, "LC_") {
			chosen = append(chosen, variable)
		}
	}
	return chosen
}
