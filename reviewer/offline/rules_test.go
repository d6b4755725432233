package offline

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/docket-engine/docket/effects"
)

func (e example) scene() *scene {
	s := newScene().called("write", `{"path":"made.txt","content":"x"}`)
	if e.said != "" {
		s.human(e.said)
	}
	return s.asks(e.tool, e.arguments)
}

func TestEachRuleDecidesItsExampleAndNotTheOneBesideIt(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules() {
		t.Run(r.id, func(t *testing.T) {
			if seen[r.id] {
				t.Error("it is there twice")
			}
			seen[r.id] = true
			want := verdict{risk: r.risk, decision: r.decision, rule: r.id}
			got := r.hit.scene().judged(t)
			got.words, got.sentence, got.proposal = "", "", ""
			if got != want {
				t.Errorf("hit: got %v, want %v", got, want)
			}
			if got := r.miss.scene().judged(t); got.rule == r.id {
				t.Errorf("miss: got %v, want another rule", got)
			}
		})
	}
}

// The names in the code and those in the table are the same.
func TestEveryRuleThatIsNamedIsInTheTable(t *testing.T) {
	name := regexp.MustCompile(`"((?:path|command|delete|tool|secret|runs|speaks|instruction|named|read|write|search)-[a-z-]+)"`)
	known := map[string]bool{}
	for _, r := range rules() {
		known[r.id] = true
	}
	for _, r := range effects.Rules() {
		if known[r.ID] {
			t.Errorf("the analysis has a rule %s, too", r.ID)
		}
		known[r.ID] = true
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range name.FindAllStringSubmatch(string(text), -1) {
			if !known[m[1]] && m[1] != "read-only" && m[1] != "tool-call" {
				t.Errorf("%s names the rule %s, which is not in the table", f.Name(), m[1])
			}
		}
	}
}

func TestTheDocumentHasEveryRuleAndItsSentence(t *testing.T) {
	text, err := os.ReadFile("../../docs/offline.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules() {
		if row := "| `" + r.id + "` | " + r.risk + " | " + r.decision + " | " + r.sentence + " |"; !strings.Contains(string(text), row) {
			t.Errorf("docs/offline.md lacks the row %s", row)
		}
	}
}
