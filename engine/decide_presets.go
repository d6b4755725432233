package engine

import (
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

// Publish lets a session be used: it pins the preset facts that its log does not
// have, so that what holds does not change with the defaults (reference 2). A
// session on a preset that is not installed is refused, and its log left alone.
type Publish struct {
	Catalogue presets.Catalogue
	// UserDefault is the preset that new sessions of this user get; "" for the
	// catalogue's.
	UserDefault string
	Admit       presets.Admit // nil admits all
	// Headless says that the session has no person in front of it.
	Headless bool
}

func (c Publish) decide(s *projections.Session) ([]events.Draft, error) {
	drafts, err := presets.Pin(c.Catalogue, s.Presets, c.UserDefault, c.Admit)
	return headless(drafts, c.Headless), err
}

// headless marks the choice of a preset as made without a person, so that whoever
// reads the log sees it.
func headless(drafts []events.Draft, is bool) []events.Draft {
	for i, d := range drafts {
		if p, ok := d.Event.(events.PermissionPreset); ok {
			p.Headless = is
			drafts[i].Event = p
		}
	}
	return drafts
}

// SetPreset switches a session to a preset.
type SetPreset struct {
	Preset    string
	Catalogue presets.Catalogue
	Admit     presets.Admit // nil admits all
	// Headless says that the session has no person in front of it. It is recorded
	// with the choice, and a choice without it ends it.
	Headless bool
}

func (c SetPreset) decide(s *projections.Session) ([]events.Draft, error) {
	drafts, err := presets.Set(c.Catalogue, s.Presets, c.Preset, c.Admit)
	if err == nil && len(drafts) == 0 && s.Presets.Headless != c.Headless {
		drafts = events.Drafts(events.PermissionPreset{Preset: c.Preset})
	}
	return headless(drafts, c.Headless), err
}
