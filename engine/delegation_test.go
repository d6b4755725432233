package engine_test

import (
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
)

const wish = "Look at main.go."

// proofs are what a session's log can have of the call that a spawn names, by what it
// is; field is what a refusal is about, "" where the call proves the prompt.
func proofs() map[string]struct {
	field string
	does  func(t *testing.T, w *workshop)
} {
	type proof = struct {
		field string
		does  func(t *testing.T, w *workshop)
	}
	dispatched := func(calls ...wanted) func(t *testing.T, w *workshop) {
		return func(t *testing.T, w *workshop) {
			modelAsks(t, w, calls...)
			for _, c := range calls {
				dispatches(t, w, c)
			}
		}
	}
	return map[string]proof{
		"no call":       {"callId", func(*testing.T, *workshop) {}},
		"one not begun": {"callId", func(t *testing.T, w *workshop) { modelAsks(t, w, delegates("c", wish)) }},
		"one that waits": {"callId", func(t *testing.T, w *workshop) {
			modelAsks(t, w, delegates("c", wish))
			w.do(t, engine.StartCall{CallID: "c", Name: "task", Arguments: delegates("c", wish).arguments})
		}},
		"another step's": {"callId", func(t *testing.T, w *workshop) {
			dispatched(delegates("c", wish))(t, w)
			w.do(t, engine.SettleCall{CallID: "c", MessageID: "r", Content: says("done")}, engine.EndStep{}, engine.StartStep{})
		}},
		"what is written":  {"callId", dispatched(wanted{"c", "write", fmt.Sprintf(`{"path":"a.md","content":%q}`, wish)})},
		"a message":        {"callId", dispatched(wanted{"c", "send_message", fmt.Sprintf(`{"subagent_id":"a","message":%q}`, wish)})},
		"a description":    {"prompt", dispatched(wanted{"c", "task", fmt.Sprintf(`{"description":%q,"prompt":"Wait."}`, wish)})},
		"a part":           {"prompt", dispatched(delegates("c", "Do not: "+wish))},
		"another call's":   {"prompt", dispatched(delegates("c", "Wait."), delegates("d", wish))},
		"a dispatched one": {"", dispatched(delegates("c", wish))},
		"Codex' own":       {"", dispatched(wanted{"c", "spawn_agent", fmt.Sprintf(`{"message":%q}`, wish)})},
	}
}

// spawningPresets are kinds of presets, and whether they look at calls.
func spawningPresets(t *testing.T) (presets.Catalogue, map[string]bool) {
	ask := presets.Bundle{Sandbox: events.ModeWorkspaceWrite, Approval: events.PolicyAsk}
	c := baseCatalogue(t, append(
		presets.AutoIntegration().Presets,
		presets.Preset{Name: "guarded", Bundle: ask, Guard: true, Integration: "g"},
		presets.Preset{Name: presets.ApproveForMe, Bundle: ask, Reviewer: "guardian", Reviews: presets.ReviewsRequests, Integration: "guardian"},
	)...)
	return c, map[string]bool{
		presets.ReadOnly: false, presets.WorkspaceWrite: false, presets.DangerFullAccess: false,
		presets.Auto: true, "guarded": true, presets.ApproveForMe: true,
	}
}

// TestWhoMaySpawnWhat is the table of actors, presets and proofs: under review only a
// proven prompt makes a child, but for hosts, whose agents have begun already; without
// a proof the prompt is a fact, whoever asks and wherever; and a child is on the preset
// that looks at its parent.
func TestWhoMaySpawnWhat(t *testing.T) {
	c, reviewed := spawningPresets(t)
	for preset, isReviewed := range reviewed {
		for name, proof := range proofs() {
			w := newWorkshop(t, engine.Config{})
			w.do(t, engine.Publish{Catalogue: c}, engine.SetPreset{Preset: preset, Catalogue: c}, engine.StartTurn{}, engine.StartStep{})
			proof.does(t, w)
			for n, class := range []string{"human", "spawner", "reviewer", "auditor", "admin", "engine", "", "agent", "host"} {
				if n > 0 && proof.field == "" {
					break // one call is one child
				}
				t.Run(fmt.Sprintf("%s by %s with %s", preset, class, name), func(t *testing.T) {
					before := everything(t, w.log)
					id := fmt.Sprint("spawn-", n)
					made, err := w.engine.Spawn(t.Context(), w.id, engine.SpawnRequest{
						Delegation: lineage.Delegation{
							SpawnID: id, ChildID: events.SessionID("child" + class), CreatedAt: 1_800_000_000_500, Mode: events.ChildOneShot, Provider: lineage.ProviderSpawn,
							Prompt: wish, PromptID: "prompt", CallID: "c",
						},
						Catalogue: c, Meta: engine.Meta{ID: events.AppendID(id), Now: 1_800_000_000_500, Actor: events.Actor{Class: class, Name: "x"}},
					})
					if isReviewed && proof.field != "" && class != "host" {
						wantRefusal(t, err, lineage.CodeUnproven, proof.field)
						if diff := cmp.Diff(before, everything(t, w.log)); diff != "" {
							t.Errorf("what is stored has changed:\n%s", diff)
						}
						if _, err := w.log.Open(t.Context(), events.SessionID("child"+class)); !errors.Is(err, events.ErrNotFound) {
							t.Errorf("got %v, want no child", err)
						}
						return
					}
					if err != nil || made.Verified != (proof.field == "") {
						t.Fatalf("got %+v, %v, want a child, verified %t", made, err, proof.field == "")
					}
					w.view(t, made.Header.ID, func(s *projections.Session) {
						if on := c.Current(s.Presets); isReviewed && on != preset {
							t.Errorf("the child is on %s, its parent on %s", on, preset)
						}
					})
				})
			}
		}
	}
}

