package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// TestRequestOfAProgramsCallIsMadeWithTheBindingThatTheAuditKept: also when the same
// ids come again in another step.
func TestRequestOfAProgramsCallIsMadeWithTheBindingThatTheAuditKept(t *testing.T) {
	home := t.TempDir()
	if r := runIn(t.Context(), home, "import", filepath.Join("..", "..", "fixtures", "sessions", "demo-code.jsonl")); r.code != 0 {
		t.Fatalf("got %+v", r)
	}
	record := func(step int, description string) {
		w := world{getenv: atHome(home), stdout: t.Output(), stderr: t.Output()}
		a := &app{world: w, dir: w.stateDir()}
		err := a.with(t.Context(), "test", readWrite, func(ctx context.Context, s *store) error {
			return s.log.RecordReview(ctx, events.ReviewRecord{
				Session: "demo-code", Turn: 1, Step: step, CallID: "call-3:ptc:2", Mode: "ptc-inner", Name: "read", Reviewer: "auto",
				Outcome: events.VerdictCancelled, StartedAt: 1, EndedAt: 2,
				Schema: &events.ReviewSchema{Name: "read", Description: &description, Parameters: jsontext.Value("{}")},
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	record(2, "of another step")
	if r := runIn(t.Context(), home, "request", "show", "demo-code", "16"); r.code != exitReview || !strings.Contains(r.err, "PTC_SCHEMA_MISSING") {
		t.Errorf("got %+v, want PTC_SCHEMA_MISSING", r)
	}
	record(1, "as it was bound")
	r := runIn(t.Context(), home, "request", "show", "demo-code", "16")
	if r.code != 0 || !strings.Contains(r.out, `"description": "as it was bound"`) {
		t.Errorf("got %+v, want the request with the binding", r)
	}
}
