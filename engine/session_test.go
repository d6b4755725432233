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

// loaded is a session with the shorthands of these tests.
type loaded struct{ *engine.Session }

func load(t *testing.T, log events.Log, id events.SessionID) loaded {
	t.Helper()
	s, err := engine.Load(t.Context(), log, id)
	if err != nil {
		t.Fatalf("load session %s: %v", id, err)
	}
	return loaded{s}
}

func (s loaded) mustAppend(t *testing.T, id events.AppendID, evs ...events.Event) {
	t.Helper()
	if err := s.Append(t.Context(), id, human, eventstest.Epoch, evs...); err != nil {
		t.Fatalf("append %s: %v", id, err)
	}
}

func TestCreateMakesAnEmptySession(t *testing.T) {
	var log eventstest.Memory
	h := eventstest.Header(t, "s", nil)
	for range 2 {
		s, err := engine.Create(t.Context(), &log, h, "create", human)
		if err != nil || s.Head() != (events.Head{Chain: events.ChainStart()}) || string(s.Header().Line) != string(h.Line) {
			t.Fatalf("got %+v, %v", s, err)
		}
	}
	if _, err := engine.Create(t.Context(), &log, h, "another", human); !errors.Is(err, events.ErrExists) {
		t.Errorf("got %v, want that it exists", err)
	}
	seeded := eventstest.Header(t, "f", func(h *events.Header) { h.IsSeeded = new(true) })
	if _, err := engine.Create(t.Context(), &log, seeded, "create", human); err == nil {
		t.Error("got a seeded session without a seed")
	}
}

func TestAppendHoldsTheEventsAgainstTheRulesFirst(t *testing.T) {
	var log eventstest.Memory
	create(t, &log, eventstest.Header(t, "s", nil))
	s := load(t, &log, "s")
	for name, evs := range map[string][]events.Event{
		"nesting":          {events.StepStart{Turn: 1, Step: 1}},
		"the second event": {events.TurnStart{Turn: 1}, events.TurnStart{Turn: 2}},
		"a member":         {events.TurnStart{}},
		"a project's":      {events.ProjectGrantRevoked{GrantID: "g", By: "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := s.Append(t.Context(), "a", human, 1, evs...)
			if _, ok := errors.AsType[*events.FieldError](err); !ok || !strings.Contains(err.Error(), "session s at seq 0") {
				t.Errorf("got %v, want a field error", err)
			}
			if s.Head().Next != 0 || len(linesOf(t, &log, "s")) > 0 {
				t.Error("the log has changed")
			}
		})
	}
	s.mustAppend(t, "b", events.TurnStart{Turn: 1}, events.TurnEnd{Turn: 1, Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	opened, err := log.Open(t.Context(), "s")
	if err != nil || s.Head() != opened.Head {
		t.Errorf("got head %v, the log is at %v, %v", s.Head(), opened.Head, err)
	}
	eventstest.Check(t, &log, "s")
}

func TestAnAppendThatLostCatchesUp(t *testing.T) {
	var log eventstest.Memory
	create(t, &log, eventstest.Header(t, "s", nil))
	slow, fast := load(t, &log, "s"), load(t, &log, "s")
	fast.mustAppend(t, "fast", events.TurnStart{Turn: 1}, events.StepStart{Turn: 1, Step: 1})
	err := slow.Append(t.Context(), "slow", human, 1, events.TurnStart{Turn: 1})
	conflict, ok := errors.AsType[*events.ConflictError](err)
	if !ok || conflict.Expected != 0 || conflict.Actual != 2 {
		t.Fatalf("got %v, want a conflict at 2", err)
	}
	if slow.Head() != fast.Head() {
		t.Errorf("got head %v behind the conflict, want %v", slow.Head(), fast.Head())
	}
	if err := slow.Append(t.Context(), "slow", human, 1, events.TurnStart{Turn: 1}); err == nil || errors.Is(err, events.ErrConflict) {
		t.Errorf("got %v, want that turn 1 is open", err)
	}
	slow.mustAppend(t, "slow", events.StepEnd{Turn: 1, Step: 1})
	if closers, err := slow.Repair(t.Context(), human); err != nil || len(closers) != 1 {
		t.Errorf("got %v, %v, want the turn's end", closers, err)
	}
	eventstest.Check(t, &log, "s")
}

func TestAnAppendOfUnknownOutcomeMayBeRepeated(t *testing.T) {
	for name, lost := range map[string]bool{"it was not stored": false, "only its acknowledgement was lost": true} {
		t.Run(name, func(t *testing.T) {
			var memory eventstest.Memory
			create(t, &memory, eventstest.Header(t, "s", nil))
			log := &cutLog{Log: &memory, lost: lost}
			s := load(t, log, "s")
			if err := s.Append(t.Context(), "a", human, eventstest.Epoch, events.TurnStart{Turn: 1}); !errors.Is(err, events.ErrOutcomeUnknown) {
				t.Fatalf("got %v, want an unknown outcome", err)
			}
			if s.Head().Next != 0 {
				t.Errorf("got head %v, want that the session is as it was", s.Head())
			}
			log.n = 10
			s.mustAppend(t, "a", events.TurnStart{Turn: 1})
			if got := len(eventstest.Check(t, &memory, "s")); got != 1 {
				t.Errorf("got %d events, want 1", got)
			}
		})
	}
}

func TestLoadRefusesACorruptLogWhole(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "s", 4)
	create(t, &memory, s.Header, s.Records()...)
	for name, c := range map[string]struct {
		change func([]events.Record) []events.Record
		seq    events.Seq
		typ    events.Type
	}{
		"a rule":        {replaceLine(3, `"surfaceOp":"append"`, `"surfaceOp":"nothing"`), 3, events.TypeUserMessage},
		"no JSON":       {replaceLine(2, `"data":{`, `"data":{{`), 2, events.TypeUserMessage},
		"unknown type":  {replaceLine(2, "user/message", "user/message2"), 2, "user/message2"},
		"nesting":       {replaceLine(1, `"step":1`, `"step":2`), 1, events.TypeStepStart},
		"another byte":  {replaceLine(3, "text text", "text-text"), 5, ""},
		"a gap":         {func(r []events.Record) []events.Record { return slices.Delete(slices.Clone(r), 2, 3) }, 2, events.TypeUserMessage},
		"a cut tail":    {func(r []events.Record) []events.Record { return r[:5] }, 5, ""},
		"nothing left":  {func([]events.Record) []events.Record { return nil }, 0, ""},
		"a false place": {replaceLine(4, `"seq":4`, `"seq":3`), 4, events.TypeUserMessage},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := engine.Load(t.Context(), &tampered{Log: &memory, session: "s", change: c.change}, "s")
			corrupt, ok := errors.AsType[*events.CorruptError](err)
			if !ok || corrupt.Session != "s" || corrupt.Seq != c.seq || corrupt.Type != c.typ {
				t.Errorf("got %v, want a corruption at seq %d (%s)", err, c.seq, c.typ)
			}
			if _, err := engine.Repair(t.Context(), &tampered{Log: &memory, session: "s", change: c.change}, "s", human); !errors.Is(err, events.ErrCorrupt) {
				t.Errorf("repair: got %v, want that the log is corrupt", err)
			}
		})
	}
	if _, err := engine.Load(t.Context(), &memory, "nobody"); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("got %v, want that it is not found", err)
	}
}

