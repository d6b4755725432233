package offline

import (
	"slices"
	"strings"
	"testing"

	"github.com/docket-engine/docket/effects"
)

// TestARuleThatNobodyHasListedIsNotNamed: a rule that is new takes a place in a list
// before words can speak for what it finds, and each that is listed is one.
func TestARuleThatNobodyHasListedIsNotNamed(t *testing.T) {
	rules := effects.Rules()
	for list, names := range map[string]string{"byWords": byWords, "byOperation": byOperation, "byTool": byTool} {
		for name := range strings.FieldsSeq(names) {
			if !slices.ContainsFunc(rules, func(r effects.Rule) bool { return r.ID == name && r.Decision == effects.Review }) {
				t.Errorf("%s: %s is no rule that asks for a review", list, name)
			}
		}
	}
	const command = "Run `frob x`."
	for rule, want := range map[string]string{"program-unknown": allow, "a-rule-of-tomorrow": deny, "": deny} {
		r, err := parseRequest(newScene().human(command).shell("frob x").prompt(t))
		if err != nil {
			t.Fatal(err)
		}
		r.said, r.facts = r.listen(), known.facts(r.cwd)
		d := r.understand()
		d.Findings = nil
		if rule != "" {
			d.Findings = []effects.Finding{{Rule: rule, Decision: effects.Review, Span: effects.Span{Argument: "command"}}}
		}
		if got := r.decide(d).decision; got != want {
			t.Errorf("%q: got %s, want %s", rule, got, want)
		}
	}
}
