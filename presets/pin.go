package presets

import "github.com/docket-engine/docket/events"

// Pin decides what a session's publication writes, so that its log says what
// holds whatever the defaults are later (reference 2, "Pinning at publication").
//
//   - A recorded preset that is not installed refuses the publication with
//     [CodePresetAbsent]; nothing is written. The reference says it of auto; here it
//     holds for every name that is not installed, since nobody can say what review
//     went with it.
//   - A recorded preset of an integration passes its admission.
//   - A new log without any of the three facts gets all three from userDefault, an
//     entry of the table, or "" for the table's own default.
//   - Else only what is missing is written: the preset if one can be derived, the
//     sandbox from the executor, the approval from the configuration. What is
//     effective stays what it was.
func Pin(c Catalogue, s State, userDefault string, admit Admit) ([]events.Draft, error) {
	if name := c.absent(s); name != "" {
		return nil, refuseAbsent(name)
	}
	if p, ok := c.Find(s.Preset); ok {
		if err := admitted(p, admit); err != nil {
			return nil, err
		}
	}
	if s.empty() && !s.Seeded {
		return c.pinNew(userDefault)
	}
	return events.Drafts(c.missing(s)...), nil
}

func refuseAbsent(name string) error {
	if integration := integrationOf(name); integration != "" {
		return events.Refuse(CodePresetAbsent, "preset", "the session is on %s, whose integration %s is not installed; its log is left as it is. Install the integration and open the session again", name, integration)
	}
	return events.Refuse(CodePresetAbsent, "preset", "the session is on %q, which is not installed; its log is left as it is. Install or configure it and open the session again", name)
}

func (c Catalogue) pinNew(userDefault string) ([]events.Draft, error) {
	if userDefault == "" {
		userDefault = c.DefaultPreset
	}
	p, err := inTable(c.DefaultOptions, userDefault)
	if err != nil {
		return nil, err
	}
	return events.Drafts(
		events.PermissionPreset{Preset: p.Name},
		events.SandboxMode{Mode: p.Sandbox},
		events.ApprovalPolicy{Policy: p.Approval},
	), nil
}

// missing are the facts that the log does not have.
func (c Catalogue) missing(s State) []events.Event {
	var out []events.Event
	if current := c.Current(s); s.Preset == "" && current != Custom {
		out = append(out, events.PermissionPreset{Preset: current})
	}
	if s.Sandbox.Mode == "" {
		out = append(out, events.SandboxMode{Mode: c.Defaults.Sandbox})
	}
	if s.Approval.Policy == "" {
		out = append(out, events.ApprovalPolicy{Policy: c.Defaults.Approval})
	}
	return out
}
