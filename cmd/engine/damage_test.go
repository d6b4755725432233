package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// longSession writes a session of many turns with long messages, so that it takes
// more than one of the server's blocks.
func longSession(t *testing.T, path string) {
	t.Helper()
	script := eventstest.NewScript(t, eventstest.Header(t, "long", nil))
	for range 14 {
		script.StartTurn()
		script.StartStep()
		script.User(strings.Repeat("Would you kindly? ", 40_000))
		script.EndStep()
		script.EndTurn(events.EndCompleted)
	}
	text := bytes.Clone(script.Header.Line)
	for _, r := range script.Records() {
		text = append(append(text, '\n'), r.Line...)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestLostBlockIsSaidAndCanBeAccepted: the first block of the store is gone. What it
// held is lost, what stands behind it is not.
func TestLostBlockIsSaidAndCanBeAccepted(t *testing.T) {
	home := t.TempDir()
	long, fixtures := filepath.Join(home, "long.jsonl"), filepath.Join("..", "..", "fixtures", "sessions")
	longSession(t, long)
	want := func(code int, pattern string, args ...string) {
		t.Helper()
		r := runIn(t.Context(), home, append([]string{"--fsync", "1s"}, args...)...)
		if r.code != code || !regexp.MustCompile("(?s)"+pattern).MatchString(r.out+r.err) {
			t.Errorf("%v: got %+v, want exit code %d and %s", args, r, code, pattern)
		}
	}
	want(0, "imported", "import", long, filepath.Join(fixtures, "demo-code.jsonl"))
	streams, err := streamsIn(filepath.Join(home, ".local", "state", "docket"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := filepath.Join(streams, "SESSIONS_0_0", "msgs")
	for _, name := range []string{"1.blk", "index.db"} {
		if err := os.Remove(filepath.Join(blocks, name)); err != nil {
			t.Fatal(err)
		}
	}

	want(1, `^store: NOT WHOLE\n  corrupt: stream SESSIONS_0_0 has lost \d+ of \d+ messages \(it starts at \d+\)\n`+
		`session demo-code: ok, 36 events\nsession long: CORRUPT at seq \d+\n(  [^\n]+\n)+$`, // how many seals there were depends on how fast the import was
		"verify", "--all")
	want(1, "the store is not whole, and nothing is written to it: stream SESSIONS_0_0 has lost", "session", "create")
	want(1, "session long is corrupt at seq", "session", "show", "long")

	limited := func(string) string { return "1GiB" } // this process is not to be limited
	a := &app{
		world: world{stdout: io.Discard, stderr: &bytes.Buffer{}, getenv: limited},
		dir:   filepath.Join(home, ".local", "state", "docket"), replicas: 1, acceptLoss: true,
	}
	s, err := a.openServed(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if said := fmt.Sprint(a.stderr); !strings.HasPrefix(said, "engine: going on without what is gone: stream SESSIONS_0_0 has lost ") {
		t.Errorf("got %q, want what is gone", said)
	}
	want(0, "^new\n$", "session", "create", "--id", "new")
	want(1, "session long is corrupt at seq", "session", "fork", "long")
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
}
