package reviewer

import (
	"fmt"
	"slices"
	"strings"
)

// RouteName names a route, as request headers and the settings do.
type RouteName struct {
	Provider string
	Model    string
}

// String is provider/model.
func (n RouteName) String() string { return n.Provider + "/" + n.Model }

// ParseRouteName reads provider/model. The provider ends at the first slash: a
// model's name may hold more of them.
func ParseRouteName(text string) (RouteName, error) {
	provider, model, found := strings.Cut(text, "/")
	if !found || provider == "" || model == "" {
		return RouteName{}, fmt.Errorf("reviewer: %q names no route: it must be PROVIDER/MODEL", text)
	}
	return RouteName{Provider: provider, Model: model}, nil
}

// BuiltinName names the route that is there without any settings: rules, and no
// model.
func BuiltinName() RouteName { return RouteName{Provider: "builtin", Model: "policy"} }

// BuiltinRoute is the route of [BuiltinName].
func BuiltinRoute() Route {
	name := BuiltinName()
	return Route{Provider: name.Provider, Model: name.Model, API: APIBuiltin, Reviews: true}
}

// ErrRouteNotAllowed says that the route that the log asks for must not serve the
// session's reviews.
var ErrRouteNotAllowed = &Failure{Class: ClassRoute, Code: "ROUTE_NOT_ALLOWED"}

// Routes are those of the settings. The zero Routes send every review to the
// builtin route.
type Routes struct {
	// Listed are in the order of the settings, each name once. They are not changed.
	Listed []Route
}

// For finds the route of a review. Where the settings list none for reviews, it is
// the builtin one. Else it is the asked one, and only if it is listed for reviews
// and in allowed: the session's pinned route and those that a human allowed. The
// error is [ErrRouteNotAllowed] with what is wrong.
func (r Routes) For(asked RouteName, allowed []RouteName) (Route, error) {
	if !r.reviewing() {
		return BuiltinRoute(), nil
	}
	listed := slices.DeleteFunc(slices.Clone(r.Listed), func(l Route) bool { return l.RouteName() != asked })
	switch {
	case len(listed) == 0:
		return Route{}, ErrRouteNotAllowed.With("the settings list no route %s", asked)
	case len(listed) > 1:
		return Route{}, ErrRouteNotAllowed.With("the settings list the route %s more than once", asked)
	case !listed[0].Reviews:
		return Route{}, ErrRouteNotAllowed.With("the settings do not list the route %s for reviews", asked)
	case !slices.Contains(allowed, asked):
		return Route{}, ErrRouteNotAllowed.With("the route %s is not the session's first one, and no human allowed it", asked)
	}
	return listed[0], nil
}

// reviewing reports whether the settings list a route for reviews.
func (r Routes) reviewing() bool {
	return slices.ContainsFunc(r.Listed, func(l Route) bool { return l.Reviews })
}
