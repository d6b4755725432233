package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rivo/uniseg"

	"github.com/docket-engine/docket/effects"
)

// effectsText explains an answer to people.
type effectsText struct {
	printer
	coloured bool
}

const (
	effectsLines  = 12  // of a text that is shown
	effectsColumn = 160 // characters of such a line
)

func (t *effectsText) dye(i ink, text string) string {
	if !t.coloured || i == inkNone {
		return text
	}
	return "\x1b[" + string(i) + "m" + text + "\x1b[0m"
}

func decisionInk(d effects.Decision) ink {
	switch d {
	case effects.Allow:
		return inkGreen
	case effects.Deny:
		return inkRed
	default:
		return inkYellow
	}
}

// explain writes the decision, the call's text with what the rules rest on, the
// rules and the effects.
func (t *effectsText) explain(c effects.Call, a effects.Answer) {
	t.line("%s", t.dye(decisionInk(a.Decision), string(a.Decision)))
	for _, argument := range argumentsOf(a) {
		t.text(c, argument, a.Findings)
	}
	t.line("")
	for _, f := range a.Findings {
		t.finding(f)
	}
	if len(a.Effects) > 0 {
		t.line("")
		rows := [][]string{{"EFFECT", "TARGET", "CERTAIN", "IN"}}
		for _, e := range a.Effects {
			rows = append(rows, []string{string(e.Kind), orDash(plain(e.Target, effectsColumn)), yesNo(e.Certain), orDash(plain(e.Span.Source, effectsColumn))})
		}
		t.table(rows)
	}
	if len(a.Files) > 0 {
		t.line("")
		rows := [][]string{{"WOULD RUN", "BYTES", "SHA-256"}}
		for _, f := range a.Files {
			rows = append(rows, []string{plain(f.Path, effectsColumn), fmt.Sprint(f.Size), f.SHA256})
		}
		t.table(rows)
	}
}

func (t *effectsText) finding(f effects.Finding) {
	words := ""
	if f.Words != "" {
		words = " " + t.dye(inkDim, "("+plain(f.Words, effectsColumn)+")")
	}
	where := ""
	if f.Span.Source != "" {
		where = " in " + plain(f.Span.Source, effectsColumn)
	}
	t.line("%s %s: %s%s%s", t.dye(decisionInk(f.Decision), fmt.Sprintf("%-12s", f.Decision)), f.Rule, f.Sentence, words, where)
}

// argumentsOf are the arguments that findings rest on, in their order.
func argumentsOf(a effects.Answer) []string {
	var names []string
	for _, f := range a.Findings {
		if !slices.Contains(names, f.Span.Argument) {
			names = append(names, f.Span.Argument)
		}
	}
	slices.Sort(names)
	return names
}

// text shows an argument, with what the findings rest on marked: the strictest one's
// places in its colour on a terminal, and underlined everywhere.
func (t *effectsText) text(c effects.Call, argument string, all []effects.Finding) {
	text := argumentText(c, argument)
	if text == "" {
		return
	}
	marks := make([]effects.Decision, len(text))
	for _, f := range all {
		if f.Span.Argument != argument || f.Span.Source != "" || f.Decision == effects.Allow {
			continue
		}
		for i := max(f.Span.Start, 0); i < min(f.Span.End, len(text)); i++ {
			marks[i] = effects.Stricter(orAllow(marks[i]), f.Decision)
		}
	}
	shown := 0
	for from := 0; from < len(text); {
		to := len(text)
		if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
			to = from + i
		}
		if shown++; shown > effectsLines {
			t.line("  %s", t.dye(inkDim, "…"))
			return
		}
		t.marked(text[from:to], marks[from:to])
		from = to + 1
	}
}

func orAllow(d effects.Decision) effects.Decision {
	if d == "" {
		return effects.Allow
	}
	return d
}

// marked writes one line of a text, and the marks under it.
func (t *effectsText) marked(text string, marks []effects.Decision) {
	var line, under strings.Builder
	room, marked := effectsColumn, false
	for from := 0; from < len(text) && room > 0; {
		to := from + 1
		for to < len(text) && (marks[to] == marks[from] || !utf8.RuneStart(text[to])) {
			to++
		}
		shown := plain(text[from:to], room)
		width := uniseg.StringWidth(shown)
		room -= utf8.RuneCountInString(shown)
		line.WriteString(t.dye(markInk(marks[from]), shown))
		under.WriteString(t.dye(markInk(marks[from]), strings.Repeat(underline(marks[from]), width)))
		marked = marked || underline(marks[from]) != " "
		from = to
	}
	t.line("  %s", line.String())
	if marked {
		t.line("  %s", strings.TrimRight(under.String(), " "))
	}
}

func markInk(d effects.Decision) ink {
	if d == "" {
		return inkNone
	}
	return decisionInk(d)
}

func underline(d effects.Decision) string {
	switch d {
	case effects.Deny:
		return "^"
	case effects.Review:
		return "~"
	default:
		return " "
	}
}

// argumentText is an argument as it is read, or all of them where none is named.
func argumentText(c effects.Call, name string) string {
	if name == "" {
		return string(c.Arguments)
	}
	var members map[string]jsontext.Value
	var text string
	if json.Unmarshal(c.Arguments, &members) != nil || json.Unmarshal(members[name], &text) != nil {
		return ""
	}
	return text
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
