package presets

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Catalogue is what is installed at one moment: complete, or not at all (seed
// 000, "Process catalog"). It is a value; nobody changes its slices.
type Catalogue struct {
	// Options are what a session can be switched to: the table in its order, then
	// the integrations' in the order of their installation.
	Options []Preset `json:"options"`
	// DefaultOptions are what new sessions can begin with: the table.
	DefaultOptions []Preset `json:"defaultOptions"`
	DefaultPreset  string   `json:"defaultPreset"`
	// Defaults are the executor's mode and the configured policy: what holds where a
	// log says nothing.
	Defaults Bundle `json:"defaults"`
}

// Find gives the preset of that name.
func (c Catalogue) Find(name string) (Preset, bool) { return find(c.Options, name) }

// Default is the preset of new sessions.
func (c Catalogue) Default() (Preset, bool) { return find(c.DefaultOptions, c.DefaultPreset) }

// Check reports what keeps the catalogue from being complete.
func (c Catalogue) Check() error {
	if len(c.Options) == 0 || len(c.DefaultOptions) == 0 {
		return events.Refuse(CodeIncomplete, "options", "and defaultOptions must not be empty")
	}
	if err := c.Defaults.check("defaults"); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, p := range c.Options {
		if err := p.check("options"); err != nil {
			return err
		}
		if seen[p.Name] || p.Name == Custom {
			return events.Refuse(CodeIncomplete, "options.name", "must not have %s, or not twice", p.Name)
		}
		seen[p.Name] = true
	}
	if len(c.DefaultOptions) > len(c.Options) || !slices.Equal(c.DefaultOptions, c.Options[:len(c.DefaultOptions)]) {
		return events.Refuse(CodeIncomplete, "defaultOptions", "must be what options begin with")
	}
	_, err := inTable(c.DefaultOptions, c.DefaultPreset)
	return err
}

// Effective is the mode and the policy that hold: what the log says, else what
// executor and configuration say (reference 2).
func (c Catalogue) Effective(s State) Bundle {
	b := c.Defaults
	if s.Sandbox.Mode != "" {
		b.Sandbox = s.Sandbox.Mode
	}
	if s.Approval.Policy != "" {
		b.Approval = s.Approval.Policy
	}
	return b
}

// Current derives the preset that a session is on, or [Custom] (reference 2):
//
//  1. the recorded one, if it is installed and sets what is effective;
//  2. the recorded one of an integration that looks at calls, if it is installed,
//     its mode is effective, and the policy is never: so a child under never keeps
//     its parent's review (the reference says it of auto alone);
//  3. the first entry of the table that sets what is effective;
//  4. custom.
func (c Catalogue) Current(s State) string {
	effective := c.Effective(s)
	if p, installed := c.Find(s.Preset); installed {
		sameSandbox := p.Sandbox == effective.Sandbox
		if p.Bundle == effective || sameSandbox && p.keptUnderNever() && effective.Approval == events.PolicyNever {
			return p.Name
		}
	}
	for _, p := range c.DefaultOptions {
		if p.Bundle == effective {
			return p.Name
		}
	}
	return Custom
}

// keptUnderNever says which presets step 2 is about: every one that is looked at,
// so that a child, which is under never, has the review that it took over.
func (p Preset) keptUnderNever() bool { return p.Reviewed() }

// Captured reports whether a child takes over its parent's preset of that name,
// not the mode and the policy alone: full access (reference 6), and every preset
// with a guard or a reviewer, so that a child never has less review than its
// parent (design section 6).
func (c Catalogue) Captured(name string) bool {
	p, installed := c.Find(name)
	return installed && (p.Reviewed() || p.Name == DangerFullAccess)
}
