package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// family is a root session under review, and what its descendants' reviewer was shown.
type family struct {
	*yard
	shown [][]reviewer.Ancestor
}

func newFamily(t *testing.T, opts ...yardOption) *family {
	t.Helper()
	f := &family{}
	j := &judge{answer: always(reviewer.Allow, "")}
	j.prepare = func(v reviewer.View, _ reviewer.Call) error {
		f.shown = append(f.shown, v.Ancestors)
		return nil
	}
	f.yard = newYard(t, j, opts...)
	f.on(presets.Auto, "")
	return f
}

// at makes a session of the family the one that acts.
func (f *family) at(id events.SessionID) *family {
	f.id = id
	return f
}

// person says something to the session between its steps.
func (f *family) person(texts ...string) {
	f.t.Helper()
	for i, text := range texts {
		f.do(engine.UserMessage{MessageID: fmt.Sprintf("said-%s-%d-%d", f.id, f.n, i), Content: []events.Block{events.TextBlock(text)}})
	}
}

// step opens another step where the open one has its assistant message.
func (f *family) step() {
	f.t.Helper()
	said := false
	err := f.engine.View(f.t.Context(), f.id, func(s *projections.Session) error {
		said = s.Calls.Open.Said
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	if said {
		f.do(engine.EndStep{}, engine.StartStep{})
	}
}

// spawns has the session delegate a prompt, by a dispatched call of the tool task.
func (f *family) spawns(id events.SessionID, prompt string) {
	f.t.Helper()
	f.step()
	arguments := fmt.Sprintf(`{"prompt":%q}`, prompt)
	header := shellHeader()
	header.Tools[0].Name = "task"
	call := "task-" + string(id)
	f.do(engine.SetRequest{Header: header, Reason: "change"},
		engine.AssistantMessage{MessageID: "delegates-" + string(id), Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock(call, "task", arguments)}})
	r := engine.CallRequest{Session: f.id, CallID: call, Name: "task", Arguments: arguments}
	r.Nonce = "n-" + call
	if a, err := f.gate.Call(f.t.Context(), r, f.meta()); err != nil || a.Permit == nil {
		f.t.Fatalf("the delegation: got %+v, %v", a, err)
	}
	_, err := f.gate.Spawn(f.t.Context(), f.id, engine.SpawnRequest{
		Delegation: lineage.Delegation{
			SpawnID: call, ChildID: id, CreatedAt: 1_800_000_000_000, Mode: events.ChildOneShot, Provider: lineage.ProviderSpawn,
			Prompt: prompt, PromptID: "prompt-" + string(id), CallID: call,
		}, Meta: f.meta(),
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

// calls has the session make one call of the tool shell, and gives what its verdict was.
func (f *family) calls(ctx context.Context, id string) events.ReviewVerdict {
	f.t.Helper()
	f.step()
	f.do(engine.SetRequest{Header: shellHeader(), Reason: "change"},
		engine.AssistantMessage{MessageID: "asks-" + id, Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock(id, "shell", argumentsOf(id))}})
	if _, err := f.run(ctx, f.request(id)); err != nil {
		f.t.Fatal(err)
	}
	all := eventstest.Check(f.t, f.memory, f.id)
	for _, e := range slices.Backward(all) {
		if v, ok := e.Event.(events.ReviewVerdict); ok && v.CallID == id {
			return v
		}
	}
	f.t.Fatalf("call %s has no verdict", id)
	return events.ReviewVerdict{}
}

// wordsTold are the words of ancestors, the nearest first.
func wordsTold(ancestors []reviewer.Ancestor) []string {
	var out []string
	for _, a := range ancestors {
		for _, w := range a.Words {
			out = append(out, fmt.Sprintf("%s %s: %s", a.Session, w.From, w.Content[0].Text))
		}
	}
	return out
}

func (f *family) lastShown() []string { return wordsTold(f.shown[len(f.shown)-1]) }

// TestAChildsReviewerIsShownWhatThePeopleOfItsAncestorsSaid: those of each ancestor and
// their project, so far, and no agent's words.
func TestAChildsReviewerIsShownWhatThePeopleOfItsAncestorsSaid(t *testing.T) {
	f := newFamily(t)
	f.do(engine.StartTurn{})
	f.person("Do not change notes.txt.")
	f.do(engine.StartStep{}, engine.ContextMessage{MessageID: "agents-md", Source: events.Source{Kind: events.SourceAgentInstructions, Form: "full"}, Content: []events.Block{events.TextBlock("Never push.")}})
	f.spawns("child", "Tidy up.")
	f.at("child").calls(t.Context(), "c1")
	want := []string{"work person: Do not change notes.txt.", "work project: Never push."}
	if diff := cmp.Diff(want, f.lastShown()); diff != "" {
		t.Errorf("the child's reviewer was shown (-want +got)\n%s", diff)
	}

	// A grandchild's reviewer sees both, and not the child's prompt, which an agent wrote.
	f.spawns("grandchild", "Look around.")
	f.at("grandchild").calls(t.Context(), "g1")
	if diff := cmp.Diff(want, f.lastShown()); diff != "" {
		t.Errorf("the grandchild's reviewer was shown (-want +got)\n%s", diff)
	}
	if got := f.shown[len(f.shown)-1]; len(got) != 2 || got[0].Session != "child" || got[1].Session != "work" {
		t.Errorf("got the ancestors %v, want child and work", got)
	}
}

// TestALaterRestrictionReachesChildrenAtTheirNextCall, also one that another engine has
// put on the root's log.
func TestALaterRestrictionReachesChildrenAtTheirNextCall(t *testing.T) {
	f := newFamily(t)
	f.do(engine.StartTurn{}, engine.StartStep{})
	f.spawns("child", "Tidy up.")
	f.at("child").calls(t.Context(), "c1")
	if got := f.lastShown(); len(got) != 0 {
		t.Fatalf("got %v before anybody said anything", got)
	}
	other, err := engine.New(engine.Config{Log: f.log})
	if err != nil {
		t.Fatal(err)
	}
	// The root's step is open as long as the child works: what is said waits.
	later := engine.UserMessage{MessageID: "later", Content: []events.Block{events.TextBlock("Do not change notes.txt.")}}
	if _, err := other.Do(t.Context(), "work", later, f.meta()); err != nil {
		t.Fatal(err)
	}
	f.calls(t.Context(), "c2")
	if want := []string{"work person: Do not change notes.txt."}; !slices.Equal(f.lastShown(), want) {
		t.Errorf("got %v, want %v", f.lastShown(), want)
	}
}

// TestAReviewOfAChildPinsItsAncestorsHeads: by the pins the same words are read again
// later, whatever was said since.
func TestAReviewOfAChildPinsItsAncestorsHeads(t *testing.T) {
	f := newFamily(t)
	f.do(engine.StartTurn{})
	f.person("Do not change notes.txt.")
	f.do(engine.StartStep{})
	f.spawns("child", "Tidy up.")
	if v := f.at("child").calls(t.Context(), "c1"); v.Route != "double/double" {
		t.Errorf("the verdict names the judge %q, want double/double", v.Route)
	}
	f.at("work").person("Change it after all.")

	var pins []events.AncestorHead
	for _, e := range eventstest.Check(t, f.memory, "child") {
		if r, ok := e.Event.(events.ReviewRequested); ok {
			pins = r.Ancestors
		}
	}
	if len(pins) != 1 || pins[0].Session != "work" {
		t.Fatalf("got the pins %v, want one of work", pins)
	}
	again, err := f.engine.AncestorsAt(t.Context(), pins)
	if err != nil {
		t.Fatal(err)
	}
	if want := f.shown[len(f.shown)-1]; !slices.Equal(wordsTold(again), wordsTold(want)) || again[0].Head != want[0].Head {
		t.Errorf("got %v, want %v", again, want)
	}
	pins[0].Chain = events.ChainStart().String()
	if _, err := f.engine.AncestorsAt(t.Context(), pins); !errors.Is(err, reviewer.ErrAncestorUnreadable) || !errors.Is(err, events.ErrCorrupt) {
		t.Errorf("another chain: got %v, want %s", err, reviewer.ErrAncestorUnreadable.Code)
	}
}

// lostLog is a log in which one session cannot be read.
type lostLog struct {
	events.Log
	lost *events.SessionID
}

func (l lostLog) Open(ctx context.Context, id events.SessionID) (events.Opened, error) {
	if id == *l.lost {
		return events.Opened{}, events.ErrNotFound
	}
	return l.Log.Open(ctx, id)
}

// TestAnAncestorThatCannotBeReadFailsTheReview: nobody is asked, nothing runs, and it is
// no denial.
func TestAnAncestorThatCannotBeReadFailsTheReview(t *testing.T) {
	var lost events.SessionID
	f := newFamily(t, onLog(func(l events.Log) events.Log { return lostLog{l, &lost} }))
	f.do(engine.StartTurn{}, engine.StartStep{})
	f.spawns("child", "Tidy up.")
	asked := f.judge.asked()
	lost = "work"
	v := f.at("child").calls(t.Context(), "c1")
	if v.Outcome != events.VerdictFailure || v.Failure.Class != string(reviewer.ClassInconsistent) || v.Route != "" {
		t.Errorf("got %+v, want a failure of the class %s without a judge", v, reviewer.ClassInconsistent)
	}
	if f.judge.asked() != asked || len(f.bodies) != 0 {
		t.Errorf("the reviewer was asked %d times more, and %v ran", f.judge.asked()-asked, f.bodies)
	}
}

// TestASessionThatNobodySpawnedHasNoAncestors: neither a fork, whatever its header names,
// nor an import.
func TestASessionThatNobodySpawnedHasNoAncestors(t *testing.T) {
	f := newFamily(t)
	f.do(engine.StartTurn{})
	f.person("Do not change notes.txt.")
	f.do(engine.StartStep{}, engine.EndStep{}, engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	if _, err := engine.Fork(t.Context(), f.memory, engine.ForkRequest{Source: "work", Child: "fork", Now: 1}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []events.SessionID{"work", "fork"} {
		if got, err := f.engine.Ancestors(t.Context(), id); err != nil || len(got) != 0 {
			t.Errorf("%s: got %v, %v, want none", id, got, err)
		}
	}
}
