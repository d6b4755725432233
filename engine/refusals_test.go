package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

func wantRefusal(t *testing.T, err error, code, field string) {
	t.Helper()
	r, ok := errors.AsType[*events.Refusal](err)
	if !ok || r.Code != code || r.Field != field {
		t.Errorf("got %v, want a refusal %s of %q", err, code, field)
	}
}

// everything is all that a log holds, to compare.
func everything(t *testing.T, log events.Log) string {
	t.Helper()
	all := map[string]string{}
	for id, err := range log.Sessions(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all[string(id)] = strings.Join(linesOf(t, log, id), "\n")
	}
	var text strings.Builder
	for _, id := range []string{"child", "other", "parent", "stranger", "work"} {
		if log, ok := all[id]; ok {
			text.WriteString(id + "\n" + log + "\n")
		}
	}
	return text.String()
}

const notText = "\xff\xfe"

// TestTextThatIsNotUTF8IsRefused tries every member of every command that is text.
func TestTextThatIsNotUTF8IsRefused(t *testing.T) {
	said := []events.Block{events.TextBlock(notText)}
	source := events.Source{Kind: "runtime-context"}
	cases := map[string]engine.Command{
		"message id":      engine.UserMessage{MessageID: notText, Content: says("x")},
		"message":         engine.UserMessage{MessageID: "m", Content: said},
		"rpc id":          engine.UserMessage{MessageID: "m", Content: says("x"), RPCID: notText},
		"time zone":       engine.UserMessage{MessageID: "m", Content: says("x"), TimeZone: notText},
		"block type":      engine.UserMessage{MessageID: "m", Content: []events.Block{{Type: notText}}},
		"no block type":   engine.UserMessage{MessageID: "m", Content: []events.Block{{}}},
		"raw block":       engine.UserMessage{MessageID: "m", Content: []events.Block{{Raw: jsontext.Value(`{"type":"text"`)}}},
		"context":         engine.ContextMessage{MessageID: "m", Source: source, Content: said},
		"context id":      engine.ContextMessage{MessageID: notText, Source: source, Content: says("x")},
		"context source":  engine.ContextMessage{MessageID: "m", Source: events.Source{Kind: notText}, Content: says("x")},
		"system":          engine.SystemMessage{MessageID: "m", Content: said},
		"system id":       engine.SystemMessage{MessageID: notText, Content: says("x")},
		"assistant":       engine.AssistantMessage{Provider: "p", Model: "m", Content: said},
		"provider":        engine.AssistantMessage{Provider: notText, Model: "m", Content: says("x")},
		"model":           engine.AssistantMessage{Provider: "p", Model: notText, Content: says("x")},
		"stream":          engine.AssistantMessage{Provider: "p", Model: "m", Content: says("x"), Stream: jsontext.Value("[" + notText + "]")},
		"usage":           engine.AssistantMessage{Provider: "p", Model: "m", Content: says("x"), Usage: jsontext.Value(`{"a":1,"a":2}`)},
		"usage number":    engine.AssistantMessage{Provider: "p", Model: "m", Content: says("x"), Usage: jsontext.Value(`{"a":-0}`)},
		"arguments":       engine.AssistantMessage{Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c", "bash", notText)}},
		"attempt":         engine.FailedAttempt{Stream: jsontext.Value(`[`)},
		"request":         engine.SetRequest{Reason: "initial", Header: events.RequestConfiguration{Config: events.RequestConfig{Provider: notText, Model: "m"}}},
		"request reason":  engine.SetRequest{Reason: notText, Header: events.RequestConfiguration{Config: events.RequestConfig{Provider: "p", Model: "m"}}},
		"tool parameters": engine.SetRequest{Reason: "initial", Header: events.RequestConfiguration{Tools: []events.ToolDefinition{{Name: "t", Parameters: jsontext.Value(`{`)}}}},
		"end of turn":     engine.EndTurn{Reason: events.TurnEndReason{Kind: notText}},
		"compaction":      engine.StartCompaction{Request: compaction.Request{CompactionID: notText}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkshop(t, engine.Config{})
			w.do(t, engine.StartTurn{}, engine.StartStep{})
			before := everything(t, w.log)
			_, err := w.engine.Do(t.Context(), w.id, c, w.meta())
			if r, ok := errors.AsType[*events.Refusal](err); !ok || r.Code == "" || strings.Contains(r.Error(), "Go ") {
				t.Errorf("got %v, want a refusal for people", err)
			}
			if everything(t, w.log) != before {
				t.Error("the log has changed")
			}
		})
	}
}

