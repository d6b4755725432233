package api

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// Read reads a session's log, a page at a time.
type Read struct {
	Query
	From  events.Seq `json:"from,omitzero" jsonschema:"the seq of the first event"`
	Limit int        `json:"limit,omitzero" jsonschema:"at most so many records, 1 to 1000; default 256; a page is smaller where they are large"`
}

func (r Read) check() *Error {
	switch {
	case r.From < 0:
		return invalid("from", "must not be negative")
	case r.Limit < 0 || r.Limit > 1000:
		return invalid("limit", "must be from 1 to 1000")
	}
	return r.Query.check()
}

// Page is a part of a log.
type Page struct {
	Session events.SessionID `json:"session" jsonschema:"the session"`
	Header  jsontext.Value   `json:"header" jsonschema:"the session's header, as it is stored"`
	// Records are stored lines, byte for byte.
	Records []jsontext.Value `json:"records" jsonschema:"stored lines, each one JSON value"`
	// Next is where the next page begins, and Head where the log ended when it was read.
	Next events.Seq `json:"next" jsonschema:"from where to read on"`
	Head events.Seq `json:"head" jsonschema:"where the log ended"`
}

// Tail follows a session's log. Its first reply is [Accepted]; then come
// [Events], and an empty one every few seconds; the last one is [TailEnd] or an
// error. The caller says that it is there, and how far it has come, with
// [TailAlive].
type Tail struct {
	Query
	// TailID names the tail among the caller's.
	TailID string     `json:"tailId" jsonschema:"names the tail, fresh; 1 to 64 of A-Z, a-z, 0-9, _ and -"`
	From   events.Seq `json:"from,omitzero" jsonschema:"the seq of the first event"`
}

func (r Tail) check() *Error {
	if r.From < 0 {
		return invalid("from", "must not be negative")
	}
	return firstOf(r.Query.check(), checkTailID(r.TailID))
}

func checkTailID(id string) *Error {
	if len(id) > MaxID || CheckIdentity(id) != nil {
		return invalid("tailId", "must be 1 to %d of A-Z, a-z, 0-9, _ and -", MaxID)
	}
	return nil
}

// Events is a part of a tail: records in order and without a gap.
type Events struct {
	TailID  string           `json:"tailId" jsonschema:"the tail"`
	From    events.Seq       `json:"from" jsonschema:"where the part begins"`
	Records []jsontext.Value `json:"records" jsonschema:"stored lines, each one JSON value; none in a sign of life"`
	Next    events.Seq       `json:"next" jsonschema:"the seq behind the last event of the part"`
}

// TailEnd is the last part of a tail.
type TailEnd struct {
	TailID string     `json:"tailId" jsonschema:"the tail"`
	Next   events.Seq `json:"next" jsonschema:"from where to follow on"`
	Reason string     `json:"reason" jsonschema:"stopped, gone (the caller was not heard of), expired (ask again) or shutting-down (ask again)"`
}

// TailAlive says that the follower is there and has all events before Next.
type TailAlive struct {
	TailID string     `json:"tailId" jsonschema:"the tail"`
	Next   events.Seq `json:"next,omitzero" jsonschema:"the seq of the next event that the follower waits for"`
}

func (r TailAlive) check() *Error { return checkTailID(r.TailID) }

// TailStop ends a tail.
type TailStop struct {
	TailID string `json:"tailId" jsonschema:"the tail"`
}

func (r TailStop) check() *Error { return checkTailID(r.TailID) }

// SchemaQuery asks for the JSON Schemas of a command.
type SchemaQuery struct {
	Command string `json:"command" jsonschema:"such as turn.start"`
}

// Schemas are a command's.
type Schemas struct {
	Command string         `json:"command" jsonschema:"the command"`
	Request jsontext.Value `json:"request" jsonschema:"JSON Schema of its request"`
	Reply   jsontext.Value `json:"reply" jsonschema:"JSON Schema of its reply"`
}
