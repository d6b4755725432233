package events

import (
	"crypto/sha256"
	"strings"
)

// PermissionPreset is what the user chose; the last one wins.
type PermissionPreset struct {
	Preset string `json:"preset"`
	// Headless says that it was chosen for a session without a person in front of it.
	Headless bool    `json:"headless,omitzero"`
	Unknown  Unknown `json:",embed"`
}

// SandboxMode overrides the executor's default mode; the last one wins.
type SandboxMode struct {
	Mode string `json:"mode"` // one of the Mode constants
	// Source is delegation where a parent handed the mode down, else absent.
	Source  string  `json:"source,omitzero"`
	Unknown Unknown `json:",embed"`
}

// The sandbox modes, from the narrowest.
const (
	ModeReadOnly         = "read-only"
	ModeWorkspaceWrite   = "workspace-write"
	ModeDangerFullAccess = "danger-full-access"
)

// SourceDelegation marks an override that a parent handed down.
const SourceDelegation = "delegation"

// ApprovalPolicy says whether people are asked; the last one wins.
type ApprovalPolicy struct {
	Policy  string  `json:"policy"` // ask or never
	Source  string  `json:"source,omitzero"`
	Unknown Unknown `json:",embed"`
}

// The approval policies.
const (
	PolicyAsk   = "ask"
	PolicyNever = "never"
)

// ApprovalAsked says that a person is asked; only inside an open turn.
type ApprovalAsked struct {
	ID       string `json:"id"`
	ToolName string `json:"toolName"`
	CallID   string `json:"callId,omitzero"`
	Reason   string `json:"reason,omitzero"`
	// Shown binds an answer to what is shown; the reference's logs have none.
	Shown   *ApprovalShown `json:"shown,omitzero"`
	Unknown Unknown        `json:",embed"`
}

// ApprovalShown is what an answer to a question is held against, and what an
// "always" of it covers (design section 6, stage 5).
type ApprovalShown struct {
	// Hash is the SHA-256 (hex) of tool, arguments, cwd, mode and the log's chain.
	Hash string `json:"hash"`
	// Action is what is asked for, which is not the tool's name.
	Action    string   `json:"action"`
	Resources []string `json:"resources,omitzero"`
	// Pattern is what an "always" covers, as the engine made it; without one there
	// is no "always". It is never there with any of the three that follow.
	Pattern   string  `json:"pattern,omitzero"`
	Widening  bool    `json:"widening,omitzero"`  // asked for a mode wider than the session's
	Failure   bool    `json:"failure,omitzero"`   // asked because a review failed
	Protected bool    `json:"protected,omitzero"` // touches a sensitive resource
	Unknown   Unknown `json:",embed"`
}

// ApprovalDecided settles a question, exactly once.
type ApprovalDecided struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome"` // one of the Outcome constants
	// Feedback is the person's note.
	Feedback string `json:"feedback,omitzero"`
	Scope    string `json:"scope,omitzero"` // once, always
	// By is the person, as the engine established them.
	By      string  `json:"by,omitzero"`
	Unknown Unknown `json:",embed"`
}

// The four outcomes of a question, and no others (reference 3).
const (
	OutcomeAllowedOnce = "allowed-once"
	OutcomeRejected    = "rejected"
	OutcomeCancelled   = "cancelled"
	OutcomeUnavailable = "unavailable"
)

// ApprovalTier sets how readily a session's judge asks a person.
type ApprovalTier struct {
	Tier    string  `json:"tier"` // aggressive, standard, passive
	Unknown Unknown `json:",embed"`
}

// Type is "permission/preset".
func (PermissionPreset) Type() Type { return TypePermissionPreset }

// Type is "sandbox/mode".
func (SandboxMode) Type() Type { return TypeSandboxMode }

// Type is "approval/policy".
func (ApprovalPolicy) Type() Type { return TypeApprovalPolicy }

// Type is "approval/asked".
func (ApprovalAsked) Type() Type { return TypeApprovalAsked }

// Type is "approval/decided".
func (ApprovalDecided) Type() Type { return TypeApprovalDecided }

// Type is "approval/tier".
func (ApprovalTier) Type() Type { return TypeApprovalTier }

func (e PermissionPreset) check() error { return nonEmpty("preset", e.Preset) }

func (e SandboxMode) check() error {
	return firstError(checkMode("mode", e.Mode), optionalOneOf("source", e.Source, SourceDelegation))
}

func checkMode(field, mode string) error {
	return oneOf(field, mode, ModeReadOnly, ModeWorkspaceWrite, ModeDangerFullAccess)
}

func (e ApprovalPolicy) check() error {
	return firstError(oneOf("policy", e.Policy, PolicyAsk, PolicyNever), optionalOneOf("source", e.Source, SourceDelegation))
}

func (e ApprovalAsked) check() error {
	return firstError(nonEmpty("id", e.ID), nonEmpty("toolName", e.ToolName), within("shown", e.Shown.check()))
}

func (s *ApprovalShown) check() error {
	if s == nil {
		return nil
	}
	if s.Pattern != "" && (s.Widening || s.Failure || s.Protected) {
		return fieldf("pattern", "must not be there for a widening, a failure or a protected resource")
	}
	return firstError(checkDigest("hash", s.Hash), nonEmpty("action", s.Action))
}

// checkDigest checks a SHA-256 in lower-case hex.
func checkDigest(field, s string) error {
	if len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == "" {
		return nil
	}
	return fieldf(field, "must be a SHA-256 in hex, is %q", clip(s))
}

func (e ApprovalDecided) check() error {
	return firstError(nonEmpty("id", e.ID),
		oneOf("outcome", e.Outcome, OutcomeAllowedOnce, OutcomeRejected, OutcomeCancelled, OutcomeUnavailable),
		optionalOneOf("scope", e.Scope, "once", "always"))
}

func (e ApprovalTier) check() error {
	return oneOf("tier", e.Tier, "aggressive", "standard", "passive")
}
