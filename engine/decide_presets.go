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
}

func (c Publish) decide(s *projections.Session) ([]events.Draft, error) {
	return presets.Pin(c.Catalogue, s.Presets, c.UserDefault, c.Admit)
}

// SetPreset switches a session to a preset.
type SetPreset struct {
	Preset    string
	Catalogue presets.Catalogue
	Admit     presets.Admit // nil admits all
}

func (c SetPreset) decide(s *projections.Session) ([]events.Draft, error) {
	return presets.Set(c.Catalogue, s.Presets, c.Preset, c.Admit)
}
