package events

import "github.com/go-json-experiment/json/jsontext"

// RequestHeader is a full snapshot of what model requests are made with; the
// latest one wins.
type RequestHeader struct {
	Header       RequestConfiguration `json:"header"`
	Reason       string               `json:"reason"` // initial, resume, change, series
	StartsSeries bool                 `json:"startsSeries,omitzero"`
	Unknown      Unknown              `json:",embed"`
}

// RequestConfiguration is the route, its parameters and the tools.
type RequestConfiguration struct {
	Config          RequestConfig  `json:"config"`
	AdapterDefaults jsontext.Value `json:"adapterDefaults,omitzero"`
	// Tools is absent where there are none.
	Tools []ToolDefinition `json:"tools,omitzero"`
	// System is forbidden in format 4.
	System  jsontext.Value `json:"system,omitzero"`
	Unknown Unknown        `json:",embed"`
}

// RequestConfig is the model's route and parameters.
type RequestConfig struct {
	Provider        string         `json:"provider"`
	Model           string         `json:"model"`
	ReasoningEffort string         `json:"reasoningEffort,omitzero"`
	Temperature     *float64       `json:"temperature,omitzero"`
	MaxTokens       *int64         `json:"maxTokens,omitzero"`
	Stop            jsontext.Value `json:"stop,omitzero"`
	Unknown         Unknown        `json:",embed"`
}

// ToolDefinition is what the model is told of a tool. Description and
// parameters are kept as they came: a review refuses what is not complete.
type ToolDefinition struct {
	Name        string         `json:"name"`
	Description jsontext.Value `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parameters,omitzero"`
	Unknown     Unknown        `json:",embed"`
}

// RequestContext notes the route's context window.
type RequestContext struct {
	Provider           string         `json:"provider"`
	Model              string         `json:"model"`
	ContextWindow      *int64         `json:"contextWindow,omitzero"`
	SystemPromptUpdate jsontext.Value `json:"systemPromptUpdate,omitzero"`
	Unknown            Unknown        `json:",embed"`
}

// Type is "request/header".
func (RequestHeader) Type() Type { return TypeRequestHeader }

// Type is "request/context".
func (RequestContext) Type() Type { return TypeRequestContext }

// An empty provider or model is legal here: the reviewer has a failure for it.
func (e RequestHeader) check() error {
	if e.Header.Tools != nil && len(e.Header.Tools) == 0 {
		return fieldf("header.tools", "must not be empty: leave it out")
	}
	if string(e.Header.AdapterDefaults) == "{}" {
		return fieldf("header.adapterDefaults", "must not be empty: leave it out")
	}
	if e.Header.System != nil { // format 0 is lifted, without it
		return fieldf("header.system", "must not be there: the system prompt is a system/message")
	}
	return oneOf("reason", e.Reason, "initial", "resume", "change", "series")
}

func (e RequestContext) check() error {
	return firstError(nonEmpty("provider", e.Provider), nonEmpty("model", e.Model))
}
