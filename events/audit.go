package events

import (
	"context"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// SealRecord is a signed statement of where a log was at the end of a turn.
type SealRecord struct {
	Session SessionID `json:"session"`
	Seq     Seq       `json:"seq"`   // of the log's last event
	Chain   string    `json:"chain"` // behind it, hex
	Time    int64     `json:"time"`  // Unix ms
	Sig     string    `json:"sig"`   // the engine's, base64
}

// ReviewRecord says how a review came about: who was asked, by which route, about
// which request, when. What it came to in words is on the log (review/verdict);
// neither the request nor the answer is kept, only the request's digest, by which
// it can be proven that the request was made of exactly this log.
type ReviewRecord struct {
	Session  SessionID `json:"session"`
	Turn     int       `json:"turn"`
	Step     int       `json:"step"`
	CallID   string    `json:"callId"`
	Mode     string    `json:"mode"` // native or ptc-inner
	Name     string    `json:"name,omitzero"`
	Reviewer string    `json:"reviewer"`
	// Route and Digest are empty where nobody was asked, since no request could be
	// made: that is a failure, or a cancellation.
	Route   string `json:"route,omitzero"`
	AsOfSeq Seq    `json:"asOfSeq"`
	Digest  string `json:"digest,omitzero"` // SHA-256 of the request, hex
	// Schema is what a program was bound to when it made an inner call. It is on no
	// log, and the request cannot be made again without it.
	Schema  *ReviewSchema      `json:"schema,omitzero"`
	Outcome string             `json:"outcome"` // one of the Verdict constants
	Failure *ReviewFailureCode `json:"failure,omitzero"`
	// StartedAt and EndedAt are Unix ms.
	StartedAt int64        `json:"startedAt"`
	EndedAt   int64        `json:"endedAt"`
	Usage     *ReviewUsage `json:"usage,omitzero"`
	Sig       string       `json:"sig,omitzero"` // the engine's, base64; the store sets it
}

// ReviewSchema is a tool's definition as it was frozen for a program.
type ReviewSchema struct {
	Name        string         `json:"name"`
	Description *string        `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parameters,omitzero"`
}

// ReviewFailureCode names a failure without what was said about it.
type ReviewFailureCode struct {
	Class string `json:"class"`
	Code  string `json:"code"`
}

// ReviewUsage is what a review cost, in tokens.
type ReviewUsage struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
}

// Audit keeps what is said about logs outside of them. Its methods are safe for
// concurrent use.
type Audit interface {
	// Seals yields the seals of a session, in the order in which they were made.
	// One that does not verify is a *[CorruptError].
	Seals(ctx context.Context, id SessionID) iter.Seq2[SealRecord, error]

	// RecordReview stores how a review came about, signed. One that breaks a rule is
	// a *[FieldError], one that does not fit into a message ErrTooLarge. The session
	// need not be there.
	RecordReview(ctx context.Context, r ReviewRecord) error

	// Reviews yields the review records of a session that are stored when it is
	// called, in the order in which they were recorded. One that was recorded again
	// may be yielded twice. One that does not verify is a *[CorruptError], and the
	// last that is yielded.
	Reviews(ctx context.Context, id SessionID) iter.Seq2[ReviewRecord, error]
}

// Check reports the first rule that the record breaks, as a *[FieldError].
func (r ReviewRecord) Check() error {
	if err := r.Session.Check(); err != nil {
		return within("session", err)
	}
	return firstError(checkStep(r.Turn, r.Step), nonEmpty("callId", r.CallID), oneOf("mode", r.Mode, "native", "ptc-inner"),
		nonEmpty("reviewer", r.Reviewer), safeSeq("asOfSeq", r.AsOfSeq),
		oneOf("outcome", r.Outcome, VerdictAllow, VerdictDeny, VerdictFailure, VerdictCancelled),
		r.checkRequest(), r.checkFailure(), r.checkSchema(), r.checkTimes(), r.checkUsage())
}

func (r ReviewRecord) checkRequest() error {
	if (r.Route == "") != (r.Digest == "") {
		return fieldf("route", "must be there exactly when digest is")
	}
	if r.Digest == "" {
		if r.Outcome == VerdictAllow || r.Outcome == VerdictDeny {
			return fieldf("digest", "must not be missing where the outcome is %s", r.Outcome)
		}
		return nil
	}
	if len(r.Digest) != 64 || !isLowerHex(r.Digest) {
		return fieldf("digest", "must be 64 hex digits in lower case")
	}
	return nil
}

func isLowerHex(s string) bool {
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return true
}

func (r ReviewRecord) checkFailure() error {
	if (r.Failure != nil) != (r.Outcome == VerdictFailure) {
		return fieldf("failure", "must be there exactly when outcome is failure")
	}
	if r.Failure == nil {
		return nil
	}
	return firstError(nonEmpty("failure.class", r.Failure.Class), nonEmpty("failure.code", r.Failure.Code))
}

// checkSchema takes a schema as it was given: one that lacks what a request needs
// makes the review fail, which is what is recorded.
func (r ReviewRecord) checkSchema() error {
	if r.Schema == nil {
		return nil
	}
	if r.Mode != "ptc-inner" {
		return fieldf("schema", "must be of an inner call: that of a native one is on the log")
	}
	if r.Schema.Parameters == nil {
		return nil
	}
	return within("schema.parameters", CheckJSON(r.Schema.Parameters))
}

func (r ReviewRecord) checkTimes() error {
	if r.StartedAt < 0 || r.EndedAt > MaxSafeInteger {
		return fieldf("startedAt", "and endedAt must be from 0 to 2^53-1")
	}
	if r.EndedAt < r.StartedAt {
		return fieldf("endedAt", "must not be before startedAt")
	}
	return nil
}

func (r ReviewRecord) checkUsage() error {
	if r.Usage != nil && (r.Usage.Input < 0 || r.Usage.Output < 0) {
		return fieldf("usage", "must not be negative")
	}
	return nil
}
