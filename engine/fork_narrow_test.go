package engine_test

import (
	"errors"
	"testing"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// TestAForkFromBeforeATighteningKeepsIt, once: what a person chooses in the fork later
// stays, whoever asks for the same fork again.
func TestAForkFromBeforeATighteningKeepsIt(t *testing.T) {
	w := newWorkshop(t, engine.Config{})
	c := baseCatalogue(t)
	w.do(t, engine.Publish{Catalogue: c, UserDefault: "danger-full-access"}, engine.SetTier{Tier: approvals.TierAggressive})
	before := events.Seq(len(w.lines(t)) - 1)
	w.do(t, engine.SetPreset{Preset: "read-only", Catalogue: c}, engine.SetTier{Tier: approvals.TierStandard})
	req := forkOf(w.id, "child")
	req.At = &before
	m := w.meta()
	wantOn := func(preset, tier string) {
		t.Helper()
		w.view(t, "child", func(s *projections.Session) {
			if on := c.Current(s.Presets); on != preset || s.Approvals.Tier != tier {
				t.Errorf("the fork is on %s, tier %s, want %s, %s", on, s.Approvals.Tier, preset, tier)
			}
		})
	}
	for range 2 {
		on, err := w.engine.Fork(t.Context(), req, c, nil, m)
		if err != nil || on.Preset != "read-only" {
			t.Fatalf("got %+v, %v, want it on read-only", on, err)
		}
		wantOn("read-only", approvals.TierStandard)
	}
	if _, err := w.engine.Do(t.Context(), "child", engine.SetPreset{Preset: "danger-full-access", Catalogue: c}, w.meta()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.engine.Fork(t.Context(), req, c, nil, w.meta()); err != nil {
		t.Fatal(err)
	}
	wantOn("danger-full-access", approvals.TierStandard)
}

// TestAForkOfAnImportIsAdoptedByItself, unless what it copies was adopted: until then
// neither makes a child.
func TestAForkOfAnImportIsAdoptedByItself(t *testing.T) {
	var log eventstest.Memory
	s := eventstest.NewScript(t, eventstest.Header(t, "work", nil))
	s.StartTurn()
	s.EndTurn(events.EndCompleted)
	importText(t, &log, text(s.Header, s.Records()))
	e, err := engine.New(engine.Config{Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	w := &workshop{log: &log, engine: e, id: "work"}
	c := baseCatalogue(t)
	want := func(id events.SessionID, only bool, owner string) {
		t.Helper()
		w.view(t, id, func(s *projections.Session) {
			if s.ReplayOnly() != only || s.Owner() != owner {
				t.Errorf("%s: got %v, owner %q", id, s.ReplayOnly(), s.Owner())
			}
		})
	}
	fork := func(child events.SessionID, at *events.Seq) {
		t.Helper()
		req := forkOf(w.id, child)
		req.At = at
		if _, err := e.Fork(t.Context(), req, c, nil, w.meta()); err != nil {
			t.Fatal(err)
		}
	}
	fork("early", nil)
	want("early", true, "")
	end := events.Seq(len(w.lines(t)) - 1)
	w.do(t, engine.AdoptSession{Owner: "ada", By: "ada"})
	fork("after", nil)
	want("after", false, "ada") // whose credential made it
	fork("between", &end)
	want("between", true, "")

	spawned := lineage.Delegation{Mode: events.ChildOneShot, Provider: lineage.ProviderFork, Prompt: "go on"}
	for _, id := range []events.SessionID{"early", "between"} {
		_, err := e.Spawn(t.Context(), id, spawn(c, w, spawned))
		wantRefusal(t, err, engine.CodeReplayOnly, "session")
		if _, err := e.Do(t.Context(), id, engine.AdoptSession{Owner: "bob", By: "bob"}, w.meta()); err != nil {
			t.Fatal(err)
		}
		want(id, false, "bob")
	}
	if _, err := e.Do(t.Context(), "after", engine.AdoptSession{Owner: "bob", By: "bob"}, w.meta()); err == nil {
		t.Error("a fork of what was adopted was adopted by somebody else")
	} else if r, ok := errors.AsType[*events.Refusal](err); !ok || r.Code != engine.CodeNotImported {
		t.Errorf("got %v", err)
	}
}
