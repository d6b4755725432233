package lineage_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
)

func TestForkAtAnyBoundaryIsValid(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := eventstest.Valid(rt)
		parent := s.Records()
		some := rapid.SliceOfN(rapid.IntRange(0, len(parent)), 3, 3).Draw(rt, "boundaries")
		for _, n := range append(some, len(parent)) {
			count := events.Seq(n)
			child, seed := planFork(rt, parent, count)
			es := validate(rt, childOf(rt, s.Header), child...)
			if !fold(es).Balanced() {
				rt.Fatalf("the fork of %d events leaves a turn open", count)
			}
			if !slices.EqualFunc(parent[:count], child[:count], func(a, b events.Record) bool { return line(a) == line(b) }) {
				rt.Fatalf("the prefix of %d events is not the parent's", count)
			}
			checkSeed(rt, child, seed, count)
		}
	})
}

// checkSeed holds what a fork declares against what it has.
func checkSeed(tb rapid.TB, child []events.Record, seed events.Seed, count events.Seq) {
	tb.Helper()
	want := events.Seed{Kind: events.SeedFork, Next: child[len(child)-1].End(), Chain: events.ChainStart().Over(child...)}
	if seed != want {
		tb.Errorf("got seed %v, want %v", seed, want)
	}
	var marker events.EndSeed
	var prefix []events.Record
	for _, r := range child {
		if r.End() <= count {
			prefix = append(prefix, r)
		}
		if r.Seq == count {
			es, err := r.Decode()
			if err != nil {
				tb.Fatal(err)
			}
			marker, _ = es[0].Event.(events.EndSeed)
		}
	}
	if got, want := marker.ParentChain, events.ChainStart().Over(prefix...).String(); got != want || !marker.Inherited {
		tb.Errorf("got parent chain %s behind %d events, want %s", got, count, want)
	}
}

func TestForkDecodesLessAndClosesTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := eventstest.Valid(rt)
		parent := s.Records()
		count := events.Seq(rapid.IntRange(1, max(1, len(parent))).Draw(rt, "count"))
		if len(parent) == 0 {
			rt.Skip("an empty log")
		}
		child, _ := planFork(rt, parent, count)
		tail := fold(s.Events[:count])
		marker := eventstest.Envelope(rt, count, events.EndSeed{Inherited: true})
		marker.Time = s.Events[count-1].Time
		tail.Apply(marker)
		closers, err := lineage.Closers(tail)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(eventstest.Records(rt, closers...), child[count+1:], cmp.Transformer("line", line)); diff != "" {
			rt.Fatalf("got other closers than of the whole fold (-want +got):\n%s", diff)
		}
	})
}

func line(r events.Record) string { return string(r.Line) }

func TestForkOfALargeStepKeepsLittleOfIt(t *testing.T) {
	s := eventstest.NewScript(t, eventstest.Header(t, "parent", nil))
	s.StartTurn()
	s.StartStep()
	s.Assistant("", events.ToolCallBlock("c1", "bash", "{}"), events.ToolCallBlock("c2", "bash", "{}"))
	s.Call("c1", "bash", "{}")
	s.Result("c1", strings.Repeat("x", 800<<10))
	for range 3 {
		s.User(strings.Repeat("y", 800<<10))
	}
	child, _ := planFork(t, s.Records(), s.Next())
	es := validate(t, childOf(t, s.Header), child...)
	if got, want := describe(es[s.Next()+1]), "9 tool/result c2 TOOL_NOT_STARTED"; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestForkBehindALargeStepForgetsIt(t *testing.T) {
	s := eventstest.NewScript(t, eventstest.Header(t, "parent", nil))
	s.StartTurn()
	s.StartStep()
	s.Assistant("", events.ToolCallBlock("c1", "bash", "{}"))
	for range 2 {
		s.User(strings.Repeat("y", 800<<10))
	}
	s.EndStep()
	for range 2 { // in the same turn, and in the next one
		child, _ := planFork(t, s.Records(), s.Next())
		es := validate(t, childOf(t, s.Header), child...)
		if got := len(es) - int(s.Next()); got != 2 {
			t.Errorf("got %d events behind the prefix, want the marker and the turn's end", got)
		}
		s.EndTurn(events.EndCompleted)
		s.StartTurn()
	}
}

func TestForkInsideAPackedRowCutsIt(t *testing.T) {
	h := eventstest.Header0(t, "parent")
	parent := []events.Record{
		eventstest.Line(t, events.Format0, `{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`),
		eventstest.Line(t, events.Format0, `{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":1}}`),
		eventstest.Packed(t, 2, "a", "b", "c", "d"),
		eventstest.Packed(t, 6, "e", "f"),
	}
	for count := events.Seq(0); count <= 8; count++ {
		child, seed := planFork(t, parent, count)
		validate(t, childOf(t, h), child...)
		checkSeed(t, child, seed, count)
		for _, r := range child {
			if own := r.Seq >= count; own != (r.Format == events.Format4) {
				t.Errorf("the fork of %d events has seq %d in format %d", count, r.Seq, r.Format)
			}
		}
	}
}

func TestForkRefusesAGap(t *testing.T) {
	f := lineage.NewFork("parent", 2)
	_, err := f.Copy(nil, eventstest.Record(t, 1, events.TurnStart{Turn: 1}))
	corrupt, ok := errors.AsType[*events.CorruptError](err)
	if !ok || corrupt.Session != "parent" || corrupt.Seq != 0 || corrupt.Type != events.TypeTurnStart {
		t.Errorf("got %v, want a corruption of session parent at seq 0", err)
	}
	if _, _, err := f.Own(0); err == nil {
		t.Error("got the end of a prefix that is not there")
	}
}

func TestForkRefusesAnEndThatDoesNotDecode(t *testing.T) {
	f := lineage.NewFork("parent", 1)
	if _, err := f.Copy(nil, eventstest.Line(t, events.Format4, `{"type":"turn/start","seq":0,"time":1,"data":{"turn":"one"}}`)); err != nil {
		t.Fatal(err)
	}
	_, _, err := f.Own(0)
	corrupt, ok := errors.AsType[*events.CorruptError](err)
	if !ok || corrupt.Session != "parent" || corrupt.Seq != 0 || corrupt.Type != events.TypeTurnStart {
		t.Errorf("got %v, want a corruption of session parent at seq 0", err)
	}
}

func TestBoundaryIsAnEventOfTheParent(t *testing.T) {
	seq := func(s events.Seq) *events.Seq { return &s }
	for name, c := range map[string]struct {
		at   *events.Seq
		next events.Seq
		want events.Seq
		fail string
	}{
		"default is all":          {nil, 3, 3, ""},
		"default of an empty one": {nil, 0, 0, ""},
		"the first event":         {seq(0), 3, 1, ""},
		"the last event":          {seq(2), 3, 3, ""},
		"behind the last event":   {seq(3), 3, 0, "session p cannot be forked at seq 3: the boundary is one of its events, 0 to 2"},
		"negative":                {seq(-1), 3, 0, "session p cannot be forked at seq -1: the boundary is one of its events, 0 to 2"},
		"of an empty one":         {seq(0), 0, 0, "session p cannot be forked at seq 0: it has no events"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := lineage.Boundary("p", c.at, c.next)
			if got != c.want || fmt.Sprint(err) != c.fail && (err != nil || c.fail != "") {
				t.Errorf("got %d, %v, want %d, %s", got, err, c.want, c.fail)
			}
		})
	}
}

