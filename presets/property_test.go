package presets_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/presets"
)

var (
	modes    = []string{"", events.ModeReadOnly, events.ModeWorkspaceWrite, events.ModeDangerFullAccess}
	policies = []string{"", events.PolicyAsk, events.PolicyNever}
	named    = []string{"", "read-only", "workspace-write", "danger-full-access", "auto", "request-approval", "approve-for-me", "ai-auto", "auto-workspace", "custom", "gone"}
)

func drawState(rt *rapid.T) presets.State {
	return presets.State{
		Preset:   rapid.SampledFrom(named).Draw(rt, "preset"),
		Sandbox:  presets.ModeFact{Mode: rapid.SampledFrom(modes).Draw(rt, "sandbox")},
		Approval: presets.PolicyFact{Policy: rapid.SampledFrom(policies).Draw(rt, "approval")},
		Seeded:   rapid.Bool().Draw(rt, "seeded"),
	}
}

func drawCatalogue(rt *rapid.T) presets.Catalogue {
	made := table(rt, func(c *presets.Config) {
		c.Executor = rapid.SampledFrom(modes[1:]).Draw(rt, "executor")
		c.Approval = rapid.SampledFrom(policies).Draw(rt, "configured")
		c.Default = rapid.SampledFrom(named[1:4]).Draw(rt, "default")
	})
	names := []string{"auto", "guardian", "judge", "auto-workspace"}
	return registry(rt, made, rapid.Permutation(names).Draw(rt, "order")[:rapid.IntRange(0, 4).Draw(rt, "installed")]...).Catalogue()
}

func TestDerivationIsTotal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, s := drawCatalogue(rt), drawState(rt)
		name := c.Current(s)
		p, installed := c.Find(name)
		effective := c.Effective(s)
		switch {
		case name == presets.Custom:
		case !installed:
			rt.Fatalf("got %q, which is not installed", name)
		case p.Bundle == effective:
		case p.Sandbox != effective.Sandbox || !p.Reviewed() || p.Name != s.Preset || effective.Approval != events.PolicyNever:
			rt.Fatalf("got %s for %+v", name, effective)
		}
		if name != c.Current(s) {
			rt.Fatal("got another preset at the second time")
		}
	})
}

// TestSetThenDerive: behind a switch the session is on its target, with its
// bundle, and the same switch again writes nothing.
func TestSetThenDerive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, s := drawCatalogue(rt), drawState(rt)
		name := rapid.SampledFrom(named[1:]).Draw(rt, "target")
		p, installed := c.Find(name)
		drafts, err := presets.Set(c, s, name, nil)
		if !installed {
			if err == nil || drafts != nil {
				rt.Fatalf("got %v, %v for a preset that is not there", drafts, err)
			}
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		s = after(rt, s, drafts)
		if got := c.Current(s); got != name || c.Effective(s) != p.Bundle {
			rt.Fatalf("got %s with %+v, want %s", got, c.Effective(s), name)
		}
		again, err := presets.Set(c, s, name, nil)
		if err != nil || len(again) > 0 {
			rt.Fatalf("got %s, %v at the second time", describe(rt, again), err)
		}
		if _, err := presets.Pin(c, s, "", nil); err != nil {
			rt.Fatalf("got %v for a session that was switched", err)
		}
	})
}

// TestPinKeepsWhatIsEffective: a publication never changes the mode, the policy or
// the preset of a log that has any facts, and writes nothing the second time.
func TestPinKeepsWhatIsEffective(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, s := drawCatalogue(rt), drawState(rt)
		drafts, err := presets.Pin(c, s, "", nil)
		if _, installed := c.Find(s.Preset); !installed && s.Preset != "" && s.Preset != presets.Custom {
			wantRefused(rt, drafts, err)
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		pinned := after(rt, s, drafts)
		fresh := s.Preset == "" && s.Sandbox.Mode == "" && s.Approval.Policy == "" && !s.Seeded
		if fresh && (len(drafts) != 3 || c.Current(pinned) != c.DefaultPreset) {
			rt.Fatalf("got %s for a new session, want the default", describe(rt, drafts))
		}
		if !fresh && (c.Effective(pinned) != c.Effective(s) || c.Current(pinned) != c.Current(s)) {
			rt.Fatalf("got %s with %+v, was %s with %+v", c.Current(pinned), c.Effective(pinned), c.Current(s), c.Effective(s))
		}
		if pinned.Sandbox.Mode == "" || pinned.Approval.Policy == "" {
			rt.Fatal("got a published session without a mode or a policy")
		}
		again, err := presets.Pin(c, pinned, "", nil)
		if err != nil || len(again) > 0 {
			rt.Fatalf("got %s, %v at the second time", describe(rt, again), err)
		}
	})
}

func wantRefused(rt *rapid.T, drafts []events.Draft, err error) {
	rt.Helper()
	if err == nil || drafts != nil {
		rt.Fatalf("got %v, %v, want a refusal", drafts, err)
	}
}

// TestMigrateNeverWidens: a session whose integration goes has at most the mode
// and the policy that it had.
func TestMigrateNeverWidens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, s := drawCatalogue(rt), drawState(rt)
		was, _ := c.Find(c.Current(s))
		drafts, err := presets.Migrate(c, s, was.Integration)
		if err != nil {
			rt.Fatal(err)
		}
		if (len(drafts) > 0) != (was.Integration != "") {
			rt.Fatalf("got %s for a session on %s", describe(rt, drafts), was.Name)
		}
		now := c.Effective(after(rt, s, drafts))
		before := c.Effective(s)
		if presets.WiderMode(now.Sandbox, before.Sandbox) || before.Approval == events.PolicyNever && now.Approval != events.PolicyNever {
			rt.Fatalf("got %+v, was %+v", now, before)
		}
	})
}

func TestAFoldOfAnyLogIsItsSnapshot(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var s presets.State
		for _, e := range eventstest.Valid(rt).Events {
			s.Apply(e)
		}
		text, err := json.Marshal(s)
		if err != nil {
			rt.Fatal(err)
		}
		var back presets.State
		if err := json.Unmarshal(text, &back); err != nil || !cmp.Equal(back, s) {
			rt.Fatalf("got %+v, %v from the snapshot of %+v", back, err, s)
		}
	})
}
