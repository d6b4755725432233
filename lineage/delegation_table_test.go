package lineage_test

import (
	"errors"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
)

func codeOf(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	refusal, is := errors.AsType[*events.Refusal](err)
	if !is {
		t.Fatalf("got %T %v, want a *events.Refusal", err, err)
	}
	return refusal.Code
}

// TestACallHoldsATextAsOneWholeString of its arguments, byte for byte.
func TestACallHoldsATextAsOneWholeString(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		text  string
		want  bool
	}{
		"a member":            {[]string{`call c {"prompt":"Go."}`, "dispatch c"}, "Go.", true},
		"deep inside":         {[]string{`call c {"a":[{"b":["x",{"c":"Go."}]}]}`, "dispatch c"}, "Go.", true},
		"the whole":           {[]string{`call c "Go."`, "dispatch c"}, "Go.", true},
		"escaped":             {[]string{`call c {"prompt":"\u0047o.\n"}`, "dispatch c"}, "Go.\n", true},
		"inner":               {[]string{`inner r:ptc:1 {"prompt":"Go."}`, `call c {"prompt":"No."}`, "dispatch r:ptc:1"}, "Go.", false},
		"another one's":       {[]string{`call c {"prompt":"No."}`, `call d {"prompt":"Go."}`, "dispatch c", "dispatch d"}, "Go.", false},
		"not dispatched":      {[]string{`call c {"prompt":"Go."}`}, "Go.", false},
		"a part":              {[]string{`call c {"prompt":"Go. Not."}`, "dispatch c"}, "Go.", false},
		"other space":         {[]string{`call c {"prompt":"Go. "}`, "dispatch c"}, "Go.", false},
		"other case":          {[]string{`call c {"prompt":"go."}`, "dispatch c"}, "Go.", false},
		"a name":              {[]string{`call c {"Go.":1}`, "dispatch c"}, "Go.", false},
		"no JSON":             {[]string{`call c Go.`, "dispatch c"}, "Go.", false},
		"a member twice":      {[]string{`call c {"prompt":"No.","prompt":"Go."}`, "dispatch c"}, "Go.", false},
		"the id twice":        {[]string{`call c {"prompt":"Go."}`, `call c {"prompt":"Go."}`, "dispatch c"}, "Go.", false},
		"an older step's":     {[]string{`call c {"prompt":"Go."}`, "dispatch c", "step-end", "step"}, "Go.", false},
		"an older step's too": {[]string{`call c {"prompt":"Go."}`, "dispatch c", "step-end", "step", `call c {"prompt":"Go."}`}, "Go.", false},
		"no call":             {nil, "Go.", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newWorld(t).create(eventstest.Header(t, "session", nil))
			for _, text := range append([]string{"turn", "step"}, c.lines...) {
				s.line(text)
			}
			if got := s.state.Holds("c", c.text); got != c.want {
				t.Errorf("got %t, want %t", got, c.want)
			}
		})
	}
}

// TestAChildThatIsNotWhatWasMadeIsNotVerified: the header and the descriptor are
// those of the parent's fact, and nobody else's.
func TestAChildThatIsNotWhatWasMadeIsNotVerified(t *testing.T) {
	born := func(t *testing.T) (parent, child *session) {
		w := newWorld(t)
		parent = w.create(eventstest.Header(t, "root", nil))
		parent.line("turn")
		parent.line("step")
		child, _, err := parent.spawn(lineage.Delegation{
			SpawnID: "s1", ChildID: "child", Mode: events.ChildContinuable, Provider: lineage.ProviderSpawn, Label: "Help", Prompt: "Help.", PromptID: "p",
		})
		if err != nil {
			t.Fatal(err)
		}
		return parent, child
	}
	for name, c := range map[string]struct {
		change func(t *testing.T, parent, child *session)
		want   string
	}{
		"as made": {func(*testing.T, *session, *session) {}, ""},
		"another folder": {func(t *testing.T, _, child *session) {
			h := child.header
			h.CWD = "/"
			child.header, _ = events.NewHeader(h)
		}, lineage.CodeHeaderDiffers},
		"another label": {func(t *testing.T, _, child *session) {
			child.state.Creations[0].Descriptor.Label = "Other"
		}, lineage.CodeDescriptorDiffers},
		"no descriptor": {func(t *testing.T, _, child *session) { child.state = &lineage.State{} }, lineage.CodeNoDescriptor},
		"no fact":       {func(t *testing.T, parent, _ *session) { parent.state = &lineage.State{} }, lineage.CodeNotCatalogued},
		"a fact of the reference": {func(t *testing.T, parent, _ *session) {
			parent.state = &lineage.State{}
			parent.state.Apply(eventstest.Envelope(t, 0, events.SubagentCatalog{ChildID: "child"}))
		}, lineage.CodeNotCatalogued},
		"too deep": {func(t *testing.T, parent, _ *session) {
			parent.header.DelegationDepth = new(int64(3))
		}, lineage.CodeDepthDiffers},
	} {
		t.Run(name, func(t *testing.T) {
			parent, child := born(t)
			c.change(t, parent, child)
			if _, err := lineage.VerifyChild(parent.kin(), child.kin()); codeOf(t, err) != c.want {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestADescriptorInAnotherOrderIsTheSame(t *testing.T) {
	parent, child := &lineage.State{}, &lineage.State{}
	header := eventstest.Header(t, "child", func(h *events.Header) {
		h.ParentSession, h.Origin, h.DelegationDepth = "root", events.OriginSubagent, new(int64(1))
	})
	parent.Apply(eventstest.Envelope(t, 0, events.SubagentCatalog{
		ChildID: "child", ChildHeaderHash: lineage.HeaderHash(header),
		Descriptor: []byte(`{"label":"Help", "provider":"spawn", "mode":"one-shot", "version":3}`),
	}))
	child.Apply(eventstest.Envelope(t, 0, descriptorOf(events.ChildOneShot, "Help")))
	root := lineage.Kin{Header: eventstest.Header(t, "root", nil), State: parent}
	if _, err := lineage.VerifyChild(root, lineage.Kin{Header: header, State: child}); err != nil {
		t.Error(err)
	}
}

// TestPinsStandBetweenWhatIsInheritedAndThePrompt of a child's first frame.
func TestPinsStandBetweenWhatIsInheritedAndThePrompt(t *testing.T) {
	w := newWorld(t)
	parent := w.create(eventstest.Header(t, "root", nil))
	b, err := lineage.Spawn(parent.kin(), lineage.Delegation{
		SpawnID: "s1", ChildID: "child", Mode: events.ChildOneShot, Provider: lineage.ProviderSpawn, Prompt: "Help.", PromptID: "p",
		Captured: lineage.Captured{Approval: events.PolicyNever},
	})
	if err != nil {
		t.Fatal(err)
	}
	frame := b.Frame(events.Drafts(events.SandboxMode{Mode: events.ModeReadOnly}))
	want := []events.Type{
		events.TypeApprovalPolicy, events.TypeSandboxMode, events.TypeTurnStart, events.TypeSubagentDescriptor, events.TypeStepStart, events.TypeAgentMessage,
	}
	for i, d := range frame {
		if d.Event.Type() != want[i] {
			t.Errorf("got %s at %d, want %s", d.Event.Type(), i, want[i])
		}
	}
	if len(b.Setup()) != 1 || len(frame) != len(want) {
		t.Errorf("got %d events of setup and %d in all, want 1 and %d", len(b.Setup()), len(frame), len(want))
	}
}
