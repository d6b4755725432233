package projections_test

import (
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// cpu is the processor time that do takes, its part of the collector's included,
// which other programs do not lengthen.
func cpu(b *testing.B, do func()) time.Duration {
	b.Helper()
	used := func() time.Duration {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
			b.Fatal(err)
		}
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	runtime.GC()
	before := used()
	do()
	return used() - before
}

func median(times []time.Duration) float64 {
	return float64(slices.Sorted(slices.Values(times))[len(times)/2])
}

// BenchmarkFoldAgainstDecode gives the rate of folding 100,000 records as a part
// of the rate of decoding them alone, from medians of processor time. At least
// 0.6 is wanted.
func BenchmarkFoldAgainstDecode(b *testing.B) {
	script := conversation(b, 100_000)
	records := script.Records()
	script.Events = nil
	var decode, fold []time.Duration
	for b.Loop() {
		decode = append(decode, cpu(b, func() {
			for _, r := range records {
				if _, err := r.Decode(); err != nil {
					b.Fatal(err)
				}
			}
		}))
		fold = append(fold, cpu(b, func() {
			s := projections.NewSession(script.Header)
			for _, r := range records {
				if _, err := s.Record(r); err != nil {
					b.Fatal(err)
				}
			}
		}))
	}
	b.ReportMetric(median(decode)/median(fold), "fold/decode")
	b.ReportMetric(median(fold)/float64(len(records)), "ns/event")
}

// BenchmarkOneEventLate gives the cost of applying an event behind 100,000 events
// as a multiple of that behind 1,000, from medians of processor time over the next
// thousands of events. At most 1.3 is wanted.
func BenchmarkOneEventLate(b *testing.B) {
	const window, windows = 2_000, 10
	early, late := 1_000, 100_000
	es := conversation(b, late+window*windows).Events
	at := map[int][]byte{}
	s := projections.NewSession(conversation(b, 1).Header)
	for i, e := range es {
		if i == early || i == late {
			text, err := s.Snapshot()
			if err != nil {
				b.Fatal(err)
			}
			at[i] = text
		}
		if err := s.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
	spent := map[int][]time.Duration{}
	for b.Loop() {
		for _, n := range []int{early, late} {
			s, err := projections.Restore(at[n])
			if err != nil {
				b.Fatal(err)
			}
			next := es[n : n+window*windows]
			spent[n] = append(spent[n], cpu(b, func() { applyAll(b, s, next) }))
		}
	}
	b.ReportMetric(median(spent[late])/median(spent[early]), "late/early")
	for _, n := range []int{early, late} {
		b.ReportMetric(median(spent[n])/window/windows, fmt.Sprintf("ns/event@%d", n))
	}
}

func applyAll(b *testing.B, s *projections.Session, es []events.Envelope) {
	b.Helper()
	for _, e := range es {
		if err := s.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
}
