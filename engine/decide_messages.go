package engine

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// UserMessage is what a person says. It waits in the inbox and enters the surface
// with the next step (design section 6, stage 6).
type UserMessage struct {
	MessageID string
	Content   []events.Block
	// Queue is for a turn of its own; otherwise the message steers an open turn, and
	// without one it is the next turn's as well.
	Queue bool
	// RPCID and TimeZone come with the transport, and may be empty.
	RPCID    string
	TimeZone string
	// Via says what relayed the message, "" where it came from the person directly.
	Via string
}

func (c UserMessage) decide(s *projections.Session) ([]events.Draft, error) {
	if c.MessageID == "" {
		return nil, invalid("messageId", "is missing")
	}
	if len(c.Content) == 0 {
		return nil, invalid("content", "must not be empty")
	}
	target := events.InboxNextTurn
	if _, open := s.OpenTurn(); open && !c.Queue {
		target = events.InboxNextStep
	}
	waiting := s.Inbox.Waiting(target)
	if s.Inbox.Has(c.MessageID) {
		return nil, events.Refuse(CodeDuplicate, "messageId", "a message of that id was sent already")
	}
	if err := lineage.AdmitUser(s.Kin()); err != nil {
		return nil, err
	}
	source, err := userSource(c)
	if err != nil {
		return nil, err
	}
	m := events.UserMessage{ID: c.MessageID, Role: "user", Source: source, Content: c.Content}
	if err := checkWaiting(m); err != nil {
		return nil, err
	}
	return events.Drafts(events.InboxSpliced{Target: target, Start: len(waiting), Inserted: []events.UserMessage{m}}), nil
}

// userSource is the source of a person's message. It is set here, from the
// channel that a command came in on, and never by a payload (reference 8, item 4).
func userSource(c UserMessage) (events.Source, error) {
	raw, err := json.Marshal(struct {
		Kind     string `json:"kind"`
		RPCID    string `json:"rpcId,omitzero"`
		TimeZone string `json:"clientTimeZone,omitzero"`
		Via      string `json:"via,omitzero"`
	}{events.SourceUser, c.RPCID, c.TimeZone, c.Via})
	if err != nil {
		return events.Source{}, invalid("source", "%v", err)
	}
	return events.Source{Kind: events.SourceUser, RPCID: c.RPCID, Raw: raw}, nil
}

// ContextMessage is a synthetic message with the user's role: project
// instructions, runtime context and the like. Its source is never a person's.
type ContextMessage struct {
	MessageID string
	Source    events.Source
	Content   []events.Block
}

// reservedSources are those that other commands write.
func reservedSources() []string {
	return []string{events.SourceUser, events.SourceTool, events.SourceModel, events.SourceCheckpoint, events.SourceAgentMessage, events.SourceReviewNotice}
}

func (c ContextMessage) decide(s *projections.Session) ([]events.Draft, error) {
	if _, _, err := needStep(s); err != nil {
		return nil, err
	}
	source, err := asWritten(c.Source)
	switch {
	case c.MessageID == "":
		return nil, invalid("messageId", "is missing")
	case err != nil:
		return nil, invalid("source.kind", "is missing")
	case slices.Contains(reservedSources(), source.Kind):
		return nil, invalid("source.kind", "%s is not for synthetic messages", source.Kind)
	case len(c.Content) == 0:
		return nil, invalid("content", "must not be empty")
	}
	return events.Drafts(events.UserMessage{ID: c.MessageID, Role: "user", Source: source, Content: c.Content}), nil
}

// asWritten is a value as a reader of the log finds it: where it has its JSON with
// it, that is what is written, whatever stands beside it.
func asWritten[T any](v T) (written T, err error) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &written)
	}
	return written, err
}

// SystemMessage is the system prompt of the open step's request. It comes before
// the step's other messages, and the first one before all messages of the log, so
// that it is node 0; a step that claims messages is given it by [StartStep].
type SystemMessage struct {
	MessageID string
	Content   []events.Block
}

func (c SystemMessage) decide(s *projections.Session) ([]events.Draft, error) {
	turn, step, err := needStep(s)
	if err != nil {
		return nil, err
	}
	if len(c.Content) == 0 {
		return nil, invalid("content", "must not be empty")
	}
	if len(s.Tail.Scope.Nodes) > 0 {
		return nil, events.Refuse(CodeOrder, "", "the step has messages already, and a system message comes before them")
	}
	if err := systemFirst(s); err != nil {
		return nil, err
	}
	return events.Drafts(systemMessage(turn, step, c.MessageID, c.Content)), nil
}

// systemFirst: behind other messages, a first system message would not be node 0,
// and a compaction would take it away with them.
func systemFirst(s *projections.Session) error {
	if nodes := s.Compaction.Nodes; len(nodes) > 0 && nodes[0].Type != events.TypeSystemMessage {
		return events.Refuse(CodeOrder, "", "the log has messages and no system message before them")
	}
	return nil
}

