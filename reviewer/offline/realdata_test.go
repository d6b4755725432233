package offline_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
	"github.com/docket-engine/docket/reviewer/offline"
)

func recordedFiles(t *testing.T) []string {
	t.Helper()
	dir := os.Getenv("DOCKET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(dir, "realdata", "dsh", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("the recorded sessions are absent from %s (set DOCKET_SHARED)", dir)
	}
	return files
}

// Every call of a recorded session for which auto makes a request is answered, and
// auto takes the answer.
func TestTheRequestsOfRecordedSessionsAreAnswered(t *testing.T) {
	answered := 0
	for _, file := range recordedFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		header, rest, _ := bytes.Cut(text, []byte("\n"))
		h, err := events.ParseHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		s, history := projections.NewSession(h), projections.NewHistory()
		for line := range bytes.Lines(rest) {
			r, err := events.ParseRecord(h.Version, bytes.TrimSuffix(line, []byte("\n")))
			if err != nil {
				t.Fatal(err)
			}
			es, err := s.Record(r)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range es {
				history.Apply(s, e)
				call, err := auto.CallAt(s, e, nil)
				if err != nil {
					continue
				}
				review, err := auto.New(auto.Config{Model: offline.New(offline.Config{})}).Prepare(reviewer.View{Session: s, History: history}, call)
				if err != nil {
					continue // another test says for which
				}
				answered++
				if v, err := review.Ask(t.Context()); err != nil || v.Outcome == "" || review.Route() != "builtin/policy" {
					t.Errorf("%s: got %v, %v by %s, want a verdict", call.CallID, v, err, review.Route())
				}
			}
		}
	}
	if answered == 0 {
		t.Error("no request was made")
	}
}
