package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/docket-engine/docket/events"
)

const (
	demoWidth  = 100 // columns
	demoLabel  = 9   // of them, for what a line is
	demoLines  = 4   // of a text that is longer
	demoColumn = 80  // characters of such a line
)

// ink is how a terminal shows a text.
type ink string

const (
	inkNone   ink = ""
	inkBold   ink = "1"
	inkDim    ink = "2"
	inkRed    ink = "31"
	inkGreen  ink = "32"
	inkYellow ink = "33"
	inkBlue   ink = "36"
)

// demoText writes the timeline for people.
type demoText struct {
	printer
	coloured bool
	folder   string // paths below it are shown from there
	scenes   int
	last     moment
	reason   string // of the last review, which a question repeats
	presets  int
	instant  bool // reviews take no time, so that nobody waits for one
}

func (t *demoText) dye(i ink, text string) string {
	if !t.coloured || i == inkNone {
		return text
	}
	return "\x1b[" + string(i) + "m" + text + "\x1b[0m"
}

// show writes one moment.
func (t *demoText) show(m moment) error {
	if m.Moment == momentRequested && t.instant {
		return nil
	}
	if gap(t.last, m) {
		t.line("%s", strings.TrimRight(t.margin(m), " "))
	}
	t.last = m
	switch m.Moment {
	case momentBegin:
		t.begin(*m.Begin)
	case momentScene:
		t.scene(m)
	case momentCall:
		t.call(m)
	case momentEnd:
		t.end(m)
	case momentSummary:
		t.summary(*m.Summary)
	case momentRequested, momentReview, momentQuestion, momentAnswer, momentPreset, momentPolicy:
		t.judgement(m)
	case momentPerson, momentParent, momentAgent, momentVerified:
		t.words(m)
	}
	return printed(t.err)
}

// gap says where a line is left free.
func gap(last, m moment) bool {
	switch m.Moment {
	case momentAgent, momentScene, momentSummary:
		return true
	case momentPreset, momentPolicy, momentParent:
		return m.Child && !last.Child
	case momentCall:
		return last.Moment == momentEnd || m.Inner
	case momentVerified:
		return last.Moment != momentVerified
	case momentEnd:
		return last.Inner && !m.Inner || last.Child && !m.Child
	default:
		return last.Moment == momentScene
	}
}

// margin shows whose a line is: a child's and a program's are set in.
func (t *demoText) margin(m moment) string {
	margin := "   "
	if m.Child && m.Moment != momentVerified {
		margin += t.dye(inkDim, "│") + " "
	}
	if m.Inner {
		margin += t.dye(inkDim, "┆") + " "
	}
	return margin
}

// entry is a label and lines, each of which goes on below itself.
func (t *demoText) entry(m moment, label string, i ink, lines ...string) {
	for _, line := range lines {
		t.headed(m, label, i, line, "")
		label = ""
	}
}

// headed is a label and a text of which the head has a colour.
func (t *demoText) headed(m moment, label string, i ink, head, rest string) {
	margin := t.margin(m)
	room := demoWidth - demoLabel - 4
	if m.Child || m.Inner {
		room -= 2
	}
	label = fmt.Sprintf("%-*s", demoLabel, label)
	parts := wrapped(head+rest, room)
	for n, part := range parts {
		switch tail, ok := strings.CutPrefix(part, head); {
		case rest == "":
			part = t.dye(i, part)
		case n == 0 && ok:
			part = t.dye(i, head) + tail
		}
		t.line("%s", strings.TrimRight(margin+t.dye(inkDim, label)+" "+part, " "))
		label = strings.Repeat(" ", demoLabel)
	}
}

// wrapped breaks a line at spaces.
func wrapped(text string, width int) []string {
	var out []string
	for utf8.RuneCountInString(text) > width {
		cut := len(string([]rune(text)[:width+1]))
		at := strings.LastIndexByte(text[:cut], ' ')
		if at <= 0 {
			break // one long word
		}
		out = append(out, text[:at])
		text = text[at+1:]
	}
	return append(out, text)
}

