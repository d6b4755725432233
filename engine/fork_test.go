package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
)

func forkOf(source, child events.SessionID) engine.ForkRequest {
	return engine.ForkRequest{Source: source, Child: child, Actor: human, Now: eventstest.Epoch + 1000}
}

func mustFork(tb rapid.TB, log events.Log, req engine.ForkRequest) engine.Forked {
	tb.Helper()
	done, err := engine.Fork(context.Background(), log, req)
	if err != nil {
		tb.Fatalf("fork: %v", err)
	}
	return done
}

func TestForkCopiesThePrefixAndClosesIt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var log eventstest.Memory
		s := eventstest.Valid(rt)
		importText(rt, &log, text(s.Header, s.Records()))
		req, inherited := forkOf(s.Header.ID, "child"), s.Next()
		if inherited > 0 && rapid.Bool().Draw(rt, "boundary") {
			inherited = events.Seq(rapid.IntRange(1, int(inherited)).Draw(rt, "inherited"))
			req.At = new(inherited - 1)
		}
		done := mustFork(rt, &log, req)
		if done.Inherited != inherited || done.AlreadyThere || done.Resumed || done.Header.ParentSession != s.Header.ID {
			rt.Fatalf("got %+v, want %d events inherited", done, inherited)
		}
		es := eventstest.Check(t, &log, "child")
		sameLines(rt, linesOf(rt, &log, "child")[:inherited], linesOf(rt, &log, s.Header.ID)[:inherited])
		if events.Seq(len(es)) != done.Events {
			rt.Errorf("got %d events, want %d", len(es), done.Events)
		}
		if report := verified(rt, &log, "child"); len(report.Unproven()) != 1 { // the store
			rt.Errorf("got %v, want that the prefix is proven", report.Findings)
		}
		if closers, err := engine.Repair(t.Context(), &log, "child", human); err != nil || len(closers) > 0 {
			rt.Errorf("got %v, %v, want a balanced child", closers, err)
		}
		before := linesOf(rt, &log, "child")
		if again := mustFork(rt, &log, req); !again.AlreadyThere || again.Inherited != inherited {
			rt.Errorf("got %+v for the same fork, want that it is already there", again)
		}
		sameLines(rt, linesOf(rt, &log, "child"), before)
	})
}

