package engine

import (
	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
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
// parent's message counts if the engine put it into this very inbox: what was
// imported only claims it, and what a fork inherited was said to its parent.
func claimed(w projections.Waiting, s *projections.Session) events.Event {
	m := w.Message
	m.Content = withoutKept(m.Content) // an import may have it there
	switch m.Source.Kind {
	case events.SourceAgentMessage:
		return claimedLetter(m, w.Seq >= s.Imported && s.Own(w.Seq))
	case events.SourceReviewNotice: // of a foreign log: readers take it for what it says it is
		var source noticeSource
		if err := json.Unmarshal(m.Source.Raw, &source); err == nil && source.Reviewer != "" {
			return events.ReviewNotice{ID: m.ID, Role: m.Role, Reviewer: source.Reviewer, Content: m.Content, Unknown: m.Unknown}
		}
	}
	return m
}

func claimedLetter(m events.UserMessage, trusted bool) events.Event {
	var source letterSource
	if err := json.Unmarshal(m.Source.Raw, &source); err != nil || !trusted {
		source.Parent = nil
	}
	form := m.Source.Form
	if form == "" {
		form = lineage.FormRelay
	}
	return events.AgentMessage{
		ID: m.ID, Role: m.Role, SenderSessionID: m.Source.SenderSessionID, Form: form, Content: m.Content, Parent: source.Parent,
	}
}

const (
	// waitingLimit is how many bytes a message may take that waits in an inbox.
	waitingLimit = 512 << 10
	// claimLimit is how many bytes of messages a step claims: with the rest of its
	// frame they must fit into what a log stores at once.
	claimLimit = 640 << 10
)

// checkWaiting refuses a message that no step could claim.
func checkWaiting(m events.UserMessage) error {
	if n := messageSize(m); n > waitingLimit {
		return events.Refuse(CodeTooLarge, "content", "the message takes %d bytes, and %d are allowed", n, waitingLimit)
	}
	return nil
}

// eventsSize is what messages of the engine's own take that stand before the claimed
// ones.
func eventsSize(evs []events.Event) (total int) {
	for _, ev := range evs {
		if m, ok := ev.(events.UserMessage); ok {
			total += messageSize(m)
		}
	}
	return total
}

// messageSize is 0 for what is no message: it never waits, since no log takes it.
func messageSize(m events.UserMessage) int {
	text, err := json.Marshal(m)
	if err != nil {
		return 0
	}
	return len(text)
}

// claims are the messages that the next step takes from the inbox: a turn's prompt
// before all others, since it would wait for another turn, and one message at
// least, so that none keeps the others waiting for ever. They fit into room, which is
// what the rest of the step's frame leaves of [claimLimit].
func claims(s *projections.Session, firstOfTurn bool, room int) (steered, prompt []projections.Waiting) {
	if waiting := s.Inbox.Waiting(events.InboxNextTurn); firstOfTurn && len(waiting) > 0 {
		prompt = waiting[:1]
		room -= messageSize(prompt[0].Message)
	}
	for _, w := range s.Inbox.Waiting(events.InboxNextStep) {
		if room -= messageSize(w.Message); room < 0 && len(steered)+len(prompt) > 0 {
			break
		}
		steered = append(steered, w)
	}
	return steered, prompt
}

// claim takes the first messages out of a queue.
func claim(target string, n int) []events.Event {
	if n == 0 {
		return nil
	}
	return []events.Event{events.InboxSpliced{Target: target, RemovedCount: n, Inserted: []events.UserMessage{}}}
}
