package presets

import "github.com/docket-engine/docket/events"

// Migrate decides what a live session that is on a preset of an integration
// writes when that is removed while the process goes on (reference 5.7, and 8,
// item 5): the entry of the table with the same mode, or the widest that is not
// wider. For auto that is full access. The approval policy is only narrowed: a
// child under never does not come to be asked for by this. A session that is on
// another preset writes nothing.
func Migrate(c Catalogue, s State, integration string) ([]events.Draft, error) {
	from, ok := c.Find(c.Current(s))
	if !ok || integration == "" || from.Integration != integration {
		return nil, nil
	}
	to, ok := c.fallback(from)
	if !ok {
		return nil, events.Refuse(CodeNoFallback, "preset", "%s goes with its integration, and every preset of the table is wider", from.Name)
	}
	out := []events.Event{events.PermissionPreset{Preset: to.Name}}
	effective := c.Effective(s)
	if effective.Sandbox != to.Sandbox {
		out = append(out, events.SandboxMode{Mode: to.Sandbox})
	}
	if to.Approval == events.PolicyNever && effective.Approval != events.PolicyNever {
		out = append(out, events.ApprovalPolicy{Policy: events.PolicyNever})
	}
	return events.Drafts(out...), nil
}

// fallback is the first of the widest entries of the table that are not wider.
func (c Catalogue) fallback(from Preset) (Preset, bool) {
	var to Preset
	for _, p := range c.DefaultOptions {
		if !WiderMode(p.Sandbox, from.Sandbox) && (to.Name == "" || WiderMode(p.Sandbox, to.Sandbox)) {
			to = p
		}
	}
	return to, to.Name != ""
}
