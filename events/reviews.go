package events

import "github.com/go-json-experiment/json/jsontext"

// ReviewRequested says that a reviewer is asked: only that engine asks, once. It
// is in the frame of its call.
type ReviewRequested struct {
	CallID string `json:"callId"`
	// Engine is the instance that asks.
	Engine   string `json:"engine"`
	Reviewer string `json:"reviewer"`
	Nonce    string `json:"nonce"`
	AsOfSeq  Seq    `json:"asOfSeq"`
	// Files are what the call would execute, as far as the engine looked at it, as they
	// were before the review.
	Files []ExecutedFile `json:"files,omitzero"`
	// Ancestors are the heads of a child's ancestors, the nearest first: what their
	// people said up to there is shown to the reviewer.
	Ancestors []AncestorHead `json:"ancestors,omitzero"`
	Unknown   Unknown        `json:",embed"`
}

// ReviewVerdict is what a review came to: at most one a call, ever (reference 8,
// item 8). A failure is never a denial.
type ReviewVerdict struct {
	Turn     int    `json:"turn"`
	Step     int    `json:"step"`
	CallID   string `json:"callId"`
	Mode     string `json:"mode"` // native or ptc-inner
	Preset   string `json:"preset"`
	Reviewer string `json:"reviewer"`
	// Route is who was asked, as provider/model: the judge. It is empty where nobody was.
	Route   string `json:"route,omitzero"`
	Outcome string `json:"outcome"` // one of the Verdict constants
	// Reason is the JSON string literal that the reviewer wrote.
	Reason   jsontext.Value `json:"reason,omitzero"`
	Failure  *ReviewFailure `json:"failure,omitzero"`
	Evidence jsontext.Value `json:"evidence,omitzero"`
	Unknown  Unknown        `json:",embed"`
}

// The outcomes of a review. The zero outcome is none of them.
const (
	VerdictAllow     = "allow"
	VerdictDeny      = "deny"
	VerdictFailure   = "failure"
	VerdictCancelled = "cancelled"
)

// ReviewFailure says which failure, by class, and what happened.
type ReviewFailure struct {
	Class   string  `json:"class"`
	Detail  string  `json:"detail"`
	Unknown Unknown `json:",embed"`
}

// ReviewRoute is a person's leave for a route to serve the session's reviews,
// beside the one that the session began with.
type ReviewRoute struct {
	Provider string  `json:"provider"`
	Model    string  `json:"model"`
	By       string  `json:"by"` // who gave it
	Unknown  Unknown `json:",embed"`
}

// GrantIssued allows one exact widening.
type GrantIssued struct {
	CallID        string  `json:"callId"`
	Tool          string  `json:"tool"`
	Mode          string  `json:"mode"`
	Justification string  `json:"justification"`
	Unknown       Unknown `json:",embed"`
}

// GrantConsumed says that a grant was used up.
type GrantConsumed struct {
	CallID   string  `json:"callId"`
	GrantSeq Seq     `json:"grantSeq"`
	Unknown  Unknown `json:",embed"`
}

// Type is "review/requested".
func (ReviewRequested) Type() Type { return TypeReviewRequested }

// Type is "review/verdict".
func (ReviewVerdict) Type() Type { return TypeReviewVerdict }

// Type is "review/route".
func (ReviewRoute) Type() Type { return TypeReviewRoute }

// Type is "grant/issued".
func (GrantIssued) Type() Type { return TypeGrantIssued }

// Type is "grant/consumed".
func (GrantConsumed) Type() Type { return TypeGrantConsumed }

func (e ReviewRequested) check() error {
	return firstError(nonEmpty("callId", e.CallID), nonEmpty("engine", e.Engine), nonEmpty("reviewer", e.Reviewer),
		nonEmpty("nonce", e.Nonce), safeSeq("asOfSeq", e.AsOfSeq), checkExecuted(e.Files), checkAncestors(e.Ancestors))
}

func (e ReviewVerdict) check() error {
	if e.Reason != nil {
		if err := literal("reason", e.Reason, '"'); err != nil {
			return err
		}
	}
	if (e.Failure != nil) != (e.Outcome == VerdictFailure) {
		return fieldf("failure", "must be there exactly when outcome is failure")
	}
	if e.Failure != nil && e.Failure.Class == "" {
		return fieldf("failure.class", "must not be empty or missing")
	}
	return firstError(checkStep(e.Turn, e.Step), nonEmpty("callId", e.CallID), oneOf("mode", e.Mode, "native", "ptc-inner"),
		nonEmpty("preset", e.Preset), nonEmpty("reviewer", e.Reviewer), checkRoute(e.Route),
		oneOf("outcome", e.Outcome, VerdictAllow, VerdictDeny, VerdictFailure, VerdictCancelled))
}

func (e ReviewRoute) check() error {
	return firstError(nonEmpty("provider", e.Provider), nonEmpty("model", e.Model), nonEmpty("by", e.By))
}

func (e GrantIssued) check() error {
	return firstError(nonEmpty("callId", e.CallID), nonEmpty("tool", e.Tool), checkMode("mode", e.Mode), nonEmpty("justification", e.Justification))
}

func (e GrantConsumed) check() error {
	return firstError(nonEmpty("callId", e.CallID), safeSeq("grantSeq", e.GrantSeq))
}
