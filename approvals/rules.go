package approvals

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// MaxRules bounds the rules that a judge reads (seed 003, section 3).
const MaxRules = 50

// maxRuleText bounds each resource and the note of a rule, in characters (seed
// 003's peer, "Rules").
const maxRuleText = 200

// RuleKind says what a person decided.
type RuleKind string

// The kinds of a rule (seed 003, section 3).
const (
	RuleAlways   RuleKind = "always"
	RuleApproved RuleKind = "approved"
	RuleRejected RuleKind = "rejected"
)

// Rule is a person's decision with lasting intent: an "always", or an approval or
// a rejection with a note. It says what a person meant; it allows nothing by
// itself.
type Rule struct {
	// ID is what rules are told apart by: kind, action and whole resources, hashed.
	ID   string   `json:"id"`
	Kind RuleKind `json:"kind"`
	// Action is the permission's, not the tool's wire name, so that it is the same
	// word in rules, history and the call that is judged.
	Action    string     `json:"action"`
	Resources []string   `json:"resources,omitzero"`
	Note      string     `json:"note,omitzero"`
	Time      int64      `json:"time"` // Unix ms
	Seq       events.Seq `json:"seq"`  // of the decision
}

// Text is the rule in a judge's prompt. What others wrote is quoted as JSON; a
// prompt escapes it once more for its own syntax.
func (r Rule) Text() string {
	about := r.Action
	if len(r.Resources) > 0 {
		quoted := make([]string, 0, len(r.Resources))
		for _, res := range r.Resources {
			quoted = append(quoted, quote(res))
		}
		about += " on " + strings.Join(quoted, ", ")
	}
	switch {
	case r.Kind == RuleRejected:
		return "User rejected " + about + ": " + quote(r.Note)
	case r.Kind == RuleApproved:
		return "User approved " + about + " with note: " + quote(r.Note)
	case r.Note != "":
		return "Always approved: " + about + " with note: " + quote(r.Note)
	default:
		return "Always approved: " + about
	}
}

// Rules merges a session's rules with its parent's: the newest first, one for
// each kind, action and resources, at most [MaxRules]. Rules that touch what
// protected says is a sensitive resource are left out, so that the list is no way
// to learn of it; protected may be nil. The times are of two logs, so that of
// equal ones the session's own come first.
func Rules(own, parent []Rule, protected func(resource string) bool) []Rule {
	merged := slices.Concat(own, parent)
	slices.SortStableFunc(merged, func(a, b Rule) int { return cmp.Compare(b.Time, a.Time) })
	seen := map[string]bool{}
	merged = slices.DeleteFunc(merged, func(r Rule) bool {
		repeated := seen[r.ID]
		seen[r.ID] = true
		return repeated || protected != nil && slices.ContainsFunc(r.Resources, protected)
	})
	return merged[:min(len(merged), MaxRules)]
}

func ruleID(kind RuleKind, action string, resources []string) string {
	parts := []string{quote(string(kind)), quote(action)}
	for _, r := range resources {
		parts = append(parts, quote(r))
	}
	return digest([]byte(strings.Join(parts, " ")))
}

// ruleOf makes the rule of a decision. Only a person makes one: a tier, the
// policy and a time-out have no intent. Nor does a protected resource make one.
func ruleOf(q Question, d events.ApprovalDecided, e events.Envelope) (Rule, bool) {
	r := Rule{Action: q.Action, Note: clip(dropBlank(d.Feedback)), Time: e.Time, Seq: e.Seq}
	noted := r.Note != ""
	switch {
	case d.By == "" || q.Action == "" || q.Protected:
		return Rule{}, false
	case d.Outcome == events.OutcomeAllowedOnce && d.Scope == ScopeAlways:
		r.Kind = RuleAlways
	case d.Outcome == events.OutcomeAllowedOnce && noted:
		r.Kind = RuleApproved
	case d.Outcome == events.OutcomeRejected && noted:
		r.Kind = RuleRejected
	default:
		return Rule{}, false
	}
	r.ID = ruleID(r.Kind, r.Action, q.Resources)
	for _, res := range q.Resources {
		r.Resources = append(r.Resources, clip(res))
	}
	return r, true
}

// withRule puts a rule in front. The list is made anew: the turn's may be the old
// one.
func withRule(rules []Rule, r Rule) []Rule {
	out := make([]Rule, 0, min(len(rules)+1, MaxRules))
	out = append(out, r)
	for _, old := range rules {
		if len(out) < MaxRules && old.ID != r.ID {
			out = append(out, old)
		}
	}
	return out
}

// clip shortens a text to maxRuleText characters.
func clip(s string) string {
	if utf8.RuneCountInString(s) <= maxRuleText {
		return s
	}
	return string([]rune(s)[:maxRuleText-1]) + "…"
}

func quote(s string) string {
	q, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\ufffd"))
	if err != nil {
		return `""`
	}
	return string(q)
}
