package engine

import (
	"slices"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
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
	route := projections.RequestRoute{Provider: c.Provider, Model: c.Model}
	known := s.ReviewRoutes()
	if needsLeave(s, route) {
		known = s.AllowedRoutes()
	}
	if slices.Contains(known, route) {
		return nil, nil
	}
	return events.Drafts(events.ReviewRoute{Provider: c.Provider, Model: c.Model, By: c.By}), nil
}

// needsLeave reports whether a route does not serve the session's reviews by being its
// first one alone: a child's is its agent's choice, and the builtin one takes a person's
// word where another one has judged before (decision 0019).
func needsLeave(s *projections.Session, route projections.RequestRoute) bool {
	builtin := reviewer.BuiltinName()
	return s.Header().ParentSession != "" || route == projections.RequestRoute{Provider: builtin.Provider, Model: builtin.Model}
}
