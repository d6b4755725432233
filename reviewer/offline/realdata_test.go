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

// Every call of a recorded session for which auto makes a request is answered in
// the protocol.
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
				request, err := auto.NewRequest(reviewer.View{Session: s, History: history}, call)
				if err != nil {
					continue // another test says for which
				}
				answered++
				wantAnswer(t, request.User)
			}
		}
	}
	if answered == 0 {
		t.Error("no request was made")
	}
}

func wantAnswer(t *testing.T, user string) {
	t.Helper()
	var end reviewer.Finish
	for chunk, err := range offline.New().Stream(t.Context(), reviewer.Prompt{User: user}) {
		if err != nil {
			t.Fatal(err)
		}
		end, _ = chunk.(reviewer.Finish)
	}
	if end.Kind != reviewer.FinishStop {
		t.Errorf("got %v for\n%.2000s", end, user)
	}
}
