package events_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/docket-engine/docket/events"
)

// sharedDir is where recorded sessions of real agents are; they carry other
// people's prompts and are not part of the project.
func sharedDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("DOCKET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the recorded sessions are absent: %v (set DOCKET_SHARED)", err)
	}
	return dir
}

func TestRecordedSessionsOfTheReferenceAreValid(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedDir(t), "realdata", "dsh", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded sessions: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { checkRecorded(t, file) })
	}
}

func checkRecorded(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, 1<<20)
	if !scan.Scan() {
		t.Fatal("no header line")
	}
	header, err := events.ParseHeader(scan.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	v := events.NewValidator(header)
	for line := 2; scan.Scan(); line++ {
		rec, err := events.ParseRecord(header.Version, bytes.Clone(scan.Bytes()))
		if err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
		if _, err := v.Record(rec); err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
	}
	if err := v.Finish(); err != nil {
		t.Error(err)
	}
}
