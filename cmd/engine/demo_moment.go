package main

import (
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer/auto"
)

// momentKind is what happens in a moment of the demo's timeline.
type momentKind string

const (
	momentBegin     momentKind = "begin"
	momentScene     momentKind = "scene"
	momentPreset    momentKind = "preset"
	momentPolicy    momentKind = "policy"
	momentPerson    momentKind = "person" // says something
	momentParent    momentKind = "parent" // what a child is told
	momentAgent     momentKind = "agent"  // what its model says
	momentCall      momentKind = "call"
	momentRequested momentKind = "requested" // a review
	momentReview    momentKind = "review"
	momentQuestion  momentKind = "question" // to a person
	momentAnswer    momentKind = "answer"
	momentEnd       momentKind = "end" // of a call
	momentVerified  momentKind = "verified"
	momentSummary   momentKind = "summary"
)

// moment is one thing that a spectator of the demo sees. What comes from a log
// has the session and the seq.
type moment struct {
	Moment  momentKind       `json:"moment"`
	Session events.SessionID `json:"session,omitempty"`
	Seq     *events.Seq      `json:"seq,omitempty"`
	Child   bool             `json:"child,omitempty"` // the session is one
	Call    string           `json:"call,omitempty"`
	Inner   bool             `json:"inner,omitempty"` // a program makes the call

	Title string `json:"title,omitempty"`
	Text  string `json:"text,omitempty"`

	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Outcome   string          `json:"outcome,omitempty"` // of a review or a question
	Reviewer  string          `json:"reviewer,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	Question  string          `json:"question,omitempty"` // its id
	Hash      string          `json:"hash,omitempty"`     // of what the question shows

	Ends  callEnd      `json:"ends,omitempty"`
	Error bool         `json:"error,omitempty"` // the body says that it failed
	Files *fileChanges `json:"files,omitempty"`

	Begin   *demoBegin   `json:"begin,omitempty"`
	Summary *demoSummary `json:"summary,omitempty"`
}

// story folds a session's log to the moments that it tells of.
type story struct {
	session events.SessionID
	child   bool
	courses callCourses
}

// moment is what an event tells, if it tells something.
func (s *story) moment(e events.Envelope) (moment, bool) {
	m, tells := momentOfWords(e.Event)
	if m.Moment == momentPerson && s.child {
		m.Moment = momentParent
	}
	if c := s.courses.apply(e); c != nil {
		m, tells = momentOfCall(e.Event, c)
	}
	m.Session, m.Seq, m.Child = s.session, &e.Seq, s.child
	return m, tells
}

// momentOfWords is what somebody says.
func momentOfWords(e events.Event) (moment, bool) {
	switch ev := any(e).(type) {
	case events.UserMessage:
		return moment{Moment: momentPerson, Text: blocks(ev.Content)}, ev.Source.Kind == events.SourceUser
	case events.AssistantMessage:
		var texts []string
		for _, b := range ev.Message.Content {
			if b.Type == "text" {
				texts = append(texts, b.Text)
			}
		}
		return moment{Moment: momentAgent, Text: strings.Join(texts, " ")}, len(texts) > 0
	case events.PermissionPreset:
		return moment{Moment: momentPreset, Outcome: ev.Preset}, true
	case events.ApprovalPolicy:
		return moment{Moment: momentPolicy, Outcome: ev.Policy}, true
	default:
		return moment{}, false
	}
}

// momentOfCall is what becomes of a call.
func momentOfCall(e events.Event, c *callCourse) (moment, bool) {
	m := moment{Call: c.id, Tool: c.tool, Inner: c.inner}
	switch ev := any(e).(type) {
	case events.ToolCall, events.PTCDispatchStart:
		m.Moment = momentCall
		if text := jsontext.Value(c.arguments); text.IsValid() {
			m.Arguments = json.RawMessage(text)
		} else {
			m.Text = c.arguments
		}
	case events.ReviewRequested:
		m.Moment, m.Reviewer = momentRequested, ev.Reviewer
	case events.ReviewVerdict:
		m.Moment, m.Outcome, m.Reviewer = momentReview, ev.Outcome, ev.Reviewer
		switch {
		case ev.Failure != nil:
			m.Reason = ev.Failure.Class + ": " + ev.Failure.Detail
		case ev.Outcome == events.VerdictDeny:
			m.Reason = auto.Display(ev.Reason, auto.English)
		}
	case events.ApprovalAsked:
		m.Moment, m.Question, m.Text = momentQuestion, ev.ID, ev.Reason
		if ev.Shown != nil {
			m.Hash = ev.Shown.Hash
		}
	case events.ApprovalDecided:
		m.Moment, m.Question, m.Outcome, m.Text = momentAnswer, ev.ID, ev.Outcome, ev.Feedback
	case events.ToolResult:
		m.Moment, m.Text, m.Ends, m.Error = momentEnd, blocks(ev.Message.Content), c.end(), c.isError
	case events.PTCDispatch:
		m.Moment, m.Text, m.Ends, m.Error = momentEnd, blocks(ev.Content), c.end(), c.isError
	default:
		return moment{}, false
	}
	return m, true
}
