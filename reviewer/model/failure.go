package model

import (
	"net/http"
	"strings"

	"github.com/docket-engine/docket/reviewer"
)

// How a request fails, beside what a provider says, which is a [reviewer.Finish].
var (
	ErrCancelled   = &reviewer.Failure{Class: reviewer.ClassCancelled, Code: "REVIEW_CANCELLED"}
	ErrKey         = &reviewer.Failure{Class: reviewer.ClassUnavailable, Code: "KEY_UNUSABLE"}
	ErrUnreachable = &reviewer.Failure{Class: reviewer.ClassUnavailable, Code: "MODEL_UNREACHABLE"}
	ErrRequest     = &reviewer.Failure{Class: reviewer.ClassInternal, Code: "REQUEST_UNSENDABLE"}
	// ErrRequestTooLarge is what a provider finds too long to answer.
	ErrRequestTooLarge = &reviewer.Failure{Class: reviewer.ClassTooLarge, Code: "REQUEST_TOO_LARGE"}
	// ErrConnectionLost is a connection that ended with or in the answer.
	ErrConnectionLost = &reviewer.Failure{Class: reviewer.ClassProvider, Code: "CONNECTION_LOST"}
	ErrNotStream      = &reviewer.Failure{Class: reviewer.ClassProvider, Code: "RESPONSE_NOT_STREAM"}
	ErrStreamTooLarge = &reviewer.Failure{Class: reviewer.ClassTooLarge, Code: "STREAM_TOO_LARGE"}
	// ErrStreamCut is a stream that ended inside an event.
	ErrStreamCut        = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "STREAM_CUT"}
	ErrStreamBroken     = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "STREAM_BROKEN"}
	ErrChunkAfterFinish = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "CHUNK_AFTER_FINISH"}
	ErrFinishMissing    = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "FINISH_MISSING"}
)

const (
	maxMessage = 1 << 10 // of a provider's message that is kept
	maxCode    = 128     // of its code and its request id
)

// providerError is what a provider says of its failure to answer.
type providerError struct {
	code, message string
	kinds         []string // all that says of what kind it is: code, type, status
	notes         []string // what the response's head says beside
	status        int
	requestID     string
}

func (e *providerError) Error() string { return "model: the provider failed: " + e.code }

// of is the error with what the response's head says.
func (e *providerError) of(response *http.Response) *providerError {
	with := *e
	with.status = response.StatusCode
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Generation-Id"} {
		if with.requestID == "" {
			with.requestID = response.Header.Get(name)
		}
	}
	return &with
}

// outcome is a finish with what the provider said, or a failure of its own for a
// request that was too long. None of it holds the key.
func (e *providerError) outcome(secret key) (reviewer.Chunk, error) {
	finish := reviewer.Finish{
		Kind:      reviewer.FinishError,
		Code:      cut(secret.scrub(e.code), maxCode),
		Message:   e.told(secret),
		Status:    e.status,
		RequestID: cut(secret.scrub(e.requestID), maxCode),
	}
	if !e.tooLarge() {
		return finish, nil
	}
	return nil, ErrRequestTooLarge.With("the provider finds the request too long (code %s, HTTP status %d, request %s): %s",
		finish.Code, finish.Status, finish.RequestID, finish.Message)
}

// told is the message with the notes. The key is taken out before anything is cut: half
// of it would not be found any more.
func (e *providerError) told(secret key) string {
	message := secret.scrub(e.message)
	if len(e.notes) == 0 {
		return cut(message, maxMessage)
	}
	message = cut(message, maxMessage/2)
	for _, note := range e.notes {
		message += " (" + cut(secret.scrub(note), maxCode) + ")"
	}
	return message
}

// cut bounds a text at a whole rune, and drops what is not UTF-8.
func cut(text string, limit int) string {
	text = strings.ToValidUTF8(text, "")
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
