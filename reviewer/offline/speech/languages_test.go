package speech

import (
	"slices"
	"strings"
	"testing"
)

// said is a sentence, and what it means for an action on a target.
type said struct {
	want   meant
	act    Act
	target string
	text   string
}

type meant string

// What a sentence may mean.
const (
	stopped meant = "stops"
	granted meant = "grants"
	neither meant = "is neither"
)

// means is what a text means for an action.
func means(text string, act Act, target string) meant {
	m := Read(text)
	for _, s := range m.Sentences {
		for _, f := range s.Refusals {
			hit := f.Everything && !slices.Contains(f.Except, target) || slices.Contains(f.Targets, target)
			if hit && f.Acts.Has(act) {
				return stopped
			}
		}
	}
	if target == "" {
		return neither
	}
	marked := strings.ReplaceAll(text, target, string(MarkTarget))
	if h := Read(marked).Orders(Ask{Acts: Of(act)}); h.Understood && slices.Contains(h.Orders, true) {
		return granted
	}
	return neither
}

func testSaid(t *testing.T, language string, all []said) {
	t.Helper()
	for _, s := range all {
		if got := means(s.text, s.act, s.target); got != s.want {
			t.Errorf("%q %s (of %d on %q), want it %s", s.text, got, s.act, s.target, s.want)
		}
		if got := Read(s.text).Sentences[0].Language; language != "" && got != language {
			t.Errorf("%q is %q, want %q", s.text, got, language)
		}
	}
}
