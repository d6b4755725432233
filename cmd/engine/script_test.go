package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"

	"github.com/docket-engine/docket/events"
)

// scriptPatience is how long a script waits for what must come.
const scriptPatience = 30 * time.Second

// TestScripts runs what a user types. The state directory is the default one, in a
// home of the script's own; $FIXTURES are the sample sessions. The commands of
// scripts that are not testscript's:
//
//	exits CODE program [args…]   run a program and want this exit code
//	serve NAME [args…]           start engine serve, and go on when it is ready
//	end NAME SIGNAL CODE         end it, and want this exit code; NAME.out and
//	                             NAME.err hold what it said
//	hold COMMAND                 have the state directory, as that command would
//	release                      give it back
//	await FILE TEXT              wait until a file holds what matches
//	[!] json FILE PATH [VALUE]   look at JSON (gjson's paths; ..N is line N)
//	streams NAME DIR             set NAME to the folder of the streams of a state directory
//	alter FILE OLD NEW           change bytes of a file, as a damaged disk does
//	cut import FILE              begin an import or a fork, and end it with a crash
//	cut fork SESSION ID          before its first event is stored
//	nats NAME                    a NATS server of one's own: $NAME_URL and $NAME_BARE
//	                             (without its password); with creds, $NAME_CREDS
//	stream NAME STREAM           make a stream there that is not what a log needs
func TestScripts(t *testing.T) {
	fixtures, err := filepath.Abs("../../fixtures/sessions")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("STATE", filepath.Join(home, ".local", "state", "docket"))
			env.Setenv("FIXTURES", fixtures)
			env.Setenv("TZ", "UTC")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // each command would wait a second for races
			env.Values[scriptKey{}] = &script{serving: map[string]*serving{}}
			return os.Mkdir(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": scriptExits, "serve": scriptServe, "end": scriptEnd, "hold": scriptHold, "release": scriptRelease,
			"await": scriptAwait, "json": scriptJSON, "alter": scriptAlter, "cut": scriptCut, "nats": scriptNATS, "stream": scriptStream,
			"streams": scriptStreams,
		},
	})
}

// script is what a script has running in this process.
type script struct {
	serving map[string]*serving
	held    *dirLock
}

type scriptKey struct{}

func scriptOf(ts *testscript.TestScript) *script { return ts.Value(scriptKey{}).(*script) }

func wantArgs(ts *testscript.TestScript, ok bool, usage string) {
	if !ok {
		ts.Fatalf("usage: %s", usage)
	}
}

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, !neg && len(args) >= 2, "exits CODE program [args…]")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("got exit code %d, want %d\n[stdout]\n%s[stderr]\n%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// serving is a running engine serve.
type serving struct {
	cmd      *exec.Cmd
	secret   string       // the seed of its credential; empty if it has another directory than the default
	out, err bytes.Buffer // out is owned by the reader until drained
	drained  chan struct{}
}

func scriptServe(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, !neg && len(args) >= 1, "serve NAME [args…]")
	s := &serving{cmd: exec.Command("engine", append([]string{"serve"}, args[1:]...)...), drained: make(chan struct{})}
	s.cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TZ", "TMPDIR", "GORACE"} {
		s.cmd.Env = append(s.cmd.Env, name+"="+ts.Getenv(name))
	}
	s.cmd.Stderr = &s.err
	stdout, err := s.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(s.cmd.Start())
	ts.Defer(func() { _, _ = s.cmd.Process.Kill(), s.end() }) // one that was stopped cannot be killed
	ready := make(chan bool, 1)
	go func() {
		defer close(s.drained)
		lines := bufio.NewReader(stdout)
		first, err := lines.ReadString('\n')
		s.out.WriteString(first)
		ready <- err == nil
		_, _ = s.out.ReadFrom(lines) // ends with the process
	}()
	if !<-ready {
		ts.Fatalf("serve did not begin: %v\n%s", s.end(), s.err.String())
	}
	if r, err := readRunFile(ts.Getenv("STATE")); err == nil && r.Creds != "" {
		s.secret = seedIn(ts, r.Creds)
	}
	scriptOf(ts).serving[args[0]] = s
}