func (t *demoText) begin(b demoBegin) {
	t.line("%s", t.dye(inkBold, "Docket puts every call of an agent on the record, has it reviewed against the record, and only"))
	t.line("%s", t.dye(inkBold, "then lets it run. This is a recorded agent; its calls, reviews and files are real."))
	t.line("")
	t.line("   A call is what the agent wants, its review the verdict on it. The body is the tool itself: it runs")
	t.line("   on a permit alone, and the files are looked at when it has ended.")
	t.line("")
	t.entry(moment{}, "project", inkNone, plain(b.Project, 200))
	t.entry(moment{}, "session", inkNone, plain(string(b.Session), 60)+"; call @25 is the one at seq 25 of its log")
	t.entry(moment{}, "installed", inkNone, plain(b.Integration, 40)+": no sandbox, but a reviewer who judges each call before it runs")
	t.entry(moment{}, "reviewer", inkNone, plain(b.Route, 80)+b.about())
	t.line("")
}

func (t *demoText) scene(m moment) {
	t.scenes++
	t.line("%s", t.dye(inkBold, fmt.Sprintf("%d  %s", t.scenes, plain(m.Title, 120))))
	for _, part := range wrapped(plain(m.Text, -1), demoWidth-3) {
		t.line("   %s", t.dye(inkDim, part))
	}
}

func (t *demoText) words(m moment) {
	switch m.Moment {
	case momentPerson:
		t.entry(m, "person", inkBlue, plain(m.Text, -1))
	case momentParent:
		t.entry(m, "parent", inkBlue, plain(m.Text, -1))
	case momentVerified:
		t.entry(m, "verify", inkGreen, plain(m.Text, 200))
	default:
		t.entry(m, "agent", inkNone, plain(m.Text, -1))
	}
}

func (t *demoText) judgement(m moment) {
	switch m.Moment {
	case momentPreset:
		t.preset(m)
	case momentPolicy:
		t.entry(m, "approval", inkBlue, plain(m.Outcome, 20)+inherited(m))
	case momentRequested:
		t.entry(m, "review", inkDim, "asked of "+plain(m.Reviewer, 60)+" …")
	case momentQuestion:
		text := m.Text
		if t.reason != "" {
			text = strings.Replace(text, t.reason, "(as above)", 1)
		}
		t.headed(m, "asked", inkYellow, "a person", ": "+plain(text, -1))
	case momentAnswer:
		t.answer(m)
	default:
		t.reason = m.Reason
		t.review(m)
	}
}

func (t *demoText) preset(m moment) {
	text := plain(m.Outcome, 40) + inherited(m)
	if t.presets++; t.presets == 1 {
		text += ", on which a new session begins"
	}
	t.entry(m, "preset", inkBlue, text)
}

func inherited(m moment) string {
	if m.Child {
		return ", taken over from the parent"
	}
	return ""
}

func (t *demoText) review(m moment) {
	by := " by " + plain(m.Reviewer, 60)
	switch m.Outcome {
	case events.VerdictAllow:
		t.entry(m, "review", inkGreen, "allowed"+by)
	case events.VerdictDeny:
		t.headed(m, "review", inkRed, "denied"+by, ": "+plain(m.Reason, -1))
	case events.VerdictCancelled:
		t.entry(m, "review", inkYellow, "cancelled")
	default:
		t.headed(m, "review", inkRed, "failed", ", which is no denial: "+plain(m.Reason, -1))
	}
}

func (t *demoText) answer(m moment) {
	label, text, i := "person", plain(m.Outcome, 40), inkYellow
	switch m.Outcome {
	case events.OutcomeRejected:
		text, i = "rejects it", inkRed
	case events.OutcomeAllowedOnce:
		text, i = "allows it once", inkGreen
	case events.OutcomeCancelled:
		label, text = "caller", "goes away before there is an answer"
	}
	note := ""
	if m.Text != "" {
		note = ": “" + plain(m.Text, -1) + "”"
	}
	t.headed(m, label, i, text, note)
}
