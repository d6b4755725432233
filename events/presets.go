package events

// PermissionPreset is what the user chose; the last one wins.
type PermissionPreset struct {
	Preset  string  `json:"preset"`
	Unknown Unknown `json:",embed"`
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
	ID       string  `json:"id"`
	ToolName string  `json:"toolName"`
	CallID   string  `json:"callId,omitzero"`
	Reason   string  `json:"reason,omitzero"`
	Unknown  Unknown `json:",embed"`
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
	return firstError(nonEmpty("id", e.ID), nonEmpty("toolName", e.ToolName))
}

func (e ApprovalDecided) check() error {
	return firstError(nonEmpty("id", e.ID),
		oneOf("outcome", e.Outcome, OutcomeAllowedOnce, OutcomeRejected, OutcomeCancelled, OutcomeUnavailable),
		optionalOneOf("scope", e.Scope, "once", "always"))
}

func (e ApprovalTier) check() error {
	return oneOf("tier", e.Tier, "aggressive", "standard", "passive")
}
