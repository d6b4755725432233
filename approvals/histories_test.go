package approvals_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// TestHistories runs testdata: under each command stand the events of a log, a
// type and its data in each line, then what the command gives for it. HASH in an
// event is the hash of what was shown.
//
//	state                  what the log folds to
//	ask id=ID …            what a question writes; it is about run(RESOURCE)
//	answer id=ID reply=R … what an answer writes; hash=short|stale|none is another
//	conclude id=ID outcome=O
//	cancel                 what the end of a turn writes first
//	tier to=T, policy to=P
//	grant call=C mode=M, use call=C tool=T mode=M
func TestHistories(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if !strings.HasSuffix(path, ".txt") {
			return
		}
		datadriven.RunTest(t, path, run)
	})
}

func run(t *testing.T, d *datadriven.TestData) string {
	s := logged(t, d.Input)
	if d.Cmd == "state" {
		return stateText(s)
	}
	drafts, err := decide(t, s, d)
	if err != nil {
		return refused(err)
	}
	return describe(t, drafts)
}

func decide(t *testing.T, s *approvals.State, d *datadriven.TestData) ([]events.Draft, error) {
	switch d.Cmd {
	case "ask":
		return approvals.Ask(s, asks(d))
	case "answer":
		return approvals.Decide(s, answers(d))
	case "conclude":
		return approvals.Conclude(s, approvals.Conclusion{ID: argument(d, "id"), Outcome: argument(d, "outcome"), Hash: hashes(d), Note: argument(d, "note")})
	case "cancel":
		return approvals.CancelAll(s), nil
	case "tier":
		return approvals.SetTier(s, argument(d, "to"))
	case "policy":
		return approvals.SetPolicy(s, argument(d, "to"), argument(d, "configured"))
	case "grant":
		return approvals.IssueGrant(s, events.GrantIssued{CallID: argument(d, "call"), Tool: "bash", Mode: argument(d, "mode"), Justification: "needed"})
	case "use":
		_, drafts, err := approvals.UseGrant(s, argument(d, "call"), argument(d, "tool"), argument(d, "mode"))
		return drafts, err
	default:
		d.Fatalf(t, "no command %s", d.Cmd)
		return nil, nil
	}
}

func asks(d *datadriven.TestData) approvals.Asking {
	a := asking(argument(d, "id"))
	a.Resources = nil
	if r := argument(d, "resource"); r != "" {
		a.Resources = []string{r}
	}
	a.Always, a.Widening, a.Failure, a.Protected = d.HasArg("always"), d.HasArg("widening"), d.HasArg("failure"), d.HasArg("protected")
	a.Escalated, a.Aborted, a.Unattended = d.HasArg("escalated"), d.HasArg("aborted"), d.HasArg("unattended")
	a.Policy = argument(d, "configured")
	return a
}

func answers(d *datadriven.TestData) approvals.Answer {
	a := approvals.Answer{ID: argument(d, "id"), Hash: hashes(d), By: "ann"}
	a.Kind, a.Feedback = approvals.ReplyKind(argument(d, "reply")), argument(d, "note")
	if d.HasArg("nobody") {
		a.By = ""
	}
	return a
}

func hashes(d *datadriven.TestData) string {
	switch argument(d, "hash") {
	case "short":
		return approvals.ShortHash(hash)
	case "stale":
		return strings.Repeat("b", 64)
	case "none":
		return ""
	default:
		return hash
	}
}

func argument(d *datadriven.TestData, name string) string {
	for _, a := range d.CmdArgs {
		if a.Key == name && len(a.Vals) == 1 {
			return a.Vals[0]
		}
	}
	return ""
}

// logged folds the events of a history, which must be a valid log. After each
// event the state is stored and loaded.
func logged(t *testing.T, input string) *approvals.State {
	t.Helper()
	v := events.NewValidator(eventstest.Header(t, "session", nil))
	var s approvals.State
	for line := range strings.SplitSeq(strings.TrimSpace(input), "\n") {
		if line == "" || line == "empty" {
			continue
		}
		name, data, _ := strings.Cut(strings.ReplaceAll(line, "HASH", hash), " ")
		r := eventstest.Line(t, events.Format4, fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":%s}`, name, v.Next(), 1000+v.Next(), data))
		es, err := v.Record(r)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for _, e := range es {
			s.Apply(e)
		}
		s = reloaded(t, s)
	}
	return &s
}

func stateText(s *approvals.State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "policy %s, tier %s, turn open: %t\n", s.EffectivePolicy(""), tier(s), s.TurnOpen)
	for _, q := range s.Questions() {
		fmt.Fprintf(&b, "open %s: %s %s %q\n", q.ID, q.Tool, q.CallID, q.Pattern)
	}
	for _, q := range s.Settled {
		fmt.Fprintf(&b, "settled %s: %q by %q\n", q.ID, q.Outcome, q.By)
	}
	for _, g := range s.Grants {
		fmt.Fprintf(&b, "grant %d: %s %s in %s, used: %t\n", g.Seq, g.CallID, g.Tool, g.Mode, g.Used)
	}
	for _, r := range s.Rules {
		fmt.Fprintf(&b, "rule %s\n", r.Text())
	}
	for _, r := range s.TurnRules {
		fmt.Fprintf(&b, "rule of the turn %s\n", r.Text())
	}
	return b.String()
}

func tier(s *approvals.State) string {
	name, err := approvals.TierOf(s.Tier)
	if err != nil {
		return err.Error()
	}
	return name
}

// TestATierAnswersOnlyWhatItMay: the aggressive one no widening, no failure and
// no protected resource, the passive one everything, by refusing it.
func TestATierAnswersOnlyWhatItMay(t *testing.T) {
	type answer struct{ outcome, note string }
	got := map[string]answer{}
	for _, tier := range []string{"", approvals.TierAggressive, approvals.TierStandard, approvals.TierPassive, "unheard-of"} {
		for name, about := range map[string]approvals.Subject{
			"plain": {}, "widening": {Widening: true}, "failure": {Failure: true}, "protected": {Protected: true},
		} {
			if outcome, note, answered := approvals.Escalate(tier, about); answered {
				got[tier+" "+name] = answer{outcome, note}
			} else if outcome != "" || note != "" {
				t.Errorf("got %q, %q without an answer", outcome, note)
			}
		}
	}
	passive := answer{events.OutcomeRejected, "passive mode, reject all escalated tool calls"}
	want := map[string]answer{
		"aggressive plain":  {events.OutcomeAllowedOnce, "aggressive mode, auto-approve all escalated tool calls"},
		"passive plain":     passive,
		"passive widening":  passive,
		"passive failure":   passive,
		"passive protected": passive,
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}
