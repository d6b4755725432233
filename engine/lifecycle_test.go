package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// working leaves a session in a step with a call that has no result.
func working(t *testing.T, w *workshop) {
	t.Helper()
	w.do(t,
		engine.StartTurn{}, engine.StartStep{},
		engine.AssistantMessage{MessageID: "a1", Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c1", "shell", "{}"), events.ToolCallBlock("c2", "shell", "{}")}},
		engine.StartCall{CallID: "c1", Name: "shell", Arguments: "{}"},
	)
}

func TestAStoppedSessionHasNothingOpen(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	working(t, w)
	done := w.do(t, engine.EndSession{By: "user"})
	var types []events.Type
	for _, e := range done.Events {
		types = append(types, e.Type())
	}
	want := []events.Type{"tool/result", "tool/result", "step/end", "turn/end"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Error(diff)
	}
	end, ok := done.Events[3].Event.(events.TurnEnd)
	if !ok || end.Reason.Kind != events.EndAborted || end.Reason.Reason.Kind != "user" {
		t.Errorf("got %+v, want it aborted by the user", done.Events[3].Event)
	}
	if again := w.do(t, engine.EndSession{By: "disposed"}); len(again.Events) != 0 {
		t.Errorf("a session at rest: got %d events, want none", len(again.Events))
	}
	w.refuse(t, engine.EndSession{By: "nobody"}, engine.CodeInvalid)
	w.types(t) // still a valid log
}

func TestARestartRepairsAndMarksOnce(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	w.do(t, engine.Restart{}) // an empty log gets the mark, too
	if again := w.do(t, engine.Restart{}); len(again.Events) != 0 {
		t.Errorf("a log that ends in the mark: got %d events, want none", len(again.Events))
	}
	working(t, w)
	done := w.do(t, engine.Restart{})
	last := done.Events[len(done.Events)-2:]
	end, ok := last[0].Event.(events.TurnEnd)
	if !ok || end.Reason.Kind != events.EndInterrupted || last[1].Type() != events.TypeEndSeed {
		t.Errorf("got %s, %s, want the turn interrupted and the mark", last[0].Type(), last[1].Type())
	}
	w.types(t) // still a valid log
}
