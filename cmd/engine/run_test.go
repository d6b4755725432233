package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// ran is what a command printed, and its exit code.
type ran struct {
	out, err string
	code     int
}

// runIn runs a command inside this process, in a home of its own.
func runIn(ctx context.Context, home string, args ...string) ran {
	var out, errs bytes.Buffer
	code := run(ctx, world{args: args, stdin: strings.NewReader(""), stdout: &out, stderr: &errs, getenv: atHome(home)})
	return ran{out.String(), errs.String(), code}
}

// atHome is an environment with a home and nothing else.
func atHome(home string) func(string) string {
	return func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}
}

// TestHelpIsWhatWasReviewed holds the help of every command against one file;
// -update writes it anew.
func TestHelpIsWhatWasReviewed(t *testing.T) {
	var text strings.Builder
	visit := func(cmd *cobra.Command) {
		r := runIn(t.Context(), "/home/me", append(strings.Fields(cmd.CommandPath())[1:], "--help")...)
		if r.code != 0 || r.err != "" {
			t.Errorf("%s --help: got exit code %d and %q", cmd.CommandPath(), r.code, r.err)
		}
		help, _, _ := strings.Cut(r.out, "\nGlobal Flags:\n") // the first one has them
		fmt.Fprintf(&text, "$ %s --help\n%s\n", cmd.CommandPath(), help)
	}
	a := &app{world: world{getenv: func(string) string { return "" }}}
	eachCommand(a.rootCommand(), visit)

	golden := filepath.Join("testdata", "help.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("the help has changed (-%s +now); -update accepts it:\n%s", golden, diff)
	}
}

// eachCommand visits our own commands; those of the library have their own text.
func eachCommand(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" {
			eachCommand(sub, visit)
		}
	}
}

// TestEveryCommandTakesTheGlobalFlags: none stands in their place with one of its
// own, and each says what it is for.
func TestEveryCommandTakesTheGlobalFlags(t *testing.T) {
	a := &app{world: world{getenv: func(string) string { return "" }}}
	eachCommand(a.rootCommand(), func(cmd *cobra.Command) {
		for _, name := range []string{"dir", "json", "nats", "creds", "fsync"} {
			if cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil && cmd.PersistentFlags().Lookup(name) == nil {
				t.Errorf("%s does not take --%s", cmd.CommandPath(), name)
			}
			if cmd.HasParent() && cmd.LocalNonPersistentFlags().Lookup(name) != nil {
				t.Errorf("%s has a --%s of its own", cmd.CommandPath(), name)
			}
		}
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: got the short text %q", cmd.CommandPath(), cmd.Short)
		}
	})
}

func TestCancelledCommandExitsWithFive(t *testing.T) {
	home := t.TempDir()
	if r := runIn(t.Context(), home, "session", "create", "--id", "one"); r != (ran{out: "one\n"}) {
		t.Fatalf("got %+v, want one", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{
		{"session", "list"},
		{"session", "show", "one"},
		{"session", "create", "--id", "two"},
		{"import", filepath.Join("..", "..", "fixtures", "sessions", "demo-plain.jsonl")},
		{"verify", "--all"},
		{"serve"},
	} {
		r := runIn(ctx, home, args...)
		if r.code != exitCancelled || r.out != "" || !strings.HasPrefix(r.err, "engine: cancelled: ") {
			t.Errorf("%v: got %+v, want exit code 5 and why", args, r)
		}
		r = runIn(ctx, home, append(args, "--json")...)
		if r.code != exitCancelled || !strings.Contains(r.err, `"code":"cancelled"`) {
			t.Errorf("%v --json: got %+v, want exit code 5 and its code", args, r)
		}
	}
	if r := runIn(t.Context(), home, "verify", "--all"); r.code != 0 || strings.Contains(r.out, "two") {
		t.Errorf("got %+v afterwards, want a whole store with nothing new in it", r)
	}
}

// brokenPipe is standard output whose reader has gone, or whose disk is full.
type brokenPipe struct{}

var errBrokenPipe = errors.New("no space left")

func (brokenPipe) Write([]byte) (int, error) { return 0, errBrokenPipe }

func TestOutputThatIsLostIsAFailure(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join("..", "..", "fixtures", "sessions", "demo-plain.jsonl")
	if r := runIn(t.Context(), home, "import", file); r.code != 0 {
		t.Fatalf("got %+v", r)
	}
	for _, args := range [][]string{
		{"session", "list"},
		{"session", "list", "--json"},
		{"session", "show", "demo-plain"},
		{"session", "tail", "demo-plain"},
		{"export", "demo-plain"},
		{"verify", "--all"},
		{"version"},
	} {
		var errs bytes.Buffer
		code := run(t.Context(), world{args: args, stdout: brokenPipe{}, stderr: &errs, getenv: atHome(home)})
		if code != exitFailed || !strings.Contains(errs.String(), errBrokenPipe.Error()) {
			t.Errorf("%v: got exit code %d and %q, want 1 and the reason", args, code, errs.String())
		}
	}
}

// TestFirstCommandsAtOnceMakeOneStore: one makes the keys and the streams, and the
// others wait for it.
func TestFirstCommandsAtOnceMakeOneStore(t *testing.T) {
	home := t.TempDir()
	results := make([]ran, 6)
	var commands sync.WaitGroup
	for i := range results {
		commands.Go(func() { results[i] = runIn(t.Context(), home, "session", "create", "--id", fmt.Sprint("s", i)) })
	}
	commands.Wait()
	for i, r := range results {
		if r.code != 0 || r.out != fmt.Sprintf("s%d\n", i) {
			t.Errorf("got %+v, want s%d", r, i)
		}
		if r.err != "" && !strings.HasPrefix(r.err, "engine: waiting for ") {
			t.Errorf("got %q on standard error", r.err)
		}
	}
	r := runIn(t.Context(), home, "verify", "--all")
	if r.code != 0 || strings.Count(r.out, ": ok, ") != len(results) {
		t.Errorf("got %+v, want %d sessions that are well", r, len(results))
	}
}
