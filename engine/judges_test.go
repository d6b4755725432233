package engine_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// TestAForkOfAChildIsBoundLikeTheChild: by what the people above the child have said,
// also since the fork; what it was made of is in its own log.
func TestAForkOfAChildIsBoundLikeTheChild(t *testing.T) {
	f := newFamily(t)
	f.do(engine.StartTurn{})
	f.person("Do not change notes.txt.")
	f.do(engine.StartStep{})
	f.spawns("child", "Tidy up.")
	f.at("child").calls(t.Context(), "c1")
	source := events.SessionID("child")
	for _, fork := range []events.SessionID{"fork", "fork-of-fork"} {
		if _, err := engine.Fork(t.Context(), f.memory, engine.ForkRequest{Source: source, Child: fork, Now: 1}); err != nil {
			t.Fatal(err)
		}
		source = fork
	}
	f.at("work").person("Nor anything else.")
	want := []string{"work person: Do not change notes.txt.", "work person: Nor anything else."}
	for _, id := range []events.SessionID{"child", "fork", "fork-of-fork"} {
		got, err := f.engine.Ancestors(t.Context(), id)
		if err != nil || !slices.Equal(wordsTold(got), want) {
			t.Errorf("%s: got %v, %v, want %v", id, wordsTold(got), err, want)
		}
	}
}