// TestASpawnUnderReviewIsFinishedWithoutItsCall: once its fact is on the log, whatever
// has come of the call, the step and the preset, and only the same spawn is.
func TestASpawnUnderReviewIsFinishedWithoutItsCall(t *testing.T) {
	for _, provider := range []string{lineage.ProviderSpawn, lineage.ProviderFork} {
		for cut := range 3 {
			memory := &eventstest.Memory{}
			w := newWorkshop(t, engine.Config{Log: memory})
			c := baseCatalogue(t, presets.AutoIntegration().Presets...)
			w.do(t, engine.Publish{Catalogue: c}, engine.SetPreset{Preset: presets.Auto, Catalogue: c})
			longTalk(t, w, 1)
			dispatchedCall(t, w, "c1", wish)
			req := spawn(c, w, lineage.Delegation{Mode: events.ChildContinuable, Provider: provider, Label: "x", Prompt: wish, CallID: "c1"})
			e, err := engine.New(engine.Config{Log: &cutLog{Log: memory, n: cut, lost: true}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Spawn(t.Context(), w.id, req); err != nil && !errors.Is(err, events.ErrOutcomeUnknown) {
				t.Fatal(err)
			}
			again, err := engine.New(engine.Config{Log: memory})
			if err != nil {
				t.Fatal(err)
			}
			w.engine = again
			w.do(t, engine.SettleCall{CallID: "c1", MessageID: "r1", Content: says("lost"), IsError: true, Error: &events.ToolError{Name: "ToolError", Code: "LOST"}}, engine.EndStep{}, engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}}, engine.StartTurn{}, engine.StartStep{})
			made, err := w.engine.Spawn(t.Context(), w.id, req)
			if err != nil || !made.Verified {
				t.Errorf("%s cut at %d: got %+v, %v, want the child, verified", provider, cut, made, err)
			}
			second := req
			second.SpawnID, second.ChildID, second.Meta.ID = "spawn-2", "other", "spawn-2"
			_, err = w.engine.Spawn(t.Context(), w.id, second)
			wantRefusal(t, err, lineage.CodeUnproven, "callId")
		}
	}
}

// TestASessionWhosePresetIsAbsentMakesNoChild: nobody can say what review the child
// would take over.
func TestASessionWhosePresetIsAbsentMakesNoChild(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t, presets.AutoIntegration().Presets...)
	w.do(t, engine.Publish{Catalogue: c}, engine.SetPreset{Preset: presets.Auto, Catalogue: c})
	dispatchedCall(t, w, "c1", wish)
	for _, provider := range []string{lineage.ProviderSpawn, lineage.ProviderFork} {
		_, err := w.engine.Spawn(t.Context(), w.id, spawn(baseCatalogue(t), w, lineage.Delegation{Mode: events.ChildOneShot, Provider: provider, Prompt: wish, CallID: "c1"}))
		wantRefusal(t, err, presets.CodePresetAbsent, "preset")
	}
}

