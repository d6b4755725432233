package lineage_test

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/presets"
)

// TestDelegationHistories runs testdata/delegation. A file is one world of
// sessions; "world" begins a new one. In arguments _ stands for a space.
//
//	log ID [parent= origin= depth= seeded]      puts lines on a log, see session.line
//	spawn PARENT CHILD [spawn= mode= provider= label= prompt= call= system= reviewed …]
//	message FROM TO [call= text= id=]
//	fork PARENT CHILD                           of the whole log
//	show ID                                     the state
//	roles ID [imported=]                        whose words the messages are
//	verify PARENT CHILD
//	line ID ID …                                a line of descent, to the root
//	resume CHILD PARENT
//	admit CHILD                                 a person's message
//	tree [ID …]                                 of those, or all
func TestDelegationHistories(t *testing.T) {
	paths, err := filepath.Glob("testdata/delegation/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("got %v, %v, want histories", paths, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			w := newWorld(t)
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				w.tb = t
				if d.Cmd == "world" {
					w = newWorld(t)
					return ""
				}
				out, err := w.command(d)
				if refusal, is := errors.AsType[*events.Refusal](err); is {
					return fmt.Sprintf("refused: %s: %v", refusal.Code, err)
				}
				if err != nil {
					t.Fatal(err)
				}
				return out
			})
		})
	}
}

func arg(d *datadriven.TestData, key string) string {
	for _, a := range d.CmdArgs {
		if a.Key == key && len(a.Vals) > 0 {
			return strings.ReplaceAll(a.Vals[0], "_", " ")
		}
	}
	return ""
}

// named is the n-th argument, a session's.
func (w *world) named(d *datadriven.TestData, n int) *session {
	s := w.sessions[events.SessionID(d.CmdArgs[n].Key)]
	if s == nil {
		w.tb.Fatalf("%s: no session %s", d.Pos, d.CmdArgs[n].Key)
	}
	return s
}

func (w *world) command(d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "log":
		return w.log(d), nil
	case "spawn":
		return w.spawn(d)
	case "message":
		return w.letter(d)
	case "fork":
		return w.fork(d)
	case "show":
		return w.show(d), nil
	case "roles":
		return w.roles(d), nil
	case "verify":
		_, err := lineage.VerifyChild(w.named(d, 0).kin(), w.named(d, 1).kin())
		return "verified", err
	case "line":
		var line []events.Header
		for n := range d.CmdArgs {
			line = append(line, w.named(d, n).header)
		}
		return "whole", lineage.VerifyLine(line)
	case "resume":
		desc, err := lineage.Resume(w.named(d, 0).kin(), events.SessionID(d.CmdArgs[1].Key))
		return fmt.Sprintf("%s %s by %s/%s", desc.Mode, desc.Label, desc.AgentProvider, desc.AgentModel), err
	case "admit":
		return "admitted", lineage.AdmitUser(w.named(d, 0).kin())
	case "tree":
		return w.tree(d), nil
	default:
		w.tb.Fatalf("no command %s", d.Cmd)
		return "", nil
	}
}

func (w *world) log(d *datadriven.TestData) string {
	id := events.SessionID(d.CmdArgs[0].Key)
	s := w.sessions[id]
	if s == nil {
		s = w.create(eventstest.Header(w.tb, id, func(h *events.Header) {
			depth := int64(len(arg(d, "depth"))) // depth=xx is 2
			h.ParentSession, h.Origin, h.DelegationDepth = events.SessionID(arg(d, "parent")), arg(d, "origin"), &depth
			h.AgentPreset = "standard"
		}))
	}
	for text := range strings.SplitSeq(d.Input, "\n") {
		s.line(text)
	}
	return ""
}

