package approvals_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// hash stands for that of what was shown.
var hash = strings.Repeat("a", 64)

// shown is what a question of the tests is about.
func shown() approvals.Shown {
	return approvals.Shown{
		Tool: "bash", Arguments: jsontext.Value(`{"command":"make test"}`),
		CWD: "/workspace/demo", Mode: events.ModeWorkspaceWrite, Chain: events.ChainStart(),
	}
}

// asking is a question that has nothing special about it.
func asking(id string) approvals.Asking {
	return approvals.Asking{
		ID: id, CallID: "c1", Reason: "why", Shown: shown(), Always: true,
		Subject: approvals.Subject{Action: "run", Resources: []string{"make test"}},
	}
}

// turn is the state of a log with an open turn and the events behind it.
func turn(tb rapid.TB, es ...events.Event) *approvals.State {
	tb.Helper()
	var s approvals.State
	for i, e := range append([]events.Event{events.TurnStart{Turn: 1}}, es...) {
		s.Apply(eventstest.Envelope(tb, events.Seq(i), e))
	}
	return &s
}

// apply folds what was decided behind seq 100.
func apply(tb rapid.TB, s *approvals.State, drafts ...events.Draft) {
	tb.Helper()
	for i, d := range drafts {
		e, err := d.At(events.Seq(100+i), eventstest.Epoch)
		if err != nil {
			tb.Fatal(err)
		}
		s.Apply(e)
	}
}

// ask puts a question on the log and gives it as it is open.
func ask(tb rapid.TB, s *approvals.State, a approvals.Asking) approvals.Question {
	tb.Helper()
	drafts, err := approvals.Ask(s, a)
	if err != nil {
		tb.Fatal(err)
	}
	apply(tb, s, drafts...)
	q, open := s.Open[a.ID]
	if !open {
		tb.Fatalf("question %s is not open", a.ID)
	}
	return q
}

var hex64 = regexp.MustCompile(`[0-9a-f]{64}`)

// describe writes drafts as type and data, a line each, without the digits of a
// hash.
func describe(tb rapid.TB, drafts []events.Draft) string {
	tb.Helper()
	var b strings.Builder
	for _, d := range drafts {
		e, err := d.At(0, eventstest.Epoch)
		if err != nil {
			tb.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s\n", e.Type(), hex64.ReplaceAllString(string(e.Data), "HASH"))
	}
	if len(drafts) == 0 {
		return "nothing\n"
	}
	return b.String()
}

func refused(err error) string {
	r, ok := errors.AsType[*events.Refusal](err)
	if !ok {
		return fmt.Sprintf("error without a code: %v\n", err)
	}
	return fmt.Sprintf("refused %s: %v\n", r.Code, r)
}

func wantCode(tb testing.TB, err error, code string) {
	tb.Helper()
	r, ok := errors.AsType[*events.Refusal](err)
	if !ok || r.Code != code {
		tb.Errorf("got %v, want a refusal with code %s", err, code)
	}
}

// reloaded stores a state and loads it again, and holds the two against each
// other.
func reloaded[T any](tb rapid.TB, s T) T {
	tb.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		tb.Fatal(err)
	}
	var back T
	if err := json.Unmarshal(text, &back); err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(s, back); diff != "" {
		tb.Fatalf("the snapshot is not the state (-state +snapshot):\n%s", diff)
	}
	return back
}
