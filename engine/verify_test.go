package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// findings asks for a report, and gives its findings but the one that there is
// no store to ask.
func findings(t *testing.T, log events.Log, id events.SessionID) (engine.Report, []events.Finding) {
	t.Helper()
	report, err := engine.Verify(t.Context(), log, silent{}, id, nil)
	if err != nil {
		t.Fatalf("verify session %s: %v", id, err)
	}
	return report, report.Findings
}

// silent is a store that finds nothing.
type silent struct{}

func (silent) VerifyStore(context.Context, events.SessionID) ([]events.Finding, error) {
	return nil, nil
}

func TestVerifyNamesTheFirstBadEvent(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "s", 4)
	create(t, &memory, s.Header, s.Records()...)
	if report, found := findings(t, &memory, "s"); len(found) > 0 || !report.OK() || report.Events != 6 || report.Checked != 6 {
		t.Fatalf("got %+v for a sound log", report)
	}
	for name, c := range map[string]struct {
		change  func([]events.Record) []events.Record
		seq     events.Seq
		problem string
	}{
		"a rule":       {replaceLine(3, `"surfaceOp":"append"`, `"surfaceOp":"nothing"`), 3, "surfaceOp must be"},
		"another byte": {replaceLine(3, "text text", "text-text"), 5, "the events up to here are not those of the log's head"},
		"a gap":        {func(r []events.Record) []events.Record { return slices.Delete(slices.Clone(r), 2, 3) }, 2, "seq 3 stands in its place"},
		"a swap": {func(r []events.Record) []events.Record {
			r[3], r[4] = r[4], r[3]
			return r
		}, 3, "seq 4 stands in its place"},
		"a cut tail": {func(r []events.Record) []events.Record { return r[:5] }, 5, "the log ends here, its head is at 6"},
	} {
		t.Run(name, func(t *testing.T) {
			report, _ := findings(t, &tampered{Log: &memory, session: "s", change: c.change}, "s")
			first, found := report.FirstBad()
			if report.OK() || !found || first.Seq != c.seq || !strings.Contains(first.Problem, c.problem) {
				t.Errorf("got %v, want seq %d: %s", report.Findings, c.seq, c.problem)
			}
		})
	}
}

func TestVerifyKeepsIncompleteApartFromCorrupt(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "s", 4)
	req := engine.ImportRequest{File: file(text(s.Header, s.Records())), Actor: human}
	if _, err := engine.Import(t.Context(), &cutLog{Log: &memory, n: 1}, req); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	report, found := findings(t, &memory, "s")
	if _, bad := report.FirstBad(); report.OK() || bad || len(found) != 1 || found[0].Kind != events.FindingIncomplete || found[0].Seq != 4 {
		t.Errorf("got %v, want that it is incomplete at seq 4", found)
	}
}

func TestVerifyComparesAForkWithItsParent(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "p", 4)
	create(t, &memory, s.Header, s.Records()...)
	req := forkOf("p", "c")
	req.At = new(events.Seq(4))
	mustFork(t, &memory, req)
	var alone eventstest.Memory
	exported, _ := exportText(t, &memory, "c", engine.ExportOptions{})
	importText(t, &alone, exported)

	for name, c := range map[string]struct {
		log     events.Log
		kind    events.FindingKind
		seq     events.Seq
		problem string
	}{
		"it is the parent's":        {&memory, "", 0, ""},
		"what came after it is not": {&tampered{&memory, "p", replaceLine(5, "text text", "text-text")}, "", 0, ""},
		"the parent has changed":    {&tampered{&memory, "p", replaceLine(3, "text text", "text-text")}, events.FindingCorrupt, 3, "the inherited event is not byte for byte that of the parent p"},
		"the parent has a gap":      {&tampered{&memory, "p", func(r []events.Record) []events.Record { return r[1:] }}, events.FindingUnproven, 0, "session p is corrupt at seq 0"},
		"the parent is absent":      {&alone, events.FindingUnproven, 0, "session p is not stored here"},
	} {
		t.Run(name, func(t *testing.T) {
			report, found := findings(t, c.log, "c")
			switch {
			case c.kind == "":
				if len(found) > 0 {
					t.Errorf("got %v, want nothing", found)
				}
			case len(found) != 1 || found[0].Kind != c.kind || found[0].Seq != c.seq || !strings.Contains(found[0].Problem, c.problem):
				t.Errorf("got %v, want %s at seq %d: %s", found, c.kind, c.seq, c.problem)
			}
			if report.OK() != (c.kind != events.FindingCorrupt) {
				t.Errorf("got OK %t with %v", report.OK(), found)
			}
		})
	}
}