func (w *world) spawn(d *datadriven.TestData) (string, error) {
	parent := w.named(d, 0)
	req := lineage.Delegation{
		SpawnID: arg(d, "spawn"), ChildID: events.SessionID(d.CmdArgs[1].Key), CreatedAt: eventstest.Epoch,
		Mode: arg(d, "mode"), Provider: arg(d, "provider"), Label: arg(d, "label"),
		Route:  lineage.Route{Provider: arg(d, "route")},
		Prompt: arg(d, "prompt"), PromptID: "prompt", CallID: arg(d, "call"),
		Captured:  lineage.Capture(catalogue(w.tb), parent.presets, !d.HasArg("no-approvals")),
		MustProve: d.HasArg("reviewed"),
		MaxDepth:  int64(len(arg(d, "deepest"))), MaxChildren: len(arg(d, "most")),
	}
	if text := arg(d, "system"); text != "" {
		req.System, req.SystemID = []events.Block{events.TextBlock(text)}, "system"
	}
	known, before := w.sessions[req.ChildID], parent.state.Next
	child, b, err := parent.spawn(req)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, e := range parent.events[before:] {
		fmt.Fprintf(&out, "parent: %d %s %s\n", e.Seq, e.Type(), masked(string(e.Data)))
	}
	fmt.Fprintf(&out, "header: %s\n", b.Header.Line)
	if known == child {
		return out.String() + "as before\n", nil
	}
	for _, e := range child.events[b.Prefix:] {
		fmt.Fprintf(&out, "child: %d %s %s\n", e.Seq, e.Type(), masked(string(e.Data)))
	}
	return out.String(), nil
}

// masked leaves hashes out, which say nothing to a reader.
func masked(text string) string {
	for _, key := range []string{`Hash":"`, `parentChain":"`} {
		for at := 0; ; {
			i := strings.Index(text[at:], key)
			if i < 0 {
				break
			}
			at += i + len(key)
			text = text[:at] + "…" + text[at+64:]
		}
	}
	return text
}

func (w *world) letter(d *datadriven.TestData) (string, error) {
	from, to := w.named(d, 0), w.named(d, 1)
	l := lineage.Letter{ID: cmp.Or(arg(d, "id"), "letter"), Text: arg(d, "text"), CallID: arg(d, "call")}
	if _, err := lineage.Message(from.kin(), to.kin(), l); err != nil {
		return "", err
	}
	facts, err := lineage.Instruct(from.kin(), to.kin(), l)
	if err != nil {
		return "", err
	}
	var told strings.Builder
	for _, e := range from.append(facts...) {
		fmt.Fprintf(&told, "parent: %d %s %s\n", e.Seq, e.Type(), masked(string(e.Data)))
	}
	drafts, err := lineage.Message(from.kin(), to.kin(), l)
	if err != nil {
		return "", err
	}
	es := to.append(drafts...)
	m := es[0].Event.(events.AgentMessage)
	out := fmt.Sprintf("%s\n%s: %s\n", masked(string(es[0].Data)), m.Content[1].Text, to.authority().Agent(es[0].Seq, m))
	if m.Parent != nil {
		fact := eventstest.Records(w.tb, from.events[m.Parent.Seq])[0]
		if got, want := m.Parent.RecordHash, sha256hex(fact.Line); got != want {
			w.tb.Errorf("got record hash %s, want that of the fact, %s", got, want)
		}
	}
	return told.String() + out, nil
}

func (s *session) authority() lineage.Authority {
	return lineage.Authority{Header: s.header, State: s.state}
}

func (w *world) fork(d *datadriven.TestData) (string, error) {
	parent := w.named(d, 0)
	h, err := lineage.ForkHeader(parent.header, events.SessionID(d.CmdArgs[1].Key), eventstest.Epoch)
	if err != nil {
		return "", err
	}
	w.create(h).seed(parent, parent.state.Next)
	return "", nil
}

