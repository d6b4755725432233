package events_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func TestRandomValidLogsAreAccepted(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := eventstest.Valid(rt)
		v := events.NewValidator(log.Header)
		for _, r := range log.Records() {
			if _, err := v.Record(r); err != nil {
				rt.Fatalf("seq %d: %v\n%s", r.Seq, err, r.Line)
			}
		}
		if err := v.Finish(); err != nil {
			rt.Fatal(err)
		}
		if !slices.Equal(v.Surface().Nodes(), log.Surface()) {
			rt.Errorf("got surface %v, want %v", v.Surface().Nodes(), log.Surface())
		}
		for seq := range v.State().Surface.Results {
			if !slices.Contains(log.Surface(), seq) || log.Events[seq].Type() != events.TypeToolResult {
				rt.Errorf("got a result at %d, which is not on the surface %v", seq, log.Surface())
			}
		}
	})
}

func TestLinesOfOursAreWrittenAgainAsTheyWere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		for _, r := range eventstest.Valid(rt).Records() {
			parsed, err := events.ParseRecord(events.Format4, r.Line)
			if err != nil || parsed.Seq != r.Seq || parsed.Count != 1 || parsed.Type() != r.Type() {
				rt.Fatalf("got %+v, %v, want %+v", parsed, err, r)
			}
			es, err := parsed.Decode()
			if err != nil {
				rt.Fatal(err)
			}
			again, err := events.NewRecord(es[0])
			if err != nil || !bytes.Equal(again.Line, r.Line) {
				rt.Fatalf("got %s, %v, want %s", again.Line, err, r.Line)
			}
		}
	})
}

// However a log is cut into frames, the validator comes to the same state.
func TestFramesDoNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := eventstest.Valid(rt)
		single, whole, framed := events.NewValidator(log.Header), events.NewValidator(log.Header), events.NewValidator(log.Header)
		for _, e := range log.Events {
			if err := single.Apply(e); err != nil {
				rt.Fatal(err)
			}
		}
		if err := whole.Apply(log.Events...); err != nil {
			rt.Fatal(err)
		}
		for rest := log.Events; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(rt, "frame")
			if err := framed.Apply(rest[:n]...); err != nil {
				rt.Fatal(err)
			}
			rest = rest[n:]
		}
		for _, v := range []*events.Validator{whole, framed} {
			if diff := stateDiff(v, single); diff != "" {
				rt.Errorf("got another state than event by event (-want +got):\n%s", diff)
			}
		}
	})
}

// A frame that is refused at any of its events leaves nothing behind, nor does
// one that is staged and taken back.
func TestWhatIsRefusedOrTakenBackLeavesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := eventstest.Valid(rt)
		from := rapid.IntRange(0, len(log.Events)).Draw(rt, "from")
		to := rapid.IntRange(from, len(log.Events)).Draw(rt, "to")
		v, want := events.NewValidator(log.Header), events.NewValidator(log.Header)
		for _, w := range []*events.Validator{v, want} {
			if err := w.Apply(log.Events[:from]...); err != nil {
				rt.Fatal(err)
			}
		}
		bad := eventstest.Envelope(rt, events.Seq(to), events.TurnEnd{Turn: 1 << 40, Reason: events.TurnEndReason{Kind: events.EndCompleted}})
		if err := v.Apply(slices.Concat(log.Events[from:to], []events.Envelope{bad})...); err == nil {
			rt.Fatal("got no error")
		}
		if diff := stateDiff(v, want); diff != "" {
			rt.Fatalf("got another state after a refusal (-want +got):\n%s", diff)
		}
		undo, err := v.Stage(log.Events[from:to]...)
		if err != nil {
			rt.Fatal(err)
		}
		undo()
		if diff := stateDiff(v, want); diff != "" {
			rt.Fatalf("got another state after taking back (-want +got):\n%s", diff)
		}
		if err := v.Apply(log.Events[from:]...); err != nil {
			rt.Fatalf("got %v for the rest of a valid log", err)
		}
	})
}

// A log that breaks one rule in one place is refused.
func TestAnyOneMutationIsRefused(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := eventstest.Valid(rt)
		if len(log.Events) < 2 {
			rt.Skip("too short to break")
		}
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(mutations))).Draw(rt, "mutation")
		at := rapid.IntRange(0, len(log.Events)-2).Draw(rt, "at") // not the last, so that a hole shows
		mutated, ok := mutations[name](slices.Clone(log.Records()), log, at)
		if !ok {
			rt.Skip("does not apply there")
		}
		v := events.NewValidator(log.Header)
		for _, r := range mutated {
			parsed, err := events.ParseRecord(r.Format, r.Line)
			if err != nil {
				return
			}
			if _, err := v.Record(parsed); err != nil {
				return
			}
		}
		rt.Fatalf("got no error for %s at %d: %s", name, at, mutated[min(at, len(mutated)-1)].Line)
	})
}