func TestRecordedSessionsCanBeForkedAnywhere(t *testing.T) {
	for name, text := range recordedFiles(t) {
		t.Run(name, func(t *testing.T) {
			var log eventstest.Memory
			parent := importText(t, &log, text)
			for i := range 4 {
				at := events.Seq(i) * (parent.Events - 1) / 3
				req := forkOf(parent.Header.ID, events.SessionID(fmt.Sprintf("child-%d", i)))
				req.At = &at
				mustFork(t, &log, req)
				verified(t, &log, req.Child)
				if _, err := engine.Load(t.Context(), &log, req.Child); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestForkRefuses(t *testing.T) {
	var log eventstest.Memory
	s := bigSession(t, "source", 2)
	create(t, &log, s.Header, s.Records()...)
	create(t, &log, eventstest.Header(t, "other", nil))
	create(t, &log, eventstest.Header(t, "empty", nil))
	mustFork(t, &log, forkOf("source", "child"))
	cut := engine.ImportRequest{File: file(text(bigSession(t, "cut", 5).Header, bigSession(t, "cut", 5).Records())), Actor: human}
	if _, err := engine.Import(t.Context(), &cutLog{Log: &log, n: 1}, cut); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	isDifferent := func(err error) bool {
		_, ok := errors.AsType[*engine.DiffersError](err)
		return ok && errors.Is(err, events.ErrExists)
	}
	isBoundary := func(err error) bool { _, ok := errors.AsType[*lineage.BoundaryError](err); return ok }
	isField := func(err error) bool { _, ok := errors.AsType[*events.FieldError](err); return ok }
	for name, c := range map[string]struct {
		req  engine.ForkRequest
		want func(error) bool
	}{
		"a source that is not there":     {forkOf("nobody", "c1"), func(err error) bool { return errors.Is(err, events.ErrNotFound) }},
		"an incomplete source":           {forkOf("cut", "c1"), func(err error) bool { return errors.Is(err, events.ErrSeedIncomplete) }},
		"a boundary behind the end":      {engine.ForkRequest{Source: "source", Child: "c1", At: new(events.Seq(4))}, isBoundary},
		"a boundary of an empty session": {engine.ForkRequest{Source: "empty", Child: "c1", At: new(events.Seq(0))}, isBoundary},
		"a child that is no fork":        {forkOf("source", "other"), isDifferent},
		"a child that is another's fork": {forkOf("empty", "child"), isDifferent},
		"a child with another boundary":  {engine.ForkRequest{Source: "source", Child: "child", At: new(events.Seq(1))}, isDifferent},
		"itself":                         {forkOf("source", "source"), func(err error) bool { return errors.Is(err, events.ErrExists) }},
		"a child whose id is no name":    {forkOf("source", "a/b"), isField},
		"a time that no header may have": {engine.ForkRequest{Source: "source", Child: "c1", Now: -1}, isField},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := engine.Fork(t.Context(), &log, c.req); err == nil || !c.want(err) {
				t.Errorf("got %v", err)
			}
			if _, err := log.Open(t.Context(), "c1"); !errors.Is(err, events.ErrNotFound) {
				t.Errorf("got %v, want that nothing is stored", err)
			}
		})
	}
}

func TestForkOfACorruptSourceIsRefused(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "source", 5)
	create(t, &memory, s.Header, s.Records()...)
	for name, change := range map[string]func([]events.Record) []events.Record{
		"another byte": replaceLine(3, "text text", "text-text"),
		"a gap":        func(r []events.Record) []events.Record { return slices.Delete(slices.Clone(r), 2, 3) },
		"a cut tail":   func(r []events.Record) []events.Record { return r[:5] },
		"no JSON":      replaceLine(6, `"data":{`, `"data":[`),
	} {
		t.Run(name, func(t *testing.T) {
			log := &tampered{Log: &memory, session: "source", change: change}
			_, err := engine.Fork(t.Context(), log, forkOf("source", "child"))
			corrupt, ok := errors.AsType[*events.CorruptError](err)
			if !ok || corrupt.Session != "source" {
				t.Errorf("got %v, want that the source is corrupt", err)
			}
			if _, err := memory.Open(t.Context(), "child"); !errors.Is(err, events.ErrNotFound) {
				t.Errorf("got %v, want that nothing is stored", err)
			}
		})
	}
}

// TestAForkThatWasCutShortIsFinishedByTheSameFork cuts it behind each of its
// appends, with and without a boundary, and the parent goes on in between.
func TestAForkThatWasCutShortIsFinishedByTheSameFork(t *testing.T) {
	s := bigSession(t, "source", 7)
	s.Assistant("", events.ToolCallBlock("c1", "bash", "{}"))
	s.Call("c1", "bash", "{}")
	last := s.Next() - 1
	for _, c := range []struct {
		kept     int
		lost     bool
		boundary *events.Seq
	}{{}, {lost: true}, {kept: 1}, {kept: 1, lost: true, boundary: &last}, {kept: 300_000, boundary: &last}} {
		for n := range 5 {
			t.Run(fmt.Sprintf("kept %d, lost %t, boundary %t, %d appends", c.kept, c.lost, c.boundary != nil, n), func(t *testing.T) {
				var memory eventstest.Memory
				create(t, &memory, s.Header, s.Records()...)
				req := forkOf("source", "child")
				req.Kept, req.At = c.kept, c.boundary
				_, err := engine.Fork(t.Context(), &cutLog{Log: &memory, n: n, lost: c.lost}, req)
				finished := n == 4 || n == 3 && c.lost
				if (err == nil) != (n == 4) || err != nil && !errors.Is(err, errCut) {
					t.Fatalf("got %v behind %d appends", err, n)
				}
				load(t, &memory, "source").mustAppend(t, "more", events.StepEnd{Turn: 1, Step: 1})
				req.Now += 5000 // the command is given later
				done, err := engine.Fork(t.Context(), &memory, req)
				if err != nil || done.AlreadyThere != finished || done.Resumed == finished || done.Inherited != last+1 {
					t.Fatalf("got %+v, %v", done, err)
				}
				verified(t, &memory, "child")
				es := eventsOf(t, &memory, "child")
				if got := es[len(es)-1].Event; got.Type() != events.TypeTurnEnd {
					t.Errorf("got %v at the end, want the closers", got)
				}
			})
		}
	}
}

func TestForkOfAForkHasTheParentsChainAtEachMarker(t *testing.T) {
	var log eventstest.Memory
	s := bigSession(t, "a", 3)
	create(t, &log, s.Header, s.Records()...)
	req := forkOf("a", "b")
	req.At = new(events.Seq(3))
	mustFork(t, &log, req)
	mustFork(t, &log, forkOf("b", "c"))
	var chains []string
	for _, e := range eventsOf(t, &log, "c") {
		if end, ok := e.Event.(events.EndSeed); ok {
			chains = append(chains, end.ParentChain)
		}
	}
	b, err := log.Open(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{events.ChainStart().Over(s.Records()[:4]...).String(), b.Head.Chain.String()}
	if !slices.Equal(chains, want) {
		t.Errorf("got chains %v, want %v", chains, want)
	}
	verified(t, &log, "c")
}

func TestForkOfAnEmptySessionIsAnEmptySeededOne(t *testing.T) {
	var log eventstest.Memory
	create(t, &log, eventstest.Header(t, "empty", nil))
	done := mustFork(t, &log, forkOf("empty", "child"))
	got := linesOf(t, &log, "child")
	want := fmt.Sprintf(`{"type":"session/end-seed","seq":0,"time":%d,"data":{"inherited":true,"parentChain":"%s"}}`, done.Header.CreatedAt, events.ChainStart())
	sameLines(t, got, []string{want})
	load(t, &log, "child").mustAppend(t, "go", events.TurnStart{Turn: 1})
	if again := mustFork(t, &log, forkOf("empty", "child")); !again.AlreadyThere {
		t.Errorf("got %+v, want that it is already there", again)
	}
}

func TestForkHasFramesOfOneFormat(t *testing.T) {
	var log eventstest.Memory
	text := strings.Join([]string{
		`{"type":"session","version":0,"id":"old","createdAt":1,"delegationDepth":0}`,
		`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`,
		`{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":1}}`,
		`{"type":"text-chunks","seq0":2,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[0,1],"texts":["a","b","c"]}}`,
	}, "\n")
	importText(t, &log, []byte(text))
	req := forkOf("old", "child")
	req.At = new(events.Seq(3))
	mustFork(t, &log, req)
	var formats []events.Format
	for r, err := range log.Read(t.Context(), "child", 0) {
		if err != nil {
			t.Fatal(err)
		}
		formats = append(formats, r.Format)
	}
	if want := []events.Format{0, 0, 0, 0, 4, 4, 4}; !slices.Equal(formats, want) {
		t.Errorf("got formats %v, want %v", formats, want)
	}
	verified(t, &log, "child")
}
