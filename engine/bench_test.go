package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// ordinary is a log of about n events of 400 bytes, as sessions have them: turns
// of steps in which the model speaks and calls a tool.
func ordinary(tb testing.TB, id events.SessionID, n int) (events.Header, []events.Record) {
	tb.Helper()
	s := eventstest.NewScript(tb, eventstest.Header(tb, id, nil))
	said := strings.Repeat("It reads the file and changes a line of it. ", 8)
	for turn := 0; len(s.Events) < n; turn++ {
		s.StartTurn()
		for step := range 5 {
			s.StartStep()
			s.User(said)
			call := fmt.Sprintf("call-%d-%d", turn, step)
			arguments := `{"path":"src/main.go","old":"` + said[:100] + `"}`
			s.Assistant(said, events.ToolCallBlock(call, "edit", arguments))
			s.Call(call, "edit", arguments)
			s.Result(call, strings.Repeat("a line of the file\n", 20))
			s.EndStep()
		}
		s.EndTurn(events.EndCompleted)
	}
	return s.Header, s.Records()
}

func BenchmarkImport(b *testing.B) {
	for name, whole := range map[string][]byte{"ordinary": text(ordinary(b, "bench", 20_000)), "large lines": text(bigSession(b, "bench", 80).Header, bigSession(b, "bench", 80).Records())} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(whole)))
			events := 0
			for b.Loop() {
				done := importText(b, &eventstest.Memory{}, whole)
				events += int(done.Events)
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// stored is a memory with that session.
func inMemory(tb testing.TB, id events.SessionID) (*eventstest.Memory, int) {
	tb.Helper()
	whole := text(ordinary(tb, id, 20_000))
	log := &eventstest.Memory{}
	importText(tb, log, whole)
	return log, len(whole)
}

func BenchmarkVerify(b *testing.B) {
	log, size := inMemory(b, "bench")
	b.SetBytes(int64(size))
	events := 0
	for b.Loop() {
		events += int(verified(b, log, "bench").Events)
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkExport(b *testing.B) {
	log, size := inMemory(b, "bench")
	for name, opts := range map[string]engine.ExportOptions{"as it is stored": {}, "for the reference": {ForReference: true}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				var w bytes.Buffer
				w.Grow(size)
				if _, err := engine.Export(context.Background(), log, "bench", &w, opts); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFork(b *testing.B) {
	log, size := inMemory(b, "bench")
	for name, boundary := range map[string]*events.Seq{"all": nil, "half": new(events.Seq(10_000))} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			n, count := 0, 0
			for b.Loop() {
				req := forkOf("bench", events.SessionID(fmt.Sprintf("child-%s-%d", name, n)))
				req.At = boundary
				count += int(mustFork(b, log, req).Events)
				n++
			}
			b.ReportMetric(float64(count)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
