package projections_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// cold builds a History of a session as one does that is opened: of what the
// session says that it needs, and no more.
func cold(s *projections.Session, es []events.Envelope) *projections.History {
	h := projections.NewHistory()
	for _, e := range es[projections.HistoryFrom(s):] {
		h.Apply(s, e)
	}
	return h
}

// historyText is all that a History shows.
func historyText(tb rapid.TB, s *projections.Session, h *projections.History, pending projections.CallRef) string {
	tb.Helper()
	if err := h.Complete(s); err != nil {
		tb.Fatalf("the history is not complete: %v", err)
	}
	text := h.Text(s, pending)
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n%s%s\n", text.Instructions, text.Done, text.Rest)
	for e := range h.Entries(s, pending) {
		fmt.Fprintln(&out, e.Seq, e.Kind, e.Role, e.Mode, e.Name, e.Arguments)
	}
	if s.Calls.Open != nil {
		for _, c := range s.Calls.Open.Native {
			fault, met := h.Faults(s, c.ID)
			fmt.Fprintln(&out, c.ID, fault, met)
		}
	}
	return out.String()
}

func TestAHistoryBuiltColdByIncrementsAndBehindASnapshotIsTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		script := eventstest.Valid(rt)
		s, warm := projections.NewSession(script.Header), projections.NewHistory()
		for at := 0; at < len(script.Events); {
			n := rapid.IntRange(1, min(4, len(script.Events)-at)).Draw(rt, "events at once")
			if err := s.Apply(script.Events[at : at+n]...); err != nil {
				rt.Fatal(err)
			}
			for _, e := range script.Events[at : at+n] {
				warm.Apply(s, e)
			}
			at += n
			if rapid.IntRange(0, 2).Draw(rt, "look") > 0 {
				continue
			}
			want := historyText(rt, s, warm, projections.CallRef{})
			if diff := cmp.Diff(want, historyText(rt, s, cold(s, script.Events[:at]), projections.CallRef{})); diff != "" {
				rt.Fatalf("at seq %d, built cold (-by increments +cold):\n%s", at, diff)
			}
			again := restored(rt, s)
			if diff := cmp.Diff(want, historyText(rt, again, cold(again, script.Events[:at]), projections.CallRef{})); diff != "" {
				rt.Fatalf("at seq %d, behind a snapshot (-by increments +restored):\n%s", at, diff)
			}
		}
	})
}

func TestAHistoryIsWhatAReaderOfTheWholeLogFinds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		script := eventstest.Valid(rt)
		s, h := projections.NewSession(script.Header), projections.NewHistory()
		for _, e := range script.Events {
			if err := s.Apply(e); err != nil {
				rt.Fatal(err)
			}
			h.Apply(s, e)
			pending := drawPending(rt, s)
			text := h.Text(s, pending)
			instructions, history := plainReading(rt, s, script.Events[:s.Next()], pending)
			if diff := cmp.Diff(instructions, string(text.Instructions)); diff != "" {
				rt.Fatalf("instructions at seq %d (-plain reading +history):\n%s", e.Seq, diff)
			}
			if diff := cmp.Diff(history, string(text.Done)+string(text.Rest)); diff != "" {
				rt.Fatalf("history at seq %d (-plain reading +history):\n%s", e.Seq, diff)
			}
		}
	})
}

func drawPending(rt *rapid.T, s *projections.Session) projections.CallRef {
	var refs []projections.CallRef
	if s.Calls.Open != nil {
		for _, c := range s.Calls.Open.Native {
			refs = append(refs, projections.CallRef{ID: c.ID})
		}
		for _, c := range s.Calls.Open.Inner {
			refs = append(refs, projections.CallRef{ID: c.ID, Inner: true})
		}
	}
	if len(refs) == 0 {
		return projections.CallRef{}
	}
	return rapid.SampledFrom(refs).Draw(rt, "pending")
}

// shownMessage and shownCall are entries as reference 5.2 writes them.
type shownMessage struct {
	Kind    string           `json:"kind"`
	Role    lineage.Role     `json:"role"`
	Source  jsontext.Value   `json:"source"`
	Content []jsontext.Value `json:"content"`
}

