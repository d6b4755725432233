package api

// Code says which error it is, for programs. Beside those here there are the codes
// of refusals (events.Refusal), which say why the state of a session does not
// allow a command.
type Code string

// The interface's own codes.
const (
	// CodeInvalid: a member of the request is missing or wrong; Field names it.
	CodeInvalid Code = "invalid"
	// CodeUnauthorized: the caller may not do this, whatever the request says.
	CodeUnauthorized Code = "unauthorized"
	// CodeNotFound: there is no such session, or none that the caller may see.
	CodeNotFound Code = "not-found"
	// CodeUnavailable: it cannot be done now: a limit is reached, the log cannot be
	// used, or nobody answered. Nothing was written.
	CodeUnavailable Code = "unavailable"
	// CodeShuttingDown: this engine ends; another one may do it. Nothing was written.
	CodeShuttingDown Code = "shutting-down"
	// CodeTooLarge: the request, or what it would write, is larger than is allowed.
	CodeTooLarge Code = "too-large"
	// CodeConflict: the id was used for something else.
	CodeConflict Code = "conflict"
	// CodeOutcomeUnknown: it may be done or not. Doing it again with its id is safe,
	// and tells.
	CodeOutcomeUnknown Code = "outcome-unknown"
	// CodeInternal: the engine failed. Its log says how, under the request's id.
	CodeInternal Code = "internal"
)

// Codes are the interface's own.
func Codes() []Code {
	return []Code{
		CodeInvalid, CodeUnauthorized, CodeNotFound, CodeUnavailable, CodeShuttingDown, CodeTooLarge, CodeConflict, CodeOutcomeUnknown, CodeInternal,
	}
}

// Error is the reply to a request that was not done.
type Error struct {
	Code Code `json:"code" jsonschema:"which error it is: one of the interface's own or of a refusal; it never changes its meaning"`
	// Field is the path of the member at fault: answers.0.hash.
	Field string `json:"field,omitzero" jsonschema:"path of the request's member that is at fault"`
	// Message is a sentence for people, without a full stop.
	Message string `json:"message" jsonschema:"a sentence for people"`
}

// Error gives the field and the sentence.
func (e *Error) Error() string {
	if e.Field == "" {
		return e.Message
	}
	return e.Field + ": " + e.Message
}