func TestLoadOfAnIncompleteSeedSaysHowToFinishIt(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "s", 4)
	ctx := context.Background()
	if _, err := engine.Import(ctx, &cutLog{Log: &memory, n: 1}, engine.ImportRequest{File: file(text(s.Header, s.Records())), Actor: human}); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	p := bigSession(t, "p", 4)
	create(t, &memory, p.Header, p.Records()...)
	if _, err := engine.Fork(ctx, &cutLog{Log: &memory, n: 1}, forkOf("p", "f")); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	for id, want := range map[events.SessionID]string{
		"s": "session s has 4 of the 6 events of its import: importing the same file again finishes it",
		"f": "session f has 4 of the 9 events of its fork: forking session p into it again finishes it",
	} {
		_, err := engine.Load(ctx, &memory, id)
		if !errors.Is(err, events.ErrSeedIncomplete) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if _, err := engine.Repair(ctx, &memory, id, human); !errors.Is(err, events.ErrSeedIncomplete) {
			t.Errorf("repair: got %v", err)
		}
		if _, err := engine.Export(ctx, &memory, id, &strings.Builder{}, engine.ExportOptions{}); !errors.Is(err, events.ErrSeedIncomplete) {
			t.Errorf("export: got %v", err)
		}
	}
}

func TestRepairIsOneFrameAndIdempotent(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "s", 1)
	s.Assistant("", events.ToolCallBlock("c1", "bash", "{}"), events.ToolCallBlock("c2", "bash", "{}"))
	s.Call("c1", "bash", "{}")
	create(t, &memory, s.Header, s.Records()...)
	log := &cutLog{Log: &memory, n: 1}
	closers, err := engine.Repair(t.Context(), log, "s", human)
	if err != nil || len(closers) != 4 || log.done != 1 {
		t.Fatalf("got %d closers in %d appends, %v", len(closers), log.done, err)
	}
	if again, err := engine.Repair(t.Context(), log, "s", human); err != nil || len(again) > 0 || log.done != 1 {
		t.Errorf("got %v, %v in %d appends, want nothing", again, err, log.done)
	}
	eventstest.Check(t, &memory, "s")
}

func TestRepairMayTakeMoreFramesThanOne(t *testing.T) {
	var memory eventstest.Memory
	s := bigSession(t, "s", 1)
	s.Assistant("", events.ToolCallBlock("c1", "run_code", "{}"))
	s.Call("c1", "run_code", "{}")
	arguments := []byte(`"` + strings.Repeat("x", 200<<10) + `"`)
	for _, id := range []string{"c1:ptc:1", "c1:ptc:2", "c1:ptc:3"} {
		s.Add(events.PTCDispatchStart{RootCallID: "c1", ParentCallID: "c1", SubCallID: id, Name: "bash", Arguments: arguments})
	}
	create(t, &memory, s.Header, s.Records()...)
	log := &cutLog{Log: &memory, n: 1}
	if _, err := engine.Repair(t.Context(), log, "s", human); !errors.Is(err, errCut) {
		t.Fatalf("got %v", err)
	}
	closers, err := engine.Repair(t.Context(), &memory, "s", human)
	if err != nil || len(closers) != 5 {
		t.Fatalf("got %d closers, %v, want the 5 that were missing", len(closers), err)
	}
	eventstest.Check(t, &memory, "s")
	if last := eventsOf(t, &memory, "s"); last[len(last)-1].Type() != events.TypeTurnEnd {
		t.Error("the turn is still open")
	}
}