func TestFindBoundaryIsTheOneThatWasPlanned(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := eventstest.Valid(rt)
		parent := s.Records()
		count := events.Seq(rapid.IntRange(0, len(parent)).Draw(rt, "count"))
		_, seed := planFork(rt, parent, count)
		checkFound(rt, parent, seed, count)
	})
}

func TestFindBoundaryLooksInsidePackedRows(t *testing.T) {
	parent := []events.Record{
		eventstest.Line(t, events.Format0, `{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`),
		eventstest.Line(t, events.Format0, `{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":1}}`),
		eventstest.Packed(t, 2, "a", "b", "c", "d"),
	}
	for count := events.Seq(0); count <= 6; count++ {
		_, seed := planFork(t, parent, count)
		checkFound(t, parent, seed, count)
	}
	_, seed := planFork(t, parent, 3)
	seed.Chain = events.ChainStart()
	if count, found, err := lineage.FindBoundary(all(parent), seed, eventstest.Epoch); found || err != nil {
		t.Errorf("got boundary %d, %v for a seed of another session, want none", count, err)
	}
}

func checkFound(tb rapid.TB, parent []events.Record, seed events.Seed, want events.Seq) {
	tb.Helper()
	got, found, err := lineage.FindBoundary(all(parent), seed, eventstest.Epoch)
	if err != nil || !found || got != want {
		tb.Errorf("got boundary %d, %t, %v, want %d", got, found, err, want)
	}
}

func all(records []events.Record) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestForkHeader(t *testing.T) {
	depth := int64(2)
	parent := eventstest.Header(t, "parent", func(h *events.Header) {
		h.Origin, h.ParentSession, h.DelegationDepth, h.AgentPreset = events.OriginSubagent, "root", &depth, "standard"
		h.Unknown = events.Unknown(`{"note":"of the parent"}`)
	})
	got, err := lineage.ForkHeader(parent, "child", 7)
	want := `{"type":"session","version":4,"id":"child","createdAt":7,"cwd":"/workspace/demo","parentSession":"parent","isSeeded":true,"delegationDepth":2,"agentPreset":"standard"}`
	if err != nil || string(got.Line) != want {
		t.Errorf("got %s, %v, want %s", got.Line, err, want)
	}
	if _, err := lineage.ForkHeader(parent, "no/id", 7); err == nil {
		t.Error("got a header with the id no/id")
	}
	if _, err := lineage.ForkHeader(parent, "parent", 7); !errors.Is(err, events.ErrExists) {
		t.Errorf("got %v for a fork into itself, want that the session exists", err)
	}
}

func TestFramesAreFilledAndOfOneFormat(t *testing.T) {
	record := func(format events.Format, size int) events.Record {
		return events.Record{Format: format, Count: 1, Line: make([]byte, size-1)}
	}
	const full = lineage.FrameSize
	for name, c := range map[string]struct {
		in   []events.Record
		want []int // records of each frame
	}{
		"none":                     {nil, nil},
		"filled to the last byte":  {[]events.Record{record(4, full/2), record(4, full/2), record(4, 2)}, []int{2, 1}},
		"one byte too many":        {[]events.Record{record(4, full/2), record(4, full/2+1)}, []int{1, 1}},
		"a larger one stays alone": {[]events.Record{record(4, 2), record(4, 3*full), record(4, 2)}, []int{1, 1, 1}},
		"another format":           {[]events.Record{record(0, 2), record(0, 2), record(4, 2)}, []int{2, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var f lineage.Frames
			var got []int
			for _, r := range c.in {
				if full := f.Add(r); full != nil {
					got = append(got, len(full))
				}
			}
			if rest := f.Rest(); rest != nil {
				got = append(got, len(rest))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got frames of %v records, want %v", got, c.want)
			}
		})
	}
}
