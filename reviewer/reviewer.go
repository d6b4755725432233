package reviewer

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// Reviewer judges calls for the presets of one integration. It is safe for
// concurrent use.
type Reviewer interface {
	// Name is what review/requested and review/verdict say of it.
	Name() string
	// Prepare makes the request about a call from a session as it stands. It is a
	// pure function, called while nobody else uses the session, and keeps nothing of
	// the view. The error is a *[Failure]: then nobody is asked.
	Prepare(v View, c Call) (Review, error)
}

// Review is a request that is ready to be sent.
type Review interface {
	// Ask sends it, once, and waits for the answer until ctx ends. The error is a
	// *[Failure]; that of an ended ctx has the class cancelled.
	Ask(ctx context.Context) (Verdict, error)
	// Digest is the SHA-256 of the request, hex: an audit record keeps it, so that a
	// replay can prove that a verdict was given on exactly this log.
	Digest() string
	// Route is the one that is asked, as provider/model.
	Route() string
}

// View is a session as a reviewer sees it. It is read only, and valid until
// Prepare returns.
type View struct {
	Session *projections.Session
	History *projections.History
	// Head is where the session's log ends that this is folded from: whoever reads the
	// log up to there sees the same. Zero where nobody reads it again.
	Head events.Head
	// Ancestors are those of a session that was spawned here, the nearest first; none
	// for any other.
	Ancestors []Ancestor
}

// Mode says how a call was made.
type Mode string

// The modes of a call: by the agent's model, or by a program that it wrote.
const (
	ModeNative Mode = "native"
	ModeInner  Mode = "ptc-inner"
)

// Call is the call under review. Its scope is turn, step and id.
type Call struct {
	Turn, Step int
	CallID     string
	// RootCallID is the native call that an inner call belongs to; a native call's
	// is its own id.
	RootCallID string
	Mode       Mode
	Name       string
	// Arguments are what the body would get: parsed once, at admission.
	Arguments jsontext.Value
	// Schema is what the program was bound to, frozen; nil for a native call, whose
	// schema is on the log.
	Schema *Schema
	// Nonce is what review/requested says of the request; no other one has it.
	Nonce string
}

// Schema is a tool's definition as a model was shown it.
type Schema struct {
	Name        string         `json:"name"`
	Description *string        `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parameters,omitzero"`
}

// Outcome is what a reviewer decides.
type Outcome string

// The two decisions. The zero Outcome is neither.
const (
	Allow Outcome = "allow"
	Deny  Outcome = "deny"
)

// Verdict is a reviewer's answer.
type Verdict struct {
	Outcome Outcome
	// Reason is the JSON string literal that a denial came with, as it was written;
	// nil for none.
	Reason jsontext.Value
	// Evidence is a JSON object with what the reviewer wants kept; nil for nothing.
	Evidence jsontext.Value
}