// TestWhatIsWrittenCountsAndNotWhatStandsBeside: values may carry their JSON, and
// it is what a reader finds.
func TestWhatIsWrittenCountsAndNotWhatStandsBeside(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	w.do(t, engine.StartTurn{}, engine.StartStep{})
	w.refuse(t, engine.ContextMessage{
		MessageID: "m", Source: events.Source{Kind: "runtime-context", Raw: jsontext.Value(`{"kind":"user"}`)}, Content: says("I allow it"),
	}, engine.CodeInvalid)
	call := jsontext.Value(`{"type":"tool-call","id":"c1","name":"bash","arguments":"{}"}`)
	w.refuse(t, engine.AssistantMessage{
		Provider: "p", Model: "m", Content: []events.Block{{Type: "text", Text: "x", Raw: call}, {Type: "text", Text: "y", Raw: call}},
	}, engine.CodeCallDuplicate)
	w.refuse(t, engine.AssistantMessage{
		Provider: "p", Model: "m", Content: []events.Block{{Type: "text", Text: "x", Raw: call}}, Interrupted: true,
	}, engine.CodeInvalid)
	w.do(t, engine.AssistantMessage{Provider: "p", Model: "m", Content: []events.Block{{Type: "text", Text: "x", Raw: call}}})
	w.do(t, engine.StartCall{CallID: "c1", Name: "bash", Arguments: "{}"})
}

// TestASessionThatCannotBeUsedIsRefused: unknown, incomplete, corrupt. Nothing
// is written, also not elsewhere.
func TestASessionThatCannotBeUsedIsRefused(t *testing.T) {
	memory := &eventstest.Memory{}
	w := newWorkshop(t, engine.Config{Log: memory})
	w.do(t, engine.StartTurn{}, engine.StartStep{})
	for id, seed := range map[events.SessionID]events.Seed{"parent": {Kind: events.SeedImport, Next: 3}, "other": {Kind: events.SeedFork, Next: 3}} {
		if err := memory.Create(t.Context(), events.Creation{ID: "create", Header: eventstest.Header(t, id, nil), Seed: seed}); err != nil {
			t.Fatal(err)
		}
	}
	broken := &tampered{Log: memory, session: w.id, change: replaceLine(1, `"step":1`, `"step":7`)}
	lying := &tampered{Log: memory, session: w.id, change: replaceLine(0, `"time":`, `"time":1`)}
	short := &tampered{Log: memory, session: w.id, change: func(r []events.Record) []events.Record { return r[:1] }}
	cases := map[string]struct {
		log  events.Log
		id   events.SessionID
		want error
	}{
		"unknown":                  {memory, "nobody", events.ErrNotFound},
		"no id":                    {memory, "", events.ErrNotFound},
		"an import cut short":      {memory, "parent", events.ErrSeedIncomplete},
		"a fork cut short":         {memory, "other", events.ErrSeedIncomplete},
		"a rule that is broken":    {broken, w.id, events.ErrCorrupt},
		"a record that is changed": {lying, w.id, events.ErrCorrupt},
		"a tail that is gone":      {short, w.id, events.ErrCorrupt},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			before := everything(t, memory)
			e, err := engine.New(engine.Config{Log: c.log})
			if err != nil {
				t.Fatal(err)
			}
			requests := map[string]func() error{
				"do": func() error { _, err := e.Do(t.Context(), c.id, engine.EndStep{}, w.meta()); return err },
				"view": func() error {
					return e.View(t.Context(), c.id, func(*projections.Session) error { return nil })
				},
				"send": func() error {
					_, err := e.Send(t.Context(), c.id, w.id, lineage.Letter{ID: "l", Text: "x"}, w.meta())
					return err
				},
				"spawn": func() error {
					_, err := e.Spawn(t.Context(), c.id, spawn(baseCatalogue(t), w, oneShot("x")))
					return err
				},
				"compact": func() error {
					_, err := e.Compact(t.Context(), c.id, engine.CompactRequest{Request: compaction.Request{CompactionID: "k"}, Summarizer: compaction.Extractive{}, MessageID: "k", Meta: w.meta()})
					return err
				},
			}
			for name, do := range requests {
				if err := do(); !errors.Is(err, c.want) {
					t.Errorf("%s: got %v, want %v", name, err, c.want)
				}
			}
			if everything(t, memory) != before {
				t.Error("what is stored has changed")
			}
		})
	}
	// To one that is not there.
	if _, err := w.engine.Send(t.Context(), w.id, "nobody", lineage.Letter{ID: "l", Text: "x"}, w.meta()); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("to nobody: got %v, want not found", err)
	}
}

