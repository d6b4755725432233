package lineage

import (
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

// Captured is what a child takes over from its parent's policy. "" is what was
// not captured: the child then has it from elsewhere, as any session does.
type Captured struct {
	Sandbox  string `json:"sandbox,omitempty"`
	Approval string `json:"approval,omitempty"`
	Preset   string `json:"preset,omitempty"`
}

// Capture takes what a child inherits from what its parent is on, at the moment
// of the spawn and before anything waits: a later switch of the parent does not
// reach the child (reference 6).
//
//   - The preset, if the parent is on full access or on any preset with a guard or
//     a reviewer, so that the child never has less review (design section 6). The
//     reference says it of auto alone.
//   - The sandbox, if the parent's log overrides it; neither the executor's default
//     nor a widening that was granted once.
//   - never, wherever approvals are there: nobody watches a child. Where that would
//     put a child on full access whose parent is not on it, the parent's policy
//     stays: there the engine looks at calls, and on full access nobody does.
//
// A parent whose preset is not installed makes no child ([presets.Catalogue.Usable]).
func Capture(c presets.Catalogue, parent presets.State, approvals bool) Captured {
	captured := Captured{Sandbox: parent.Sandbox.Mode}
	if approvals {
		captured.Approval = events.PolicyNever
	}
	current := c.Current(parent)
	if c.Captured(current) {
		captured.Preset = current
	}
	full, _ := c.Find(presets.DangerFullAccess)
	effective := c.Effective(parent)
	if approvals && captured.Preset == "" && full.Bundle == (presets.Bundle{Sandbox: effective.Sandbox, Approval: captured.Approval}) {
		captured.Approval = effective.Approval
	}
	return captured
}

// Overrides writes what was captured onto the child's own log: behind a fork's
// marker and before the child is published, so that it wins over what the prefix
// says and a later switch of the child wins over it (reference 6).
func Overrides(c Captured) []events.Draft {
	var out []events.Event
	if c.Sandbox != "" {
		out = append(out, events.SandboxMode{Mode: c.Sandbox, Source: events.SourceDelegation})
	}
	if c.Approval != "" {
		out = append(out, events.ApprovalPolicy{Policy: c.Approval, Source: events.SourceDelegation})
	}
	if c.Preset != "" {
		out = append(out, events.PermissionPreset{Preset: c.Preset})
	}
	return events.Drafts(out...)
}
