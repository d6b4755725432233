package main

import (
	"context"
	"fmt"

	"github.com/docket-engine/docket/events"
)

// demoSummary is what the logs of a demo come to.
type demoSummary struct {
	Sessions []sessionTally `json:"sessions"`
	// Denied are the calls that were denied, by their arguments' hash.
	Denied []deniedCall `json:"denied"`
	// Differences are what came out otherwise than the recording expects.
	Differences []string `json:"differences"`
}

// sessionTally counts what became of a session's calls.
type sessionTally struct {
	Session events.SessionID `json:"session"`
	Child   bool             `json:"child,omitempty"`
	Events  events.Seq       `json:"events"`
	Calls   int              `json:"calls"`
	Reviews map[string]int   `json:"reviews"` // by outcome
	Asked   int              `json:"asked"`   // of a person
	Ends    map[callEnd]int  `json:"ends"`
}

// deniedCall is a denial with how often the same call ran all the same, since it
// was judged anew.
type deniedCall struct {
	denial
	Ran int `json:"ran"`
}

// summarise reads the sessions' logs from their beginnings.
func summarise(ctx context.Context, log events.Log, sessions []events.SessionID) (demoSummary, error) {
	s := demoSummary{Sessions: []sessionTally{}, Denied: []deniedCall{}}
	var denied denials
	ran := map[string]int{} // by tool and argument hash
	for i, id := range sessions {
		t := sessionTally{Session: id, Child: i > 0, Reviews: map[string]int{}, Ends: map[callEnd]int{}}
		var courses callCourses
		for e, err := range envelopes(log.Read(ctx, id, 0)) {
			if err != nil {
				return demoSummary{}, err
			}
			t.Events = e.Seq + 1
			denied.apply(e)
			if c := courses.apply(e); c != nil {
				t.add(e.Event, c)
				if c.settled && c.end() == endRan {
					ran[c.tool+" "+c.argumentHash()]++
				}
			}
		}
		s.Sessions = append(s.Sessions, t)
	}
	for _, d := range denied.most() {
		s.Denied = append(s.Denied, deniedCall{d, ran[d.Tool+" "+d.ArgumentHash]})
	}
	return s, nil
}

func (t *sessionTally) add(e events.Event, c *callCourse) {
	switch ev := any(e).(type) {
	case events.ToolCall, events.PTCDispatchStart:
		t.Calls++
	case events.ReviewVerdict:
		t.Reviews[ev.Outcome]++
	case events.ApprovalAsked:
		t.Asked++
	case events.ToolResult, events.PTCDispatch:
		t.Ends[c.end()]++
	}
}

func (s demoSummary) table() [][]string {
	rows := [][]string{{"SESSION", "CALLS", "ALLOWED", "DENIED", "REVIEW FAILED", "PERSON ASKED", "BODIES RUN", "REFUSED", "CANCELLED"}}
	for _, t := range s.Sessions {
		name := plain(string(t.Session), 40)
		if t.Child {
			name = "its child"
		}
		refused := t.Ends[endDenied] + t.Ends[endFailed] + t.Ends[endUnavailable]
		row := []string{name}
		for _, n := range []int{
			t.Calls, t.Reviews[events.VerdictAllow], t.Reviews[events.VerdictDeny], t.Reviews[events.VerdictFailure], t.Asked,
			t.Ends[endRan], refused, t.Ends[endCancelled],
		} {
			row = append(row, fmt.Sprint(n))
		}
		rows = append(rows, row)
	}
	return rows
}
