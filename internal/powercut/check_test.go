package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "acks")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const all = "cut-0 1\ncut-1 1\ncut-2 1\ncut-3 1\ncut-4 1\ncut-5 1\ncut-6 1\ncut-7 1\n"

func TestAcknowledgementsAreTheLastOfEachSession(t *testing.T) {
	acked, err := readAcks(write(t, all+"cut-3 2\ncut-3 3\n"))
	if err != nil || len(acked) != sessions || acked["cut-3"] != 3 || acked["cut-0"] != 1 {
		t.Errorf("got %v, %v", acked, err)
	}
}

func TestNoLoadIsNoMeasurement(t *testing.T) {
	for name, text := range map[string]string{"nothing": "", "one session": "cut-0 9\n", "no number": all + "cut-1 x\n"} {
		t.Run(name, func(t *testing.T) {
			if acked, err := readAcks(write(t, text)); err == nil {
				t.Errorf("got %v, want an error", acked)
			}
		})
	}
}

func TestTheLoadIsAValidLog(t *testing.T) {
	header, err := events.NewHeader(events.Header{ID: "cut-0", CreatedAt: 1, CWD: "/workspace/cut"})
	if err != nil {
		t.Fatal(err)
	}
	v := events.NewValidator(header)
	for n := range 20 {
		r, err := record(events.Seq(n), n)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Record(r); err != nil {
			t.Fatalf("at %d: %v", n, err)
		}
	}
}

func TestARowSaysWhatIsWrong(t *testing.T) {
	r := row{fsync: "1s", acked: 10, lost: 2, wrong: 1, first: "its tail was cut", writable: true}
	if got := r.String(); !strings.Contains(got, "10\t2\t0\tyes\t1 wrong (its tail was cut)") {
		t.Errorf("got %q", got)
	}
}
