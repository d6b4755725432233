package lineage_test

import (
	"errors"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/presets"
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

// TestWhatProvesAPrompt is the one text of a dispatched call of the open step, of a
// tool that starts agents, byte for byte, once. For all else a session under review is
// refused, with what is wrong and where, and any other one gives a fact.
func TestWhatProvesAPrompt(t *testing.T) {
	const held = `call c {"prompt":"Go."}`
	for name, c := range map[string]struct {
		lines []string
		field string // of the refusal, "" for none
	}{
		"the prompt":                         {[]string{held, "dispatch c"}, ""},
		"escaped":                            {[]string{`call c {"prompt":"\u0047\u006f."}`, "dispatch c"}, ""},
		"beside other members":               {[]string{`call c Agent {"description":"x","prompt":"Go.","subagent_type":"y"}`, "dispatch c"}, ""},
		"of another program":                 {[]string{`call c spawn_agent {"message":"Go."}`, "dispatch c"}, ""},
		"of an inner call":                   {[]string{`inner c {"prompt":"Go."}`, "dispatch c"}, ""},
		"and it has succeeded":               {[]string{held, "dispatch c", "result c"}, ""},
		"not reviewed":                       {[]string{held, "unreviewed c"}, ""},
		"reviewed, and another preset since": {[]string{held, "dispatch c", "preset auto"}, ""},

		"no call":                           {nil, "callId"},
		"not dispatched":                    {[]string{held}, "callId"},
		"an inner call, not dispatched":     {[]string{`inner c {"prompt":"Go."}`}, "callId"},
		"denied":                            {[]string{held, "failed c"}, "callId"},
		"given back":                        {[]string{held, "dispatch c", "failed c"}, "callId"},
		"the id twice":                      {[]string{held, held, "dispatch c"}, "callId"},
		"an older step's":                   {[]string{held, "dispatch c", "step-end", "step"}, "callId"},
		"an older step's too":               {[]string{held, "dispatch c", "step-end", "step", held}, "callId"},
		"not reviewed, and a preset since":  {[]string{held, "unreviewed c", "preset auto"}, "callId"},
		"not reviewed, and a sandbox since": {[]string{held, "unreviewed c", "sandbox read-only"}, "callId"},
		"not reviewed, and a policy since":  {[]string{held, "unreviewed c", "approval never"}, "callId"},

		"another tool":             {[]string{`call c write {"path":"a","content":"Go."}`, "dispatch c"}, "callId"},
		"another tool's prompt":    {[]string{`call c write {"path":"a","content":"x","prompt":"Go."}`, "dispatch c"}, "callId"},
		"a message":                {[]string{`call c send_message {"message":"Go."}`, "dispatch c"}, "callId"},
		"another member":           {[]string{`call c {"prompt":"No.","description":"Go."}`, "dispatch c"}, "prompt"},
		"another tool's member":    {[]string{`call c {"message":"Go."}`, "dispatch c"}, "callId"},
		"a member in another case": {[]string{`call c {"Prompt":"Go."}`, "dispatch c"}, "callId"},
		"a member twice":           {[]string{`call c {"prompt":"No.","prompt":"Go."}`, "dispatch c"}, "callId"},
		"deep inside":              {[]string{`call c {"prompt":{"a":["Go."]}}`, "dispatch c"}, "callId"},
		"in a list":                {[]string{`call c {"prompt":["Go."]}`, "dispatch c"}, "callId"},
		"a member's name":          {[]string{`call c {"Go.":1}`, "dispatch c"}, "callId"},
		"the whole":                {[]string{`call c "Go."`, "dispatch c"}, "callId"},
		"no JSON":                  {[]string{`call c Go.`, "dispatch c"}, "callId"},
		"the program's own text":   {[]string{`inner r:ptc:1 {"prompt":"Go."}`, `call c {"prompt":"No."}`, "dispatch c", "dispatch r:ptc:1"}, "prompt"},
		"another call's":           {[]string{`call c {"prompt":"No."}`, `call d {"prompt":"Go."}`, "dispatch c", "dispatch d"}, "prompt"},
		"a part":                   {[]string{`call c {"prompt":"Go. Not."}`, "dispatch c"}, "prompt"},
		"more":                     {[]string{`call c {"prompt":"Go"}`, "dispatch c"}, "prompt"},
		"other space":              {[]string{`call c {"prompt":"Go. "}`, "dispatch c"}, "prompt"},
		"other case":               {[]string{`call c {"prompt":"go."}`, "dispatch c"}, "prompt"},
		"other letters":            {[]string{`call c {"prompt":"Gо."}`, "dispatch c"}, "prompt"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newWorld(t).create(eventstest.Header(t, "session", nil))
			for _, text := range append([]string{"turn", "step"}, c.lines...) {
				s.line(text)
			}
			d := lineage.Delegation{
				SpawnID: "s1", ChildID: "child", Mode: events.ChildOneShot, Provider: lineage.ProviderSpawn, Prompt: "Go.", PromptID: "p", CallID: "c", MustProve: true,
			}
			b, err := lineage.Spawn(s.kin(), d)
			if field := unproven(t, err); field != c.field || err == nil && !b.Verified {
				t.Errorf("got %v, verified %t, want a refusal of %q", err, b.Verified, c.field)
			}
			d.MustProve = false
			if b, err := lineage.Spawn(s.kin(), d); err != nil || b.Verified != (c.field == "") {
				t.Errorf("without a review: got %v, verified %t, want %t", err, b.Verified, c.field == "")
			}
		})
	}
}