// end waits for the process. It may be called again.
func (s *serving) end() error {
	<-s.drained
	return s.cmd.Wait()
}

func scriptEnd(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, !neg && len(args) == 3, "end NAME SIGNAL CODE")
	s := scriptOf(ts).serving[args[0]]
	if s == nil {
		ts.Fatalf("no serve is called %s", args[0])
	}
	signal, known := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}[args[1]]
	wantArgs(ts, known, "end NAME INT|TERM|KILL CODE")
	ts.Check(s.cmd.Process.Signal(signal))
	_ = s.end() // the exit code says it
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".out"), s.out.Bytes(), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".err"), s.err.Bytes(), 0o600))
	if said := s.out.String() + s.err.String(); s.secret != "" && strings.Contains(said, s.secret) {
		ts.Fatalf("serve told its secret:\n%s", said)
	}
	if got := fmt.Sprint(s.cmd.ProcessState.ExitCode()); got != args[2] {
		ts.Fatalf("serve ended with exit code %s, want %s\n[stdout]\n%s[stderr]\n%s", got, args[2], s.out.String(), s.err.String())
	}
}

func scriptHold(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, !neg && len(args) == 1, "hold COMMAND")
	lock, by, err := tryLock(ts.Getenv("STATE"), args[0])
	ts.Check(err)
	if lock == nil {
		ts.Fatalf("the state directory is in use by %s", by)
	}
	scriptOf(ts).held = lock
	ts.Defer(func() { _ = lock.release() })
}

func scriptRelease(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, !neg && len(args) == 0, "release")
	ts.Check(scriptOf(ts).held.release())
}

func scriptAwait(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, !neg && len(args) == 2, "await FILE TEXT")
	want := regexp.MustCompile("(?m)" + args[1])
	ctx, cancel := context.WithTimeout(context.Background(), scriptPatience)
	defer cancel()
	var text []byte
	err := pollUntil(ctx, func() (bool, error) {
		text, _ = os.ReadFile(ts.MkAbs(args[0])) // it may not be there yet
		return want.Match(text), nil
	})
	if err != nil {
		ts.Fatalf("waited in vain for %s in %s:\n%s", args[1], args[0], text)
	}
}

func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, len(args) == 2 || len(args) == 3 && !neg, "[!] json FILE PATH [VALUE]")
	text := ts.ReadFile(args[0])
	for line := range strings.Lines(text) {
		if !gjson.Valid(line) {
			ts.Fatalf("not JSON: %s", line)
		}
	}
	got := gjson.Get(text, args[1])
	switch {
	case got.Exists() == neg:
		ts.Fatalf("%s is there: %v\n%s", args[1], got.Exists(), plain(text, 2000))
	case len(args) == 3 && got.String() != args[2]:
		ts.Fatalf("got %s = %s, want %s\n%s", args[1], got, args[2], plain(text, 2000))
	}
}

func scriptAlter(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, !neg && len(args) == 3 && len(args[1]) == len(args[2]), "alter FILE OLD NEW, of one length")
	path := ts.MkAbs(args[0])
	text, err := os.ReadFile(path)
	ts.Check(err)
	if n := bytes.Count(text, []byte(args[1])); n != 1 {
		ts.Fatalf("%s holds %q %d times, want once", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(path, bytes.Replace(text, []byte(args[1]), []byte(args[2]), 1), 0o600))
}

// errCut is a crash before the first event is stored.
var errCut = errors.New("cut")

// cutLog is a log whose process dies at the first append.
type cutLog struct{ events.Log }

func (cutLog) Append(context.Context, events.SessionID, events.Append) (events.Seq, error) {
	return 0, errCut
}
