package approvals_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// TestAQuestionEndsOnce draws commands on a few ids: whatever comes in which
// order, each question has at most one decision, and what the commands give is a
// valid log.
func TestAQuestionEndsOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := events.NewValidator(eventstest.Header(rt, "session", nil))
		var s approvals.State
		decided := map[string]int{}
		add := func(drafts []events.Draft) {
			for _, d := range drafts {
				e, err := d.At(v.Next(), eventstest.Epoch)
				if err != nil {
					rt.Fatal(err)
				}
				if err := v.Apply(e); err != nil {
					rt.Fatal(err)
				}
				s.Apply(e)
				if done, ok := e.Event.(events.ApprovalDecided); ok {
					decided[done.ID]++
				}
			}
		}
		add(events.Drafts(events.TurnStart{Turn: 1}))
		for range rapid.IntRange(1, 20).Draw(rt, "commands") {
			drafts, err := drawCommand(rt, &s)
			if err != nil {
				continue
			}
			add(drafts)
		}
		for id, n := range decided {
			if n != 1 {
				rt.Fatalf("got %d decisions of %s", n, id)
			}
		}
		reloaded(rt, s)
	})
}

func drawCommand(rt *rapid.T, s *approvals.State) ([]events.Draft, error) {
	id := rapid.SampledFrom([]string{"q1", "q2", "q3"}).Draw(rt, "id")
	switch rapid.IntRange(0, 4).Draw(rt, "command") {
	case 0, 1:
		a := asking(id)
		a.Aborted, a.Unattended = rapid.IntRange(0, 4).Draw(rt, "aborted") == 0, rapid.IntRange(0, 4).Draw(rt, "unattended") == 0
		return approvals.Ask(s, a)
	case 2:
		return approvals.Decide(s, approvals.Answer{
			ID: id, Hash: s.Open[id].Hash, By: "ann",
			Reply: approvals.Reply{Kind: rapid.SampledFrom([]approvals.ReplyKind{"once", "always", "reject", "maybe"}).Draw(rt, "reply")},
		})
	case 3:
		return approvals.Conclude(s, approvals.Conclusion{ID: id, Outcome: rapid.SampledFrom([]string{"cancelled", "unavailable", "rogue"}).Draw(rt, "outcome")})
	default:
		return approvals.CancelAll(s), nil
	}
}

// TestTheStateStaysSmall: of a long log it holds a bounded part.
func TestTheStateStaysSmall(t *testing.T) {
	s := turn(t)
	for i := range 1000 {
		id := fmt.Sprintf("q%d", i)
		shown := events.ApprovalShown{Hash: hash, Action: "run", Resources: []string{id}, Pattern: "run(x)"}
		for j, e := range []events.Event{
			events.ApprovalAsked{ID: id, ToolName: "bash", Shown: &shown},
			events.ApprovalDecided{ID: id, Outcome: events.OutcomeAllowedOnce, Scope: approvals.ScopeAlways, By: "ann"},
		} {
			s.Apply(eventstest.Envelope(t, events.Seq(1+2*i+j), e))
		}
	}
	if len(s.Rules) != approvals.MaxRules || len(s.Settled) > 2*approvals.MaxSettled || s.Open != nil {
		t.Errorf("got %d rules, %d settled, %d open", len(s.Rules), len(s.Settled), len(s.Open))
	}
	if got := s.Rules[0].Resources[0]; got != "q999" {
		t.Errorf("got %s as the newest rule, want q999", got)
	}
	reloaded(t, *s)
}

// TestACloneIsOnItsOwn: two continuations of one state do not see each other.
func TestACloneIsOnItsOwn(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		es := eventstest.Valid(rt).Events
		at := rapid.IntRange(0, len(es)).Draw(rt, "at")
		var s approvals.State
		for _, e := range es[:at] {
			s.Apply(e)
		}
		before := reloaded(rt, s)
		other := s.Clone()
		for _, e := range es[at:] {
			other.Apply(e)
		}
		other.Apply(eventstest.Envelope(rt, 1000, events.ApprovalAsked{ID: "mine", ToolName: "x"}))
		if diff := cmp.Diff(before, s); diff != "" {
			rt.Fatalf("the clone changed what it was cloned from (-before +after):\n%s", diff)
		}
		reloaded(rt, other)
	})
}

func TestRulesAreMergedNewestFirst(t *testing.T) {
	rule := func(id string, at int64, note string, resources ...string) approvals.Rule {
		return approvals.Rule{ID: id, Kind: approvals.RuleApproved, Action: "run", Resources: resources, Note: note, Time: at}
	}
	own := []approvals.Rule{rule("c", 30, "own c", "c"), rule("a", 10, "own a", "a")}
	parent := []approvals.Rule{rule("b", 20, "parent b", "b"), rule("a", 10, "parent a", "a"), rule("s", 5, "secret", "x", "secrets/key")}
	var got []string
	for _, r := range approvals.Rules(own, parent, func(r string) bool { return strings.Contains(r, "secret") }) {
		got = append(got, r.Note)
	}
	if diff := cmp.Diff([]string{"own c", "parent b", "own a"}, got); diff != "" {
		t.Errorf("got other rules (-want +got):\n%s", diff)
	}
	var many []approvals.Rule
	for i := range 80 {
		many = append(many, rule(fmt.Sprint(i), int64(80-i), "n", "x"))
	}
	if got := approvals.Rules(many[:40], many[40:], nil); len(got) != approvals.MaxRules || got[49].ID != "49" {
		t.Errorf("got %d rules, want the newest %d", len(got), approvals.MaxRules)
	}
	if own[0].ID != "c" || parent[0].ID != "b" {
		t.Error("got the lists changed")
	}
}

func TestLongResourcesAreToldApartAndShownShort(t *testing.T) {
	long := strings.Repeat("é", 300)
	var es []events.Event
	for _, id := range []string{"1", "2"} {
		es = append(es,
			events.ApprovalAsked{ID: id, ToolName: "bash", Shown: &events.ApprovalShown{Hash: hash, Action: "run", Resources: []string{long + id}}},
			events.ApprovalDecided{ID: id, Outcome: events.OutcomeRejected, Feedback: long, By: "ann"})
	}
	s := turn(t, es...)
	if len(s.Rules) != 2 {
		t.Fatalf("got %d rules, want one for each resource", len(s.Rules))
	}
	if got := len([]rune(s.Rules[0].Resources[0])); got != 200 {
		t.Errorf("got a resource of %d characters, want 200", got)
	}
}
