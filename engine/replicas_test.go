package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

// replicas are several engines on one log, and the clients that command them. A
// client repeats a command until it is answered.
type replicas struct {
	tb      rapid.TB
	log     *flaky
	cfg     engine.Config
	engines []*engine.Engine
	draw    func(n int) int // from 0 to n-1; safe for the use that is made of it

	mu    sync.Mutex // guards what follows
	made  int
	done  map[events.AppendID]bool // commands that wrote something
	other map[events.AppendID]bool // commands that were refused, or had nothing to write
}

const raced events.SessionID = "raced"

func newReplicas(tb rapid.TB, n int, draw func(int) int) *replicas {
	tb.Helper()
	r := &replicas{tb: tb, draw: draw, done: map[events.AppendID]bool{}, other: map[events.AppendID]bool{}}
	r.log = &flaky{Log: &eventstest.Memory{}, plan: func() fault { return none }}
	r.cfg = engine.Config{Log: r.log, Snapshots: &snapshots{}}
	if err := r.log.Create(context.Background(), events.Creation{ID: "create", Header: eventstest.Header(tb, raced, nil)}); err != nil {
		tb.Fatal(err)
	}
	for range n {
		r.engines = append(r.engines, r.start())
	}
	return r
}

func (r *replicas) start() *engine.Engine {
	e, err := engine.New(r.cfg)
	if err != nil {
		r.tb.Fatal(err)
	}
	return e
}

func (r *replicas) id(kind string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.made++
	return fmt.Sprint(kind, "-", r.made)
}

// run does a command on one engine or another until it is answered. restart puts
// a new engine in the place of one that did not answer.
func (r *replicas) run(c engine.Command, restart bool) {
	m := engine.Meta{ID: events.AppendID(r.id("command")), Now: 1}
	for {
		n := r.draw(len(r.engines))
		done, err := r.engines[n].Do(context.Background(), raced, c, m)
		_, refused := errors.AsType[*events.Refusal](err)
		switch {
		case refused || err == nil && !done.Already && len(done.Events) == 0:
			r.answered(r.other, m.ID)
			return
		case err == nil:
			r.answered(r.done, m.ID)
			return
		case errors.Is(err, events.ErrOutcomeUnknown), errors.Is(err, events.ErrConflict):
			if restart && r.draw(2) == 0 {
				r.engines[n] = r.start()
			}
		default:
			r.tb.Errorf("%T: %v", c, err)
			return
		}
	}
}

func (r *replicas) answered(in map[events.AppendID]bool, id events.AppendID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in[id] = true
}

// next is a command that makes sense in the state that some engine sees now, and
// now and then one that makes none.
func (r *replicas) next() engine.Command {
	var commands []engine.Command
	err := r.engines[r.draw(len(r.engines))].View(context.Background(), raced, func(s *projections.Session) error {
		commands = r.sensible(s)
		return nil
	})
	if err != nil {
		r.tb.Fatalf("view: %v", err)
	}
	if r.draw(8) == 0 {
		commands = []engine.Command{
			engine.StartTurn{},
			engine.StartStep{},
			engine.EndStep{},
			engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}},
			engine.SettleCall{CallID: "c1"},
			engine.StartCall{CallID: "c1", Name: "bash", Arguments: "{}"},
			engine.Dispatch{CallID: "c1"},
		}
	}
	return commands[r.draw(len(commands))]
}

