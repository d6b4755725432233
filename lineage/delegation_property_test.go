package lineage_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/presets"
)

func foldState(es []events.Envelope) *lineage.State {
	s := &lineage.State{}
	for _, e := range es {
		s.Apply(e)
	}
	return s
}

func TestTheStateIsInStepWithTheRules(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		drawn := eventstest.Valid(rt)
		v, s := events.NewValidator(drawn.Header), &lineage.State{}
		for _, e := range drawn.Events {
			if err := v.Apply(e); err != nil {
				rt.Fatal(err)
			}
			s.Apply(e)
			if !slices.Equal(s.Surface, v.Surface().Nodes()) || s.Inherited != v.InheritedCount() || s.Next != v.Next() {
				rt.Fatalf("seq %d: got surface %v, inherited %d, next %d, want %v, %d, %d",
					e.Seq, s.Surface, s.Inherited, s.Next, v.Surface().Nodes(), v.InheritedCount(), v.Next())
			}
		}
	})
}

func TestASnapshotIsTheState(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := eventstest.Valid(rt)
		cut := rapid.IntRange(0, len(s.Events)).Draw(rt, "cut")
		text, err := json.Marshal(foldState(s.Events[:cut]))
		if err != nil {
			rt.Fatal(err)
		}
		again := &lineage.State{}
		if err := json.Unmarshal(text, again, json.RejectUnknownMembers(true)); err != nil {
			rt.Fatalf("%v\n%s", err, text)
		}
		for _, e := range s.Events[cut:] {
			again.Apply(e)
		}
		if diff := cmp.Diff(foldState(s.Events), again, cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("got another state behind a snapshot (-want +got):\n%s", diff)
		}
	})
}

// drawParent draws a session that was switched about, with turns in between and
// an open step at the end.
func drawParent(rt *rapid.T, w *world) *session {
	s := w.create(eventstest.Header(rt, "parent", nil))
	switches := func() {
		for range rapid.IntRange(0, 3).Draw(rt, "switches") {
			s.line(rapid.SampledFrom([]string{
				"preset auto", "preset ai-auto", "preset auto-workspace", "preset gone", "preset read-only", "preset danger-full-access",
				"sandbox read-only", "sandbox workspace-write", "sandbox danger-full-access", "approval ask", "approval never",
			}).Draw(rt, "switch"))
		}
	}
	for range rapid.IntRange(0, 2).Draw(rt, "turns") {
		switches()
		for _, text := range []string{"turn", "step", "user hello", "step-end", "turn-end"} {
			s.line(text)
		}
	}
	switches()
	s.line("turn")
	s.line("step")
	s.line(`call c1 {"prompt":"Help."}`)
	if rapid.Bool().Draw(rt, "dispatched") {
		s.line("dispatch c1")
	}
	return s
}

func drawDelegation(rt *rapid.T, parent *session) lineage.Delegation {
	return lineage.Delegation{
		SpawnID: "s1", ChildID: "child", CreatedAt: eventstest.Epoch, Label: "Help", Prompt: "Help.", PromptID: "p", CallID: "c1",
		Mode:     rapid.SampledFrom([]string{events.ChildOneShot, events.ChildContinuable}).Draw(rt, "mode"),
		Provider: rapid.SampledFrom([]string{lineage.ProviderSpawn, lineage.ProviderFork}).Draw(rt, "provider"),
		Captured: lineage.Capture(catalogue(rt), parent.presets, rapid.Bool().Draw(rt, "approvals")),
	}
}

// TestAChildHasNoLessThanItsParent: whatever the parent was switched to and back,
// and whichever way the child is made, the child is reviewed as its parent is, and
// its sandbox is no wider.
func TestAChildHasNoLessThanItsParent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, c := newWorld(rt), catalogue(rt)
		parent := drawParent(rt, w)
		on, effective := c.Current(parent.presets), c.Effective(parent.presets)
		child, _, err := parent.spawn(drawDelegation(rt, parent))
		if err != nil {
			rt.Fatal(err)
		}
		if got := c.Effective(child.presets).Sandbox; presets.WiderMode(got, effective.Sandbox) {
			rt.Errorf("got the sandbox %s under a parent on %s", got, effective.Sandbox)
		}
		if p, _ := c.Find(on); p.Reviewed() && c.Current(child.presets) != on {
			rt.Errorf("got a child on %s, its parent on %s", c.Current(child.presets), on)
		}
		if c.Usable(parent.presets) == nil && on != presets.DangerFullAccess && c.Current(child.presets) == presets.DangerFullAccess {
			rt.Errorf("got a child on full access, its parent on %s", on)
		}
	})
}

