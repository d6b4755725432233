package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// bench is an engine on a log with one empty session.
type workshop struct {
	log    events.Log
	engine *engine.Engine
	id     events.SessionID
	n      int
}

func newWorkshop(t *testing.T, cfg engine.Config) *workshop {
	t.Helper()
	if cfg.Log == nil {
		cfg.Log = &eventstest.Memory{}
	}
	e, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := &workshop{log: cfg.Log, engine: e, id: "work"}
	if err := w.log.Create(t.Context(), events.Creation{ID: "create", Header: eventstest.Header(t, w.id, nil)}); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *workshop) meta() engine.Meta {
	w.n++
	return engine.Meta{ID: events.AppendID(fmt.Sprint("command-", w.n)), Actor: events.Actor{Class: "agent", Name: "work"}, Now: 1_800_000_000_000 + int64(w.n)}
}

// do does a command that is expected to be allowed.
func (w *workshop) do(t *testing.T, cs ...engine.Command) engine.Done {
	t.Helper()
	var done engine.Done
	for _, c := range cs {
		var err error
		if done, err = w.engine.Do(t.Context(), w.id, c, w.meta()); err != nil {
			t.Fatalf("%T: %v", c, err)
		}
	}
	return done
}

// refuse does a command that is expected to be refused with a code, and leaves
// the log as it was.
func (w *workshop) refuse(t *testing.T, c engine.Command, code string) {
	t.Helper()
	before := w.lines(t)
	_, err := w.engine.Do(t.Context(), w.id, c, w.meta())
	refusal, ok := errors.AsType[*events.Refusal](err)
	if !ok || refusal.Code != code {
		t.Errorf("%T: got %v, want a refusal %s", c, err, code)
	}
	if diff := cmp.Diff(before, w.lines(t)); diff != "" {
		t.Errorf("%T: a refused command changed the log:\n%s", c, diff)
	}
}

func (w *workshop) lines(t *testing.T) []string {
	t.Helper()
	var lines []string
	for r, err := range w.log.Read(t.Context(), w.id, 0) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(r.Line))
	}
	return lines
}

func (w *workshop) types(t *testing.T) []events.Type {
	t.Helper()
	var types []events.Type
	for _, e := range eventstest.Check(t, w.log, w.id) {
		types = append(types, e.Type())
	}
	return types
}

func says(text string) []events.Block { return []events.Block{events.TextBlock(text)} }

func TestATurnByItsCommands(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	w.do(t,
		engine.UserMessage{MessageID: "m1", Content: says("list the files")},
		engine.StartTurn{},
		engine.StartStep{},
		engine.SetRequest{Header: events.RequestConfiguration{Config: events.RequestConfig{Provider: "p", Model: "m"}}, Reason: "initial"},
		engine.AssistantMessage{MessageID: "a1", Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c1", "shell", `{"command":"ls"}`)}},
		engine.StartCall{CallID: "c1", Name: "shell", Arguments: `{"command":"ls"}`},
		engine.SettleCall{CallID: "c1", MessageID: "r1", Content: says("README.md")},
		engine.UserMessage{MessageID: "m2", Content: says("and count them")},
		engine.EndStep{},
		engine.StartStep{},
		engine.AssistantMessage{MessageID: "a2", Provider: "p", Model: "m", Content: says("one")},
		engine.EndStep{},
		engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}},
	)
	want := []events.Type{
		"agent/inbox/spliced", "turn/start", "agent/inbox/spliced", "step/start", "user/message", "request/header",
		"assistant/message", "tool/call", "tool/result", "agent/inbox/spliced", "step/end",
		"agent/inbox/spliced", "step/start", "user/message", "assistant/message", "step/end", "turn/end",
	}
	if diff := cmp.Diff(want, w.types(t)); diff != "" {
		t.Error(diff)
	}
}

