package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
)

// TestForeignTextReachesNoTerminal: whatever an agent, a tool, a reviewer or a
// person says, it is shown and not sent.
func TestForeignTextReachesNoTerminal(t *testing.T) {
	const foreign = "\x1b[2J\u202e\u200b\rx"
	arguments, err := json.Marshal(map[string]string{
		"path": foreign, "command": foreign, "content": foreign + "\n" + foreign, "oldText": foreign, "newText": foreign, "code": foreign, "prompt": foreign,
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []moment
	for _, tool := range []string{"read", "write", "edit", "delete", "shell", "run_code", "task", foreign} {
		all = append(all, moment{Moment: momentCall, Tool: tool, Arguments: arguments}, moment{Moment: momentCall, Tool: tool, Text: foreign})
	}
	for _, end := range []callEnd{endRan, endDenied, endFailed, endCancelled, endUnavailable} {
		all = append(all, moment{Moment: momentEnd, Ends: end, Text: foreign, Files: &fileChanges{Made: []string{foreign}}})
	}
	for _, kind := range []momentKind{
		momentScene, momentPolicy, momentPreset, momentPerson, momentParent, momentAgent, momentRequested, momentReview, momentQuestion, momentAnswer, momentVerified,
	} {
		for _, outcome := range []string{foreign, events.VerdictAllow, events.VerdictDeny, events.OutcomeRejected} {
			all = append(all, moment{Moment: kind, Title: foreign, Text: foreign, Outcome: outcome, Reviewer: foreign, Reason: foreign})
		}
	}
	all = append(all,
		moment{Moment: momentBegin, Begin: &demoBegin{Session: foreign, Route: foreign, Integration: foreign, Project: foreign}},
		moment{Moment: momentSummary, Summary: &demoSummary{
			Sessions: []sessionTally{{Session: foreign}}, Denied: []deniedCall{{denial: denial{Tool: foreign, Arguments: foreign, ArgumentHash: "00"}}},
			Differences: []string{foreign},
		}},
	)
	for _, m := range all {
		var out bytes.Buffer
		text := &demoText{printer: printer{w: &out}}
		m.Seq = new(events.Seq)
		if err := text.show(m); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(out.String(), "\x1b\u202e\u200b\r") {
			t.Errorf("%s %s %s: sent %q", m.Moment, m.Tool, m.Ends, out.String())
		}
	}
}

func TestALineIsBrokenAtSpaces(t *testing.T) {
	for text, want := range map[string][]string{
		"":                 {""},
		"short":            {"short"},
		"ten letter":       {"ten letter"},
		"eleven lette":     {"eleven", "lette"},
		"one two three":    {"one two", "three"},
		"éééééé ééé éé":    {"éééééé ééé", "éé"},
		"averylongword or": {"averylongword or"},
	} {
		if diff := cmp.Diff(want, wrapped(text, 10)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// TestADenialIsColouredInItsVerdictAlone and nothing is wider than a terminal.
func TestADenialIsColouredInItsVerdictAlone(t *testing.T) {
	var out bytes.Buffer
	text := &demoText{printer: printer{w: &out}, coloured: true}
	if err := text.show(moment{Moment: momentReview, Outcome: events.VerdictDeny, Reviewer: "auto", Reason: strings.Repeat("reason ", 30)}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\x1b[31mdenied by auto\x1b[0m: reason") {
		t.Errorf("got %q", out.String())
	}
	for line := range strings.Lines(strings.NewReplacer("\x1b[31m", "", "\x1b[2m", "", "\x1b[0m", "").Replace(out.String())) {
		if utf8.RuneCountInString(strings.TrimSpace(line)) > demoWidth {
			t.Errorf("too wide: %q", line)
		}
	}
}

func TestFoldersAreCompared(t *testing.T) {
	digest := func(b byte) (d [32]byte) { d[0] = b; return d }
	before := folderState{"kept": digest(1), "changed": digest(1), "gone": digest(1), "folder/": digest(0)}
	after := folderState{"kept": digest(1), "changed": digest(2), "new": digest(1), "folder/": digest(0)}
	want := fileChanges{Made: []string{"new"}, Changed: []string{"changed"}, Removed: []string{"gone"}}
	if diff := cmp.Diff(want, changesBetween(before, after)); diff != "" {
		t.Error(diff)
	}
	if !changesBetween(after, after).none() {
		t.Error("a folder differs from itself")
	}
}