// TestAChildIsMadeOnce: the frame has descriptor and prompt, the child is
// verified, the same delegation makes the same child, and a person may write to it
// only then.
func TestAChildIsMadeOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt)
		parent := drawParent(rt, w)
		d := drawDelegation(rt, parent)
		child, b, err := parent.spawn(d)
		if err != nil {
			rt.Fatal(err)
		}
		if _, err := lineage.VerifyChild(parent.kin(), child.kin()); err != nil {
			rt.Errorf("the child is not verified: %v", err)
		}
		own, ok := child.state.Descriptor()
		if !ok || (own.Prompt != nil) != b.Verified || (own.Told != nil) == b.Verified {
			rt.Errorf("got %+v, want a prompt or what was told instead, verified %t", own, b.Verified)
		}
		if err := lineage.AdmitUser(child.kin()); err != nil {
			rt.Error(err)
		}
		for i, e := range child.events {
			if m, is := e.Event.(events.UserMessage); is && child.state.Own(e.Seq) && own.Prompt != nil && e.Seq != *own.Prompt {
				rt.Errorf("event %d is another own message of kind %s", i, m.Source.Kind)
			}
		}
		parent.line("step-end")
		parent.line("turn-end")
		d.Captured, d.CreatedAt, d.ChildID = lineage.Captured{}, 1, "elsewhere"
		again, err := lineage.Spawn(parent.kin(), d)
		if err != nil {
			rt.Fatal(err)
		}
		if len(again.Catalogue) > 0 || !again.Stored(child.state) || again.Prefix != b.Prefix || string(again.Header.Line) != string(b.Header.Line) {
			rt.Errorf("got %+v the second time, want %+v", again, b)
		}
		if diff := cmp.Diff(b.Frame(nil), again.Frame(nil), cmp.AllowUnexported(events.SurfaceOp{})); diff != "" {
			rt.Errorf("the frame is another one (-first +second):\n%s", diff)
		}
	})
}

// TestATreeHasEachSessionOnce for any sessions: orphans, cycles, forks, liars, in
// any order.
func TestATreeHasEachSessionOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt)
		n := rapid.IntRange(0, 8).Draw(rt, "sessions")
		var kin []lineage.Kin
		for i := range n {
			h := eventstest.Header(rt, events.SessionID(fmt.Sprint("s", i)), func(h *events.Header) {
				if p := rapid.IntRange(-1, n+1).Draw(rt, "parent"); p >= 0 {
					h.ParentSession = events.SessionID(fmt.Sprint("s", p))
				}
				if rapid.Bool().Draw(rt, "child") {
					h.Origin = events.OriginSubagent
				}
				h.DelegationDepth = new(rapid.Int64Range(0, 2).Draw(rt, "depth"))
			})
			s := w.create(h)
			if rapid.Bool().Draw(rt, "catalogue") {
				s.put(events.SubagentCatalog{ChildID: events.SessionID(fmt.Sprint("s", rapid.IntRange(0, n+2).Draw(rt, "of"))), ChildHeaderHash: "00"})
			}
			kin = append(kin, s.kin())
		}
		tree := lineage.Tree(kin)
		seen := map[events.SessionID]int{}
		countAll(tree, seen)
		for _, k := range kin {
			if seen[k.Header.ID] != 1 {
				rt.Fatalf("%s stands in the tree %d times", k.Header.ID, seen[k.Header.ID])
			}
		}
		for id, times := range seen {
			if times != 1 {
				rt.Fatalf("%s stands in the tree %d times", id, times)
			}
		}
		mixed := rapid.Permutation(kin).Draw(rt, "order")
		if diff := cmp.Diff(tree, lineage.Tree(mixed)); diff != "" {
			rt.Fatalf("another order gives another tree:\n%s", diff)
		}
	})
}

func countAll(all []lineage.Relative, seen map[events.SessionID]int) {
	for _, r := range all {
		seen[r.ID]++
		countAll(r.Children, seen)
	}
}