func TestACommandIsDoneOnce(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	m := w.meta()
	first, err := w.engine.Do(t.Context(), w.id, engine.StartTurn{}, m)
	if err != nil {
		t.Fatal(err)
	}
	w.do(t, engine.StartStep{})
	again, err := w.engine.Do(t.Context(), w.id, engine.StartTurn{}, m)
	if err != nil || !again.Already || again.Next != first.Next {
		t.Errorf("got %+v, %v, want the first one's place %d", again, err, first.Next)
	}
	other, err := engine.New(engine.Config{Log: w.log}) // as after a restart
	if err != nil {
		t.Fatal(err)
	}
	if again, err = other.Do(t.Context(), w.id, engine.StartTurn{}, m); err != nil || !again.Already {
		t.Errorf("got %+v, %v, want it done already", again, err)
	}
}

func TestAStaleExpectationIsRefused(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	w.do(t, engine.StartTurn{})
	m := w.meta()
	m.Expect = new(events.Seq(0))
	_, err := w.engine.Do(t.Context(), w.id, engine.StartStep{}, m)
	if r, ok := errors.AsType[*events.Refusal](err); !ok || r.Code != engine.CodeStale {
		t.Errorf("got %v, want it stale", err)
	}
}

func TestConcurrentEnginesLoseNoCommandAndWriteAValidLog(t *testing.T) {
	const engines, messages = 4, 25
	w := newWorkshop(t, engine.Config{})
	var wg sync.WaitGroup
	errs := make(chan error, engines*messages)
	for n := range engines {
		e, err := engine.New(engine.Config{Log: w.log})
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for i := range messages {
				id := fmt.Sprintf("m-%d-%d", n, i)
				_, err := e.Do(context.Background(), w.id, engine.UserMessage{MessageID: id, Content: says(id)}, engine.Meta{ID: events.AppendID(id), Now: 1})
				errs <- err
			}
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	eventstest.Check(t, w.log, w.id)
	err := w.engine.View(t.Context(), w.id, func(s *projections.Session) error {
		if got := len(s.Inbox.NextTurn); got != engines*messages {
			t.Errorf("got %d messages, want %d", got, engines*messages)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// longTalk is a session of some turns, so that there is something to compact.
func longTalk(t *testing.T, w *workshop, turns int) {
	t.Helper()
	for i := range turns {
		id := fmt.Sprint("call-", i)
		w.do(t,
			engine.UserMessage{MessageID: fmt.Sprint("m-", i), Content: says("Please read the next file and tell me in some detail what it is about, and why.")},
			engine.StartTurn{}, engine.StartStep{},
			engine.AssistantMessage{MessageID: fmt.Sprint("a-", i), Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock(id, "read", `{"path":"x"}`)}},
			engine.StartCall{CallID: id, Name: "read", Arguments: `{"path":"x"}`},
			engine.SettleCall{CallID: id, MessageID: fmt.Sprint("r-", i), Content: says("a long file, of which much is said here, line after line, until it is long enough to be worth a summary")},
			engine.EndStep{}, engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}},
		)
	}
}

func TestACompactionReplacesTheSurfaceAndNothingElse(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	longTalk(t, w, 20)
	before := w.lines(t)
	done, err := w.engine.Compact(t.Context(), w.id, engine.CompactRequest{
		Request: compaction.Request{CompactionID: "k1", Keep: compaction.Keep{Nodes: 3}}, Summarizer: compaction.Extractive{MaxTokens: 200}, MessageID: "checkpoint", Meta: w.meta(),
	})
	if err != nil || done.Failure != "" {
		t.Fatalf("got %+v, %v", done, err)
	}
	if diff := cmp.Diff(before, w.lines(t)[:len(before)]); diff != "" {
		t.Errorf("what was there has changed:\n%s", diff)
	}
	err = w.engine.View(t.Context(), w.id, func(s *projections.Session) error {
		if got := len(s.Surface().Nodes()); got != 4 {
			t.Errorf("got %d visible events, want the checkpoint and 3", got)
		}
		if len(s.Calls.Shown) != 1 {
			t.Errorf("got the calls of %d steps, want those of the visible one", len(s.Calls.Shown))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	w.refuse(t, engine.StartCompaction{Request: compaction.Request{CompactionID: "k2", Keep: compaction.Keep{Nodes: 3}}}, compaction.CodeNothingToGain)
}
