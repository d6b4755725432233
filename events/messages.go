package events

import "github.com/go-json-experiment/json/jsontext"

// UserMessage is a message with the user's role. Only source kind user is a
// person's; all other kinds are synthetic (reference 1.4).
type UserMessage struct {
	ID      string  `json:"id"`
	Role    string  `json:"role"`
	Source  Source  `json:"source"`
	Content []Block `json:"content"`
	Unknown Unknown `json:",embed"`
}

// Message is the body of a system, developer, assistant or tool message.
type Message struct {
	ID      string  `json:"id,omitzero"`
	Role    string  `json:"role,omitzero"`
	Source  *Source `json:"source,omitzero"`
	Content []Block `json:"content"`
	// IsError is set on tool results that failed.
	IsError bool    `json:"isError,omitzero"`
	Unknown Unknown `json:",embed"`
}

// SystemMessage carries the system prompt. The first one is surface node 0.
type SystemMessage struct {
	Turn    int     `json:"turn"`
	Step    int     `json:"step"`
	Message Message `json:"message"`
	Unknown Unknown `json:",embed"`
}

// DeveloperMessage tells the model of tools that came or went between requests.
type DeveloperMessage struct {
	Turn    int     `json:"turn"`
	Step    int     `json:"step"`
	Message Message `json:"message"`
	// HeaderSeq is the request/header that defines the added tools, exactly when
	// the message adds some.
	HeaderSeq *Seq    `json:"headerSeq,omitzero"`
	Unknown   Unknown `json:",embed"`
}

// AssistantMessage is what the model said in a step. It is appended once the
// step's stream is complete and before any of its tool calls starts.
type AssistantMessage struct {
	Turn    int            `json:"turn"`
	Step    int            `json:"step"`
	Message Message        `json:"message"`
	Stream  jsontext.Value `json:"stream"` // an array
	Usage   jsontext.Value `json:"usage,omitzero"`
	// Interrupted marks the prefix of a stream that was cut off; tool calls that
	// were not dispatched are not in it.
	Interrupted bool    `json:"interrupted,omitzero"`
	Unknown     Unknown `json:",embed"`
}

// AssistantAttempt is a model request that failed or was cancelled.
type AssistantAttempt struct {
	Turn    int            `json:"turn"`
	Step    int            `json:"step"`
	Stream  jsontext.Value `json:"stream"`
	Unknown Unknown        `json:",embed"`
}

// AssistantChunk is one piece of a model's stream in format 0.
type AssistantChunk struct {
	Turn    int            `json:"turn"`
	Step    int            `json:"step"`
	Chunk   jsontext.Value `json:"chunk"`
	Unknown Unknown        `json:",embed"`
}

// AgentMessage is a message that another session sent (reference 8, item 1).
// ID and Role make it exportable as the user message that the reference has.
type AgentMessage struct {
	ID              string    `json:"id"`
	Role            string    `json:"role"`
	SenderSessionID SessionID `json:"senderSessionId"`
	Form            string    `json:"form"`
	Content         []Block   `json:"content"`
	// Parent is the engine's proof that the sender is this session's parent
	// (reference 8, item 2). Without it the message is a fact.
	Parent  *ParentProof `json:"parent,omitzero"`
	Unknown Unknown      `json:",embed"`
}

// ParentProof names the creation fact that the engine found in the parent's log.
type ParentProof struct {
	Seq        Seq     `json:"seq"`
	RecordHash string  `json:"recordHash"` // SHA-256 of the stored line, hex
	Unknown    Unknown `json:",embed"`
}

// ReviewNotice is what a reviewer tells the agent: why a call was refused, or to
// try again or ask after a timeout.
type ReviewNotice struct {
	ID       string  `json:"id"`
	Role     string  `json:"role"`
	Reviewer string  `json:"reviewer"`
	Content  []Block `json:"content"`
	Unknown  Unknown `json:",embed"`
}

// Type is "user/message".
func (UserMessage) Type() Type { return TypeUserMessage }

// Type is "system/message".
func (SystemMessage) Type() Type { return TypeSystemMessage }

// Type is "developer/message".
func (DeveloperMessage) Type() Type { return TypeDeveloperMessage }

// Type is "assistant/message".
func (AssistantMessage) Type() Type { return TypeAssistantMessage }

// Type is "assistant/attempt".
func (AssistantAttempt) Type() Type { return TypeAssistantAttempt }

// Type is "assistant/chunk".
func (AssistantChunk) Type() Type { return TypeAssistantChunk }

// Type is "agent-message".
func (AgentMessage) Type() Type { return TypeAgentMessage }

// Type is "review/notice".
func (ReviewNotice) Type() Type { return TypeReviewNotice }

func (e UserMessage) check() error {
	return firstError(nonEmpty("id", e.ID), oneOf("role", e.Role, "user"), nonEmpty("source.kind", e.Source.Kind), array("content", e.Content))
}

func (e SystemMessage) check() error {
	return firstError(checkStep(e.Turn, e.Step), array("message.content", e.Message.Content))
}

func (e DeveloperMessage) check() error {
	if e.HeaderSeq != nil {
		if err := safeSeq("headerSeq", *e.HeaderSeq); err != nil {
			return err
		}
	}
	return firstError(checkStep(e.Turn, e.Step), array("message.content", e.Message.Content))
}

func (e AssistantMessage) check() error {
	return firstError(checkStep(e.Turn, e.Step), literal("stream", e.Stream, '['),
		oneOf("message.role", e.Message.Role, "assistant"), array("message.content", e.Message.Content))
}

func (e AssistantAttempt) check() error {
	return firstError(checkStep(e.Turn, e.Step), literal("stream", e.Stream, '['))
}

func (e AssistantChunk) check() error {
	return firstError(checkStep(e.Turn, e.Step), literal("chunk", e.Chunk, '{'))
}

func (e AgentMessage) check() error {
	if err := memberID("senderSessionId", e.SenderSessionID); err != nil {
		return err
	}
	if e.Parent != nil {
		if err := firstError(safeSeq("parent.seq", e.Parent.Seq), nonEmpty("parent.recordHash", e.Parent.RecordHash)); err != nil {
			return err
		}
	}
	return firstError(nonEmpty("id", e.ID), oneOf("role", e.Role, "user"), nonEmpty("form", e.Form), array("content", e.Content))
}

func (e ReviewNotice) check() error {
	return firstError(nonEmpty("id", e.ID), oneOf("role", e.Role, "user"), nonEmpty("reviewer", e.Reviewer), array("content", e.Content))
}

// additions lists the tools that a developer message adds.
func (e DeveloperMessage) additions() []string {
	var names []string
	for _, b := range e.Message.Content {
		if b.Type == "tool-addition" {
			names = append(names, b.Name)
		}
	}
	return names
}
