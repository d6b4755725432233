package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// TestAReviewIsShownTheSameHoweverItsSessionWasOpened: by the engine that has had
// it all along, by one that reads the whole log, and by one that goes on from a
// snapshot.
func TestAReviewIsShownTheSameHoweverItsSessionWasOpened(t *testing.T) {
	y := newYard(t, &judge{answer: always(reviewer.Allow, "")})
	shown := 0
	y.judge.prepare = func(v reviewer.View, c reviewer.Call) error {
		shown++
		if err := v.History.Complete(v.Session); err != nil {
			return err
		}
		pending := projections.CallRef{ID: c.CallID}
		if diff := cmp.Diff(historyOf(plainHistory(t, y, v.Session), v.Session, pending), historyOf(v.History, v.Session, pending)); diff != "" {
			return errors.New(diff)
		}
		return nil
	}
	snaps := &snapshots{}
	y.gateOn(engine.Config{Log: y.memory, Snapshots: snaps})
	y.on(presets.Auto, "")
	y.wants("c0")
	y.allowed("c0")
	for n := 1; n < 40; n++ { // more events than between two snapshots
		id := fmt.Sprint("c", n)
		y.do(engine.EndStep{}, engine.StartStep{})
		y.do(engine.AssistantMessage{MessageID: id, Provider: "p", Model: "m", Content: []events.Block{
			events.ToolCallBlock(id, "shell", argumentsOf(id)), events.ToolCallBlock(id+"-later", "shell", argumentsOf(id+"-later")),
		}})
		if n < 39 {
			y.allowed(id, id+"-later")
		}
	}
	if snaps.saves == 0 {
		t.Fatal("there is no snapshot to go on from")
	}
	y.gateOn(engine.Config{Log: y.memory, Snapshots: snaps})
	y.allowed("c39")
	y.gateOn(engine.Config{Log: y.memory})
	y.allowed("c39-later")
	if shown != 79 {
		t.Errorf("the reviewer was shown %d calls", shown)
	}
}

// countingReads counts how often a log is read.
type countingReads struct {
	events.Log
	reads *int
}

func (l countingReads) Read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		*l.reads++
		l.Log.Read(ctx, id, from)(yield)
	}
}

// TestTheFirstReviewOfANewSessionReadsNothing: what it is shown was kept from the
// choice of its preset on. A session that had spoken by then is read, once.
func TestTheFirstReviewOfANewSessionReadsNothing(t *testing.T) {
	turn := func(c engine.Command) []engine.Command {
		end := engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}}
		return []engine.Command{engine.StartTurn{}, engine.StartStep{}, c, engine.EndStep{}, end}
	}
	text := []events.Block{events.TextBlock("be brief")}
	for name, c := range map[string]struct {
		before []engine.Command
		want   int
	}{
		"a new session":           {nil, 0},
		"one whose message waits": {[]engine.Command{engine.UserMessage{MessageID: "u", Content: text}}, 0},
		"one with a system alone": {turn(engine.SystemMessage{MessageID: "s", Content: text}), 0},
		"one that was spoken to":  {turn(engine.ContextMessage{MessageID: "c", Source: events.Source{Kind: "instructions"}, Content: text}), 1},
	} {
		t.Run(name, func(t *testing.T) {
			reads := 0
			y := newYard(t, &judge{answer: always(reviewer.Allow, "")}, onLog(func(l events.Log) events.Log { return countingReads{l, &reads} }))
			y.judge.prepare = func(v reviewer.View, _ reviewer.Call) error { return v.History.Complete(v.Session) }
			y.do(c.before...)
			y.on(presets.Auto, "")
			y.wants("c1")
			reads = 0
			y.allowed("c1")
			if reads != c.want {
				t.Errorf("got %d reads, want %d", reads, c.want)
			}
		})
	}
}

// gateOn gives the yard another engine and a gate on it.
func (y *yard) gateOn(cfg engine.Config) {
	y.t.Helper()
	var err error
	if y.engine, err = engine.New(cfg); err != nil {
		y.t.Fatal(err)
	}
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	if err != nil {
		y.t.Fatal(err)
	}
	y.gate, err = engine.NewGate(engine.GateConfig{
		Engine: y.engine, Registry: presets.NewRegistry(table, nil), Tail: y.memory, Instance: "engine", Key: y.key, Audit: y.memory,
	})
	if err != nil {
		y.t.Fatal(err)
	}
	y.install()
}

func (y *yard) allowed(ids ...string) {
	y.t.Helper()
	for _, id := range ids {
		if ran := y.ran(y.t.Context(), id); ran.Refused != nil {
			y.t.Fatalf("call %s was refused: %s", id, ran.Refused.Text)
		}
	}
}

// plainHistory reads all that is visible of a session.
func plainHistory(t *testing.T, y *yard, s *projections.Session) *projections.History {
	t.Helper()
	h := projections.NewHistory()
	for r, err := range y.memory.Read(t.Context(), y.id, projections.HistoryFrom(s)) {
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := r.Decode()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range decoded {
			h.Apply(s, e)
		}
	}
	return h
}

func historyOf(h *projections.History, s *projections.Session, pending projections.CallRef) string {
	text := h.Text(s, pending)
	return string(text.Instructions) + "\n" + string(text.Done) + string(text.Rest)
}