func (w *world) show(d *datadriven.TestData) string {
	s := w.named(d, 0).state
	var out strings.Builder
	fmt.Fprintf(&out, "inherited %d of %d, route %s/%s\n", s.Inherited, s.Next, s.Route.Provider, s.Route.Model)
	if s.LastTurn != nil {
		fmt.Fprintf(&out, "turn %d ended at %d\n", s.LastTurn.Turn, s.LastTurn.Seq)
	}
	for _, c := range s.Creations {
		fmt.Fprintf(&out, "descriptor %d %s, own %t", c.Seq, c.Descriptor.Mode, s.Own(c.Seq))
		if c.Prompt != nil {
			fmt.Fprintf(&out, ", prompt %d, visible %t", *c.Prompt, s.Visible(*c.Prompt))
		}
		if c.Told != nil {
			fmt.Fprintf(&out, ", told %d", *c.Told)
		}
		out.WriteString("\n")
	}
	for _, e := range s.Children {
		fmt.Fprintf(&out, "child %s at %d by %s, call %q, own %t\n", e.ChildID, e.Seq, e.Spawn.SpawnID, e.CallID, s.Own(e.Seq))
	}
	for _, c := range s.Calls {
		fmt.Fprintf(&out, "call %s, dispatched %t\n", c.ID, c.Dispatched != nil)
	}
	return out.String()
}

func (w *world) roles(d *datadriven.TestData) string {
	s := w.named(d, 0)
	a := s.authority()
	if d.HasArg("imported") {
		a.Imported = s.state.Next
	}
	var out strings.Builder
	for _, e := range s.events {
		switch ev := any(e.Event).(type) {
		case events.UserMessage:
			if ev.Source.Kind == events.SourceUser {
				fmt.Fprintf(&out, "%d user: %s: %s\n", e.Seq, a.User(e.Seq), ev.Content[0].Text)
			}
		case events.AgentMessage:
			last := ev.Content[len(ev.Content)-1]
			fmt.Fprintf(&out, "%d agent-message of %s: %s: %s\n", e.Seq, ev.SenderSessionID, a.Agent(e.Seq, ev), last.Text)
		}
	}
	return out.String()
}

func (w *world) tree(d *datadriven.TestData) string {
	var kin []lineage.Kin
	for _, id := range w.order {
		asked := slices.ContainsFunc(d.CmdArgs, func(a datadriven.CmdArg) bool { return a.Key == string(id) })
		if len(d.CmdArgs) == 0 || asked {
			kin = append(kin, w.sessions[id].kin())
		}
	}
	var out strings.Builder
	draw(&out, "", lineage.Tree(kin))
	return out.String()
}

func draw(out *strings.Builder, indent string, all []lineage.Relative) {
	for _, r := range all {
		fmt.Fprintf(out, "%s%s %s depth %d", indent, r.ID, r.Relation, r.Depth)
		for _, note := range []struct {
			is   bool
			text string
		}{
			{r.Verified, " verified"},
			{r.Unverified != "", " unverified: " + r.Unverified},
			{r.Missing, " missing"},
			{r.Cycle, " cycle"},
			{r.Mode != "", " " + r.Mode},
			{r.Label != "", " " + r.Label},
		} {
			if note.is {
				out.WriteString(note.text)
			}
		}
		out.WriteString("\n")
		draw(out, indent+"  ", r.Children)
	}
}

// catalogue is the base table with all that integrations bring.
func catalogue(tb rapid.TB) presets.Catalogue {
	tb.Helper()
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	if err != nil {
		tb.Fatal(err)
	}
	return table.Catalogue(
		presets.Preset{Name: presets.Auto, Bundle: presets.Bundle{Sandbox: events.ModeDangerFullAccess, Approval: events.PolicyAsk}, Reviewer: "auto", Reviews: presets.ReviewsCalls, Integration: "auto"},
		presets.Preset{Name: presets.AIAuto, Bundle: presets.Bundle{Sandbox: events.ModeWorkspaceWrite, Approval: events.PolicyAsk}, Reviewer: "judge", Reviews: presets.ReviewsCalls, Integration: "judge"},
		presets.Preset{Name: presets.AutoWorkspace, Bundle: presets.Bundle{Sandbox: events.ModeWorkspaceWrite, Approval: events.PolicyAsk}, Guard: true, Integration: "auto-workspace"},
	)
}
