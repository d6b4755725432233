package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
)

// recordedFiles are sessions of real agents; they carry other people's prompts and
// are not part of the project.
func recordedFiles(t *testing.T) []string {
	t.Helper()
	dir := os.Getenv("DOCKET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the recorded sessions are absent: %v (set DOCKET_SHARED)", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "realdata", "dsh", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d recorded sessions in %s, %v", len(files), dir, err)
	}
	return files
}

// TestRecordedSessionsComeBackByteForByte: in by one command, checked by another,
// out by a third; forked and repaired, each is still in order, and its export can be
// imported elsewhere.
func TestRecordedSessionsComeBackByteForByte(t *testing.T) {
	files, home, elsewhere := recordedFiles(t), t.TempDir(), t.TempDir()
	for _, args := range [][]string{append([]string{"import"}, files...), {"verify", "--all"}} {
		if r := runIn(t.Context(), home, args...); r.code != 0 || r.err != "" {
			t.Fatalf("%v: got %+v", args[0], r)
		}
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := headerID(t, want)
		if r := runIn(t.Context(), home, "export", id); r.code != 0 || r.err != "" || r.out != string(want) {
			t.Errorf("%s: the export is not the file: exit code %d, %s", file, r.code, r.err)
		}
		again := filepath.Join(t.TempDir(), "again.jsonl")
		for _, args := range [][]string{
			{"session", "fork", id, "--id", id + "-fork"},
			{"session", "repair", id},
			{"export", id, "--for-reference", "-o", again},
		} {
			if r := runIn(t.Context(), home, args...); r.code != 0 {
				t.Errorf("%s: %v: got %+v", file, args, r)
			}
		}
		if r := runIn(t.Context(), elsewhere, "import", again); r.code != 0 {
			t.Errorf("%s: import of its export for the reference: got %+v", file, r)
		}
	}
	for _, dir := range []string{home, elsewhere} {
		if r := runIn(t.Context(), dir, "verify", "--all"); r.code != 0 || !strings.HasPrefix(r.out, "store: whole\n") {
			t.Errorf("got %+v in the end", r)
		}
	}
}

// headerID is the id in a file's first line.
func headerID(t *testing.T, text []byte) string {
	t.Helper()
	line, _, _ := strings.Cut(string(text), "\n")
	var h struct{ ID events.SessionID }
	if err := json.Unmarshal([]byte(line), &h); err != nil {
		t.Fatal(err)
	}
	return string(h.ID)
}