func systemMessage(turn, step int, id string, content []events.Block) events.SystemMessage {
	return events.SystemMessage{Turn: turn, Step: step, Message: events.Message{ID: id, Role: "system", Content: content}}
}

// AssistantMessage is what the model said in the open step: once a step, before
// any of its calls starts.
type AssistantMessage struct {
	MessageID       string
	Provider, Model string
	Content         []events.Block
	Stream          jsontext.Value // an array; empty for none
	Usage           jsontext.Value // an object; empty for none
	Interrupted     bool
}

func (c AssistantMessage) decide(s *projections.Session) ([]events.Draft, error) {
	turn, step, err := needStep(s)
	if err != nil {
		return nil, err
	}
	if s.Calls.Open.Said {
		return nil, events.Refuse(CodeDuplicate, "", "the step has its assistant message")
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	if len(c.Stream) == 0 {
		c.Stream = jsontext.Value("[]")
	}
	raw, err := json.Marshal(struct {
		Kind     string `json:"kind"`
		Provider string `json:"provider"`
		Model    string `json:"model"`
	}{events.SourceModel, c.Provider, c.Model})
	if err != nil {
		return nil, invalid("model", "%v", err)
	}
	m := events.Message{ID: c.MessageID, Role: "assistant", Source: &events.Source{Kind: events.SourceModel, Raw: raw}, Content: c.Content}
	return events.Drafts(events.AssistantMessage{
		Turn: turn, Step: step, Message: m, Stream: c.Stream, Usage: c.Usage, Interrupted: c.Interrupted,
	}), nil
}

// check: a call id is one call in its step, and an interrupted message asks for
// none, since nothing of it was dispatched (reference 1.4).
func (c AssistantMessage) check() error {
	for _, m := range []struct{ field, value string }{{"provider", c.Provider}, {"model", c.Model}} {
		if m.value == "" {
			return invalid(m.field, "is missing")
		}
	}
	content, err := asWritten(c.Content)
	if err != nil {
		return nil // no blocks at all: the log's own rules say what is wrong
	}
	seen := map[string]bool{}
	for _, b := range content {
		switch {
		case b.Type != "tool-call":
			continue
		case c.Interrupted:
			return invalid("content", "of an interrupted message must not ask for call %s", b.ID)
		case seen[b.ID]:
			return events.Refuse(CodeCallDuplicate, "content", "asks for call %s twice", b.ID)
		}
		seen[b.ID] = true
	}
	return nil
}

// FailedAttempt is a model request that failed or was cancelled.
type FailedAttempt struct {
	Stream jsontext.Value // an array; empty for none
}

func (c FailedAttempt) decide(s *projections.Session) ([]events.Draft, error) {
	turn, step, err := needStep(s)
	if err != nil {
		return nil, err
	}
	if len(c.Stream) == 0 {
		c.Stream = jsontext.Value("[]")
	}
	return events.Drafts(events.AssistantAttempt{Turn: turn, Step: step, Stream: c.Stream}), nil
}

// SetRequest says what model requests are made with from here on. Nothing is
// written if that is what the latest header says.
type SetRequest struct {
	Header        events.RequestConfiguration
	Reason        string // initial, resume, change, series
	ContextWindow *int64 // tokens, nil if it is not known
}

func (c SetRequest) decide(s *projections.Session) ([]events.Draft, error) {
	if _, err := needTurn(s); err != nil {
		return nil, err
	}
	if c.ContextWindow != nil && *c.ContextWindow < 1 {
		return nil, invalid("contextWindow", "must be a number of tokens from 1, is %d", *c.ContextWindow)
	}
	var evs []events.Event
	route := c.Header.Config
	if old := s.Request.Header; old == nil || !sameJSON(*old, c.Header) {
		evs = append(evs, events.RequestHeader{Header: c.Header, Reason: c.Reason})
	}
	if c.windowChanges(s) {
		evs = append(evs, events.RequestContext{Provider: route.Provider, Model: route.Model, ContextWindow: c.ContextWindow})
	}
	return events.Drafts(evs...), nil
}

// windowChanges: a window is a route's, so that another route without one has
// none.
func (c SetRequest) windowChanges(s *projections.Session) bool {
	known, route := s.Request.ContextWindow, c.Header.Config
	if c.ContextWindow != nil {
		return known == nil || *known != *c.ContextWindow
	}
	old := s.Request.Header
	moved := old != nil && (old.Config.Provider != route.Provider || old.Config.Model != route.Model)
	return known != nil && moved && route.Provider != "" && route.Model != ""
}

// sameJSON compares two values by what would be written.
func sameJSON(x, y any) bool {
	a, errA := json.Marshal(x, json.Deterministic(true))
	b, errB := json.Marshal(y, json.Deterministic(true))
	return errA == nil && errB == nil && string(a) == string(b)
}
