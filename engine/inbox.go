package engine

import (
	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// letterSource is the source of a message from another session while it waits in
// the inbox. The surface has it as an agent-message.
type letterSource struct {
	Kind            string              `json:"kind"`
	SenderSessionID events.SessionID    `json:"senderSessionId"`
	Form            string              `json:"form"`
	Parent          *events.ParentProof `json:"parent,omitzero"`
}

// waitingLetter is an agent-message as it waits.
func waitingLetter(m events.AgentMessage) (events.UserMessage, error) {
	raw, err := json.Marshal(letterSource{events.SourceAgentMessage, m.SenderSessionID, m.Form, m.Parent})
	if err != nil {
		return events.UserMessage{}, invalid("message", "%v", err)
	}
	source := events.Source{Kind: events.SourceAgentMessage, SenderSessionID: m.SenderSessionID, Form: m.Form, Raw: raw}
	return events.UserMessage{ID: m.ID, Role: m.Role, Source: source, Content: m.Content}, nil
}

// claimed is a message that leaves the inbox for the surface. The proof of a
// parent's message counts if the engine put it there: what was imported claims it.
func claimed(w projections.Waiting, imported events.Seq) events.Event {
	m := w.Message
	if m.Source.Kind != events.SourceAgentMessage {
		return m
	}
	var source letterSource
	if err := json.Unmarshal(m.Source.Raw, &source); err != nil || w.Seq < imported {
		source.Parent = nil
	}
	return events.AgentMessage{
		ID: m.ID, Role: m.Role, SenderSessionID: m.Source.SenderSessionID, Form: m.Source.Form, Content: m.Content, Parent: source.Parent,
	}
}
