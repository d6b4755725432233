package events_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// benchLines are lines of about 500 bytes, as most are.
func benchLines() map[string][]byte {
	text := strings.Repeat("The quick brown fox. ", 15)
	return map[string][]byte{
		"tool-call": []byte(line("tool/call", fmt.Sprintf(`{"turn":1,"step":1,"callId":"call_0123456789abcdef","name":"bash","arguments":%q}`, text+text[:90]))),
		"user-message": []byte(line("user/message", fmt.Sprintf(
			`{"id":"0197a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b","role":"user","source":{"kind":"user","rpcId":"r"},"content":[{"type":"text","text":%q}]}`, text), `,"surfaceOp":"append"`)),
		"tool-result": []byte(line("tool/result", fmt.Sprintf(
			`{"turn":1,"step":1,"message":{"id":"m","role":"tool","source":{"kind":"tool","callId":"c"},"content":[{"type":"text","text":%q}]}}`, text), `,"surfaceOp":"append"`, `,"sourceEventSeqs":[4]`)),
		"opaque": []byte(line("todo/write", fmt.Sprintf(`{"todos":[{"text":%q,"done":false}]}`, text+text[:90]))),
	}
}

func BenchmarkParseRecord(b *testing.B) {
	for name, l := range benchLines() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(l)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := events.ParseRecord(events.Format4, l); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParseRecordAndDecode(b *testing.B) {
	for name, l := range benchLines() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(l)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := events.ParseRecord(events.Format4, l)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := r.Decode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNewRecord(b *testing.B) {
	for name, l := range benchLines() {
		e := mustDecode(b, events.Format4, string(l))
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := events.NewRecord(e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// benchLog is a log of steps with one call each.
func benchLog(tb testing.TB, steps int) *eventstest.Script {
	s := eventstest.NewScript(tb, eventstest.Header(tb, "s", nil))
	text := strings.Repeat("The quick brown fox. ", 15)
	s.StartTurn()
	for i := range steps {
		id := fmt.Sprintf("call-%d", i)
		s.StartStep()
		s.User(text)
		s.Assistant(text, events.ToolCallBlock(id, "bash", text))
		s.Call(id, "bash", text)
		s.Result(id, text)
		s.EndStep()
	}
	return s
}

// BenchmarkValidatorRecord gives the time of one record of a long log.
func BenchmarkValidatorRecord(b *testing.B) {
	for _, steps := range []int{100, 1000} {
		s := benchLog(b, steps)
		records := s.Records()
		b.Run(fmt.Sprintf("log of %d", len(records)), func(b *testing.B) {
			b.ReportAllocs()
			v := events.NewValidator(s.Header)
			for b.Loop() {
				if int(v.Next()) == len(records) {
					v = events.NewValidator(s.Header)
				}
				if _, err := v.Record(records[v.Next()]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkValidatorApply leaves the decoding out.
func BenchmarkValidatorApply(b *testing.B) {
	s := benchLog(b, 1000)
	b.ReportAllocs()
	v := events.NewValidator(s.Header)
	for b.Loop() {
		if int(v.Next()) == len(s.Events) {
			v = events.NewValidator(s.Header)
		}
		if err := v.Apply(s.Events[v.Next()]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckJSON(b *testing.B) {
	many := []byte("[" + strings.Repeat(`{"name":"t","parameters":{"type":"object","properties":{"a":{"type":"string"}}}},`, 400) + "1]")
	inputs := benchLines()
	inputs["1200-objects"] = many
	for name, l := range inputs {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(l)))
			b.ReportAllocs()
			for b.Loop() {
				if err := events.CheckJSON(l); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkChain(b *testing.B) {
	l := benchLines()["tool-call"]
	b.SetBytes(int64(len(l)))
	b.ReportAllocs()
	c := events.ChainStart()
	for b.Loop() {
		c = c.Next(l)
	}
}