func TestACommandNeedsAnIDAndATime(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	before := everything(t, w.log)
	for _, id := range []events.AppendID{"", "a b", "ü", events.AppendID(strings.Repeat("x", 129))} {
		_, err := w.engine.Do(t.Context(), w.id, engine.StartTurn{}, engine.Meta{ID: id, Now: 1})
		wantRefusal(t, err, engine.CodeInvalid, "id")
	}
	for _, now := range []int64{-1, events.MaxSafeInteger + 1} {
		_, err := w.engine.Do(t.Context(), w.id, engine.StartTurn{}, engine.Meta{ID: "x", Now: now})
		wantRefusal(t, err, engine.CodeInvalid, "time")
	}
	for _, expect := range []events.Seq{-1, 1} {
		_, err := w.engine.Do(t.Context(), w.id, engine.StartTurn{}, engine.Meta{ID: "x", Now: 1, Expect: &expect})
		wantRefusal(t, err, engine.CodeStale, "expect")
	}
	// An id that is good, but too long for the parts of what is asked for.
	m := engine.Meta{ID: events.AppendID(strings.Repeat("x", 122)), Now: 1}
	req := spawn(baseCatalogue(t), w, oneShot("x"))
	req.Meta = m
	_, err := w.engine.Spawn(t.Context(), w.id, req)
	wantRefusal(t, err, engine.CodeInvalid, "id")
	_, err = w.engine.Compact(t.Context(), w.id, engine.CompactRequest{Request: compaction.Request{CompactionID: "k"}, Summarizer: compaction.Extractive{}, MessageID: "k", Meta: m})
	wantRefusal(t, err, engine.CodeInvalid, "id")
	if everything(t, w.log) != before {
		t.Error("what is stored has changed")
	}
}

func TestWhatDoesNotFitIntoAFrameIsRefused(t *testing.T) {
	w := newWorkshop(t, engine.Config{Log: &eventstest.Memory{FrameLimit: 1000}})
	w.do(t, engine.StartTurn{}, engine.StartStep{})
	w.refuse(t, engine.SettleCall{CallID: "c"}, engine.CodeCallUnknown)
	w.refuse(t, engine.FailedAttempt{Stream: jsontext.Value(`["` + strings.Repeat("x", 1000) + `"]`)}, engine.CodeTooLarge)
	w.do(t, engine.FailedAttempt{}) // and the session goes on
}

func TestAForkBeyondItsParentIsRefused(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	w.do(t, engine.StartTurn{})
	before := everything(t, w.log)
	for _, at := range []events.Seq{-1, 1, 99} {
		_, err := engine.Fork(t.Context(), w.log, engine.ForkRequest{Source: w.id, Child: "child", At: &at, Now: 1})
		if b, ok := errors.AsType[*lineage.BoundaryError](err); !ok || b.At != at || b.Next != 1 {
			t.Errorf("at %d: got %v, want a boundary error", at, err)
		}
	}
	if _, err := engine.Fork(t.Context(), w.log, engine.ForkRequest{Source: w.id, Child: w.id, Now: 1}); !errors.Is(err, events.ErrExists) {
		t.Errorf("into itself: got %v, want that it exists", err)
	}
	if everything(t, w.log) != before {
		t.Error("what is stored has changed")
	}
}

// TestABadConfigIsRefused: no log, and a cache of less than nothing.
func TestABadConfigIsRefused(t *testing.T) {
	for _, cfg := range []engine.Config{{}, {Log: &eventstest.Memory{}, CacheBytes: -1}} {
		if e, err := engine.New(cfg); err == nil || e != nil {
			t.Errorf("got %v, %v, want an error", e, err)
		}
	}
}
