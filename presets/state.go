package presets

import "github.com/docket-engine/docket/events"

// State is what a session's log says of its preset (reference 2). The zero State
// is that of an empty log; its JSON is its snapshot. It does not grow.
type State struct {
	// Preset is the recorded one, "" for none.
	Preset string `json:"preset,omitzero"`
	// Sandbox is the override, with an empty mode where there is none.
	Sandbox ModeFact `json:"sandbox,omitzero"`
	// Approval is the override, with an empty policy where there is none.
	Approval PolicyFact `json:"approval,omitzero"`
	// Seeded says that a session/end-seed ended events that were there before: a
	// fork's, or those that a restart found.
	Seeded bool `json:"seeded,omitzero"`
	// Headless says that the recorded preset was chosen for a session without a person
	// in front of it.
	Headless bool `json:"headless,omitzero"`
	// At is the last event that said something of the three, nil for none.
	At *events.Seq `json:"at,omitzero"`
}

// ModeFact is the last sandbox/mode.
type ModeFact struct {
	Mode   string `json:"mode,omitzero"`
	Source string `json:"source,omitzero"`
}

// PolicyFact is the last approval/policy.
type PolicyFact struct {
	Policy string `json:"policy,omitzero"`
	Source string `json:"source,omitzero"`
}

// Apply folds an event that an [events.Validator] has accepted.
func (s *State) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) { // few events matter here
	case events.PermissionPreset:
		s.Preset, s.Headless, s.At = ev.Preset, ev.Headless, new(e.Seq)
	case events.SandboxMode:
		s.Sandbox, s.At = ModeFact{ev.Mode, ev.Source}, new(e.Seq)
	case events.ApprovalPolicy:
		s.Approval, s.At = PolicyFact{ev.Policy, ev.Source}, new(e.Seq)
	case events.EndSeed:
		// A restart marks an empty log too; nothing came before the marker then, so
		// that the session is new.
		s.Seeded = s.Seeded || e.Seq > 0
	}
}

// empty reports whether the log has none of the three facts.
func (s State) empty() bool {
	return s.Preset == "" && s.Sandbox.Mode == "" && s.Approval.Policy == ""
}
