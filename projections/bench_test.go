package projections_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// conversation is a log of about n events: turns of one step with a call each,
// compacted every hundred visible events, so that what is visible stays bounded
// as it does in a real session.
func conversation(tb testing.TB, n int) *eventstest.Script {
	tb.Helper()
	s := eventstest.NewScript(tb, eventstest.Header(tb, "bench", nil))
	for s.Next() < events.Seq(n) {
		s.StartTurn()
		s.StartStep()
		s.User("Please look at the next file and say what it does, in a sentence or two.")
		id := s.ID("call")
		s.Assistant("I will read it.", events.ToolCallBlock(id, "read", `{"file_path":"src/some/file.go"}`))
		s.Call(id, "read", `{"file_path":"src/some/file.go"}`)
		s.Result(id, "package some\n\nfunc File() string { return \"a file of some length, so that the record is of a usual size\" }\n")
		s.EndStep()
		s.EndTurn(events.EndCompleted)
		if nodes := s.Surface(); len(nodes) > 100 {
			s.Compact(nodes[0], nodes[len(nodes)-4], "what was done so far")
		}
	}
	return s
}

func BenchmarkDecodeAlone(b *testing.B) {
	records := conversation(b, 100_000).Records()
	for b.Loop() {
		for _, r := range records {
			if _, err := r.Decode(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(records))*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkFold(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			script := conversation(b, n)
			records := script.Records()
			for b.Loop() {
				s := projections.NewSession(script.Header)
				for _, r := range records {
					if _, err := s.Record(r); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(len(records))*float64(b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(len(records))/float64(b.N), "ns/event")
		})
	}
}

// BenchmarkIdleSession reports what a folded session of 1,000 events holds, of
// which 100 are visible. At most 300 kB are wanted.
func BenchmarkIdleSession(b *testing.B) {
	script := conversation(b, 1_000)
	if nodes := script.Surface(); len(nodes) > 100 {
		script.Compact(nodes[0], nodes[len(nodes)-100], "what was done so far")
	}
	for script.StartTurn(); len(script.Surface()) < 100; script.EndStep() {
		script.StartStep()
		script.User("Please look at the next file and say what it does, in a sentence or two.")
	}
	records := script.Records()
	const sessions = 200
	kept := make([]*projections.Session, 0, sessions)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range sessions {
		s := projections.NewSession(script.Header)
		for _, r := range records {
			if _, err := s.Record(r); err != nil {
				b.Fatal(err)
			}
		}
		kept = append(kept, s)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	for b.Loop() {
		runtime.KeepAlive(kept)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/sessions, "bytes/session")
	b.ReportMetric(float64(kept[0].Size()), "estimated")
	b.ReportMetric(float64(len(kept[0].Surface().Nodes())), "visible")
}
