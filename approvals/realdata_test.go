package approvals_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// recorded folds a session that the reference harness recorded.
func recorded(t *testing.T, name string) approvals.State {
	t.Helper()
	dir := os.Getenv("DOCKET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	text, err := os.ReadFile(filepath.Join(dir, "realdata", "dsh", name+".jsonl"))
	if err != nil {
		t.Skipf("the recorded sessions are absent: %v (set DOCKET_SHARED)", err)
	}
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, 1<<20)
	scan.Scan()
	h, err := events.ParseHeader(scan.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	v := events.NewValidator(h)
	var s approvals.State
	for scan.Scan() {
		es, err := v.Record(eventstest.Line(t, h.Version, string(slices.Clone(scan.Bytes()))))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range es {
			s.Apply(e)
		}
	}
	return reloaded(t, s)
}

// TestRecordedQuestionsEndAsTheirHarnessRecorded: one allowed and one rejected by
// a person whom the reference does not name, so that neither makes a rule; one
// that was open when the process was stopped, in a turn that has no end.
func TestRecordedQuestionsEndAsTheirHarnessRecorded(t *testing.T) {
	s := recorded(t, "presets")
	want := []approvals.Settled{
		{ID: "fe41c2b1-2588-4dea-91f0-a2758c6eac0b", Seq: 59, Outcome: events.OutcomeAllowedOnce},
		{ID: "bff3db51-b368-4e5d-95e7-4513438724c4", Seq: 96, Outcome: events.OutcomeRejected},
	}
	if diff := cmp.Diff(want, s.Settled); diff != "" || s.Rules != nil || s.Open != nil || s.TurnOpen {
		t.Errorf("got other ends (-want +got):\n%s and rules %v, open %v", diff, s.Rules, s.Open)
	}
	if got := s.EffectivePolicy(""); got != events.PolicyAsk {
		t.Errorf("got policy %s, want ask", got)
	}
}

func TestAQuestionThatWasOpenAtAStopStaysOpen(t *testing.T) {
	s := recorded(t, "shutdown-while-asked")
	qs := s.Questions()
	if len(qs) != 1 || qs[0].ID != "31d59bf3-e5d5-41de-b668-ec279fb41cc5" || qs[0].Tool != "bash" || qs[0].CallID != "call_mock000005" {
		t.Fatalf("got %+v, want the one question", qs)
	}
	_, err := approvals.Decide(&s, approvals.Answer{ID: qs[0].ID, Reply: approvals.Reply{Kind: approvals.ReplyOnce}, By: "ann"})
	wantCode(t, err, approvals.CodeStaleAnswer)
}

func TestAChildIsUnderNever(t *testing.T) {
	s := recorded(t, "auto-child1")
	if got := s.EffectivePolicy(events.PolicyAsk); got != events.PolicyNever {
		t.Errorf("got policy %s, want never", got)
	}
}
