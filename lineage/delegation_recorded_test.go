package lineage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
)

func recordedKin(t *testing.T, name string) (lineage.Kin, []events.Envelope) {
	t.Helper()
	h, records := recorded(t, name)
	es := validate(t, h, records...)
	return lineage.Kin{Header: h, State: foldState(es)}, es
}

// TestRecordedChildrenAreWhatTheirLogsSay: modes, prompts, what they inherited and
// in which order.
func TestRecordedChildrenAreWhatTheirLogsSay(t *testing.T) {
	for name, want := range map[string]struct {
		parent           string
		mode, label      string
		descriptor       events.Seq
		prompt           events.Seq
		captured         lineage.Captured
		resumes          bool
		agentMessageSeqs []events.Seq
	}{
		"child-child1.jsonl": {"child.jsonl", "one-shot", "Count words", 5, 7, lineage.Captured{Sandbox: "workspace-write", Approval: "never"}, false, nil},
		"child-child2.jsonl": {"child.jsonl", "continuable", "Write usage", 0, 8, lineage.Captured{Sandbox: "workspace-write", Approval: "never"}, true, []events.Seq{40}},
		"child-child3.jsonl": {"child.jsonl", "one-shot", "Delete old data", 5, 7, lineage.Captured{Sandbox: "workspace-write", Approval: "never"}, false, nil},
		"auto-child1.jsonl":  {"auto.jsonl", "one-shot", "Count words", 7, 9, lineage.Captured{Sandbox: "danger-full-access", Approval: "never", Preset: "danger-full-access"}, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			child, es := recordedKin(t, name)
			parent, _ := recordedKin(t, want.parent)
			own, ok := child.State.Descriptor()
			if !ok || own.Descriptor.Mode != want.mode || own.Descriptor.Label != want.label || own.Seq != want.descriptor || *own.Prompt != want.prompt {
				t.Errorf("got %+v, want %+v", own, want)
			}
			a := lineage.Authority{Header: child.Header, State: child.State, Imported: child.State.Next}
			if got := a.User(want.prompt); got != lineage.RoleParent {
				t.Errorf("got %s for the prompt, want %s", got, lineage.RoleParent)
			}
			for _, seq := range want.agentMessageSeqs {
				if got := a.Agent(seq, es[seq].Event.(events.AgentMessage)); got != lineage.RoleFact {
					t.Errorf("got %s for the message at %d, want %s", got, seq, lineage.RoleFact)
				}
			}
			checkInherited(t, es, want.captured)
			if _, err := lineage.Resume(child, parent.Header.ID); (err == nil) != want.resumes {
				t.Errorf("got %v for the resume, want it to be allowed: %t", err, want.resumes)
			}
			checkHeader(t, parent.Header, child.Header)
		})
	}
}

// checkInherited compares the first facts of the child's log with what we would
// write. (In auto-child1 an adapter added the preset auto behind them.)
func checkInherited(t *testing.T, es []events.Envelope, captured lineage.Captured) {
	t.Helper()
	var got []string
	for _, e := range es {
		switch e.Type() {
		case events.TypeSandboxMode, events.TypeApprovalPolicy, events.TypePermissionPreset:
			got = append(got, string(e.Type())+string(e.Data))
		}
	}
	var want []string
	for i, d := range lineage.Overrides(captured) {
		e, err := d.At(events.Seq(i), 0)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, string(e.Type())+string(e.Data))
	}
	if diff := cmp.Diff(got[:len(want)], want); diff != "" {
		t.Errorf("got other overrides (-recorded +ours):\n%s", diff)
	}
}

func checkHeader(t *testing.T, parent, child events.Header) {
	t.Helper()
	ours, err := lineage.ChildHeader(parent, lineage.Child{ID: child.ID, CreatedAt: child.CreatedAt})
	if err != nil {
		t.Fatal(err)
	}
	if ours.CWD != child.CWD || ours.ParentSession != child.ParentSession || ours.Origin != child.Origin || ours.Depth() != child.Depth() || ours.AgentPreset != child.AgentPreset {
		t.Errorf("got header %s, recorded is %s", ours.Line, child.Line)
	}
	if err := lineage.VerifyLine([]events.Header{child, parent}); err != nil {
		t.Error(err)
	}
}

// TestRecordedChildrenAreLinkedAndUnverified: these logs hold no creation facts.
func TestRecordedChildrenAreLinkedAndUnverified(t *testing.T) {
	var kin []lineage.Kin
	for _, name := range []string{"child-child2.jsonl", "child.jsonl", "child-child1.jsonl", "child-child3.jsonl", "auto-child1.jsonl"} {
		k, _ := recordedKin(t, name)
		kin = append(kin, k)
	}
	tree := lineage.Tree(kin)
	if len(tree) != 2 || !tree[0].Missing || len(tree[1].Children) != 3 {
		t.Fatalf("got %+v, want a parent that is missing, and one with three children", tree)
	}
	for i, label := range []string{"Count words", "Write usage", "Delete old data"} {
		if c := tree[1].Children[i]; c.Verified || c.Unverified != lineage.CodeNotCatalogued || c.Label != label {
			t.Errorf("got %+v, want %q, unverified", c, label)
		}
	}
}