type shownCall struct {
	Kind      string `json:"kind"`
	Role      string `json:"role"`
	Mode      string `json:"mode"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// plainReading is the slow reading of reference 5.2 and 5.3: for each node of the
// surface, all of the log.
func plainReading(tb rapid.TB, s *projections.Session, es []events.Envelope, pending projections.CallRef) (instructions, history string) {
	tb.Helper()
	told, shown := []any{}, []any{}
	for _, seq := range s.Surface().Nodes() {
		switch ev := any(es[seq].Event).(type) {
		case events.UserMessage:
			switch {
			case ev.Source.Kind == events.SourceTool:
			case ev.Source.Kind == events.SourceAgentInstructions && len(ev.Content) > 0:
				told = append(told, shownMessage{"user-message", "constraint", ev.Source.Raw, rawBlocks(ev.Content)})
			case ev.Source.Kind == events.SourceUser:
				shown = append(shown, blockByBlock("user-message", s.Authority().User(seq), ev.Source.Raw, ev.Content)...)
			case ev.Source.Checkpoint():
				shown = append(shown, blockByBlock("user-message", "checkpoint", ev.Source.Raw, ev.Content)...)
			default:
				shown = append(shown, blockByBlock("user-message", "fact", ev.Source.Raw, ev.Content)...)
			}
		case events.AgentMessage:
			source := jsontext.Value(fmt.Sprintf(`{"kind":"agent-message","senderSessionId":%q}`, ev.SenderSessionID))
			shown = append(shown, blockByBlock("agent-message", s.Authority().Agent(seq, ev), source, ev.Content)...)
		case events.ReviewNotice:
			source := jsontext.Value(fmt.Sprintf(`{"kind":"review-notice","reviewer":%q}`, ev.Reviewer))
			shown = append(shown, blockByBlock("review-notice", "fact", source, ev.Content)...)
		case events.AssistantMessage:
			shown = append(shown, startedCalls(es, ev, pending)...)
		}
	}
	return indentedJSON(tb, told), indentedJSON(tb, shown)
}

func rawBlocks(content []events.Block) []jsontext.Value {
	var out []jsontext.Value
	for _, b := range content {
		out = append(out, b.Raw)
	}
	return out
}

func blockByBlock(kind string, role lineage.Role, source jsontext.Value, content []events.Block) []any {
	var out []any
	for _, b := range content {
		r := role
		if b.Type != "text" {
			r = "fact"
		}
		out = append(out, shownMessage{kind, r, source, []jsontext.Value{b.Raw}})
	}
	return out
}

func startedCalls(es []events.Envelope, m events.AssistantMessage, pending projections.CallRef) []any {
	var out []any
	for _, b := range m.Message.Content {
		turn, step := 0, 0
		var call *events.ToolCall
		var inner []events.PTCDispatchStart
		for _, e := range es {
			switch ev := any(e.Event).(type) {
			case events.StepStart:
				turn, step = ev.Turn, ev.Step
			case events.ToolCall:
				if ev.Turn == m.Turn && ev.Step == m.Step && ev.CallID == b.ID {
					call = &ev
				}
			case events.PTCDispatchStart:
				if turn == m.Turn && step == m.Step && strings.HasPrefix(ev.ParentCallID+":", b.ID+":") {
					inner = append(inner, ev)
				}
			}
		}
		if b.Type != "tool-call" || call == nil {
			continue
		}
		if pending != (projections.CallRef{ID: b.ID}) || m.Step != step || m.Turn != turn {
			out = append(out, shownCall{"tool-call", "fact", "native", call.Name, *call.Arguments})
		}
		for _, in := range inner {
			if pending != (projections.CallRef{ID: in.SubCallID, Inner: true}) || m.Step != step || m.Turn != turn {
				arguments := slices.Clone(in.Arguments)
				_ = arguments.Indent(jsontext.WithIndent("  "))
				out = append(out, shownCall{"tool-call", "fact", "ptc-inner", in.Name, string(arguments)})
			}
		}
	}
	return out
}

func indentedJSON(tb rapid.TB, v any) string {
	tb.Helper()
	text, err := json.Marshal(v, jsontext.WithIndent("  "))
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}
