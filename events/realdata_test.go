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

// recorded are the sessions and how many events each stands for, counted
// by another program from their lines and the pieces of their packed rows.
var recorded = map[string]events.Seq{
	"auto-child1.jsonl":          51,
	"auto-code.jsonl":            104,
	"auto-compact.jsonl":         107,
	"auto.jsonl":                 264,
	"child-child1.jsonl":         34,
	"child-child2.jsonl":         65,
	"child-child3.jsonl":         35,
	"child.jsonl":                111,
	"compact.jsonl":              633,
	"crash.jsonl":                127,
	"plain.jsonl":                228,
	"presets.jsonl":              217,
	"shutdown-while-asked.jsonl": 83,
}

func TestRecordedSessionsOfTheReferenceAreValid(t *testing.T) {
	dir := filepath.Join(sharedDir(t), "realdata", "dsh")
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) != len(recorded) {
		t.Fatalf("got %d recorded sessions, %v, want %d", len(files), err, len(recorded))
	}
	for name, want := range recorded {
		t.Run(name, func(t *testing.T) {
			header, records := readSession(t, filepath.Join(dir, name))
			got := validateRecorded(t, header, records)
			if got != want {
				t.Errorf("got %d events, want %d", got, want)
			}
		})
	}
}

// readSession reads a file of one header line and event lines.
func readSession(t *testing.T, file string) (events.Header, []events.Record) {
	t.Helper()
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
	var records []events.Record
	for line := 2; scan.Scan(); line++ {
		rec, err := events.ParseRecord(header.Version, bytes.Clone(scan.Bytes()))
		if err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
		records = append(records, rec)
	}
	return header, records
}

// validateRecorded accepts the session and looks for a hole: each record begins
// where the one before it ended. It gives the number of events.
func validateRecorded(t *testing.T, header events.Header, records []events.Record) events.Seq {
	t.Helper()
	v := events.NewValidator(header)
	next := events.Seq(0)
	for _, rec := range records {
		if rec.Seq != next {
			t.Fatalf("got seq %d, want %d", rec.Seq, next)
		}
		decoded, err := v.Record(rec)
		if err != nil {
			t.Fatalf("seq %d: %v", rec.Seq, err)
		}
		next += events.Seq(len(decoded))
	}
	if err := v.Finish(); err != nil {
		t.Error(err)
	}
	if v.Next() != next {
		t.Errorf("got next %d from the validator, %d by counting", v.Next(), next)
	}
	return next
}

// A fork may cut a recorded session anywhere, also inside packed rows: the prefix
// is valid, and its end is the cut.
func TestRecordedSessionsAreCutAnywhere(t *testing.T) {
	header, records := readSession(t, filepath.Join(sharedDir(t), "realdata", "dsh", "plain.jsonl"))
	for cut := range recorded["plain.jsonl"] {
		var prefix []events.Record
		for _, rec := range records {
			part, err := rec.Cut(cut)
			if err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			prefix = append(prefix, part...)
		}
		if got := validateRecorded(t, header, prefix); got != cut {
			t.Errorf("got %d events, want %d", got, cut)
		}
	}
}

// Exported to the current format, a recorded session is a valid log of that, but
// for the chunks, which the current format does not have.
func TestRecordedSessionsWithoutChunksAreLiftedWhole(t *testing.T) {
	dir := filepath.Join(sharedDir(t), "realdata", "dsh")
	for name := range recorded {
		t.Run(name, func(t *testing.T) {
			_, records := readSession(t, filepath.Join(dir, name))
			for _, rec := range records {
				decoded, err := rec.Decode()
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range decoded {
					if e.Type() == events.TypeAssistantChunk {
						continue
					}
					if _, err := events.NewRecord(e); err != nil {
						t.Errorf("seq %d (%s): %v", e.Seq, e.Type(), err)
					}
				}
			}
		})
	}
}
