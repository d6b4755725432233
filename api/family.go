package api

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// Spawn makes a child of the session.
type Spawn struct {
	Command
	SpawnID string           `json:"spawnId" jsonschema:"makes the spawn repeatable: the same id is the same child"`
	Child   events.SessionID `json:"child" jsonschema:"the child's id, fresh"`
	Mode    string           `json:"mode" jsonschema:"one-shot or continuable"`
	// Provider says whether the child begins empty or with its parent's log.
	Provider    string         `json:"provider" jsonschema:"spawn or fork"`
	Label       string         `json:"label,omitzero" jsonschema:"a name for people; required for a continuable child"`
	Route       *Route         `json:"route,omitzero" jsonschema:"by which the child's model is asked; default the parent's"`
	Persona     jsontext.Value `json:"persona,omitzero" jsonschema:"an object of the agent's harness"`
	Tools       *ToolFilter    `json:"tools,omitzero" jsonschema:"which tools the child has"`
	AgentPreset string         `json:"agentPreset,omitzero" jsonschema:"the harness's name for the kind of agent; default the parent's"`
	Prompt      string         `json:"prompt" jsonschema:"what the child is told; the parent's instruction only if the call was dispatched and is one of a tool that starts agents, with just this prompt; else a fact, and under review no child (delegation-unproven)"`
	PromptID    string         `json:"promptId" jsonschema:"id of the message"`
	CallID      string         `json:"callId,omitzero" jsonschema:"the parent's call of the open step that spawns; one call is one child"`
	System      []events.Block `json:"system,omitzero" jsonschema:"the child's system prompt, if it is known already"`
	SystemID    string         `json:"systemId,omitzero" jsonschema:"id of the system message"`
	// Credential asks for a credential that is good for the child alone.
	Credential bool `json:"credential,omitzero" jsonschema:"give a credential that is good for the child alone"`
}

// Route is by which a model is asked.
type Route struct {
	Provider        string `json:"provider" jsonschema:"who serves the model"`
	Model           string `json:"model" jsonschema:"the model"`
	ReasoningEffort string `json:"reasoningEffort,omitzero" jsonschema:"as the provider names it"`
}

// ToolFilter says which tools a child has.
type ToolFilter struct {
	Allow []string `json:"allow,omitzero" jsonschema:"only these"`
	Deny  []string `json:"deny,omitzero" jsonschema:"all but these"`
}

func (r Spawn) check() *Error {
	return firstOf(r.Command.check(), nonEmpty("spawnId", r.SpawnID), nonEmpty("child", string(r.Child)), checkSession("child", r.Child),
		nonEmpty("mode", r.Mode), nonEmpty("provider", r.Provider), nonEmpty("promptId", r.PromptID))
}

// Spawned is the reply to Spawn.
type Spawned struct {
	Child      events.SessionID `json:"child" jsonschema:"the child's id"`
	Verified   bool             `json:"verified" jsonschema:"the prompt is the parent's instruction, and not a fact"`
	Already    bool             `json:"already,omitzero" jsonschema:"the whole of it was there"`
	Credential *Credential      `json:"credential,omitzero" jsonschema:"if it was asked for"`
}

// Credential is the leave to connect as one session's agent. It is a secret.
type Credential struct {
	Session events.SessionID `json:"session" jsonschema:"the session whose agent it is for"`
	// Creds is the text of a NATS credentials file.
	Creds     string `json:"creds" jsonschema:"the text of a NATS credentials file; a secret"`
	ExpiresAt int64  `json:"expiresAt" jsonschema:"Unix ms; 0 for never"`
}

// Send sends a message to the session's direct parent or child.
type Send struct {
	Command
	To        events.SessionID `json:"to" jsonschema:"the parent, or a child"`
	MessageID string           `json:"messageId" jsonschema:"id of the message, fresh"`
	Text      string           `json:"text" jsonschema:"what it says; to a child it is an instruction only if the call was dispatched and is one of a tool that tells agents something, with just this text; else a fact"`
	CallID    string           `json:"callId,omitzero" jsonschema:"the sender's call of the open step that sends it; one call is one message"`
}

func (r Send) check() *Error {
	return firstOf(r.Command.check(), nonEmpty("to", string(r.To)), checkSession("to", r.To), nonEmpty("messageId", r.MessageID), nonEmpty("text", r.Text))
}
