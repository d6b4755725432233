package auto_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// benchView is a session of about n events whose last one starts a call. With
// visible, a compaction leaves about that many events on the surface.
func benchView(tb testing.TB, n, visible int) (reviewer.View, reviewer.Call) {
	tb.Helper()
	h := eventstest.Header(tb, "bench", func(h *events.Header) { h.CWD = "/workspace/demo" })
	s := eventstest.NewScript(tb, h)
	arguments := `{"file_path":"src/some/file.go"}`
	begin := func() string {
		id := s.ID("call")
		s.StartTurn()
		s.StartStep()
		s.User("Please look at the next file and say what it does, in a sentence or two.")
		s.Assistant("I will read it.", events.ToolCallBlock(id, "bash", arguments))
		s.Call(id, "bash", arguments)
		return id
	}
	for first := true; s.Next() < events.Seq(n); first = false {
		id := begin()
		if first {
			s.Add(requestHeader("p", "m"))
		}
		s.Result(id, strings.Repeat("what the tool said ", 20))
		s.EndStep()
		s.EndTurn(events.EndCompleted)
		if nodes := s.Surface(); visible > 0 && len(nodes) >= 2*visible {
			s.Compact(nodes[0], nodes[len(nodes)-visible-1], "what was done so far")
		}
	}
	if nodes := s.Surface(); visible > 0 && len(nodes) > visible {
		s.Compact(nodes[0], nodes[len(nodes)-visible+1], "what was done so far")
	}
	begin()
	v := reviewer.View{Session: projections.NewSession(h), History: projections.NewHistory()}
	for _, e := range s.Events {
		if err := v.Session.Apply(e); err != nil {
			tb.Fatal(err)
		}
		v.History.Apply(v.Session, e)
	}
	c, err := auto.CallAt(v.Session, s.Events[len(s.Events)-1], nil)
	if err != nil {
		tb.Fatal(err)
	}
	return v, c
}

// prepare is the median time of making a request.
func prepare(tb testing.TB, v reviewer.View, c reviewer.Call, rounds int) time.Duration {
	tb.Helper()
	return medianOf(rounds, func() {
		if _, err := auto.NewRequest(v, c); err != nil {
			tb.Fatal(err)
		}
	})
}

func medianOf(rounds int, do func()) time.Duration {
	times := make([]time.Duration, 0, rounds)
	for range rounds {
		begin := time.Now()
		do()
		times = append(times, time.Since(begin))
	}
	slices.Sort(times)
	return times[rounds/2]
}

// BenchmarkRequestBehindALongLog gives the cost of a warm request behind 100,000
// events as a multiple of that behind 1,000, with a hundred visible events in both.
// At most 1.3 is wanted.
func BenchmarkRequestBehindALongLog(b *testing.B) {
	const visible, rounds = 100, 2000
	early, earlyCall := benchView(b, 1_000, visible)
	late, lateCall := benchView(b, 100_000, visible)
	var ratios []float64
	for b.Loop() {
		short, long := prepare(b, early, earlyCall, rounds), prepare(b, late, lateCall, rounds)
		ratios = append(ratios, float64(long)/float64(short))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "late/early")
	b.ReportMetric(float64(len(late.Session.Surface().Nodes())), "visible")
}

// BenchmarkRequestAgainstCopying gives the cost of a warm request about a session
// that was never compacted as a multiple of copying its history and rendering the
// pending action alone. At most 1.5 is wanted.
func BenchmarkRequestAgainstCopying(b *testing.B) {
	alone, aloneCall := benchView(b, 1, 0)
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			v, c := benchView(b, n, 0)
			r, err := auto.NewRequest(v, c)
			if err != nil {
				b.Fatal(err)
			}
			rounds := max(20, 2_000_000/n)
			var ratios []float64
			for b.Loop() {
				copied := medianOf(rounds, func() { copies = strings.Clone(r.User) })
				ratios = append(ratios, float64(prepare(b, v, c, rounds))/float64(copied+prepare(b, alone, aloneCall, rounds)))
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "request/copy")
			b.ReportMetric(float64(len(r.User)), "bytes")
		})
	}
}

var copies string

// BenchmarkColdRequest gives the cost of a cold request, fold and all, as a multiple
// of the fold of the log alone, of which everything is visible.
func BenchmarkColdRequest(b *testing.B) {
	h := eventstest.Header(b, "bench", func(h *events.Header) { h.CWD = "/workspace/demo" })
	s := eventstest.NewScript(b, h)
	s.StartTurn()
	s.StartStep()
	s.Add(requestHeader("p", "m"))
	for s.Next() < 10_000 {
		s.User("Please look at the next file and say what it does, in a sentence or two.")
	}
	s.Assistant("", events.ToolCallBlock("c1", "bash", "{}"))
	s.Call("c1", "bash", "{}")
	records := s.Records()
	var ratios []float64
	for b.Loop() {
		begin := time.Now()
		foldRecords(b, h, records)
		fold := time.Since(begin)
		begin = time.Now()
		session, es := foldRecords(b, h, records)
		history := projections.NewHistory()
		for _, e := range es[projections.HistoryFrom(session):] {
			history.Apply(session, e)
		}
		c, err := auto.CallAt(session, es[len(es)-1], nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := auto.NewRequest(reviewer.View{Session: session, History: history}, c); err != nil {
			b.Fatal(err)
		}
		ratios = append(ratios, float64(time.Since(begin))/float64(fold))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "cold/fold")
}

func foldRecords(b *testing.B, h events.Header, records []events.Record) (*projections.Session, []events.Envelope) {
	b.Helper()
	s := projections.NewSession(h)
	var es []events.Envelope
	for _, r := range records {
		decoded, err := s.Record(r)
		if err != nil {
			b.Fatal(err)
		}
		es = append(es, decoded...)
	}
	return s, es
}
