package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// sameEvents compares events as they are decoded, wherever they were stored:
// type, place, time, surface, and the data with its members in any order. What
// became ignorable, and gained a citation that format 0 did not ask for, counts as
// the same.
func sameEvents(tb rapid.TB, got, want []events.Envelope) {
	tb.Helper()
	if len(got) != len(want) {
		tb.Fatalf("got %d events, want %d", len(got), len(want))
	}
	for i := range want {
		if diff := cmp.Diff(comparable(tb, want[i]), comparable(tb, got[i])); diff != "" {
			tb.Fatalf("seq %d differs (-want +got):\n%s", i, diff)
		}
	}
}

func comparable(tb rapid.TB, e events.Envelope) map[string]any {
	tb.Helper()
	data := e.Data.Clone()
	if err := data.Canonicalize(jsontext.AllowInvalidUTF8(true)); err != nil {
		tb.Fatal(err)
	}
	start, end, replaces := e.Surface.Replace()
	return map[string]any{
		"seq": e.Seq, "time": e.Time, "type": e.Type(), "data": string(data), "sources": fmt.Sprint(e.Sources),
		"surface": fmt.Sprint(e.Surface.Append(), replaces, start, end),
	}
}

func TestRecordedSessionsAreExportedAsVersion4AndImportedAgain(t *testing.T) {
	for name, text := range recordedFiles(t) {
		for _, opts := range []engine.ExportOptions{{Format4: true}, {ForReference: true}} {
			t.Run(fmt.Sprintf("%s %+v", name, opts), func(t *testing.T) {
				var log, other eventstest.Memory
				id := importText(t, &log, text).Header.ID
				out, done := exportText(t, &log, id, opts)
				if !done.Upcast || done.Header.Version != events.Format4 {
					t.Errorf("got %+v, want that it says that it was upcast", done)
				}
				again := importText(t, &other, out)
				if again.Header.Version != events.Format4 || again.Header.CWD != done.Header.CWD || again.Events != done.Events {
					t.Errorf("got %+v", again)
				}
				verified(t, &other, id)
				sameEvents(t, eventsOf(t, &other, id), eventsOf(t, &log, id))
				twice, _ := exportText(t, &other, id, engine.ExportOptions{})
				plain, _ := exportText(t, &log, id, engine.ExportOptions{Format4: opts.Format4, ForReference: opts.ForReference})
				if !bytes.Equal(twice, plain) {
					t.Error("an export of the export is another file")
				}
			})
		}
	}
}

func TestALogThatContinuesFormat0IsExportedAsVersion4(t *testing.T) {
	for name, text := range recordedFiles(t) {
		t.Run(name, func(t *testing.T) {
			var log, other eventstest.Memory
			id := importText(t, &log, text).Header.ID
			if _, err := engine.Repair(t.Context(), &log, id, human); err != nil {
				t.Fatal(err)
			}
			load(t, &log, id).mustAppend(t, "go-on", events.PermissionPreset{Preset: "read-only"})
			mustFork(t, &log, forkOf(id, "child"))
			for _, id := range []events.SessionID{id, "child"} {
				out, done := exportText(t, &log, id, engine.ExportOptions{})
				if !done.Upcast || done.Header.Version != events.Format4 || done.Header.Seeded() != (id == "child") {
					t.Errorf("session %s: got %+v", id, done)
				}
				importText(t, &other, out)
				report := verified(t, &other, id)
				if len(report.Unproven()) != 1 {
					t.Errorf("got %v, want that an exported fork is that of its exported parent", report.Findings)
				}
				want := eventsOf(t, &log, id)
				if id == "child" {
					want = withChainsOf(t, want, &other)
				}
				sameEvents(t, eventsOf(t, &other, id), want)
			}
		})
	}
}

// withChainsOf gives events whose marker has the chain of the exported prefix.
func withChainsOf(t *testing.T, es []events.Envelope, exported events.Log) []events.Envelope {
	t.Helper()
	chain := events.ChainStart()
	var at events.Seq
	for i, e := range es {
		if end, ok := e.Event.(events.EndSeed); ok && end.Inherited {
			at = events.Seq(i)
		}
	}
	for r, err := range exported.Read(t.Context(), "child", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Seq < at {
			chain = chain.Next(r.Line)
		}
	}
	marker := eventstest.Envelope(t, at, events.EndSeed{Inherited: true, ParentChain: chain.String()})
	es[at].Event, es[at].Data = marker.Event, marker.Data
	return es
}

func TestALogOfOneFormatIsExportedAsItIsStored(t *testing.T) {
	var log eventstest.Memory
	s := bigSession(t, "s", 3)
	create(t, &log, s.Header, s.Records()...)
	mustFork(t, &log, forkOf("s", "child"))
	for _, opts := range []engine.ExportOptions{{}, {Format4: true}, {ForReference: true}} {
		for _, id := range []events.SessionID{"s", "child"} {
			out, done := exportText(t, &log, id, opts)
			sameLines(t, strings.Split(strings.TrimSpace(string(out)), "\n")[1:], linesOf(t, &log, id))
			if done.Upcast || !bytes.HasPrefix(out, append(done.Header.Line, '\n')) {
				t.Errorf("%s %+v: got %+v, want the stored lines", id, opts, done)
			}
		}
	}
}

