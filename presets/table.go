package presets

import (
	"slices"
	"strings"

	"github.com/docket-engine/docket/events"
)

// Config says what a [Table] is made of (reference 2). The zero Config is not
// valid: an executor that confines must say in which mode.
type Config struct {
	// Presets are the entries in their order; nil is [Base].
	Presets []Preset
	// Default is the entry that new sessions begin with; "" is the first one that is
	// what Executor and Approval compose.
	Default string
	// Executor is the mode that the executor confines in where nothing is said.
	Executor string
	// Approval is the configured policy; "" is ask.
	Approval string
}

// Table is a checked base table. The zero value is not usable.
type Table struct {
	presets   []Preset
	byDefault string
	composed  Bundle
}

// NewTable checks a configuration. Errors are *[events.Refusal].
func NewTable(c Config) (Table, error) {
	t := Table{presets: slices.Clone(c.Presets), composed: Bundle{c.Executor, c.Approval}}
	if c.Presets == nil {
		t.presets = Base()
	}
	if t.composed.Approval == "" {
		t.composed.Approval = events.PolicyAsk
	}
	if t.composed.Sandbox == "" {
		return Table{}, events.Refuse(CodeNotConfining, "executor", "confines in no mode, so that no preset's mode would mean anything")
	}
	if err := t.composed.check("defaults"); err != nil {
		return Table{}, err
	}
	if err := t.checkEntries(); err != nil {
		return Table{}, err
	}
	return t.withDefault(c.Default)
}

func (t Table) checkEntries() error {
	seen := map[string]bool{}
	for _, p := range t.presets {
		if err := p.check("presets"); err != nil {
			return err
		}
		if p.Name == Custom || p.Name == Auto {
			return events.Refuse(CodeReservedPreset, "presets.name", "%s is reserved and cannot be in a table", p.Name)
		}
		if seen[p.Name] {
			return events.Refuse(CodeDuplicatePreset, "presets.name", "%s is in the table twice", p.Name)
		}
		if p.Integration != "" {
			return events.Refuse(CodeBadPreset, "presets.integration", "%s belongs to the integration %s, which is installed and not in a table", p.Name, p.Integration)
		}
		seen[p.Name] = true
	}
	return nil
}

func (t Table) withDefault(name string) (Table, error) {
	if name != "" {
		if _, err := t.UserDefault(name); err != nil {
			return Table{}, err
		}
		t.byDefault = name
		return t, nil
	}
	i := slices.IndexFunc(t.presets, func(p Preset) bool { return p.Bundle == t.composed })
	if i < 0 {
		return Table{}, events.Refuse(CodeNoDefault, "default", "no default is configured, and no preset is %s with %s", t.composed.Sandbox, t.composed.Approval)
	}
	t.byDefault = t.presets[i].Name
	return t, nil
}

// UserDefault is the preset that a person's stored setting names for new
// sessions, or the table's own default for "". An integration's preset cannot be
// one: it may be gone when the session is made (reference 2).
func (t Table) UserDefault(stored string) (Preset, error) {
	if stored == "" {
		stored = t.byDefault
	}
	return inTable(t.presets, stored)
}

// inTable finds the default among the entries of a table.
func inTable(table []Preset, name string) (Preset, error) {
	if p, ok := find(table, name); ok {
		return p, nil
	}
	return Preset{}, events.Refuse(CodeDefaultNotInTable, "default", "%q is not in the table; it has %s", name, names(table))
}

// Catalogue is the table with what integrations contribute.
func (t Table) Catalogue(contributed ...Preset) Catalogue {
	return Catalogue{
		Options:        slices.Clip(slices.Concat(t.presets, contributed)),
		DefaultOptions: slices.Clip(slices.Clone(t.presets)),
		DefaultPreset:  t.byDefault,
		Defaults:       t.composed,
	}
}

func find(presets []Preset, name string) (Preset, bool) {
	for i := range presets { // a Preset is long: none is copied but the one that is found
		if presets[i].Name == name {
			return presets[i], true
		}
	}
	return Preset{}, false
}

func names(presets []Preset) string {
	list := make([]string, 0, len(presets))
	for _, p := range presets {
		list = append(list, p.Name)
	}
	return strings.Join(list, ", ")
}
