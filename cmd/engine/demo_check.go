package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docket-engine/docket/fixtures/demo"
	"github.com/docket-engine/docket/permit"
)

// demoExpected is what a recording expects of its calls, in order, by their ids.
type demoExpected struct {
	id string
	demo.Action
}

func expectedOf(r demo.Recording) []demoExpected {
	var all []demoExpected
	var add func([]demo.Step)
	add = func(steps []demo.Step) {
		for _, s := range steps {
			for _, c := range s.Calls {
				all = append(all, demoExpected{c.ID, c.Action})
				for i, inner := range c.Inner {
					all = append(all, demoExpected{innerID(c.ID, i), inner})
				}
				add(c.Child)
			}
		}
	}
	for _, s := range r.Scenes {
		add(s.Steps)
	}
	return all
}

// differences are what the logs and the folder say against a recording.
func differences(r demo.Recording, seen []moment) []string {
	found := []string{}
	expected := expectedOf(r)
	for _, e := range expected {
		found = append(found, e.differences(seen)...)
	}
	for _, m := range seen {
		if m.Moment == momentCall && !slices.ContainsFunc(expected, func(e demoExpected) bool { return e.id == m.Call }) {
			found = append(found, fmt.Sprintf("call %s: it is not in the recording", m.Call))
		}
	}
	return found
}

func (e demoExpected) differences(seen []moment) []string {
	var found []string
	differ := func(what string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			found = append(found, fmt.Sprintf("call %s: got %s %v, want %v", e.id, what, orNone(got), orNone(want)))
		}
	}
	var call, review, end moment
	for _, m := range seen {
		switch {
		case m.Call != e.id:
		case m.Moment == momentCall:
			call = m
		case m.Moment == momentReview:
			review = m
		case m.Moment == momentEnd:
			end = m
		}
	}
	differ("tool", call.Tool, e.Tool)
	if permit.ArgumentHash([]byte(call.Arguments)) != permit.ArgumentHash(e.Arguments) {
		differ("arguments", string(call.Arguments), string(e.Arguments))
	}
	differ("review", review.Outcome, e.Review)
	differ("end", end.Ends, e.Ends)
	var files fileChanges
	if end.Files != nil {
		files = *end.Files
	}
	differ("files made", files.Made, e.Makes)
	differ("files changed", files.Changed, e.Changes)
	differ("files removed", files.Removed, e.Removes)
	return found
}

func orNone(v any) string {
	if text := strings.TrimSpace(fmt.Sprint(v)); text != "" && text != "[]" {
		return text
	}
	return "none"
}
