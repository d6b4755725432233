package reviewer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/reviewer"
)

func route(name string, reviews bool) reviewer.Route {
	parsed, err := reviewer.ParseRouteName(name)
	if err != nil {
		panic(err)
	}
	return reviewer.Route{Provider: parsed.Provider, Model: parsed.Model, API: reviewer.APICompletions, Reviews: reviews}
}

func TestWithoutARouteForReviewsTheBuiltinOneServes(t *testing.T) {
	for name, routes := range map[string]reviewer.Routes{
		"no settings":                 {},
		"a route that does no review": {Listed: []reviewer.Route{route("a/b", false)}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := routes.For(reviewer.RouteName{Provider: "a", Model: "b"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Name() != "builtin/policy" || got.API != reviewer.APIBuiltin || got.BaseURL != "" {
				t.Errorf("got %+v, want builtin/policy", got)
			}
		})
	}
}

func TestAReviewGoesToARouteThatIsListedForReviewsAndAllowed(t *testing.T) {
	listed := []reviewer.Route{
		route("a/plain", false), route("a/judge", true), route("a/deep/er", true),
		route("a/twice", true), route("a/twice", false), reviewer.BuiltinRoute(),
	}
	cases := map[string]struct {
		asked   string
		allowed []string
		want    string // a part of the error, or empty
	}{
		"pinned":                              {"a/judge", []string{"a/judge"}, ""},
		"a human allowed it":                  {"a/judge", []string{"a/plain", "a/judge"}, ""},
		"a model's name with a slash":         {"a/deep/er", []string{"a/deep/er"}, ""},
		"the builtin one, listed":             {"builtin/policy", []string{"builtin/policy"}, ""},
		"the builtin one, not allowed":        {"builtin/policy", []string{"a/judge"}, "no human allowed it"},
		"listed, and not for reviews":         {"a/plain", []string{"a/plain"}, "do not list the route a/plain for reviews"},
		"not listed":                          {"a/other", []string{"a/other"}, "list no route a/other"},
		"listed twice":                        {"a/twice", []string{"a/twice"}, "more than once"},
		"neither pinned nor allowed":          {"a/judge", []string{"a/deep/er"}, "no human allowed it"},
		"nothing is pinned":                   {"a/judge", nil, "no human allowed it"},
		"another case of letters is another":  {"A/judge", []string{"A/judge"}, "list no route A/judge"},
		"the same text cut at another place":  {"a/deep", []string{"a/deep"}, "list no route a/deep"},
		"a blank is part of the name":         {"a/judge ", []string{"a/judge "}, "list no route"},
		"allowed says nothing of the listing": {"b/judge", []string{"a/judge", "b/judge"}, "list no route b/judge"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			asked, err := reviewer.ParseRouteName(c.asked)
			if err != nil {
				t.Fatal(err)
			}
			var allowed []reviewer.RouteName
			for _, text := range c.allowed {
				one, err := reviewer.ParseRouteName(text)
				if err != nil {
					t.Fatal(err)
				}
				allowed = append(allowed, one)
			}
			got, err := reviewer.Routes{Listed: listed}.For(asked, allowed)
			if c.want == "" {
				if err != nil || got.RouteName() != asked {
					t.Errorf("got %v, %v; want the asked route", got.Name(), err)
				}
				return
			}
			if !errors.Is(err, reviewer.ErrRouteNotAllowed) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want ROUTE_NOT_ALLOWED with %q", err, c.want)
			}
			if diff := cmp.Diff(reviewer.Route{}, got); diff != "" {
				t.Errorf("a route came with the error:\n%s", diff)
			}
		})
	}
	if got := listed[1].Name(); got != "a/judge" {
		t.Errorf("the listing changed: %s stands second", got)
	}
}

func TestARouteIsNamedByProviderAndModel(t *testing.T) {
	for _, bad := range []string{"", "a", "/", "a/", "/b"} {
		if got, err := reviewer.ParseRouteName(bad); err == nil {
			t.Errorf("%q was read as %v", bad, got)
		}
	}
	got, err := reviewer.ParseRouteName("a/b/c")
	if err != nil || got != (reviewer.RouteName{Provider: "a", Model: "b/c"}) || got.String() != "a/b/c" {
		t.Errorf("got %+v, %v", got, err)
	}
}
