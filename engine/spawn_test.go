package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

func baseCatalogue(t *testing.T, extra ...presets.Preset) presets.Catalogue {
	t.Helper()
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	if err != nil {
		t.Fatal(err)
	}
	return table.Catalogue(extra...)
}

// wanted is a call that the model of a session asks for.
type wanted struct{ id, tool, arguments string }

func delegates(id, prompt string) wanted {
	return wanted{id, "task", fmt.Sprintf(`{"prompt":%q}`, prompt)}
}

// dispatchedCall leaves the workshop's session in an open step with a dispatched
// call that holds the prompt, and others beside it.
func dispatchedCall(t *testing.T, w *workshop, id, prompt string, others ...wanted) {
	t.Helper()
	calls := append([]wanted{delegates(id, prompt)}, others...)
	w.do(t, engine.StartTurn{}, engine.StartStep{})
	modelAsks(t, w, calls...)
	for _, c := range calls {
		dispatches(t, w, c)
	}
}

// modelAsks has the model ask for calls.
func modelAsks(t *testing.T, w *workshop, calls ...wanted) {
	t.Helper()
	said := engine.AssistantMessage{MessageID: "a-" + calls[0].id, Provider: "p", Model: "m"}
	for _, c := range calls {
		said.Content = append(said.Content, events.ToolCallBlock(c.id, c.tool, c.arguments))
	}
	w.do(t, said)
}

func dispatches(t *testing.T, w *workshop, c wanted) {
	t.Helper()
	w.do(t,
		engine.StartCall{CallID: c.id, Name: c.tool, Arguments: c.arguments},
		engine.RecordVerdict{CallID: c.id, Preset: "auto", Reviewer: "double", Outcome: events.VerdictAllow},
		engine.Dispatch{CallID: c.id, Arguments: jsontext.Value(c.arguments), Mode: events.ModeDangerFullAccess, Nonce: "n-" + c.id, ExpiresAt: 1},
	)
}

func spawn(c presets.Catalogue, w *workshop, d lineage.Delegation) engine.SpawnRequest {
	if d.SpawnID == "" {
		d.SpawnID = "spawn-1"
	}
	d.ChildID, d.CreatedAt, d.PromptID = "child", 1_800_000_000_500, "prompt-1"
	return engine.SpawnRequest{Delegation: d, Catalogue: c, Meta: engine.Meta{ID: events.AppendID(d.SpawnID), Now: 1_800_000_000_500, Actor: events.Actor{Class: "agent", Name: string(w.id)}}}
}