// TestAChildOfAForkIsToldWhatItsParentInherited: that restricts, and was granted to another
// session.
func TestAChildOfAForkIsToldWhatItsParentInherited(t *testing.T) {
	f := newFamily(t)
	f.person("Delete old.txt.")
	f.do(engine.StartTurn{})
	f.do(engine.StartStep{})
	f.do(engine.EndStep{})
	f.do(engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	if _, err := engine.Fork(t.Context(), f.memory, engine.ForkRequest{Source: "work", Child: "fork", Now: 1}); err != nil {
		t.Fatal(err)
	}
	fork := f.at("fork")
	fork.person("Delete new.txt.")
	fork.do(engine.StartTurn{})
	fork.do(engine.StartStep{})
	fork.spawns("child", "Delete old.txt.")
	got, err := f.engine.Ancestors(t.Context(), "child")
	if err != nil || len(got) != 1 || len(got[0].Words) != 2 {
		t.Fatalf("got %v, %v", wordsTold(got), err)
	}
	for i, inherited := range []bool{true, false} {
		if w := got[0].Words[i]; w.Inherited != inherited {
			t.Errorf("%q: inherited is %t, want %t", w.Content[0].Text, w.Inherited, inherited)
		}
	}
	if text := string(got[0].Text); strings.Count(text, `"inherited": true`) != 1 {
		t.Errorf("got %s", text)
	}
}

// countingLog counts the records of one session that are read.
type countingLog struct {
	events.Log
	of    events.SessionID
	reads *int
	fails *error
}

func (l countingLog) Open(ctx context.Context, id events.SessionID) (events.Opened, error) {
	if id == l.of && *l.fails != nil {
		return events.Opened{}, *l.fails
	}
	return l.Log.Open(ctx, id)
}

func (l countingLog) Read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for r, err := range l.Log.Read(ctx, id, from) {
			if id == l.of {
				*l.reads++
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// TestAnAncestorsLogIsNotFoldedAnew: a review reads of it what another engine has put
// there since, and nothing else.
func TestAnAncestorsLogIsNotFoldedAnew(t *testing.T) {
	reads, fails := 0, error(nil)
	f := newFamily(t, onLog(func(l events.Log) events.Log { return countingLog{l, "work", &reads, &fails} }))
	f.do(engine.StartTurn{})
	for range 50 {
		f.person("Go on.")
	}
	f.do(engine.StartStep{})
	f.spawns("child", "Tidy up.")
	f.at("child").calls(t.Context(), "c1")
	reads = 0
	f.calls(t.Context(), "c2")
	if reads != 0 {
		t.Errorf("%d records of the root were read for a review that needed none", reads)
	}
	other, err := engine.New(engine.Config{Log: f.memory})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Do(t.Context(), "work", engine.UserMessage{MessageID: "later", Content: []events.Block{events.TextBlock("Stop.")}}, f.meta()); err != nil {
		t.Fatal(err)
	}
	f.calls(t.Context(), "c3")
	if reads != 1 {
		t.Errorf("%d records of the root were read, and one was new", reads)
	}

	// A store that does not answer is no damage, and no denial either.
	fails = errors.New("the store does not answer")
	v := f.calls(t.Context(), "c4")
	if v.Outcome != events.VerdictFailure || v.Failure.Class != string(reviewer.ClassUnavailable) || !strings.HasPrefix(v.Failure.Detail, reviewer.ErrAncestorUnavailable.Code) {
		t.Errorf("got %+v %+v, want the failure %s", v, v.Failure, reviewer.ErrAncestorUnavailable.Code)
	}
}

// TestAncestorsAreReadAtAnyPlace that a review was asked for at, whatever is folded by
// then.
func TestAncestorsAreReadAtAnyPlace(t *testing.T) {
	f := newFamily(t)
	f.do(engine.StartTurn{}, engine.StartStep{})
	f.spawns("child", "Tidy up.")
	var pins [][]events.AncestorHead
	var want [][]string
	for _, text := range []string{"One.", "Two.", "Three."} {
		f.at("work").person(text)
		now, err := f.engine.Ancestors(t.Context(), "child")
		if err != nil {
			t.Fatal(err)
		}
		pins, want = append(pins, reviewer.Pins(now)), append(want, wordsTold(now))
	}
	cold, err := engine.New(engine.Config{Log: f.memory})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []*engine.Engine{f.engine, cold} {
		for _, i := range []int{1, 2, 0, 2, 1} {
			got, err := e.AncestorsAt(t.Context(), pins[i])
			if err != nil || !slices.Equal(wordsTold(got), want[i]) {
				t.Errorf("place %d: got %v, %v, want %v", i, wordsTold(got), err, want[i])
			}
		}
	}
}

// renamed is a judge by another name.
type renamed struct{ *judge }

func (renamed) Name() string { return "another" }

// TestNobodyTakesOverAPresetsName: a reviewer of another name behind the preset judges
// neither the session nor its children, until a person sets the preset anew.
func TestNobodyTakesOverAPresetsName(t *testing.T) {
	f := newFamily(t)
	f.do(engine.StartTurn{}, engine.StartStep{})
	f.spawns("child", "Tidy up.")
	done := engine.Settlement{Session: "work", CallID: "task-child", Nonce: "n-task-child", Content: []events.Block{events.TextBlock("it runs")}}
	if _, err := f.gate.Settle(t.Context(), done, f.meta()); err != nil {
		t.Fatal(err)
	}
	takesOver(t, f)
	asked := f.judge.asked()
	for _, id := range []events.SessionID{"child", "work"} {
		v := f.at(id).calls(t.Context(), "of-"+string(id))
		if v.Outcome != events.VerdictFailure || v.Failure.Class != string(reviewer.ClassRoute) || v.Route != "" {
			t.Errorf("%s: got %+v, want a failure of the class %s", id, v, reviewer.ClassRoute)
		}
	}
	if f.judge.asked() != asked {
		t.Error("the other reviewer was asked")
	}
	f.on(presets.DangerFullAccess, "")
	f.on(presets.Auto, "")
	if v := f.calls(t.Context(), "again"); v.Outcome != events.VerdictAllow || v.Reviewer != "another" {
		t.Errorf("a person has set the preset anew: got %+v", v)
	}
}

// takesOver starts the family's engine again, with another reviewer under the same
// preset.
func takesOver(t *testing.T, f *family) {
	t.Helper()
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	if err != nil {
		t.Fatal(err)
	}
	f.registry = presets.NewRegistry(table, nil)
	if f.engine, err = engine.New(engine.Config{Log: f.log}); err != nil {
		t.Fatal(err)
	}
	f.gate, err = engine.NewGate(engine.GateConfig{Engine: f.engine, Registry: f.registry, Tail: f.memory, Instance: "engine-2", Key: f.key})
	if err == nil {
		err = f.gate.Install(engine.Installation{Integration: presets.AutoIntegration(), Reviewer: renamed{f.judge}, Words: auto.Words()})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTheVerdictNamesWhoWasAsked, and one for which nobody was asked names nobody.
func TestTheVerdictNamesWhoWasAsked(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1", "c2")
	y.ran(t.Context(), "c1")
	y.judge.prepare = func(reviewer.View, reviewer.Call) error { return failing }
	y.ran(t.Context(), "c2")
	routes := map[string]string{}
	for _, e := range eventstest.Check(t, y.memory, y.id) {
		if v, ok := e.Event.(events.ReviewVerdict); ok {
			routes[v.CallID] = v.Outcome + " " + v.Route
		}
	}
	if routes["c1"] != "allow double/double" || routes["c2"] != "failure " {
		t.Errorf("got %q", routes)
	}
}
