package reviewer

import (
	"slices"

	"github.com/docket-engine/docket/projections"
)

// SessionRoutes says by which route a review of a session goes out, as far as logs say it
// (decisions 0008 and 0019).
type SessionRoutes struct {
	// Asked is the route of the session's latest request header.
	Asked RouteName
	// Above is the one that its parent is pinned to: it judges where Asked may not. Nil
	// for a session without ancestors, or whose ancestors never named one.
	Above *RouteName
	// Allowed are those that may be asked.
	Allowed []RouteName
	// Left are those among them that a person allowed.
	Left []RouteName
	// Judged are those that have judged before, in the session or above it.
	Judged []RouteName
}

// SessionRoutesOf reads the routes of a session's family.
//
// The routes of a child are those that its farthest ancestor began with, and those that
// a person allowed there, below it, or in the child. What another header of the family
// names first is the choice of an agent: a session is pinned to it where the family
// has it anyway, and else to what its parent is pinned to.
func SessionRoutesOf(v View) SessionRoutes {
	var f SessionRoutes
	var pinned *RouteName
	join := func(began *projections.RequestRoute, left []projections.RequestRoute, judges projections.Judges) {
		if began != nil && pinned == nil {
			pinned = new(routeName(*began))
			f.Allowed = with(f.Allowed, *pinned)
		}
		for _, l := range left {
			f.Allowed, f.Left = with(f.Allowed, routeName(l)), with(f.Left, routeName(l))
		}
		if began != nil && slices.Contains(f.Allowed, routeName(*began)) {
			pinned = new(routeName(*began))
		}
		for _, j := range judges.Routes {
			f.Judged = with(f.Judged, routeName(j.RequestRoute))
		}
	}
	for _, a := range slices.Backward(v.Ancestors) {
		join(a.Pinned, a.Allowed, a.Judges)
	}
	f.Above = pinned
	join(v.Session.Request.Pinned, v.Session.AllowedRoutes(), v.Session.JudgedBy())
	if h := v.Session.Request.Header; h != nil {
		f.Asked = RouteName{Provider: h.Config.Provider, Model: h.Config.Model}
	}
	return f
}

// For finds the route of a review among those of the settings. Where the session's own
// may not be asked, it is the parent's that judges, and the review is not refused.
//
// Settings that list no route for reviews have the builtin one judge. Where another one
// has judged the session or its family before, they would be a way around it: that takes
// a person's leave for the builtin route.
func (f SessionRoutes) For(r Routes) (Route, error) {
	route, err := r.For(f.Asked, f.Allowed)
	if err != nil && f.Above != nil {
		route, err = r.For(*f.Above, f.Allowed)
	}
	builtin := BuiltinName()
	if err != nil || r.reviewing() || slices.Contains(f.Left, builtin) {
		return route, err
	}
	for _, j := range f.Judged {
		if j != builtin {
			return Route{}, ErrRouteNotAllowed.With("%s has judged this session before, the settings here list no route for reviews, and no human allowed %s", j, builtin)
		}
	}
	return route, nil
}

func routeName(r projections.RequestRoute) RouteName {
	return RouteName{Provider: r.Provider, Model: r.Model}
}

func with(routes []RouteName, one RouteName) []RouteName {
	if slices.Contains(routes, one) {
		return routes
	}
	return append(routes, one)
}