func (r *replicas) sensible(s *projections.Session) []engine.Command {
	commands := []engine.Command{
		engine.UserMessage{MessageID: r.id("m"), Content: says("go on"), Queue: r.draw(2) == 0},
		engine.SetTier{Tier: []string{"aggressive", "standard", "passive"}[r.draw(3)]},
	}
	_, turn := s.OpenTurn()
	_, _, step := s.OpenStep()
	switch {
	case !turn:
		return append(commands, engine.StartTurn{}, engine.StartTurn{})
	case !step:
		return append(commands, engine.StartStep{}, engine.StartStep{}, engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	}
	commands = append(commands,
		engine.EndStep{}, engine.FailedAttempt{}, engine.EndStep{},
		engine.ContextMessage{MessageID: r.id("x"), Source: events.Source{Kind: "runtime-context"}, Content: says("here")})
	if !s.Calls.Open.Said {
		return append(commands, engine.AssistantMessage{Provider: "p", Model: "m", Content: []events.Block{
			events.ToolCallBlock("c1", "bash", "{}"), events.ToolCallBlock("c2", "bash", "{}"),
		}})
	}
	for _, w := range s.Calls.Open.Wanted {
		commands = append(commands,
			engine.StartCall{CallID: w.ID, Name: w.Name, Arguments: w.Arguments}, engine.SettleCall{CallID: w.ID},
			engine.RecordVerdict{CallID: w.ID, Preset: "auto", Reviewer: "r", Outcome: []string{events.VerdictAllow, events.VerdictDeny}[r.draw(2)]},
			engine.Dispatch{CallID: w.ID, Arguments: []byte("{}"), Mode: events.ModeReadOnly, Nonce: "n", ExpiresAt: 1})
	}
	return commands
}

// check holds the log against the rules and against the answers: what was done
// stands there once, whole, and what was refused does not.
func (r *replicas) check() {
	r.log.arrive(context.Background())
	v := events.NewValidator(eventstest.Header(r.tb, raced, nil))
	frames := map[events.AppendID]int{}
	dispatched := map[string]int{}
	var last events.AppendID
	for rec, err := range r.log.Read(context.Background(), raced, 0) {
		if err != nil {
			r.tb.Fatalf("read: %v", err)
		}
		es, err := v.Record(rec)
		if err != nil {
			r.tb.Fatalf("the log is not valid: seq %d: %v", rec.Seq, err)
		}
		if rec.Append != last {
			frames[rec.Append]++
			last = rec.Append
		}
		turn, step, _ := v.OpenStep()
		if d, ok := es[0].Event.(events.ToolDispatched); ok {
			dispatched[fmt.Sprint(turn, ".", step, ".", d.CallID)]++
		}
	}
	for id := range r.done {
		if frames[id] != 1 {
			r.tb.Errorf("%s was done, and stands in the log %d times", id, frames[id])
		}
	}
	for id := range frames {
		if !r.done[id] {
			r.tb.Errorf("%s stands in the log and was not done (refused: %t)", id, r.other[id])
		}
	}
	for _, call := range slices.Sorted(maps.Keys(dispatched)) {
		if dispatched[call] != 1 {
			r.tb.Errorf("call %s was dispatched %d times", call, dispatched[call])
		}
	}
}

// TestNoInterleavingLosesOrDoublesACommand lets commands of other engines come
// between a decision and its append, answers get lost, appends come late or not
// at all, and engines be replaced.
func TestNoInterleavingLosesOrDoublesACommand(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "choice") }
		r := newReplicas(rt, 3, draw)
		between := 0
		r.log.plan = func() fault {
			if between < 2 && draw(4) == 0 {
				between++
				// Another engine is first: this one holds its session meanwhile.
				other := &replicas{tb: rt, log: r.log, cfg: r.cfg, draw: draw, made: r.made + 1000, done: r.done, other: r.other}
				other.engines = []*engine.Engine{other.start()}
				other.run(other.next(), false)
				r.made = other.made
				between--
			}
			if draw(8) == 0 {
				r.log.arrive(context.Background())
			}
			return []fault{none, none, none, none, none, lostSent, lostAway, lostLate, conflict}[draw(9)]
		}
		for range rapid.IntRange(1, 40).Draw(rt, "commands") {
			r.run(r.next(), true)
		}
		r.check()
	})
}

// TestReplicasInParallel is the same with goroutines, for the race detector, and
// long enough for snapshots.
func TestReplicasInParallel(t *testing.T) {
	const clients, commands = 6, 120
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var mu sync.Mutex // guards random
	draw := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return random.IntN(n)
	}
	r := newReplicas(t, 3, draw)
	r.log.plan = func() fault {
		if draw(10) == 0 {
			r.log.arrive(context.Background())
		}
		return []fault{none, none, none, none, none, none, lostSent, lostAway, lostLate, conflict}[draw(10)]
	}
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range commands {
				r.run(r.next(), false)
			}
		})
	}
	wg.Wait()
	r.check()
	if len(r.done) < 100 {
		t.Errorf("only %d commands of %d were done", len(r.done), clients*commands)
	}
	if s := r.cfg.Snapshots.(*snapshots); s.saves == 0 {
		t.Error("no snapshot was saved")
	}
}

// TestADecisionIsOnTheLogAsItIs: a replica that others left behind catches up
// before it refuses, and before it has nothing to do.
func TestADecisionIsOnTheLogAsItIs(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t)
	w.do(t, engine.Publish{Catalogue: c}, engine.StartTurn{})
	other, err := engine.New(engine.Config{Log: w.log})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := func(cs ...engine.Command) {
		t.Helper()
		for _, cmd := range cs {
			if _, err := other.Do(t.Context(), w.id, cmd, w.meta()); err != nil {
				t.Fatalf("%T: %v", cmd, err)
			}
		}
	}
	elsewhere(engine.StartStep{})
	w.do(t, engine.ContextMessage{MessageID: "x", Source: events.Source{Kind: "runtime-context"}, Content: says("x")})
	elsewhere(engine.EndStep{}, engine.SetPreset{Preset: "read-only", Catalogue: c})
	if done := w.do(t, engine.SetPreset{Preset: "workspace-write", Catalogue: c}); len(done.Events) == 0 {
		t.Error("a preset that another replica has switched off was not switched on again")
	}
	elsewhere(engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	m := w.meta()
	m.Expect = new(events.Seq(len(w.lines(t))))
	if _, err := w.engine.Do(t.Context(), w.id, engine.StartTurn{}, m); err != nil {
		t.Errorf("an expectation that holds: %v", err)
	}
}

func TestARefusalNeedsOneLook(t *testing.T) {
	log := &counting{Log: &eventstest.Memory{}}
	w := newWorkshop(t, engine.Config{Log: log})
	w.do(t, engine.StartTurn{})
	log.opens = 0
	asked := 0
	admit := admitCounted(&asked)
	_, err := w.engine.Do(t.Context(), w.id, engine.SetPreset{Preset: "auto", Catalogue: storyCatalogue(t, true), Admit: admit}, w.meta())
	if err == nil || log.opens != 1 || asked != 1 {
		t.Errorf("got %v after %d looks at the log and %d admissions, want a refusal after one each", err, log.opens, asked)
	}
	if log.appends != 1 {
		t.Errorf("got %d appends, want that of the turn alone", log.appends)
	}
}

func admitCounted(n *int) presets.Admit {
	return func(presets.Preset) error {
		*n++
		return events.Refuse("no", "preset", "not now")
	}
}
