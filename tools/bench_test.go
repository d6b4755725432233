package tools_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/tools"
)

// BenchmarkAProgramOfOneCall is what a run costs beside its calls: a process that
// starts twice.
func BenchmarkAProgramOfOneCall(b *testing.B) {
	run := tools.RunCode(tools.Limits{})
	for b.Loop() {
		got := run.Run(b.Context(), tools.Env{Caller: &gateDouble{}}, jsontext.Value(`{"code":"return await tools.read({})"}`))
		if got.IsError {
			b.Fatal(got.Text)
		}
	}
}

// BenchmarkACallOfAProgram is what one call costs beside its review and its body.
func BenchmarkACallOfAProgram(b *testing.B) {
	run := tools.RunCode(tools.Limits{})
	for b.Loop() {
		got := run.Run(b.Context(), tools.Env{Caller: &gateDouble{}}, jsontext.Value(`{"code":"for (let i = 0; i < 256; i++) await tools.read({})"}`))
		if got.IsError {
			b.Fatal(got.Text)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/256, "µs/call")
}

// BenchmarkACommand is what the shell costs.
func BenchmarkACommand(b *testing.B) {
	shell, _ := tools.Shipped().Tool("shell")
	folder := b.TempDir()
	for b.Loop() {
		if got := shell.Run(b.Context(), tools.Env{CWD: folder}, jsontext.Value(`{"command":":"}`)); got.IsError {
			b.Fatal(got.Text)
		}
	}
}
