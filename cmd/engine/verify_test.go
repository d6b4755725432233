package main

import (
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
)

// TestAPersonIsShownTheFirstFindings, and how many more there are.
func TestAPersonIsShownTheFirstFindings(t *testing.T) {
	cases := map[string]struct {
		findings int
		lines    int
		last     string
	}{
		"as many as are shown": {shownFindings, 1 + shownFindings, "  corrupt: seq 10: user/message: the chain differs"},
		"three more":           {shownFindings + 3, 2 + shownFindings, "  and 3 more, which --json shows"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			v := verified{ID: "long"}
			for i := range c.findings {
				v.Findings = append(v.Findings, finding{
					Kind: events.FindingCorrupt, Seq: events.Seq(i + 1), Type: events.TypeUserMessage, Problem: "the chain differs",
				})
			}
			v.FirstBad = &v.Findings[0]
			var out strings.Builder
			p := printer{w: &out}
			p.verified(v)
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			if len(lines) != c.lines || lines[0] != "session long: CORRUPT at seq 1" || lines[len(lines)-1] != c.last {
				t.Errorf("got\n%s\nwant %d lines, the last of them %q", out.String(), c.lines, c.last)
			}
		})
	}
}