func TestVerifyOfAForkWithoutTheParentsChainSaysSo(t *testing.T) {
	var memory eventstest.Memory
	h := eventstest.Header(t, "c", func(h *events.Header) { h.IsSeeded, h.ParentSession = new(true), "p" })
	s := eventstest.NewScript(t, h)
	s.Add(events.PermissionPreset{Preset: "read-only"})
	s.Add(events.EndSeed{Inherited: true})
	importText(t, &memory, text(h, s.Records()))
	report, found := findings(t, &memory, "c")
	if !report.OK() || len(found) != 1 || len(report.Unproven()) != 1 || !strings.Contains(found[0].Problem, "the log does not hold the parent's chain") {
		t.Errorf("got %v, want that the prefix is not proven", found)
	}
}

// badStore is a store with a finding of its own.
type badStore struct{ err error }

func (b badStore) VerifyStore(_ context.Context, id events.SessionID) ([]events.Finding, error) {
	return []events.Finding{{Kind: events.FindingCorrupt, Seq: 2, Problem: "the signature of " + string(id) + " is another's"}}, b.err
}

func TestVerifyAsksTheStore(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "s", 4)
	create(t, &memory, s.Header, s.Records()...)
	report, err := engine.Verify(t.Context(), &memory, badStore{}, "s", nil)
	if first, found := report.FirstBad(); err != nil || report.OK() || !found || first.String() != "corrupt: seq 2: the signature of s is another's" {
		t.Errorf("got %v, %v", report.Findings, err)
	}
	if _, err := engine.Verify(t.Context(), &memory, badStore{errCut}, "s", nil); !errors.Is(err, errCut) {
		t.Errorf("got %v, want that the check could not be made", err)
	}
	report, err = engine.Verify(t.Context(), &memory, nil, "s", nil)
	if err != nil || !report.OK() || len(report.Unproven()) != 1 {
		t.Errorf("got %v, %v, want that the store was not asked", report.Findings, err)
	}
	if _, err := engine.Verify(t.Context(), &memory, nil, "nobody", nil); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("got %v, want that it is not found", err)
	}
}

func TestVerifyStopsWithItsContext(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "s", 4)
	create(t, &memory, s.Header, s.Records()...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := engine.Verify(ctx, &memory, nil, "s", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
}

// opening is a log whose store gives another seed or head than was declared.
type opening struct {
	events.Log
	change func(*events.Opened)
}

func (l opening) Open(ctx context.Context, id events.SessionID) (events.Opened, error) {
	o, err := l.Log.Open(ctx, id)
	l.change(&o)
	return o, err
}

func TestVerifyHoldsTheSeedAgainstItsDeclaration(t *testing.T) {
	var memory eventstest.Memory
	importText(t, &memory, lines(
		`{"type":"session","version":0,"id":"s","createdAt":1}`,
		`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`,
		`{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":1}}`,
		`{"type":"text-chunks","seq0":2,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[0,1],"texts":["a","b","c"]}}`,
	))
	for name, c := range map[string]struct {
		change  func(*events.Opened)
		seq     events.Seq
		problem string
	}{
		"another chain":       {func(o *events.Opened) { o.Seed.Chain = events.ChainStart() }, 2, "are not the seed that was declared"},
		"an end inside a row": {func(o *events.Opened) { o.Seed.Next = 3 }, 2, "a record reaches over the end of the seed at 3"},
		"another session":     {func(o *events.Opened) { o.Header.ID = "t" }, 0, "the header is that of session t"},
	} {
		t.Run(name, func(t *testing.T) {
			report, _ := findings(t, opening{&memory, c.change}, "s")
			first, found := report.FirstBad()
			if !found || first.Seq != c.seq || !strings.Contains(first.Problem, c.problem) {
				t.Errorf("got %v, want seq %d: %s", report.Findings, c.seq, c.problem)
			}
		})
	}
}

func TestVerifyOfAMarkerThatNamesAnotherChain(t *testing.T) {
	var memory eventstest.Memory
	h := eventstest.Header(t, "c", func(h *events.Header) { h.IsSeeded, h.ParentSession = new(true), "p" })
	s := eventstest.NewScript(t, h)
	s.Add(events.PermissionPreset{Preset: "read-only"})
	s.Add(events.EndSeed{Inherited: true, ParentChain: events.ChainStart().String()})
	importText(t, &memory, text(h, s.Records()))
	_, found := findings(t, &memory, "c")
	if len(found) != 1 || found[0].Kind != events.FindingUnproven || !strings.Contains(found[0].Problem, "are not those of the parent: it had the chain") {
		t.Errorf("got %v for an import, want that the prefix is not proven", found)
	}
	asFork := func(o *events.Opened) { o.Seed.Kind = events.SeedFork }
	if _, found := findings(t, opening{&memory, asFork}, "c"); len(found) != 1 || found[0].Kind != events.FindingCorrupt {
		t.Errorf("got %v for a fork that was made here, want that it is corrupt", found)
	}
}
