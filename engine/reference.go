package engine

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
)

// forTheReference gives an event of a type of ours as the reference can read it
// (reference 8, item 1): messages as user messages, all else marked as what a
// reader may pass over. Decoding turns the messages back.
func forTheReference(e events.Envelope) (events.Envelope, error) {
	var message events.UserMessage
	var err error
	switch ev := any(e.Event).(type) { // the messages among the types of ours
	case events.AgentMessage:
		message, err = agentMessage(ev)
	case events.ReviewNotice:
		message, err = reviewNotice(ev)
	default:
		e.Ignorable = true
		return e, nil
	}
	if err != nil {
		return e, err
	}
	written, err := events.NewEnvelope(e.Seq, e.Time, message)
	written.Ignorable, written.Surface, written.Sources = e.Ignorable, e.Surface, e.Sources
	return written, err
}

func agentMessage(ev events.AgentMessage) (events.UserMessage, error) {
	unknown, err := withMember(ev.Unknown, "parent", ev.Parent)
	return events.UserMessage{
		ID: ev.ID, Role: ev.Role, Content: ev.Content, Unknown: unknown,
		Source: events.Source{Kind: events.SourceAgentMessage, Form: ev.Form, SenderSessionID: ev.SenderSessionID},
	}, err
}

func reviewNotice(ev events.ReviewNotice) (events.UserMessage, error) {
	source, err := json.Marshal(noticeSource{events.SourceReviewNotice, ev.Reviewer})
	return events.UserMessage{
		ID: ev.ID, Role: ev.Role, Content: ev.Content, Unknown: ev.Unknown,
		Source: events.Source{Kind: events.SourceReviewNotice, Raw: source},
	}, err
}

type noticeSource struct {
	Kind     string `json:"kind"`
	Reviewer string `json:"reviewer"`
}

// withMember adds a member to those that only others know, unless it is nil.
func withMember[T any](unknown events.Unknown, name string, v *T) (events.Unknown, error) {
	if v == nil {
		return unknown, nil
	}
	member, err := json.Marshal(map[string]*T{name: v})
	if err != nil {
		return nil, err
	}
	others := bytes.TrimSpace(unknown)
	if len(others) <= len("{}") {
		return member, nil
	}
	return slices.Concat(others[:len(others)-1], []byte{','}, member[1:]), nil
}
