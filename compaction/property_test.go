package compaction_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func drawRequest(rt *rapid.T, s *compaction.State) compaction.Request {
	return compaction.Request{CompactionID: "drawn", Turn: s.Turn, Keep: compaction.Keep{
		Nodes: rapid.IntRange(0, 5).Draw(rt, "keep nodes"), Tokens: rapid.Int64Range(0, 60).Draw(rt, "keep tokens"),
	}}
}

// wordy makes the texts of a log long enough to be worth replacing.
func wordy(rt *rapid.T) *eventstest.Script {
	s := eventstest.Valid(rt)
	for i, e := range s.Events {
		m, ok := e.Event.(events.UserMessage)
		if !ok || !rapid.Bool().Draw(rt, "wordy") {
			continue
		}
		m.Content = []events.Block{events.TextBlock(rapid.StringN(200, 400, 800).Draw(rt, "words"))}
		long := eventstest.Envelope(rt, e.Seq, m)
		long.Surface, long.Sources = e.Surface, e.Sources
		s.Events[i] = long
	}
	return s
}

func TestTheStateIsInStepWithTheSurface(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := eventstest.Valid(rt)
		l := newLog(rt, &eventstest.Script{Header: s.Header})
		for _, e := range s.Events {
			l.add(e)
			if got, want := seqs(l.state), l.validator.Surface().Nodes(); !slices.Equal(got, want) {
				rt.Fatalf("seq %d: got nodes %v, want %v", e.Seq, got, want)
			}
			if got, want := l.state.Generation, l.validator.Surface().Generation(); got != want {
				rt.Fatalf("seq %d: got generation %d, want %d", e.Seq, got, want)
			}
			if turn, open := l.validator.OpenTurn(); open != (l.state.Turn != 0) || open && turn != l.state.Turn {
				rt.Fatalf("seq %d: got turn %d, want %d, open %t", e.Seq, l.state.Turn, turn, open)
			}
		}
	})
}

func TestASnapshotIsTheState(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := eventstest.Valid(rt)
		cut := rapid.IntRange(0, len(s.Events)).Draw(rt, "cut")
		again := reloaded(rt, fold(s.Events[:cut]))
		for _, e := range s.Events[cut:] {
			again.Apply(e)
		}
		sameState(rt, fold(s.Events), again)
	})
}

func TestAPlanNeverSplitsACallFromItsResult(t *testing.T) {
	planned := 0
	rapid.Check(t, func(rt *rapid.T) {
		l := newLog(rt, wordy(rt))
		plan, err := compaction.Plan(l.state, drawRequest(rt, l.state))
		if err != nil {
			rt.Skip("nothing to plan")
		}
		planned++
		shadowed := map[events.Seq]bool{}
		for _, seq := range plan.Seqs {
			shadowed[seq] = true
		}
		asked := map[string]events.Seq{} // by scope, the visible message that asks
		for _, n := range l.state.Nodes {
			for _, scope := range n.Asks {
				asked[scope] = n.Seq
			}
			if at, ok := asked[n.Answers]; ok {
				if shadowed[at] != shadowed[n.Seq] {
					rt.Fatalf("the call in %d and its result %d are on two sides of %v", at, n.Seq, plan.Seqs)
				}
				delete(asked, n.Answers)
			}
		}
		for scope, at := range asked {
			if shadowed[at] {
				rt.Fatalf("%v holds the call %s, which has no result", plan.Seqs, scope)
			}
		}
	})
	if planned == 0 {
		t.Error("no plan was ever made")
	}
}

func TestTheSurfaceAfterIsThePlan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := newLog(rt, wordy(rt))
		r := drawRequest(rt, l.state)
		plan, err := compaction.Plan(l.state, r)
		if err != nil {
			rt.Skip("nothing to plan")
		}
		before, tokens := seqs(l.state), l.state.Tokens()
		in, err := compaction.NewInput(plan, l.events)
		if err != nil {
			rt.Fatal(err)
		}
		summary, err := compaction.Extractive{}.Summarize(t.Context(), in)
		if err != nil {
			rt.Fatal(err)
		}
		_, end := l.run(r, summary)
		if end.Failure != nil {
			if l.state.Last == nil || !l.state.Last.Failed || !slices.Equal(before, seqs(l.state)) {
				rt.Fatalf("a failure left %+v and the surface %v, want a failed one and %v", l.state.Last, seqs(l.state), before)
			}
			return
		}
		first := slices.Index(before, plan.Start)
		checkpoint := *l.state.Last.Checkpoint
		want := slices.Concat(before[:first], []events.Seq{checkpoint}, before[first+len(plan.Seqs):])
		for _, d := range end.Drafts[3:] { // instructions that come back in the open step
			if m := d.Event.(events.UserMessage); m.Source.Kind != events.SourceAgentInstructions {
				rt.Fatalf("got %+v behind the compaction", m)
			}
			want = append(want, checkpoint+2+events.Seq(len(want)-len(before)+len(plan.Seqs)-1))
		}
		if got := seqs(l.state); !slices.Equal(got, want) {
			rt.Fatalf("got surface %v, want %v", got, want)
		}
		if l.state.Tokens() >= tokens || !l.state.Nodes[first].Checkpoint || l.state.Lock != nil {
			rt.Fatalf("got %d tokens of %d, checkpoint %t, lock %v", l.state.Tokens(), tokens, l.state.Nodes[first].Checkpoint, l.state.Lock)
		}
		// Once more with the same request changes nothing.
		r.CompactionID = "again"
		if _, err := compaction.Plan(l.state, r); err == nil {
			rt.Fatal("the same request finds more to replace")
		}
	})
}

func TestAnExtractIsWithinItsLimitAndQuotesOnly(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := wordy(rt)
		in := compaction.Input{Messages: s.Events, Limit: rapid.Int64Range(40, 3000).Draw(rt, "limit")}
		one, err := compaction.Extractive{}.Summarize(t.Context(), in)
		if err != nil {
			rt.Fatal(err)
		}
		if got := compaction.Tokens(events.UserMessage{Content: one.Blocks}) - 4; got > in.Limit {
			rt.Fatalf("got %d tokens, want at most %d", got, in.Limit)
		}
		two, _ := compaction.Extractive{}.Summarize(t.Context(), in)
		if one.Blocks[0].Text != two.Blocks[0].Text {
			rt.Fatal("the same input gives two texts")
		}
	})
}

func TestShortenedContentFitsOrIsMarked(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringN(0, 500, 1500).Draw(rt, "text")
		limit := rapid.Int64Range(40, 600).Draw(rt, "limit")
		content := []events.Block{events.TextBlock(text)}
		short := compaction.Shorten(content, limit)
		if got := compaction.Tokens(events.UserMessage{Content: short}); got > limit {
			rt.Fatalf("got %d tokens for %q, want at most %d", got, short[0].Text, limit)
		}
		if again := compaction.Shorten(short, limit); !slices.EqualFunc(short, again, func(a, b events.Block) bool { return a.Text == b.Text }) {
			rt.Fatal("what was shortened is shortened again")
		}
		eventstest.Envelope(rt, 0, events.UserMessage{ID: "m", Role: "user", Source: events.Source{Kind: "user"}, Content: short})
	})
}
