package presets

import "github.com/docket-engine/docket/events"

// Admit is asked before anything is written for a preset of an integration; its
// error refuses the command. [Registry.Admit] is one.
type Admit func(Preset) error

// Set decides the switch of a session to a preset (reference 2, "Writer"). Each
// of preset, sandbox and approval is written only if it differs, in this order,
// so that a choice of what is chosen already writes nothing, and a choice out of
// custom repairs. A nil admit admits all.
func Set(c Catalogue, s State, name string, admit Admit) ([]events.Draft, error) {
	p, err := c.target(name)
	if err != nil {
		return nil, err
	}
	if err := admitted(p, admit); err != nil {
		return nil, err
	}
	var out []events.Event
	if c.Current(s) != p.Name || c.absent(s) != "" {
		out = append(out, events.PermissionPreset{Preset: p.Name})
	}
	effective := c.Effective(s)
	if effective.Sandbox != p.Sandbox {
		out = append(out, events.SandboxMode{Mode: p.Sandbox})
	}
	if effective.Approval != p.Approval {
		out = append(out, events.ApprovalPolicy{Policy: p.Approval})
	}
	return events.Drafts(out...), nil
}

// target finds what a command names.
func (c Catalogue) target(name string) (Preset, error) {
	if p, ok := c.Find(name); ok {
		return p, nil
	}
	switch integration := integrationOf(name); {
	case name == Custom:
		return Preset{}, events.Refuse(CodeReservedPreset, "preset", "%s says that a session is on no preset, it cannot be chosen; available are %s", name, names(c.Options))
	case integration != "":
		return Preset{}, events.Refuse(CodeUnknownPreset, "preset", "%s comes with the integration %s, which is not installed; available are %s", name, integration, names(c.Options))
	default:
		return Preset{}, events.Refuse(CodeUnknownPreset, "preset", "%q is no preset; available are %s", name, names(c.Options))
	}
}

func admitted(p Preset, admit Admit) error {
	if p.Integration == "" || admit == nil {
		return nil
	}
	return admit(p)
}

// Usable refuses a session whose recorded preset is not installed, with
// [CodePresetAbsent]: nobody can say what review goes with it.
func (c Catalogue) Usable(s State) error {
	if name := c.absent(s); name != "" {
		return refuseAbsent(name)
	}
	return nil
}

// absent is the recorded preset if it is not installed, else "". Custom stands for
// no preset, so nothing of it can be missing.
func (c Catalogue) absent(s State) string {
	if _, installed := c.Find(s.Preset); installed || s.Preset == Custom {
		return ""
	}
	return s.Preset
}
