package auto

import (
	"slices"

	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// judge finds the route of a review. A session's own is that of its latest
// request/header, if the settings list it for reviews and the session began with it or
// a person allowed it. The routes of a child are its family's (reference 8, item 14):
// it begins with the one that the root is pinned to, and where its own header asks for
// another one than people have allowed, it is that one which judges.
func judge(routes reviewer.Routes, v reviewer.View) (reviewer.Route, error) {
	config := v.Session.Request.Header.Config
	asked := reviewer.RouteName{Provider: config.Provider, Model: config.Model}
	allowed, pinned := family(v)
	route, err := routes.For(asked, allowed)
	if err != nil && pinned != nil {
		route, err = routes.For(*pinned, allowed)
	}
	if err != nil {
		return reviewer.Route{}, err
	}
	if slices.ContainsFunc(routes.Listed, func(r reviewer.Route) bool { return r.Reviews }) {
		return route, nil
	}
	return route, mayJudge(route, v)
}

// family are the routes that may judge a session's calls, and of a child the one that
// does where its own may not.
func family(v reviewer.View) (allowed []reviewer.RouteName, pinned *reviewer.RouteName) {
	own := v.Session.ReviewRoutes()
	if len(v.Ancestors) > 0 { // which route a child's first header names is its agent's choice
		own = v.Session.AllowedRoutes()
	}
	allowed = names(own)
	for _, a := range v.Ancestors { // the last one is the root
		allowed = append(allowed, a.Allowed...)
		pinned = a.Pinned
	}
	if pinned != nil {
		allowed = append(allowed, *pinned)
	}
	return allowed, pinned
}

// mayJudge refuses the builtin route where another one has judged the session, or its
// family, before: whoever reviews by settings that list none would otherwise be a way
// around the judge that there was.
func mayJudge(route reviewer.Route, v reviewer.View) error {
	builtin := reviewer.BuiltinName()
	if route.RouteName() != builtin || leave(v, builtin) {
		return nil
	}
	for _, name := range judges(v) {
		if name != builtin.String() {
			return reviewer.ErrRouteNotAllowed.With("%s has judged this session, the settings of this engine list no route for reviews, and no human allowed %s", name, builtin)
		}
	}
	return nil
}

// judges are the routes that have answered reviews of the session and its ancestors.
func judges(v reviewer.View) []string {
	out := slices.Clone(v.Session.Request.Judges)
	for _, a := range v.Ancestors {
		out = append(out, a.Judges...)
	}
	return out
}

// leave reports whether a person allowed a route, in the session or its family.
func leave(v reviewer.View, name reviewer.RouteName) bool {
	given := names(v.Session.AllowedRoutes())
	for _, a := range v.Ancestors {
		given = append(given, a.Allowed...)
	}
	return slices.Contains(given, name)
}

func names(routes []projections.RequestRoute) []reviewer.RouteName {
	var out []reviewer.RouteName
	for _, r := range routes {
		out = append(out, reviewer.RouteName{Provider: r.Provider, Model: r.Model})
	}
	return out
}
