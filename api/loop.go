package api

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// TurnStart opens the session's next turn.
type TurnStart struct{ Command }

// TurnEnd closes the open turn, whose steps have ended.
type TurnEnd struct {
	Command
	Reason EndReason `json:"reason"`
}

// EndReason says why a turn ended.
type EndReason struct {
	Kind string `json:"kind" jsonschema:"completed, aborted, blocked, error or max-tokens"`
	// By is there exactly when kind is aborted. That a person or the parent aborted is
	// written by session.stop, and never by an agent.
	By string `json:"by,omitzero" jsonschema:"who aborted: hook or disposed; exactly when kind is aborted"`
	// Text is the hook's, exactly when by is hook.
	Text    string   `json:"text,omitzero" jsonschema:"what the hook said; exactly when by is hook"`
	Failure *Failure `json:"failure,omitzero" jsonschema:"exactly when kind is error"`
}

// Failure is a model request that failed for good.
type Failure struct {
	Message   string `json:"message" jsonschema:"what went wrong"`
	Code      string `json:"code" jsonschema:"the provider's or the loop's code"`
	Status    int    `json:"status,omitzero" jsonschema:"HTTP status"`
	RequestID string `json:"requestId,omitzero" jsonschema:"the provider's name for the request"`
}

func (r TurnEnd) check() *Error {
	if err := firstOf(r.Command.check(), nonEmpty("reason.kind", r.Reason.Kind)); err != nil {
		return err
	}
	if r.Reason.By == "user" || r.Reason.By == "parent" {
		return &Error{Code: CodeUnauthorized, Field: "reason.by", Message: "an agent does not say what a person or its parent did"}
	}
	return nil
}

// StepStart opens the next step of the open turn, and claims what waits in the
// session's inbox.
type StepStart struct {
	Command
	// System is the step's system prompt, empty for none. It stands before the
	// messages that the step claims.
	System   []events.Block `json:"system,omitzero" jsonschema:"the step's system prompt"`
	SystemID string         `json:"systemId,omitzero" jsonschema:"id of the system message"`
}

// StepEnd closes the open step, all calls of which have their results.
type StepEnd struct{ Command }

// RequestSet says what model requests are made with from here on.
type RequestSet struct {
	Command
	Provider        string         `json:"provider" jsonschema:"of the route that the model is asked by"`
	Model           string         `json:"model" jsonschema:"of the route that the model is asked by"`
	Reason          string         `json:"reason" jsonschema:"initial, resume, change or series"`
	ReasoningEffort string         `json:"reasoningEffort,omitzero" jsonschema:"as the provider names it"`
	Temperature     *float64       `json:"temperature,omitzero" jsonschema:"of the model"`
	MaxTokens       *int64         `json:"maxTokens,omitzero" jsonschema:"of an answer, in tokens"`
	Stop            jsontext.Value `json:"stop,omitzero" jsonschema:"where an answer stops, as the provider takes it"`
	AdapterDefaults jsontext.Value `json:"adapterDefaults,omitzero" jsonschema:"an object of the agent's adapter"`
	Tools           []Tool         `json:"tools,omitzero" jsonschema:"what the model is told of its tools"`
	ContextWindow   *int64         `json:"contextWindow,omitzero" jsonschema:"of the route, in tokens"`
}

// Tool is what the model is told of a tool.
type Tool struct {
	Name        string         `json:"name" jsonschema:"as the model calls it"`
	Description jsontext.Value `json:"description,omitzero" jsonschema:"a string; a review refuses a tool without one"`
	Parameters  jsontext.Value `json:"parameters,omitzero" jsonschema:"JSON Schema of the arguments; a review refuses a tool without one"`
}

// AssistantMessage is what the model said in the open step: once a step, before any
// of its calls starts.
type AssistantMessage struct {
	Command
	MessageID   string         `json:"messageId,omitzero" jsonschema:"id of the message"`
	Provider    string         `json:"provider" jsonschema:"of the route that was asked"`
	Model       string         `json:"model" jsonschema:"of the route that was asked"`
	Content     []events.Block `json:"content" jsonschema:"what the model said, in blocks"`
	Stream      jsontext.Value `json:"stream,omitzero" jsonschema:"the chunks as they came, an array"`
	Usage       jsontext.Value `json:"usage,omitzero" jsonschema:"tokens, as the provider counts them, an object"`
	Interrupted bool           `json:"interrupted,omitzero" jsonschema:"the message was cut short, and asks for no call"`
}

// ContextMessage is a synthetic message with the user's role, such as project
// instructions. Its source is never a person's.
type ContextMessage struct {
	Command
	MessageID string         `json:"messageId" jsonschema:"id of the message"`
	Source    jsontext.Value `json:"source" jsonschema:"an object whose kind is not user, tool, model, agent-message, review-notice or compact-checkpoint"`
	Content   []events.Block `json:"content" jsonschema:"what the model is shown, in blocks"`
}

// AttemptFailed is a model request of the open step that failed or was cancelled.
type AttemptFailed struct {
	Command
	Stream jsontext.Value `json:"stream,omitzero" jsonschema:"the chunks as they came, an array"`
}

// Compact puts a checkpoint in the place of the front of what the model sees. Which
// events it replaces is the engine's to plan, and it keeps what people and the parent
// said in them, word for word: the agent gives a summary at most, which stands behind
// the engine's own extract.
type Compact struct {
	Command
	// Summary is the model's summary. It stands behind the extract that the engine makes.
	Summary    string `json:"summary,omitzero" jsonschema:"what the range said, in fewer words; it stands behind the extract that the engine makes"`
	Provider   string `json:"provider,omitzero" jsonschema:"of the route that made the summary; with summary alone"`
	Model      string `json:"model,omitzero" jsonschema:"of the route that made the summary; with summary alone"`
	KeepEvents int    `json:"keepEvents,omitzero" jsonschema:"how many of the newest visible events stay; default 1"`
	KeepTokens int64  `json:"keepTokens,omitzero" jsonschema:"how many tokens of the newest visible events stay, by estimate"`
}

func (r Compact) check() *Error {
	if err := r.Command.check(); err != nil {
		return err
	}
	switch {
	case r.KeepEvents < 0:
		return invalid("keepEvents", "must not be negative")
	case r.KeepTokens < 0:
		return invalid("keepTokens", "must not be negative")
	case (r.Summary == "") != (r.Provider == "" || r.Model == ""):
		return invalid("summary", "must be there exactly when provider and model are")
	}
	return nil
}

// Compacted is the reply to Compact.
type Compacted struct {
	Session  events.SessionID `json:"session" jsonschema:"the session"`
	Replaced int              `json:"replaced" jsonschema:"how many visible events the checkpoint stands for"`
	Tokens   int64            `json:"tokens" jsonschema:"what they took, in tokens, by estimate"`
	Failure  string           `json:"failure,omitzero" jsonschema:"why nothing was replaced, as it is on the log"`
	Already  bool             `json:"already,omitzero" jsonschema:"the compaction had ended before; replaced is not told again"`
}

// Restart takes up a session whose agent's loop ended, in whatever way: what it
// left open is repaired.
type Restart struct{ Command }
