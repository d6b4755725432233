package events_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// A snapshot holds a validator as JSON. Read back, it is what it was, and goes on
// as if nothing had happened.
func TestAValidatorIsRestoredFromItsState(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := eventstest.Valid(rt)
		cut := rapid.IntRange(0, len(log.Events)).Draw(rt, "cut")
		want := events.NewValidator(log.Header)
		if err := want.Apply(log.Events[:cut]...); err != nil {
			rt.Fatal(err)
		}
		text, err := json.Marshal(want.State())
		if err != nil {
			rt.Fatal(err)
		}
		var state events.ValidatorState
		if err := json.Unmarshal(text, &state); err != nil {
			rt.Fatal(err)
		}
		got, err := events.RestoreValidator(log.Header, state)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := stateDiff(got, want); diff != "" {
			rt.Fatalf("got another state than want (-want +got):\n%s", diff)
		}
		for _, v := range []*events.Validator{got, want} {
			if err := v.Apply(log.Events[cut:]...); err != nil {
				rt.Fatal(err)
			}
		}
		if diff := stateDiff(got, want); diff != "" {
			rt.Fatalf("got another state at the end than want (-want +got):\n%s", diff)
		}
	})
}

// What a validator does after it gave its state does not change that.
func TestAStateDoesNotAliasItsValidator(t *testing.T) {
	s := eventstest.NewScript(t, eventstest.Header(t, "s", nil))
	visible(s)
	v := after(t, s.Header, s.Events)
	before, err := json.Marshal(v.State(), json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	state := v.State()
	n := len(s.Events)
	s.Call("d", "bash", "{}")
	replacing(t, result(), 7, 7, 7)(s)
	s.Add(examples()[events.TypeRequestHeader][0])
	s.Add(events.ApprovalAsked{ID: "a", ToolName: "bash"})
	if err := v.Apply(s.Events[n:]...); err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(state, json.Deterministic(true)); err != nil || string(text) != string(before) {
		t.Errorf("got state %s, %v, want %s", text, err, before)
	}
}

func TestAStateWithOtherDigestsIsRefused(t *testing.T) {
	for _, digest := range []string{"", "ab", "x", strings.Repeat("ab", 31), strings.Repeat("ab", 33), strings.Repeat("ab", 4000), strings.Repeat("zz", 32)} {
		_, err := events.RestoreValidator(eventstest.Header(t, "s", nil), events.ValidatorState{
			Surface: events.SurfaceState{Results: map[events.Seq]string{3: digest}},
		})
		wantField(t, err, "surface.results")
	}
}