// unproven gives the field of a refusal for want of a proof, "" for no error.
func unproven(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	refusal, is := errors.AsType[*events.Refusal](err)
	if !is || refusal.Code != lineage.CodeUnproven {
		t.Fatalf("got %v, want %s", err, lineage.CodeUnproven)
	}
	return refusal.Field
}

// TestOneCallIsOneChildOrOneMessage: what it was named for is on the parent's log, and
// the same spawn or message again needs no other call.
func TestOneCallIsOneChildOrOneMessage(t *testing.T) {
	w := newWorld(t)
	parent := w.create(eventstest.Header(t, "root", nil))
	for _, text := range []string{"turn", "step", `call c {"prompt":"Go."}`, "dispatch c", `call d {"prompt":"Go."}`, "dispatch d", `call m send_message {"message":"Go."}`, "dispatch m"} {
		parent.line(text)
	}
	asked := func(id, call string) lineage.Delegation {
		return lineage.Delegation{
			SpawnID: "spawn-" + id, ChildID: events.SessionID(id), Mode: events.ChildContinuable, Label: "x", Provider: lineage.ProviderSpawn,
			Prompt: "Go.", PromptID: "p", CallID: call, MustProve: true,
		}
	}
	one, _, err := parent.spawn(asked("one", "c"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := parent.spawn(asked("two", "c")); unproven(t, err) != "callId" {
		t.Errorf("a second child of one call: got %v", err)
	}
	if _, b, err := parent.spawn(asked("one", "c")); err != nil || !b.Verified {
		t.Errorf("the same spawn again: got %v", err)
	}
	two, _, err := parent.spawn(asked("two", "d"))
	if err != nil {
		t.Fatal(err)
	}
	proves := func(to *session, l lineage.Letter) bool {
		t.Helper()
		facts, err := lineage.Instruct(parent.kin(), to.kin(), l)
		if err != nil {
			t.Fatal(err)
		}
		parent.append(facts...)
		drafts, err := lineage.Message(parent.kin(), to.kin(), l)
		if err != nil {
			t.Fatal(err)
		}
		return drafts[0].Event.(events.AgentMessage).Parent != nil
	}
	for _, c := range []struct {
		name string
		to   *session
		l    lineage.Letter
		want bool
	}{
		{"a message of a call that made a child", one, lineage.Letter{ID: "l0", Text: "Go.", CallID: "c"}, false},
		{"another text than the call's", one, lineage.Letter{ID: "l1", Text: "Go!", CallID: "m"}, false},
		{"the call's message", one, lineage.Letter{ID: "l1", Text: "Go.", CallID: "m"}, true},
		{"the same again", one, lineage.Letter{ID: "l1", Text: "Go.", CallID: "m"}, true},
		{"a second message", one, lineage.Letter{ID: "l2", Text: "Go.", CallID: "m"}, false},
		{"the same to another child", two, lineage.Letter{ID: "l1", Text: "Go.", CallID: "m"}, false},
	} {
		if got := proves(c.to, c.l); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
	if _, _, err := parent.spawn(asked("three", "m")); unproven(t, err) != "callId" {
		t.Errorf("a child of a message: got %v", err)
	}
}

// TestWhatWasImportedProvesNothing: neither its calls nor its facts.
func TestWhatWasImportedProvesNothing(t *testing.T) {
	w := newWorld(t)
	parent := w.create(eventstest.Header(t, "root", nil))
	for _, text := range []string{"turn", "step", `call c {"prompt":"Go."}`, "dispatch c", `call d {"prompt":"Go."}`, "dispatch d"} {
		parent.line(text)
	}
	d := lineage.Delegation{
		SpawnID: "s1", ChildID: "child", Mode: events.ChildOneShot, Provider: lineage.ProviderSpawn, Prompt: "Go.", PromptID: "p", CallID: "c", MustProve: true,
	}
	if _, _, err := parent.spawn(d); err != nil {
		t.Fatal(err)
	}
	imported := parent.kin()
	imported.Imported = parent.state.Next
	if _, err := lineage.Spawn(imported, d); codeOf(t, err) != lineage.CodeImported {
		t.Errorf("the imported spawn again: got %v", err)
	}
	other := d
	other.SpawnID, other.ChildID, other.CallID = "s2", "other", "d"
	if _, err := lineage.Spawn(imported, other); unproven(t, err) != "callId" {
		t.Errorf("by an imported call: got %v", err)
	}
	for _, d := range []lineage.Delegation{d, other} {
		d.MustProve = false
		if b, err := lineage.Spawn(imported, d); err != nil || b.Verified {
			t.Errorf("without a review: got verified %t, %v, want a fact", b.Verified, err)
		}
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

// TestAChildOfNoPresetIsNotOnFullAccess: what is custom by its policy alone keeps it,
// since on full access the engine looks at no call.
func TestAChildOfNoPresetIsNotOnFullAccess(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  lineage.Captured
	}{
		"full access": {
			[]string{"preset danger-full-access", "sandbox danger-full-access", "approval never"},
			lineage.Captured{Sandbox: events.ModeDangerFullAccess, Approval: events.PolicyNever, Preset: presets.DangerFullAccess},
		},
		"custom": {
			[]string{"preset danger-full-access", "sandbox danger-full-access", "approval ask"},
			lineage.Captured{Sandbox: events.ModeDangerFullAccess, Approval: events.PolicyAsk},
		},
		"under review": {
			[]string{"preset auto", "sandbox danger-full-access", "approval ask"},
			lineage.Captured{Sandbox: events.ModeDangerFullAccess, Approval: events.PolicyNever, Preset: presets.Auto},
		},
		"another custom": {
			[]string{"preset workspace-write", "sandbox workspace-write", "approval never"},
			lineage.Captured{Sandbox: events.ModeWorkspaceWrite, Approval: events.PolicyNever},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newWorld(t).create(eventstest.Header(t, "session", nil))
			for _, text := range c.lines {
				s.line(text)
			}
			if got := lineage.Capture(catalogue(t), s.presets, true); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