// TestAMessageIsProvenByOneCallOnce, and its proof is on the parent's log before the
// child reads it. Without one it is a fact: sessions may speak, and a fact grants
// nothing.
func TestAMessageIsProvenByOneCallOnce(t *testing.T) {
	const more = "And at go.mod."
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t, presets.AutoIntegration().Presets...)
	w.do(t, engine.Publish{Catalogue: c}, engine.SetPreset{Preset: presets.Auto, Catalogue: c})
	dispatchedCall(
		t, w, "c1", wish,
		wanted{"m1", "send_message", fmt.Sprintf(`{"subagent_id":"child","message":%q}`, more)},
		wanted{"w1", "write", fmt.Sprintf(`{"path":"a.md","content":%q,"message":%q}`, more, more)},
	)
	req := spawn(c, w, lineage.Delegation{Mode: events.ChildContinuable, Provider: lineage.ProviderSpawn, Label: "x", Prompt: wish, CallID: "c1"})
	if _, err := w.engine.Spawn(t.Context(), w.id, req); err != nil {
		t.Fatal(err)
	}
	letters := []struct {
		name   string
		letter lineage.Letter
		proven bool
	}{
		{"no call", lineage.Letter{ID: "l1", Text: more}, false},
		{"the call of the spawn", lineage.Letter{ID: "l2", Text: wish, CallID: "c1"}, false},
		{"what is written", lineage.Letter{ID: "l3", Text: more, CallID: "w1"}, false},
		{"a part", lineage.Letter{ID: "l4", Text: "go.mod.", CallID: "m1"}, false},
		{"the message", lineage.Letter{ID: "l5", Text: more, CallID: "m1"}, true},
		{"the message again", lineage.Letter{ID: "l6", Text: more, CallID: "m1"}, false},
	}
	for _, l := range letters {
		m := w.meta()
		for range 2 { // the same command again is the same message
			if _, err := w.engine.Send(t.Context(), w.id, "child", l.letter, m); err != nil {
				t.Fatalf("%s: %v", l.name, err)
			}
		}
	}
	for _, cmd := range []engine.Command{engine.EndStep{}, engine.StartStep{}} {
		if _, err := w.engine.Do(t.Context(), "child", cmd, w.meta()); err != nil {
			t.Fatal(err)
		}
	}
	said := map[string]bool{}
	w.view(t, "child", func(s *projections.Session) {
		for _, e := range eventsOf(t, w.log, "child") {
			if m, ok := e.Event.(events.AgentMessage); ok {
				said[m.ID] = s.Authority().Agent(e.Seq, m) == lineage.RoleParent
			}
		}
	})
	for _, l := range letters {
		if proven, there := said[l.letter.ID]; !there || proven != l.proven {
			t.Errorf("%s: got %t, there %t, want %t", l.name, proven, there, l.proven)
		}
	}
	facts := slices.DeleteFunc(eventsOf(t, w.log, w.id), func(e events.Envelope) bool { return e.Type() != events.TypeSubagentCatalog })
	if len(facts) != 2 {
		t.Errorf("got %d facts of children on the parent's log, want the child and the one message", len(facts))
	}
}

// TestAMessageThatIsCutShortKeepsItsProof at each of its appends, whether the last
// one was stored or not.
func TestAMessageThatIsCutShortKeepsItsProof(t *testing.T) {
	const more = "And at go.mod."
	for cut := range 2 {
		for _, lost := range []bool{false, true} {
			memory := &eventstest.Memory{}
			w := newWorkshop(t, engine.Config{Log: memory})
			c := baseCatalogue(t, presets.AutoIntegration().Presets...)
			w.do(t, engine.Publish{Catalogue: c}, engine.SetPreset{Preset: presets.Auto, Catalogue: c})
			dispatchedCall(t, w, "c1", wish, wanted{"m1", "send_message", fmt.Sprintf(`{"subagent_id":"child","message":%q}`, more)})
			req := spawn(c, w, lineage.Delegation{Mode: events.ChildContinuable, Provider: lineage.ProviderSpawn, Label: "x", Prompt: wish, CallID: "c1"})
			if _, err := w.engine.Spawn(t.Context(), w.id, req); err != nil {
				t.Fatal(err)
			}
			e, err := engine.New(engine.Config{Log: &cutLog{Log: memory, n: cut, lost: lost}})
			if err != nil {
				t.Fatal(err)
			}
			m, letter := w.meta(), lineage.Letter{ID: "l1", Text: more, CallID: "m1"}
			if _, err := e.Send(t.Context(), w.id, "child", letter, m); err != nil && !errors.Is(err, events.ErrOutcomeUnknown) {
				t.Fatal(err)
			}
			if w.engine, err = engine.New(engine.Config{Log: memory}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.engine.Send(t.Context(), w.id, "child", letter, m); err != nil {
				t.Fatal(err)
			}
			for _, cmd := range []engine.Command{engine.EndStep{}, engine.StartStep{}} {
				if _, err := w.engine.Do(t.Context(), "child", cmd, w.meta()); err != nil {
					t.Fatal(err)
				}
			}
			child := eventstest.Check(t, memory, "child")
			if m, ok := child[len(child)-1].Event.(events.AgentMessage); !ok || m.Parent == nil {
				t.Errorf("cut at %d, lost %t: got %+v, want the proven message", cut, lost, child[len(child)-1].Event)
			}
		}
	}
}
