package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
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
}

func (t *demoText) dye(i ink, text string) string {
	if !t.coloured || i == inkNone {
		return text
	}
	return "\x1b[" + string(i) + "m" + text + "\x1b[0m"
}

// show writes one moment.
func (t *demoText) show(m moment) error {
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
	case momentReview, momentQuestion, momentAnswer, momentPreset, momentPolicy:
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

// entry is a label and a text, which goes on below itself.
func (t *demoText) entry(m moment, label string, i ink, lines ...string) {
	margin := t.margin(m)
	room := demoWidth - demoLabel - utf8.RuneCountInString(margin)
	if m.Child || m.Inner {
		room = demoWidth - demoLabel - 7
	}
	label = fmt.Sprintf("%-*s", demoLabel, label)
	for _, line := range lines {
		for _, part := range wrapped(line, room) {
			t.line("%s", strings.TrimRight(margin+t.dye(inkDim, label)+" "+t.dye(i, part), " "))
			label = strings.Repeat(" ", demoLabel)
		}
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
	if m.Moment == momentReview {
		t.reason = m.Reason
	}
	switch {
	case m.Moment == momentPreset:
		t.entry(m, "preset", inkBlue, plain(m.Outcome, 40)+inherited(m))
	case m.Moment == momentPolicy:
		t.entry(m, "approval", inkBlue, plain(m.Outcome, 20)+inherited(m))
	case m.Moment == momentQuestion:
		t.entry(m, "asked", inkYellow, "a person: "+plain(strings.Replace(m.Text, t.reason, "(as above)", 1), -1))
	case m.Moment == momentAnswer:
		t.answer(m)
	case m.Outcome == events.VerdictAllow:
		t.entry(m, "review", inkGreen, "allowed by "+plain(m.Reviewer, 60))
	case m.Outcome == events.VerdictDeny:
		t.entry(m, "review", inkRed, "denied by "+plain(m.Reviewer, 60)+": "+plain(m.Reason, -1))
	case m.Outcome == events.VerdictCancelled:
		t.entry(m, "review", inkYellow, "cancelled")
	default:
		t.entry(m, "review", inkRed, "failed, which is no denial: "+plain(m.Reason, -1))
	}
}

func inherited(m moment) string {
	if m.Child {
		return ", taken over from the parent"
	}
	return ""
}

func (t *demoText) answer(m moment) {
	text, i := plain(m.Outcome, 40), inkYellow
	switch m.Outcome {
	case events.OutcomeRejected:
		text, i = "rejects it", inkRed
	case events.OutcomeAllowedOnce:
		text, i = "allows it once", inkGreen
	case events.OutcomeCancelled:
		t.entry(m, "caller", i, "goes away before there is an answer")
		return
	}
	if m.Text != "" {
		text += ": “" + plain(m.Text, -1) + "”"
	}
	t.entry(m, "person", i, text)
}

// call shows the arguments that matter as they read, and those of other tools as
// JSON.
func (t *demoText) call(m moment) {
	var known struct {
		Path, Command, Content, OldText, NewText, Code, Prompt string
	}
	tool := t.dye(inkBold, plain(m.Tool, 60))
	at := fmt.Sprintf("call @%d", *m.Seq)
	if err := json.Unmarshal(m.Arguments, &known); err != nil {
		t.entry(m, at, inkNone, tool+" "+plain(string(m.Arguments)+m.Text, 200))
		return
	}
	var text string
	var more []string
	switch m.Tool {
	case "read", "delete":
		text = known.Path
	case "write":
		text, more = known.Path, t.some(known.Content)
	case "edit":
		text = fmt.Sprintf("%s: %q becomes %q", known.Path, known.OldText, known.NewText)
	case "shell":
		text = known.Command
	case "task":
		text = known.Prompt
	case "run_code":
		text, more = "a program", t.all(known.Code)
	default:
		text = string(m.Arguments)
	}
	t.entry(m, at, inkNone, tool+" "+plain(text, 300))
	for _, line := range more {
		t.entry(m, "", inkDim, "  "+line)
	}
}

// end shows what the body did, or that there was none, and what the files say.
func (t *demoText) end(m moment) {
	text := strings.ReplaceAll(m.Text, t.folder+"/", "")
	switch m.Ends {
	case endRan:
		i := inkNone
		if m.Error {
			i = inkYellow
		}
		t.entry(m, "body", i, t.some(text)...)
	case endCancelled:
		t.entry(m, "not run", inkYellow, plain(strings.TrimPrefix(text, "Error: "), -1))
	default:
		t.entry(m, "not run", inkRed, plain(strings.TrimPrefix(text, "Error: "), -1))
	}
	if f := m.Files; f != nil && !f.none() {
		t.entry(m, "files", inkGreen, f.line())
	} else if m.Ends != endRan {
		t.entry(m, "files", inkDim, "as they were")
	}
}

func (c fileChanges) line() string {
	var parts []string
	for _, group := range []struct {
		sign  string
		paths []string
	}{{"+", c.Made}, {"~", c.Changed}, {"-", c.Removed}} {
		for _, path := range group.paths {
			parts = append(parts, group.sign+" "+plain(path, 120))
		}
	}
	return strings.Join(parts, "  ")
}

// some are the first lines of a text.
func (t *demoText) some(text string) []string {
	lines := t.all(text)
	if len(lines) > demoLines {
		left := len(lines) - demoLines + 1
		lines = append(lines[:demoLines-1], fmt.Sprintf("… %d more lines", left))
	}
	return lines
}

func (t *demoText) all(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, plain(strings.TrimRight(line, "\n"), demoColumn))
	}
	if len(lines) == 0 {
		return []string{"(nothing)"}
	}
	return lines
}

func (t *demoText) summary(s demoSummary) {
	t.table(s.table())
	if len(s.Denied) > 0 {
		t.line("")
		t.line("The denied calls, alike by the hash of their arguments. Nothing is decided by their number:")
	}
	for _, d := range s.Denied {
		text := "  " + d.line()
		if d.Ran > 0 {
			text += t.dye(inkGreen, fmt.Sprintf("  and it ran %d ×: each time it is judged anew", d.Ran))
		}
		t.line("%s", text)
	}
	t.line("")
	if len(s.Differences) == 0 {
		t.line("%s", t.dye(inkGreen, "Everything came out as the recording expects."))
		return
	}
	t.line("%s", t.dye(inkYellow, "What came out otherwise than the recording expects:"))
	for _, d := range s.Differences {
		t.line("  %s", plain(d, 300))
	}
}

// pause is how long a spectator on a terminal has for a moment.
func (m moment) pause() time.Duration {
	switch m.Moment {
	case momentBegin, momentScene, momentQuestion:
		return 1500 * time.Millisecond
	case momentReview, momentAnswer, momentEnd:
		return 800 * time.Millisecond
	default:
		return 500 * time.Millisecond
	}
}

// wait waits, unless ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
