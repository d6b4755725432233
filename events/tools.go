package events

import (
	"github.com/go-json-experiment/json/jsontext"
)

// ToolCall says that a call starts: it is written immediately before the call
// is judged, so that the calls of one message form a started prefix.
type ToolCall struct {
	Turn   int    `json:"turn"`
	Step   int    `json:"step"`
	CallID string `json:"callId"`
	Name   string `json:"name"`
	// Arguments is the raw text that the model produced, not parsed.
	Arguments *string `json:"arguments"`
	Unknown   Unknown `json:",embed"`
}

// ToolResult is what a call came to.
type ToolResult struct {
	Turn    int            `json:"turn"`
	Step    int            `json:"step"`
	Message Message        `json:"message"`
	Error   *ToolError     `json:"error,omitzero"`
	Meta    jsontext.Value `json:"meta,omitzero"`
	Unknown Unknown        `json:",embed"`
}

// ToolError is the structured part of a failed call.
type ToolError struct {
	Name string `json:"name"`
	Code string `json:"code"`
	// Reason is the JSON string literal that a reviewer wrote, which may hold what
	// no Go string can (a lone surrogate). It never enters model content.
	Reason  jsontext.Value `json:"reason,omitzero"`
	Unknown Unknown        `json:",embed"`
}

// The codes that crash repair and forks write for calls without a result.
const (
	CodeNotStarted     = "TOOL_NOT_STARTED"
	CodeOutcomeUnknown = "TOOL_OUTCOME_UNKNOWN"
)

// The codes by which a call's result tells of a body that did not run, or that was
// cancelled.
const (
	CodePermitReturned = "PERMIT_RETURNED_UNUSED"
	CodeBeforeDispatch = "ABORTED_BEFORE_DISPATCH"
	CodeAborted        = "ABORTED"
)

// PTCDispatchStart says that a program's inner call starts. It carries no turn
// and step: it belongs to the step that is open at its place in the log.
type PTCDispatchStart struct {
	RootCallID   string         `json:"rootCallId"`
	ParentCallID string         `json:"parentCallId"`
	SubCallID    string         `json:"subCallId"` // <parent>:ptc:<n>
	Name         string         `json:"name"`
	Arguments    jsontext.Value `json:"arguments"`
	Unknown      Unknown        `json:",embed"`
}

// PTCDispatch settles an inner call, exactly once for each start.
type PTCDispatch struct {
	RootCallID   string         `json:"rootCallId"`
	ParentCallID string         `json:"parentCallId"`
	SubCallID    string         `json:"subCallId"`
	Name         string         `json:"name"`
	Arguments    jsontext.Value `json:"arguments"`
	IsError      *bool          `json:"isError"`
	Content      []Block        `json:"content"`
	Error        *ToolError     `json:"error,omitzero"`
	Unknown      Unknown        `json:",embed"`
}

// ToolDispatched says that a call's body may start: at most once a call, ever.
type ToolDispatched struct {
	CallID string `json:"callId"`
	// Exactly one of the four names what allows the call. PresetSeq is the last event
	// that says what the session's preset is: under it the call is not reviewed.
	VerdictSeq  *Seq `json:"verdictSeq,omitzero"`
	DecisionSeq *Seq `json:"decisionSeq,omitzero"`
	GrantSeq    *Seq `json:"grantSeq,omitzero"`
	PresetSeq   *Seq `json:"presetSeq,omitzero"`

	ArgumentHash string `json:"argumentHash"` // SHA-256, hex
	Mode         string `json:"mode"`         // sandbox mode of the body
	Nonce        string `json:"nonce"`        // the executor's
	ExpiresAt    int64  `json:"expiresAt"`    // Unix ms
	// Files are what the body would execute, as far as the engine looked at it.
	Files   []ExecutedFile `json:"files,omitzero"`
	Unknown Unknown        `json:",embed"`
}

