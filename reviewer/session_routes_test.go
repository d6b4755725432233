package reviewer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// kin is a session of a family: what its headers named, in order, and what a person
// allowed and who was asked, in between.
type kin []events.Event

func header(route string) events.Event {
	provider, model, _ := strings.Cut(route, "/")
	return events.RequestHeader{Header: events.RequestConfiguration{Config: events.RequestConfig{Provider: provider, Model: model}}, Reason: "change"}
}

func leave(route string) events.Event {
	provider, model, _ := strings.Cut(route, "/")
	return events.ReviewRoute{Provider: provider, Model: model, By: "ada"}
}

func judged(route string) events.Event {
	return events.ReviewVerdict{Turn: 1, Step: 1, CallID: "c", Mode: "native", Preset: "auto", Reviewer: "auto", Route: route, Outcome: events.VerdictAllow}
}

// folded is the session's state, by its parts alone: the rules of a whole log play no
// part in its routes.
func (k kin) folded(t *testing.T) *projections.Session {
	t.Helper()
	s := projections.NewSession(eventstest.Header(t, "kin", nil))
	for i, ev := range k {
		e, err := events.NewEnvelope(events.Seq(i), 0, ev)
		if err != nil {
			t.Fatal(err)
		}
		s.Request.Apply(e)
		s.Judges.Apply(e)
	}
	return s
}

func listing(names ...string) reviewer.Routes {
	var r reviewer.Routes
	for _, name := range names {
		provider, model, _ := strings.Cut(name, "/")
		r.Listed = append(r.Listed, reviewer.Route{Provider: provider, Model: model, API: reviewer.APICompletions, Reviews: true})
	}
	return r
}

// TestTheRoutesAreTheFamilys: nobody of a family leaves its judge by a header of their
// own, and nobody is refused for having named another one.
func TestTheRoutesAreTheFamilys(t *testing.T) {
	const strong, weak, other = "a/strong", "b/weak", "c/other"
	const refused = "refused"
	all := listing(strong, weak, other)
	root := kin{header(strong)}
	for name, c := range map[string]struct {
		family []kin // the root first, the session last
		routes reviewer.Routes
		want   string
	}{
		"a root goes by its own first":                        {[]kin{{header(weak)}}, all, weak},
		"a root does not leave it":                            {[]kin{{header(strong), header(weak)}}, all, refused},
		"a root leaves it by a person's word":                 {[]kin{{header(strong), leave(weak), header(weak)}}, all, weak},
		"a child that names what its parent has":              {[]kin{root, {header(strong)}}, all, strong},
		"a child that names another one first":                {[]kin{root, {header(weak)}}, all, strong},
		"a child that names another one later":                {[]kin{root, {header(strong), header(weak)}}, all, strong},
		"a child that names one that is not listed":           {[]kin{root, {header("x/y")}}, all, strong},
		"a child by a person's word in its parent":            {[]kin{{header(strong), leave(weak)}, {header(weak)}}, all, weak},
		"a child by a person's word in itself":                {[]kin{root, {header(weak), leave(weak)}}, all, weak},
		"a sibling has nothing of that":                       {[]kin{root, {leave(weak)}, {header(other)}}, all, strong},
		"a grandchild by a person's word in between":          {[]kin{root, {header(strong), leave(weak)}, {header(weak)}}, all, weak},
		"a grandchild that names what its parent named":       {[]kin{root, {header(weak)}, {header(weak)}}, all, strong},
		"a grandchild's parent is pinned to what it may":      {[]kin{{header(strong), leave(weak)}, {header(weak)}, {header(other)}}, all, weak},
		"a parent that changed its header":                    {[]kin{{header(strong), header(weak)}, {header(weak)}}, all, strong},
		"a parent's route that the settings do not list":      {[]kin{{header("x/y")}, {header(weak)}}, all, refused},
		"nobody above has named one: as a root":               {[]kin{{}, {header(weak)}}, all, weak},
		"nobody above has named one: and then no other":       {[]kin{{}, {header(weak), header(strong)}}, all, refused},
		"settings that list none":                             {[]kin{root, {header(weak)}}, listing(), "builtin/policy"},
		"the builtin one does not take over from a model":     {[]kin{{header(strong), judged(strong)}}, listing(), refused},
		"nor in a child of a session that a model judged":     {[]kin{{header(strong), judged(strong)}, {header(strong)}}, listing(), refused},
		"nor in a child that a model judged":                  {[]kin{root, {header(strong), judged(strong)}}, listing(), refused},
		"but by a person's word":                              {[]kin{{header(strong), judged(strong), leave("builtin/policy")}}, listing(), "builtin/policy"},
		"and by a person's word above":                        {[]kin{{header(strong), judged(strong), leave("builtin/policy")}, {header(weak)}}, listing(), "builtin/policy"},
		"to be pinned to it is no person's word":              {[]kin{{header("builtin/policy"), leave(strong), header(strong), judged(strong)}}, listing(), refused},
		"a model takes over from the builtin one":             {[]kin{{header(strong), judged("builtin/policy")}}, all, strong},
		"the builtin one goes on where it judged":             {[]kin{{header(strong), judged("builtin/policy")}}, listing(), "builtin/policy"},
		"a verdict without a route was nobody's":              {[]kin{{header(strong), judged("")}}, listing(), "builtin/policy"},
		"settings that list another one than all of these":    {[]kin{root, {header(weak)}}, listing("d/d"), refused},
		"a leave for a route that the settings do not list":   {[]kin{root, {leave("x/y"), header("x/y")}}, all, strong},
		"a person's leave above does not move those below":    {[]kin{{header(strong), leave(weak)}, {header(strong)}}, all, strong},
		"a header of the child that names nothing goes there": {[]kin{root, {header(weak), header("/")}}, all, strong},
	} {
		t.Run(name, func(t *testing.T) {
			own := c.family[len(c.family)-1].folded(t)
			v := reviewer.View{Session: own}
			for i := len(c.family) - 2; i >= 0; i-- {
				s := c.family[i].folded(t)
				v.Ancestors = append(v.Ancestors, reviewer.AncestorOf(s, projections.NewHistory(), events.Head{}))
			}
			got, err := reviewer.SessionRoutesOf(v).For(c.routes)
			switch {
			case c.want == refused && !errors.Is(err, reviewer.ErrRouteNotAllowed):
				t.Errorf("got %s, %v, want %s", got.Name(), err, reviewer.ErrRouteNotAllowed.Code)
			case c.want != refused && (err != nil || got.Name() != c.want):
				t.Errorf("got %s, %v, want %s", got.Name(), err, c.want)
			}
		})
	}
}

// TestWhatAnImportSaysOfJudgesCountsForNothing: neither does it bind anybody to a model,
// nor is a leave of its any person's.
func TestWhatAnImportSaysOfJudgesCountsForNothing(t *testing.T) {
	s := kin{header("a/strong"), judged("a/strong"), leave("b/weak"), header("b/weak")}.folded(t)
	s.Imported = 4
	if got, err := reviewer.SessionRoutesOf(reviewer.View{Session: s}).For(listing()); err != nil || got.Name() != "builtin/policy" {
		t.Errorf("got %s, %v, want builtin/policy", got.Name(), err)
	}
	if got, err := reviewer.SessionRoutesOf(reviewer.View{Session: s}).For(listing("a/strong", "b/weak")); !errors.Is(err, reviewer.ErrRouteNotAllowed) {
		t.Errorf("got %s, %v: its agent left the route that the import began with", got.Name(), err)
	}
}
