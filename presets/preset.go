package presets

import "github.com/docket-engine/docket/events"

// Preset is a named bundle of sandbox mode, approval policy and reviewer (design
// section 7).
type Preset struct {
	Name        string `json:"name"`
	DisplayName string `json:"displayName,omitzero"`
	Description string `json:"description,omitzero"`
	Bundle
	// Reviewer is the one that is asked, "" for none; Reviews says about what.
	Reviewer string  `json:"reviewer,omitzero"`
	Reviews  Reviews `json:"reviews,omitzero"`
	// Guard says that a deterministic check goes before the reviewer.
	Guard        bool `json:"guard,omitzero"`
	Experimental bool `json:"experimental,omitzero"`
	// Integration is what the preset comes and goes with, "" for the base table.
	Integration string `json:"integration,omitzero"`
}

// Bundle is what a preset sets (reference 2).
type Bundle struct {
	Sandbox  string `json:"sandbox"`  // one of the Mode constants of events
	Approval string `json:"approval"` // ask or never
}

// Reviews says which calls a preset's reviewer judges.
type Reviews string

// What a reviewer judges: every call, or only what would else be asked of a
// person.
const (
	ReviewsCalls    Reviews = "calls"
	ReviewsRequests Reviews = "requests"
)

// The names of the shipped presets, and Custom, the derived state of a session
// that is on none: it is never a target, nor in an event (reference 2).
const (
	ReadOnly         = "read-only"
	WorkspaceWrite   = "workspace-write"
	DangerFullAccess = "danger-full-access"
	Auto             = "auto"
	RequestApproval  = "request-approval"
	ApproveForMe     = "approve-for-me"
	AIAuto           = "ai-auto"
	AutoWorkspace    = "auto-workspace"
	Custom           = "custom"
)

// Reviewed reports whether something of ours looks at calls before they run: a
// guard or a reviewer.
func (p Preset) Reviewed() bool { return p.Guard || p.Reviewer != "" }

func (p Preset) check(field string) error {
	if p.Name == "" {
		return events.Refuse(CodeBadPreset, field+".name", "must not be empty")
	}
	if err := p.Bundle.check(field); err != nil {
		return err
	}
	if (p.Reviewer == "") != (p.Reviews == "") || p.Reviews != "" && p.Reviews != ReviewsCalls && p.Reviews != ReviewsRequests {
		return events.Refuse(CodeBadPreset, field+".reviews", "must be %s or %s, and be there exactly when there is a reviewer", ReviewsCalls, ReviewsRequests)
	}
	return nil
}

func (b Bundle) check(field string) error {
	if !isMode(b.Sandbox) {
		return events.Refuse(CodeBadMode, field+".sandbox", "must be %s, %s or %s, is %q", events.ModeReadOnly, events.ModeWorkspaceWrite, events.ModeDangerFullAccess, b.Sandbox)
	}
	if b.Approval != events.PolicyAsk && b.Approval != events.PolicyNever {
		return events.Refuse(CodeBadPolicy, field+".approval", "must be %s or %s, is %q", events.PolicyAsk, events.PolicyNever, b.Approval)
	}
	return nil
}

// Base is the shipped table in its declaration order (reference 2).
func Base() []Preset {
	return []Preset{
		{
			Name: ReadOnly, DisplayName: "Read Only", Description: "Look at files; ask before anything else.",
			Bundle: Bundle{events.ModeReadOnly, events.PolicyAsk},
		},
		{
			Name: WorkspaceWrite, DisplayName: "Workspace Write", Description: "Work in the session's folder; ask before anything beyond it.",
			Bundle: Bundle{events.ModeWorkspaceWrite, events.PolicyAsk},
		},
		{
			Name: DangerFullAccess, DisplayName: "Full access", Description: "No sandbox, and nobody is asked.",
			Bundle: Bundle{events.ModeDangerFullAccess, events.PolicyNever},
		},
	}
}