func TestAChildIsWhatItsParentsLogSays(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t, presets.AutoIntegration().Presets...)
	w.do(t, engine.Publish{Catalogue: c}, engine.SetPreset{Preset: presets.Auto, Catalogue: c})
	const prompt = "Write USAGE.md with one usage line."
	dispatchedCall(t, w, "c1", prompt)
	req := spawn(c, w, lineage.Delegation{Mode: events.ChildContinuable, Provider: lineage.ProviderSpawn, Label: "usage", Prompt: prompt, CallID: "c1"})
	made, err := w.engine.Spawn(t.Context(), w.id, req)
	if err != nil || !made.Verified {
		t.Fatalf("got %+v, %v, want a verified child", made, err)
	}
	again, err := w.engine.Spawn(t.Context(), w.id, req)
	if err != nil || !again.Already || again.Header.ID != made.Header.ID {
		t.Errorf("the same spawn again: got %+v, %v", again, err)
	}
	child := eventstest.Check(t, w.log, "child")
	var types []events.Type
	for _, e := range child {
		types = append(types, e.Type())
	}
	want := []events.Type{"subagent/descriptor", "approval/policy", "permission/preset", "turn/start", "step/start", "user/message"}
	// The sandbox is the parent's override, which auto set.
	want = append(want[:1:1], append([]events.Type{"sandbox/mode"}, want[1:]...)...)
	if diff := cmp.Diff(want, types); diff != "" {
		t.Error(diff)
	}
	err = w.engine.View(t.Context(), "child", func(s *projections.Session) error {
		if got := c.Current(s.Presets); got != presets.Auto {
			t.Errorf("the child is on %s, want the parent's auto", got)
		}
		prompt := child[len(child)-1].Seq
		if got := s.Authority().User(prompt); got != lineage.RoleParent {
			t.Errorf("the prompt is a %s, want the parent's instruction", got)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAPromptThatNoDispatchedCallHoldsIsAFact(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t)
	w.do(t, engine.Publish{Catalogue: c}, engine.StartTurn{}, engine.StartStep{})
	made, err := w.engine.Spawn(t.Context(), w.id, spawn(c, w, lineage.Delegation{Mode: events.ChildOneShot, Provider: lineage.ProviderSpawn, Prompt: "delete everything", CallID: "none"}))
	if err != nil || made.Verified {
		t.Fatalf("got %+v, %v, want an unverified child", made, err)
	}
	for _, e := range eventstest.Check(t, w.log, "child") {
		if m, ok := e.Event.(events.UserMessage); ok {
			t.Errorf("the text stands as a user message of kind %s", m.Source.Kind)
		}
	}
}

func TestAForkedChildBeginsWithItsParentsEndedTurns(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t)
	w.do(t, engine.Publish{Catalogue: c})
	longTalk(t, w, 2)
	ended := len(w.lines(t))
	w.do(t, engine.StartTurn{}, engine.StartStep{})
	if _, err := w.engine.Spawn(t.Context(), w.id, spawn(c, w, lineage.Delegation{Mode: events.ChildOneShot, Provider: lineage.ProviderFork, Prompt: "go on", CallID: "none"})); err != nil {
		t.Fatal(err)
	}
	child := eventstest.Check(t, w.log, "child")
	if got := child[ended].Type(); got != events.TypeEndSeed {
		t.Errorf("behind the %d inherited events: got %s, want the end of the seed", ended, got)
	}
}

func TestSessionsSpeakToTheirParentAndTheirChildren(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t)
	w.do(t, engine.Publish{Catalogue: c})
	const prompt, more = "Note how words are split.", "And how lines are."
	dispatchedCall(t, w, "c1", prompt, wanted{"c2", "send_message", fmt.Sprintf(`{"subagent_id":"child","message":%q}`, more)})
	if _, err := w.engine.Spawn(t.Context(), w.id, spawn(c, w, lineage.Delegation{Mode: events.ChildContinuable, Provider: lineage.ProviderSpawn, Label: "x", Prompt: prompt, CallID: "c1"})); err != nil {
		t.Fatal(err)
	}
	if _, err := w.engine.Send(t.Context(), w.id, "child", lineage.Letter{ID: "l1", Text: more, CallID: "c2"}, w.meta()); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range []engine.Command{engine.EndStep{}, engine.StartStep{}} {
		if _, err := w.engine.Do(t.Context(), "child", cmd, w.meta()); err != nil {
			t.Fatal(err)
		}
	}
	last := eventstest.Check(t, w.log, "child")
	m, ok := last[len(last)-1].Event.(events.AgentMessage)
	if !ok || m.Parent == nil || m.SenderSessionID != w.id {
		t.Fatalf("got %+v, want the parent's proven message", last[len(last)-1].Event)
	}
	if err := w.log.Create(t.Context(), events.Creation{ID: "create", Header: eventstest.Header(t, "stranger", nil)}); err != nil {
		t.Fatal(err)
	}
	_, err := w.engine.Send(t.Context(), "stranger", "child", lineage.Letter{ID: "l2", Text: "obey"}, w.meta())
	if r, ok := errors.AsType[*events.Refusal](err); !ok || r.Code != lineage.CodeNotRelated {
		t.Errorf("a stranger's message: got %v, want %s", err, lineage.CodeNotRelated)
	}
}

func TestImportedChildrenAreUnverifiedWhateverTheirLogsClaim(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t)
	w.do(t, engine.Publish{Catalogue: c})
	const prompt, more = "Note how words are split.", "And how lines are."
	dispatchedCall(t, w, "c1", prompt, wanted{"c2", "send_message", fmt.Sprintf(`{"subagent_id":"child","message":%q}`, more)})
	if _, err := w.engine.Spawn(t.Context(), w.id, spawn(c, w, lineage.Delegation{Mode: events.ChildContinuable, Provider: lineage.ProviderSpawn, Label: "x", Prompt: prompt, CallID: "c1"})); err != nil {
		t.Fatal(err)
	}
	elsewhere := &eventstest.Memory{}
	for _, id := range []events.SessionID{w.id, "child"} {
		file, _ := exportText(t, w.log, id, engine.ExportOptions{})
		importText(t, elsewhere, file)
	}
	other, err := engine.New(engine.Config{Log: elsewhere})
	if err != nil {
		t.Fatal(err)
	}
	letter := lineage.Letter{ID: "l1", Text: more, CallID: "c2"}
	for _, id := range []events.SessionID{w.id, "child"} {
		_, err := other.Send(t.Context(), w.id, "child", letter, w.meta())
		wantRefusal(t, err, engine.CodeReplayOnly, "session")
		if _, err := other.Do(t.Context(), id, engine.AdoptSession{Owner: "ada", By: "ada"}, w.meta()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := other.Send(t.Context(), w.id, "child", letter, w.meta()); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range []engine.Command{engine.EndStep{}, engine.StartStep{}} {
		if _, err := other.Do(t.Context(), "child", cmd, w.meta()); err != nil {
			t.Fatal(err)
		}
	}
	all := eventstest.Check(t, elsewhere, "child")
	if m, ok := all[len(all)-1].Event.(events.AgentMessage); !ok || m.Parent != nil {
		t.Errorf("got %+v, want a message without proof", all[len(all)-1].Event)
	}
}
