package main

import (
	"strings"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// calledView is what became of a call.
type calledView struct {
	Session events.SessionID `json:"session"`
	CallID  string           `json:"callId"`
	Tool    string           `json:"tool"`
	// Outcome is ok or error for a body that ran, and else why it did not: denied,
	// failed, cancelled or unavailable.
	Outcome string `json:"outcome"`
	// Text is the tool's result, or what the agent reads of the refusal.
	Text  string            `json:"text"`
	Error *events.ToolError `json:"error,omitempty"`

	ran bool
}

// The outcomes of a body that ran.
const (
	calledOK    = "ok"
	calledError = "error"
)

// codeInvalidArguments is the gate's refusal of arguments that could be read in two
// ways.
const codeInvalidArguments = "INVALID_ARGUMENTS"

func newCalledView(c *oneCall, id string, ran engine.Ran) calledView {
	v := calledView{Session: c.session, CallID: id, Tool: c.tool}
	if r := ran.Refused; r != nil {
		v.Outcome, v.Text, v.Error = string(r.Kind), r.Text, r.Error
		return v
	}
	v.ran, v.Outcome, v.Error = true, calledOK, ran.Result.Error
	if ran.Result.IsError {
		v.Outcome = calledError
	}
	var texts []string
	for _, b := range ran.Result.Content {
		texts = append(texts, b.Text)
	}
	v.Text = strings.Join(texts, "\n")
	return v
}

// shown is the text for people, safe for a terminal.
func (v calledView) shown(terminal bool) string {
	text := strings.TrimRight(v.Text, "\n")
	if terminal {
		return printable(text)
	}
	return text
}

// exitCode keeps the ends of a call apart (design section 10).
func (v calledView) exitCode() int {
	switch engine.RefusalKind(v.Outcome) {
	case calledOK:
		return exitOK
	case engine.Denied:
		return exitDenied
	case engine.Cancelled:
		return exitCancelled
	case engine.Unasked:
		return exitHuman
	case engine.Failed:
		if v.Error != nil && v.Error.Code == codeInvalidArguments {
			return exitFailed
		}
		return exitReview
	default: // the tool's own error
		return v.failed()
	}
}

// failed is the exit code of a body that failed. One that was interrupted was
// cancelled.
func (v calledView) failed() int {
	if v.Error != nil && v.Error.Code == engine.CodeAborted {
		return exitCancelled
	}
	return exitFailed
}

// callEnded is a call that was made and did not succeed: it has been told.
type callEnded struct {
	code int
	text string
}

func (e callEnded) Error() string { return e.text }
