package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func grants(pattern string) func(*approvals.Project) ([]events.Draft, error) {
	return func(*approvals.Project) ([]events.Draft, error) {
		return events.Drafts(events.ProjectGrant{GrantID: "g-" + pattern, Tool: "bash", Pattern: pattern, By: "ada"}), nil
	}
}

func projectMeta(id string) engine.Meta {
	return engine.Meta{ID: events.AppendID(id), Now: 1, Actor: human}
}

func TestAGrantLastsInItsProjectAndNoOther(t *testing.T) {
	p := engine.NewProjects(&eventstest.Memory{})
	if err := p.Do(t.Context(), "/workspace/shelf", projectMeta("c1"), grants("ls")); err != nil {
		t.Fatal(err)
	}
	for cwd, want := range map[string]int{"/workspace/shelf": 1, "/workspace//shelf/.": 1, "/workspace/other": 0} {
		state, err := p.View(t.Context(), cwd)
		if err != nil || len(state.Grants) != want {
			t.Errorf("%s: got %d grants, %v, want %d", cwd, len(state.Grants), err, want)
		}
	}
	if err := p.Do(t.Context(), "/workspace/shelf", projectMeta("c2"), func(s *approvals.Project) ([]events.Draft, error) {
		return approvals.Revoke(s, "g-ls", "ada")
	}); err != nil {
		t.Fatal(err)
	}
	if state, err := p.View(t.Context(), "/workspace/shelf"); err != nil || len(state.Grants) != 0 {
		t.Errorf("taken back: got %v, %v, want none", state.Grants, err)
	}
}

func TestAProjectsLogHoldsNothingElse(t *testing.T) {
	log := &eventstest.Memory{}
	p := engine.NewProjects(log)
	err := p.Do(t.Context(), "/workspace/shelf", projectMeta("c1"), func(*approvals.Project) ([]events.Draft, error) {
		return events.Drafts(events.PermissionPreset{Preset: "read-only"}), nil
	})
	if r, ok := errors.AsType[*events.Refusal](err); !ok || r.Field != "type" {
		t.Errorf("got %v, want a refusal", err)
	}
	id := engine.ProjectID("/workspace/shelf")
	if _, err := log.Append(t.Context(), id, events.Append{ID: "x", Records: []events.Record{eventstest.Record(t, 0, events.PermissionPreset{Preset: "auto"})}}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.View(t.Context(), "/workspace/shelf"); !errors.Is(err, events.ErrCorrupt) {
		t.Errorf("got %v, want it corrupt", err)
	}
}

func TestPeopleGrantAtOnceAndNoneIsLost(t *testing.T) {
	p := engine.NewProjects(&eventstest.Memory{})
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			if err := p.Do(context.Background(), "/workspace/shelf", projectMeta(fmt.Sprint("c", n)), grants(fmt.Sprint("p", n))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if state, err := p.View(t.Context(), "/workspace/shelf"); err != nil || len(state.Grants) != 8 {
		t.Errorf("got %d grants, %v, want 8", len(state.Grants), err)
	}
}
