package effects_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

// facts are those that the rules' examples assume.
func facts() effects.Facts {
	return effects.Facts{
		Workspace: "/workspace/demo", Home: "/home/dev",
		Created: []string{"/workspace/demo/made.txt"},
		Engine:  effects.Engine{Programs: []string{"engine"}, Paths: []string{"/var/lib/docket"}},
	}
}

func says(e effects.Example, rule string) (effects.Answer, bool) {
	f := facts()
	f.Platform = e.Platform
	call := effects.Call{Tool: e.Tool, Arguments: jsontext.Value(e.Arguments)}
	if e.Destructive {
		call.Hints = &effects.Hints{Destructive: &e.Destructive}
	}
	a := effects.Analyze(call, f)
	for _, f := range a.Findings {
		if f.Rule == rule {
			return a, true
		}
	}
	return a, false
}

// TestEachRuleSpeaksWhereItsTableSaysSo: about its first example, with its decision,
// and not about its second one.
func TestEachRuleSpeaksWhereItsTableSaysSo(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range effects.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			if seen[r.ID] {
				t.Error("there are two rules of that name")
			}
			seen[r.ID] = true
			a, ok := says(r.Hit, r.ID)
			if !ok {
				t.Errorf("it does not speak about %s, but %v do", r.Hit.Arguments, a.Findings)
			}
			if effects.Stricter(a.Decision, r.Decision) != a.Decision {
				t.Errorf("got %s for %s, want at least %s", a.Decision, r.Hit.Arguments, r.Decision)
			}
			if _, ok := says(r.Miss, r.ID); ok {
				t.Errorf("it speaks about %s", r.Miss.Arguments)
			}
		})
	}
}

// TestASecretThatCannotBeDelimitedMakesTheCallUndisclosable, and one that can be does
// not.
func TestASecretThatCannotBeDelimitedMakesTheCallUndisclosable(t *testing.T) {
	for command, want := range map[string]bool{
		"echo 'PASSWORD=$(cat x' > notes":    true,
		`curl -H "Authorization: Bearer $(x`: true,
		"echo hello":                         false,
		"export TOKEN=" + "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345": false,
	} {
		if a := analyzeCommand(command, facts()); a.Undisclosable != want || want && a.Decision == effects.Allow {
			t.Errorf("%s: got %t and %s, want %t", command, a.Undisclosable, a.Decision, want)
		}
	}
}
