package projections_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// text is a session's state in bytes: two sessions with one text are the same.
func text(tb rapid.TB, s *projections.Session) string {
	tb.Helper()
	b, err := s.Snapshot()
	if err != nil {
		tb.Fatalf("snapshot: %v", err)
	}
	return string(b)
}

func restored(tb rapid.TB, s *projections.Session) *projections.Session {
	tb.Helper()
	r, err := projections.Restore([]byte(text(tb, s)))
	if err != nil {
		tb.Fatalf("restore: %v", err)
	}
	return r
}

func TestFoldingStepByStepAtOnceAndBehindSnapshotsIsTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		script := eventstest.Valid(rt)
		whole := projections.NewSession(script.Header)
		if err := whole.Apply(script.Events...); err != nil {
			rt.Fatalf("apply all: %v", err)
		}
		one := projections.NewSession(script.Header)
		for _, e := range script.Events {
			if rapid.Bool().Draw(rt, "snapshot") {
				one = restored(rt, one)
			}
			if err := one.Apply(e); err != nil {
				rt.Fatalf("apply seq %d: %v", e.Seq, err)
			}
		}
		if diff := cmp.Diff(text(rt, whole), text(rt, one)); diff != "" {
			rt.Fatalf("one by one differs from at once (-at once +one by one):\n%s", diff)
		}
	})
}

func TestAnEventThatMayNotComeNextLeavesTheStateAsItWas(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		script := eventstest.Valid(rt)
		at := rapid.IntRange(0, len(script.Events)).Draw(rt, "at")
		s := projections.NewSession(script.Header)
		if err := s.Apply(script.Events[:at]...); err != nil {
			rt.Fatal(err)
		}
		before := text(rt, s)
		wrong := eventstest.Envelope(rt, s.Next(), events.StepEnd{Turn: 999, Step: 999})
		// A frame of which the last event is wrong changes nothing either.
		frame := append(append([]events.Envelope{}, script.Events[at:min(at+2, len(script.Events))]...), wrong)
		for _, es := range [][]events.Envelope{{wrong}, frame} {
			if err := s.Apply(es...); err == nil {
				rt.Fatalf("a step that is not open was ended")
			}
			if diff := cmp.Diff(before, text(rt, s)); diff != "" {
				rt.Fatalf("the state has changed:\n%s", diff)
			}
		}
	})
}

func TestAStagedFrameIsFoldedOrNeverWasThere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		script := eventstest.Valid(rt)
		kept, staged := projections.NewSession(script.Header), projections.NewSession(script.Header)
		for _, e := range script.Events {
			before := text(rt, staged)
			_, undo, err := staged.Stage(e)
			if err != nil {
				rt.Fatal(err)
			}
			undo()
			if diff := cmp.Diff(before, text(rt, staged)); diff != "" {
				rt.Fatalf("undone at seq %d:\n%s", e.Seq, diff)
			}
			commit, _, err := staged.Stage(e)
			if err != nil {
				rt.Fatal(err)
			}
			commit()
			if err := kept.Apply(e); err != nil {
				rt.Fatal(err)
			}
		}
		if diff := cmp.Diff(text(rt, kept), text(rt, staged)); diff != "" {
			rt.Fatalf("staged differs from applied:\n%s", diff)
		}
	})
}
