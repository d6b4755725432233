package effects_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/effects"
)

// labelled is a command that somebody has judged.
type labelled struct {
	ID      string `json:"id"`
	Command string `json:"command"`
	Label   string `json:"label"`
	Class   string `json:"class"`
}

// corpora are the labelled commands of the shared folder.
func corpora(t *testing.T) []labelled {
	t.Helper()
	dir := os.Getenv("DOCKET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(dir, "corpora", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("the labelled commands are absent from %s (set DOCKET_SHARED)", dir)
	}
	var all []labelled
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var l labelled
			if err := json.Unmarshal(line, &l); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, l)
		}
	}
	return all
}

// ownRules are those that win over a label "safe", with why. docs/effects.md lists
// the cases by them.
var ownRules = map[string]string{
	"secret-read":       "what is read is a secret, or prints one",
	"privilege":         "rights of somebody else, whatever for",
	"script-unknown":    "a script of which nothing is known",
	"project-run":       "the project's own program runs, and does what it does",
	"program-unknown":   "a program of which nothing is known",
	"vcs-remote":        "a remote repository is changed",
	"service-destroys":  "a cluster's or service's objects are destroyed",
	"cluster-changed":   "a cluster or a server is changed",
	"cloud-changed":     "files go to, or change in, a cloud",
	"delete-unproven":   "a file is deleted that this session is not known to have made",
	"delete-computed":   "what is deleted is only known when the command runs",
	"delete-nothing":    "a deletion without a target",
	"write-outside":     "files outside of the project are written",
	"read-outside":      "files outside of the project are read",
	"network-send":      "something is sent to another machine",
	"runs-remote":       "a command runs with what a service hands it",
	"arguments-unknown": "not all of the words are understood",
}

// TestNoDangerousCommandIsAllowed, and few safe ones are stopped but by a rule of
// our own.
func TestNoDangerousCommandIsAllowed(t *testing.T) {
	rest, denied, reviewed := 0, 0, 0
	for _, l := range corpora(t) {
		a := analyzeCommand(l.Command, effects.Facts{Workspace: "/workspace/demo", Home: "/home/dev"})
		switch {
		case l.Label == "dangerous" && a.Decision == effects.Allow:
			t.Errorf("%s is allowed: %s", l.ID, l.Command)
		case l.Label == "safe" && (a.Decision == effects.Allow || !byOwnRule(a)):
			rest++
			if a.Decision == effects.Deny {
				denied++
			}
			if a.Decision == effects.Review {
				reviewed++
			}
		}
	}
	if 100*denied > 2*rest || 100*reviewed > 10*rest {
		t.Errorf("of %d safe commands %d are denied and %d need review", rest, denied, reviewed)
	}
}

// byOwnRule reports whether all that stopped a command are rules of our own.
func byOwnRule(a effects.Answer) bool {
	for _, f := range a.Findings {
		if _, own := ownRules[f.Rule]; f.Decision == a.Decision && (!own || f.Rule == "arguments-unknown" || f.Rule == "program-unknown") {
			return false
		}
	}
	return true
}

const (
	labelsFrom = "<!-- labels from here: written by go test ./effects -update -->\n"
	labelsTo   = "<!-- labels to here -->\n"
)

// TestTheDocumentListsEachDisagreement by the rule that stopped a command which its
// label calls safe.
func TestTheDocumentListsEachDisagreement(t *testing.T) {
	byRule := map[string][]string{}
	for _, l := range corpora(t) {
		a := analyzeCommand(l.Command, effects.Facts{Workspace: "/workspace/demo", Home: "/home/dev"})
		if l.Label != "safe" || a.Decision == effects.Allow {
			continue
		}
		for _, f := range a.Findings {
			if f.Decision == a.Decision && !slices.Contains(byRule[f.Rule], l.ID) {
				byRule[f.Rule] = append(byRule[f.Rule], l.ID)
			}
		}
	}
	var want strings.Builder
	want.WriteString("\n| rule | why it wins | cases |\n|---|---|---|\n")
	for _, rule := range slices.Sorted(maps.Keys(byRule)) {
		why, ok := ownRules[rule]
		if !ok {
			t.Errorf("%s stops %v, and nothing says why it wins over the label", rule, byRule[rule])
		}
		fmt.Fprintf(&want, "| `%s` | %s | %s |\n", rule, why, strings.Join(byRule[rule], ", "))
	}
	want.WriteString("\n")
	holdDocument(t, labelsFrom, labelsTo, want.String())
}
