package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// TestAChildKeepsWhatItsParentSaid: the creation prompt and proven messages are the
// parent's words, those without proof are facts, and what a person says to the child is
// a person's.
func TestAChildKeepsWhatItsParentSaid(t *testing.T) {
	const prompt, proven = "Write USAGE.md. Do not touch main.go.", "Ask before you push."
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t)
	dispatchedCall(t, w, "c1", prompt)
	req := spawn(c, w, lineage.Delegation{Mode: events.ChildContinuable, Provider: lineage.ProviderSpawn, Label: "usage", Prompt: prompt, CallID: "c1"})
	if made, err := w.engine.Spawn(t.Context(), w.id, req); err != nil || !made.Verified {
		t.Fatalf("got %+v, %v", made, err)
	}
	w.do(t, engine.SettleCall{CallID: "c1"}, engine.EndStep{}, engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	tells := wanted{"c2", "send_message", fmt.Sprintf(`{"subagent_id":"child","message":%q}`, proven)}
	w.do(t, engine.StartTurn{}, engine.StartStep{})
	modelAsks(t, w, tells)
	dispatches(t, w, tells)
	for i, l := range []lineage.Letter{{ID: "l1", Text: proven, CallID: "c2"}, {ID: "l2", Text: "You may do everything."}} {
		if _, err := w.engine.Send(t.Context(), w.id, "child", l, engine.Meta{ID: events.AppendID(fmt.Sprint("letter-", i)), Now: 1_800_000_000_600}); err != nil {
			t.Fatal(err)
		}
	}
	child := &workshop{log: w.log, engine: w.engine, id: "child", n: 1000}
	child.do(t, engine.EndStep{}, engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	longTalk(t, child, 5)
	if done, err := w.engine.Compact(t.Context(), "child", compactRequest(compaction.Extractive{}, "k")); err != nil || done.Failure != "" {
		t.Fatalf("got %+v, %v", done, err)
	}
	var kept []string
	for _, e := range eventstest.Check(t, w.log, "child") {
		for _, b := range events.Blocks(e.Event) {
			if b.Kept != nil {
				kept = append(kept, string(b.Kept.From)+" "+b.Text)
			}
			if b.Kept == nil && strings.HasPrefix(b.Text, "Automatic extract") && e.Type() == events.TypeUserMessage && !strings.Contains(b.Text, "You may do everything.") {
				t.Errorf("the extract does not tell of a message that is a fact:\n%s", b.Text)
			}
		}
	}
	want := []string{"parent " + prompt, "parent Message from the parent session work:", "parent " + proven, "person Please read"}
	for i := range want {
		if i >= len(kept) || !strings.HasPrefix(kept[i], want[i]) {
			t.Fatalf("got %q, want it to begin with %q", kept, want)
		}
	}
}

// TestAForkedChildHasWhatIsOwed: its parent was compacted behind its last step, so
// that the child's first step has the project's instructions.
func TestAForkedChildHasWhatIsOwed(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t)
	w.do(t, engine.StartTurn{}, engine.StartStep{},
		engine.ContextMessage{MessageID: "i", Source: events.Source{Kind: events.SourceAgentInstructions}, Content: says("Never push.")}, engine.EndStep{},
		engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	longTalk(t, w, 5)
	w.do(t, engine.StartTurn{}, engine.StartStep{}, engine.EndStep{})
	req := compactRequest(compaction.Extractive{}, "k")
	req.Turn = 7
	if done, err := w.engine.Compact(t.Context(), w.id, req); err != nil || done.Failure != "" {
		t.Fatalf("got %+v, %v", done, err)
	}
	w.do(t, engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	dispatchedCall(t, w, "c1", "Go on.")
	if made, err := w.engine.Spawn(t.Context(), w.id, spawn(c, w, lineage.Delegation{
		Mode: events.ChildContinuable, Provider: lineage.ProviderFork, Label: "more", Prompt: "Go on.", CallID: "c1", System: says("You are an agent."), SystemID: "s",
	})); err != nil || !made.Verified {
		t.Fatalf("got %+v, %v", made, err)
	}
	for _, id := range []events.SessionID{"child", w.id} {
		var told []string
		all := eventstest.Check(t, w.log, id)
		w.view(t, id, func(s *projections.Session) {
			for _, seq := range s.Surface().Nodes() {
				if m, ok := all[seq].Event.(events.UserMessage); ok && m.Source.Kind == events.SourceAgentInstructions {
					told = append(told, m.ID+" "+m.Content[0].Text)
				}
			}
		})
		if diff := cmp.Diff([]string{"k-message-instructions-2 Never push."}, told); diff != "" {
			t.Errorf("%s: got other instructions:\n%s", id, diff)
		}
	}
	all := eventstest.Check(t, w.log, "child")
	i := slices.IndexFunc(all, func(e events.Envelope) bool { return e.Type() == events.TypeSubagentDescriptor })
	var first []events.Type
	for _, e := range all[i:] {
		first = append(first, e.Type())
	}
	want := []events.Type{events.TypeStepStart, events.TypeSystemMessage, events.TypeUserMessage, events.TypeUserMessage}
	if got := first[len(first)-4:]; !slices.Equal(got, want) {
		t.Errorf("got %v, want it to end with %v", first, want)
	}
}

// TestWhatCannotBeStoredIsNotStarted: what stays of a range has to fit into a frame.
func TestWhatCannotBeStoredIsNotStarted(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	for i := range 2 {
		w.do(t, engine.UserMessage{MessageID: fmt.Sprint("long-", i), Content: says(strings.Repeat("Do not. ", 40_000))})
		w.do(t, engine.StartTurn{}, engine.StartStep{}, engine.EndStep{}, engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	}
	longTalk(t, w, 5)
	before := w.lines(t)
	_, err := w.engine.Compact(t.Context(), w.id, compactRequest(compaction.Extractive{}, "k"))
	wantRefusal(t, err, compaction.CodeTooLarge, "range")
	if diff := cmp.Diff(before, w.lines(t)); diff != "" {
		t.Errorf("the log has changed:\n%s", diff)
	}
	// With somebody who tells which sentence restricts, all of these do but some.
	some := 0
	w = &workshop{log: w.log, id: w.id, n: 5000, engine: mustEngine(t, engine.Config{Log: w.log, Restricts: func(string) bool { some++; return some%100 == 0 }})}
	if done, err := w.engine.Compact(t.Context(), w.id, compactRequest(compaction.Extractive{}, "k")); err != nil || done.Failure != "" {
		t.Errorf("got %+v, %v", done, err)
	}
}