// Type is "tool/call".
func (ToolCall) Type() Type { return TypeToolCall }

// Type is "tool/result".
func (ToolResult) Type() Type { return TypeToolResult }

// Type is "tool/ptc-dispatch-start".
func (PTCDispatchStart) Type() Type { return TypePTCDispatchStart }

// Type is "tool/ptc-dispatch".
func (PTCDispatch) Type() Type { return TypePTCDispatch }

// Type is "tool/dispatched".
func (ToolDispatched) Type() Type { return TypeToolDispatched }

// CallID is the call that the result answers.
func (e ToolResult) CallID() string {
	if e.Message.Source == nil {
		return ""
	}
	return e.Message.Source.CallID
}

// NotStarted reports whether the result is a repair record for a call that was
// never logged.
func (e ToolResult) NotStarted() bool { return e.Error != nil && e.Error.Code == CodeNotStarted }

func (e ToolCall) check() error {
	return firstError(checkStep(e.Turn, e.Step), nonEmpty("callId", e.CallID), nonEmpty("name", e.Name), present("arguments", e.Arguments))
}

func (e ToolResult) check() error {
	if err := checkStep(e.Turn, e.Step); err != nil {
		return err
	}
	if e.Message.Source == nil {
		return fieldf("message.source", "is missing")
	}
	if e.Error != nil && !e.Message.IsError {
		return fieldf("error", "must only be there when message.isError is true")
	}
	return firstError(oneOf("message.source.kind", e.Message.Source.Kind, SourceTool), nonEmpty("message.source.callId", e.CallID()),
		array("message.content", e.Message.Content), e.Error.check())
}

func (e *ToolError) check() error {
	if e == nil {
		return nil
	}
	if e.Reason != nil {
		if err := literal("error.reason", e.Reason, '"'); err != nil {
			return err
		}
	}
	return firstError(nonEmpty("error.name", e.Name), nonEmpty("error.code", e.Code))
}

func (e *ToolError) withoutReason() (plain *ToolError, had bool) {
	if e == nil || e.Reason == nil {
		return e, false
	}
	c := *e
	c.Reason = nil
	return &c, true
}

func (e PTCDispatchStart) check() error {
	return checkInner(e.RootCallID, e.ParentCallID, e.SubCallID, e.Name, e.Arguments)
}

func (e PTCDispatch) check() error {
	if err := checkInner(e.RootCallID, e.ParentCallID, e.SubCallID, e.Name, e.Arguments); err != nil {
		return err
	}
	if e.Error != nil && !value(e.IsError) {
		return fieldf("error", "must only be there when isError is true")
	}
	return firstError(present("isError", e.IsError), array("content", e.Content), e.Error.check())
}

func checkInner(root, parent, sub, name string, arguments jsontext.Value) error {
	if len(arguments) == 0 {
		return fieldf("arguments", "is missing")
	}
	return firstError(nonEmpty("rootCallId", root), nonEmpty("parentCallId", parent), nonEmpty("subCallId", sub), nonEmpty("name", name))
}

func (e ToolDispatched) check() error {
	named := 0
	for _, s := range []*Seq{e.VerdictSeq, e.DecisionSeq, e.GrantSeq, e.PresetSeq} {
		if s != nil {
			named++
		}
	}
	if named != 1 {
		return fieldf("verdictSeq", "must be there, or decisionSeq, grantSeq or presetSeq: exactly one of them")
	}
	return firstError(safeSeq("verdictSeq", value(e.VerdictSeq)), safeSeq("decisionSeq", value(e.DecisionSeq)), safeSeq("grantSeq", value(e.GrantSeq)),
		safeSeq("presetSeq", value(e.PresetSeq)),
		nonEmpty("callId", e.CallID), nonEmpty("argumentHash", e.ArgumentHash), checkMode("mode", e.Mode), nonEmpty("nonce", e.Nonce),
		checkExecuted(e.Files))
}
