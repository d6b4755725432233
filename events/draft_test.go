package events_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func TestADraftGetsAPlace(t *testing.T) {
	preset, message := events.PermissionPreset{Preset: "p"}, user()
	cases := map[string]struct {
		draft   events.Draft
		surface events.SurfaceOp
		sources []events.Seq
	}{
		"a log-only event": {events.Draft{Event: preset}, events.SurfaceOp{}, nil},
		"a visible one":    {events.Draft{Event: message}, events.SurfaceAppend(), nil},
		"one with sources": {events.Draft{Event: message, Sources: []events.Seq{3}}, events.SurfaceAppend(), []events.Seq{3}},
		"one in another's place": {
			events.Draft{Event: message, Surface: events.SurfaceReplace(3, 4), Sources: []events.Seq{3, 4}},
			events.SurfaceReplace(3, 4),
			[]events.Seq{3, 4},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := c.draft.At(5, 7)
			if err != nil {
				t.Fatal(err)
			}
			want := eventstest.Envelope(t, 5, c.draft.Event)
			want.Time, want.Surface, want.Sources = 7, c.surface, c.sources
			if diff := cmp.Diff(want, got, ignoreRaw); diff != "" {
				t.Errorf("got another event than want (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := (events.Draft{Event: events.PermissionPreset{}}).At(5, 7); err == nil {
		t.Error("got no error for an event that a reader refuses")
	}
	if got := events.Drafts(preset, message); len(got) != 2 || got[1].Event == nil || !got[1].Surface.None() {
		t.Errorf("got %+v, want two drafts as their types are", got)
	}
}
