package projections_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// TestHistorySizeGrowsWithWhatIsKept: the estimate follows the memory that a
// history takes, rendered or not, from half of it to three times as much.
func TestHistorySizeGrowsWithWhatIsKept(t *testing.T) {
	const copies = 3
	kinds := contents()
	kinds["long messages"] = func(s *eventstest.Script, n int) {
		s.StartTurn()
		s.StartStep()
		for range n {
			s.User(strings.Repeat("x", 2_000))
		}
	}
	for _, name := range []string{"visible messages", "long messages", "visible calls", "open calls", "open inner calls"} {
		for _, rendered := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				measured := func(n int) (heap, estimate int64) {
					script := eventstest.NewScript(t, eventstest.Header(t, "size", nil))
					kinds[name](script, n)
					s, records := folded(t, script), script.Records()
					var kept []*projections.History
					before := heapBytes()
					for range copies {
						kept = append(kept, builtFrom(t, s, records, rendered))
					}
					after := heapBytes()
					runtime.KeepAlive(script)
					runtime.KeepAlive(s)
					runtime.KeepAlive(records)
					return (after - before) / copies, kept[0].Size()
				}
				smallHeap, small := measured(1)
				largeHeap, large := measured(150)
				ratio := float64(large-small) / float64(largeHeap-smallHeap)
				t.Logf("rendered %t: %d bytes of heap each, estimated at %d: %.2f", rendered, (largeHeap-smallHeap)/149, (large-small)/149, ratio)
				if ratio < 0.5 || ratio > 3 {
					t.Errorf("the estimate grows %.2f times as much as the memory, want from 0.5 to 3", ratio)
				}
			})
		}
	}
}

// builtFrom builds a history of what is stored, as an engine does.
func builtFrom(t *testing.T, s *projections.Session, records []events.Record, rendered bool) *projections.History {
	t.Helper()
	h := projections.NewHistory()
	for _, r := range records[projections.HistoryFrom(s):] {
		es, err := r.Decode()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range es {
			h.Apply(s, e)
		}
	}
	if rendered {
		h.Text(s, projections.CallRef{})
	}
	return h
}

// TestAHistoryKeepsNothingOfWhatLeftTheSurface: its size does not grow with the log.
func TestAHistoryKeepsNothingOfWhatLeftTheSurface(t *testing.T) {
	size := func(n int) int64 {
		script := conversation(t, n)
		s, h := projections.NewSession(script.Header), projections.NewHistory()
		for _, e := range script.Events {
			if err := s.Apply(e); err != nil {
				t.Fatal(err)
			}
			h.Apply(s, e)
			if e.Seq%50 == 0 {
				h.Text(s, projections.CallRef{})
			}
		}
		return h.Size()
	}
	if short, long := size(1_000), size(8_000); long > 2*short {
		t.Errorf("got %d bytes behind 8,000 events and %d behind 1,000", long, short)
	}
}