func TestAnExportForTheReferenceDecodesToTheSameEvents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var log, other eventstest.Memory
		s := eventstest.Valid(rt)
		importText(rt, &log, text(s.Header, s.Records()))
		out, _ := exportText(rt, &log, s.Header.ID, engine.ExportOptions{ForReference: true})
		importText(rt, &other, out)
		sameEvents(rt, eventsOf(rt, &other, s.Header.ID), eventsOf(rt, &log, s.Header.ID))
		for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n")[1:] {
			r := eventstest.Line(rt, events.Format4, line)
			if r.Type().Ours() && !strings.Contains(line, `,"ignorable":true`) {
				rt.Fatalf("the reference cannot read %s", line)
			}
		}
	})
}

func TestAnExportForTheReferenceWritesOurMessagesAsItsOwn(t *testing.T) {
	var log eventstest.Memory
	s := eventstest.NewScript(t, eventstest.Header(t, "s", nil))
	s.StartTurn()
	s.StartStep()
	s.Add(events.AgentMessage{
		ID: "m", Role: "user", SenderSessionID: "p", Form: "relay", Content: []events.Block{events.TextBlock("hi")},
		Parent: &events.ParentProof{Seq: 3, RecordHash: "00"}, Unknown: events.Unknown(`{"mood":"good"}`),
	})
	s.Add(events.ReviewNotice{ID: "n", Role: "user", Reviewer: "auto", Content: []events.Block{events.TextBlock("no")}})
	s.Add(events.ApprovalTier{Tier: "passive"})
	create(t, &log, s.Header, s.Records()...)
	out, _ := exportText(t, &log, "s", engine.ExportOptions{ForReference: true})
	sameLines(t, strings.Split(strings.TrimSpace(string(out)), "\n")[3:], []string{
		`{"type":"user/message","seq":2,"time":1800000000002,"data":{"id":"m","role":"user","source":{"kind":"agent-message","form":"relay","senderSessionId":"p"},"content":[{"type":"text","text":"hi"}],"mood":"good","parent":{"seq":3,"recordHash":"00"}},"surfaceOp":"append"}`,
		`{"type":"user/message","seq":3,"time":1800000000003,"data":{"id":"n","role":"user","source":{"kind":"review-notice","reviewer":"auto"},"content":[{"type":"text","text":"no"}]},"surfaceOp":"append"}`,
		`{"type":"approval/tier","seq":4,"time":1800000000004,"data":{"tier":"passive"},"ignorable":true}`,
	})
}

func TestUpcastCitesTheCallThatFormat0DidNotCite(t *testing.T) {
	var log, other eventstest.Memory
	importText(t, &log, lines(
		`{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}`,
		`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`,
		`{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":1}}`,
		`{"type":"tool/call","seq":2,"time":1,"data":{"turn":1,"step":1,"callId":"c","name":"bash","arguments":""}}`,
		`{"type":"tool/result","seq":3,"time":1,"data":{"turn":1,"step":1,"message":{"role":"user","source":{"kind":"tool","callId":"c"},"content":[{"type":"tool-result","toolCallId":"c","content":[]}]}},"surfaceOp":"append"}`,
		`{"type":"session/end-seed","seq":4,"time":1,"data":{"inherited":true}}`,
	))
	out, done := exportText(t, &log, "s", engine.ExportOptions{Format4: true})
	if !done.Header.Seeded() {
		t.Errorf("got header %s, want isSeeded, since the log has an inherited part", done.Header.Line)
	}
	importText(t, &other, out)
	if got := fmt.Sprint(eventsOf(t, &other, "s")[3].Sources); got != "[2]" {
		t.Errorf("got sources %s, want the call", got)
	}
	if report := verified(t, &other, "s"); len(report.Unproven()) != 2 {
		t.Errorf("got %v, want that the prefix is not proven", report.Findings)
	}
}

func TestExportOfACorruptLogFails(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "s", 4)
	create(t, &memory, s.Header, s.Records()...)
	for name, change := range map[string]func([]events.Record) []events.Record{
		"another byte": replaceLine(3, "text text", "text-text"),
		"a cut tail":   func(r []events.Record) []events.Record { return r[:5] },
		"another format": func(r []events.Record) []events.Record {
			r[4].Format = events.Format0
			return r
		},
	} {
		for _, opts := range []engine.ExportOptions{{}, {ForReference: true}} {
			t.Run(fmt.Sprintf("%s %+v", name, opts), func(t *testing.T) {
				_, err := engine.Export(t.Context(), &tampered{Log: &memory, session: "s", change: change}, "s", &bytes.Buffer{}, opts)
				if !errors.Is(err, events.ErrCorrupt) && (name != "another format" || !opts.ForReference) {
					t.Errorf("got %v, want that the log is corrupt", err)
				}
			})
		}
	}
	if _, err := engine.Export(t.Context(), &memory, "s", &bytes.Buffer{}, engine.ExportOptions{Compression: "lz4"}); err == nil {
		t.Error("got an export as lz4")
	}
	if _, err := engine.Export(t.Context(), &memory, "nobody", &bytes.Buffer{}, engine.ExportOptions{}); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("got %v, want that it is not found", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errCut }

func TestExportSaysThatItCouldNotWrite(t *testing.T) {
	var log eventstest.Memory
	s := bigSession(t, "s", 4)
	create(t, &log, s.Header, s.Records()...)
	for _, c := range []engine.Compression{engine.Plain, engine.Gzip, engine.Zstd} {
		if _, err := engine.Export(t.Context(), &log, "s", full{}, engine.ExportOptions{Compression: c}); !errors.Is(err, errCut) {
			t.Errorf("%q: got %v", c, err)
		}
	}
}
