package model

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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
	status        int
	requestID     string
}

func (e *providerError) Error() string { return "model: the provider failed: " + e.code }

// of is the error with what the response's head says.
func (e *providerError) of(response *http.Response) *providerError {
	with := *e
	with.status, with.requestID = response.StatusCode, response.Header.Get("X-Request-Id")
	return &with
}

// tooLarge are the codes by which providers say that a request is too long. What they
// say in words alone stays an error of the provider: nothing is decided by a text.
var tooLarge = []string{
	"context_length_exceeded", "string_above_max_length", "request_too_large",
	"exceed_context_size_error", "tokens_limit_reached", "model_max_prompt_tokens_exceeded",
}

// outcome is a finish with what the provider said, or a failure of its own for a
// request that was too long. None of it holds the key.
func (e *providerError) outcome(secret key) (reviewer.Chunk, error) {
	finish := reviewer.Finish{
		Kind:      reviewer.FinishError,
		Code:      cut(secret.scrub(e.code), maxCode),
		Message:   cut(secret.scrub(e.message), maxMessage),
		Status:    e.status,
		RequestID: cut(secret.scrub(e.requestID), maxCode),
	}
	if !slices.Contains(tooLarge, e.code) && e.status != http.StatusRequestEntityTooLarge {
		return finish, nil
	}
	return nil, ErrRequestTooLarge.With("the provider finds the request too long (code %s, HTTP status %d, request %s): %s",
		finish.Code, finish.Status, finish.RequestID, finish.Message)
}

// cut bounds a text at a whole rune, and drops what is not UTF-8.
func cut(text string, limit int) string {
	text = strings.ToValidUTF8(text, "")
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// reported reads what providers call an error: {"error":{"code","type","message"}},
// {"error":"…"}, or the members of the first without it around them. It reads what
// it can, since whatever it finds ends in a failure.
func reported(data []byte) *providerError {
	members := errorMembers(data)
	if inner := members["error"]; inner.Kind() == jsontext.KindBeginObject {
		members = errorMembers(inner)
	}
	r := &providerError{message: plain(members["message"]), code: plain(members["code"])}
	if r.code == "" {
		r.code = plain(members["type"])
	}
	if r.message == "" {
		r.message = plain(members["error"])
	}
	return r
}

func errorMembers(data []byte) map[string]jsontext.Value {
	var members map[string]jsontext.Value
	err := json.Unmarshal(data, &members, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil
	}
	return members
}

// plain is a string's text and a number's digits.
func plain(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindString:
		text, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return ""
		}
		return string(text)
	case jsontext.KindNumber:
		return string(value)
	default:
		return ""
	}
}
