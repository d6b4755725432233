package engine

import (
	"slices"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// AllowRoute lets a route serve the session's reviews beside the one that it began
// with: a person's command, since the agent's side writes which route it asks and
// must not choose its judge. It cannot list the route in the settings, which is
// needed as well.
type AllowRoute struct {
	Provider, Model string
	By              string // the person, as the engine knows them
}

func (c AllowRoute) decide(s *projections.Session) ([]events.Draft, error) {
	switch {
	case c.Provider == "":
		return nil, invalid("provider", "must not be empty")
	case c.Model == "":
		return nil, invalid("model", "must not be empty")
	case c.By == "":
		return nil, invalid("by", "must not be empty")
	}
	if slices.Contains(s.ReviewRoutes(), projections.RequestRoute{Provider: c.Provider, Model: c.Model}) {
		return nil, nil
	}
	return events.Drafts(events.ReviewRoute{Provider: c.Provider, Model: c.Model, By: c.By}), nil
}
