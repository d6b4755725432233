package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// summarizer is a function that summarizes.
type summarizer func(ctx context.Context, in compaction.Input) (compaction.Summary, error)

func (f summarizer) Summarize(ctx context.Context, in compaction.Input) (compaction.Summary, error) {
	return f(ctx, in)
}

func compactRequest(by compaction.Summarizer, id string) engine.CompactRequest {
	return engine.CompactRequest{
		Request: compaction.Request{CompactionID: id, Keep: compaction.Keep{Nodes: 3}}, Summarizer: by, MessageID: id + "-message",
		Meta: engine.Meta{ID: events.AppendID("compact-" + id), Now: 1_800_000_000_900},
	}
}

// TestACompactionThatIsCutShortIsFinished by the same request, at each of its
// appends, whether that was stored or not; and asked again it tells how it ended.
func TestACompactionThatIsCutShortIsFinished(t *testing.T) {
	for cut := range 2 {
		for _, lost := range []bool{false, true} {
			memory := &eventstest.Memory{}
			w := newWorkshop(t, engine.Config{Log: memory})
			longTalk(t, w, 10)
			req := compactRequest(compaction.Extractive{MaxTokens: 100}, "k1")
			cutOff := mustEngine(t, engine.Config{Log: &cutLog{Log: memory, n: cut, lost: lost}})
			if _, err := cutOff.Compact(t.Context(), w.id, req); !errors.Is(err, events.ErrOutcomeUnknown) {
				t.Fatalf("cut at %d: got %v, want it cut short", cut, err)
			}
			// Others go on meanwhile; what they append does not touch the range.
			w.do(t, engine.UserMessage{MessageID: "more", Content: says("go on")})
			done, err := w.engine.Compact(t.Context(), w.id, req)
			if err != nil || done.Failure != "" || done.Already != (cut == 1 && lost) {
				t.Errorf("cut at %d, stored %t: again: got %+v, %v", cut, lost, done, err)
			}
			again, err := w.engine.Compact(t.Context(), w.id, req)
			if err != nil || !again.Already || again.Failure != "" {
				t.Errorf("a third time: got %+v, %v, want it told", again, err)
			}
			ends := 0
			for _, e := range eventstest.Check(t, memory, w.id) {
				if e.Type() == events.TypeCompactionEnd {
					ends++
				}
			}
			if ends != 1 {
				t.Errorf("cut at %d: got %d ends, want 1", cut, ends)
			}
			w.view(t, w.id, func(s *projections.Session) {
				if got := len(s.Surface().Nodes()); got != 4 {
					t.Errorf("got %d visible events, want the checkpoint and 3", got)
				}
			})
		}
	}
}

// TestACompactionThatFailsIsToldAndReleasesItsLock, whatever the summarizer did.
func TestACompactionThatFailsIsToldAndReleasesItsLock(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	longTalk(t, w, 10)
	surface := func() (nodes []events.Seq) {
		w.view(t, w.id, func(s *projections.Session) { nodes = append(nodes, s.Surface().Nodes()...) })
		return nodes
	}
	before := surface()
	cases := map[string]summarizer{
		"fails": func(context.Context, compaction.Input) (compaction.Summary, error) {
			return compaction.Summary{}, errors.New("the route is down")
		},
		"empty": func(context.Context, compaction.Input) (compaction.Summary, error) { return compaction.Summary{}, nil },
		"long": func(_ context.Context, in compaction.Input) (compaction.Summary, error) {
			var long []events.Block
			for range 500 {
				long = append(long, events.TextBlock("and then, and then, and then, and then, and then, and then"))
			}
			return compaction.Summary{Blocks: long, Provider: "p", Model: "m"}, nil
		},
	}
	for name, by := range cases {
		req := compactRequest(by, name)
		done, err := w.engine.Compact(t.Context(), w.id, req)
		if err != nil || done.Failure == "" {
			t.Errorf("%s: got %+v, %v, want a failure that is told", name, done, err)
		}
		again, err := w.engine.Compact(t.Context(), w.id, req)
		if err != nil || !again.Already || again.Failure != done.Failure {
			t.Errorf("%s: again: got %+v, %v, want the same failure", name, again, err)
		}
		if diff := cmp.Diff(before, surface()); diff != "" {
			t.Errorf("%s: the surface has changed:\n%s", name, diff)
		}
	}
	if done, err := w.engine.Compact(t.Context(), w.id, compactRequest(compaction.Extractive{MaxTokens: 100}, "k")); err != nil || done.Failure != "" {
		t.Errorf("afterwards: got %+v, %v", done, err)
	}
	eventstest.Check(t, w.log, w.id)
}

// TestACompactionThatCannotStartWritesNothing: its lock is another's, or a member
// is missing that it would miss only at its end.
func TestACompactionThatCannotStartWritesNothing(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	longTalk(t, w, 10)
	w.do(t, engine.StartCompaction{Request: compaction.Request{CompactionID: "other"}})
	before := everything(t, w.log)
	_, err := w.engine.Compact(t.Context(), w.id, compactRequest(compaction.Extractive{}, "k"))
	wantRefusal(t, err, compaction.CodeLocked, "compactionId")
	req := compactRequest(compaction.Extractive{}, "k")
	req.MessageID = ""
	_, err = w.engine.Compact(t.Context(), w.id, req)
	wantRefusal(t, err, engine.CodeInvalid, "messageId")
	if _, err := w.engine.Compact(t.Context(), w.id, compactRequest(nil, "k")); err == nil {
		t.Error("no summarizer: want an error")
	}
	if diff := cmp.Diff(before, everything(t, w.log)); diff != "" {
		t.Errorf("the log has changed:\n%s", diff)
	}
	// Who started it is gone: a repair releases the lock.
	if _, err := engine.Repair(t.Context(), w.log, w.id, human); err != nil {
		t.Fatal(err)
	}
	if done, err := w.engine.Compact(t.Context(), w.id, compactRequest(compaction.Extractive{MaxTokens: 100}, "k")); err != nil || done.Failure != "" {
		t.Errorf("after the repair: got %+v, %v", done, err)
	}
}

// TestACompactionInAStepKeepsWhatIsOpen: a call without its result stays visible,
// and the step goes on.
func TestACompactionInAStepKeepsWhatIsOpen(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	longTalk(t, w, 10)
	w.do(t, engine.StartTurn{}, engine.StartStep{},
		engine.AssistantMessage{Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c1", "bash", "{}")}},
		engine.StartCall{CallID: "c1", Name: "bash", Arguments: "{}"})
	req := compactRequest(compaction.Extractive{MaxTokens: 100}, "k")
	req.Turn, req.Keep = 11, compaction.Keep{Nodes: 1}
	done, err := w.engine.Compact(t.Context(), w.id, req)
	if err != nil || done.Failure != "" {
		t.Fatalf("got %+v, %v", done, err)
	}
	w.refuse(t, engine.AssistantMessage{Provider: "p", Model: "m", Content: says("x")}, engine.CodeDuplicate)
	w.do(t, engine.SettleCall{CallID: "c1"}, engine.EndStep{})
	eventstest.Check(t, w.log, w.id)
}
