package projections_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// TestHistories runs testdata: under each command stand the events of a log, then
// what the command says of the state that they fold to.
//
//	calls, inbox, request, counts    a part of the state
//	fold                             the open turn and step, the surface, what is owned
//
// With seeded the log is a fork's. An event is a type, its data and marks
// ("replaces FIRST..LAST", "cites SEQ,SEQ", "ignorable"); its time is 1000 more
// than that of the one before. Behind each event the state is stored and loaded.
func TestHistories(t *testing.T) {
	views := map[string]func(*projections.Session) string{
		"calls": callsText, "inbox": inboxText, "request": requestText, "counts": countsText, "fold": foldText,
	}
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if !strings.HasSuffix(path, ".txt") {
			return
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			view, ok := views[d.Cmd]
			if !ok {
				d.Fatalf(t, "no command %s", d.Cmd)
			}
			seeded := d.HasArg("seeded")
			s := projections.NewSession(eventstest.Header(t, "session", func(h *events.Header) {
				if h.IsSeeded = &seeded; seeded {
					h.ParentSession = "parent"
				}
			}))
			for line := range strings.SplitSeq(d.Input, "\n") {
				if line == "" || line == "empty" {
					continue
				}
				if _, err := s.Record(eventstest.Line(t, events.Format4, historyLine(t, s.Next(), line))); err != nil {
					return fmt.Sprintf("error at %d: %v\n", s.Next(), err)
				}
				s = restored(t, s)
			}
			return view(s)
		})
	})
}

// historyLine writes an event of a history as its stored line.
func historyLine(t *testing.T, seq events.Seq, line string) string {
	t.Helper()
	name, rest, _ := strings.Cut(line, " ")
	end := strings.LastIndex(rest, "}")
	if end < 0 {
		t.Fatalf("no data in %q", line)
	}
	op, marks := `"append"`, ""
	words := strings.Fields(rest[end+1:])
	for i, word := range words {
		switch word {
		case "ignorable":
			marks += `,"ignorable":true`
		case "replaces":
			first, last, _ := strings.Cut(words[i+1], "..")
			op = fmt.Sprintf(`{"op":"replace","startSeq":%s,"endSeq":%s}`, first, last)
		case "cites":
			marks += fmt.Sprintf(`,"sourceEventSeqs":[%s]`, words[i+1])
		}
	}
	if events.Type(name).Surface() {
		marks = `,"surfaceOp":` + op + marks
	}
	return fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":%s%s}`, name, seq, 1000*(seq+1), rest[:end+1], marks)
}

func callsText(s *projections.Session) string {
	var out strings.Builder
	for i := range s.Calls.Shown {
		stepText(&out, "shown", &s.Calls.Shown[i])
	}
	if s.Calls.Open != nil {
		stepText(&out, "open", s.Calls.Open)
	}
	if seq := s.Calls.InnerOutsideStep; seq != nil {
		fmt.Fprintf(&out, "an inner call outside a step: at %d\n", *seq)
	}
	if seq := s.Calls.InnerDuplicate; seq != nil {
		fmt.Fprintf(&out, "an inner call twice: at %d\n", *seq)
	}
	if out.Len() == 0 {
		return "none\n"
	}
	return out.String()
}

func stepText(out *strings.Builder, kind string, c *projections.StepCalls) {
	fmt.Fprintf(out, "%s %d.%d messages %v", kind, c.Turn, c.Step, c.Messages)
	if c.Said {
		out.WriteString(" said")
	}
	out.WriteByte('\n')
	for _, w := range c.Wanted {
		fmt.Fprintf(out, "  wanted %s %s(%s)\n", w.ID, w.Name, w.Arguments)
	}
	for _, n := range c.Native {
		fmt.Fprintf(out, "  %s at %d: %s(%s)%s\n", n.ID, n.Seq, n.Name, n.Arguments, progressText(n.Progress))
	}
	for _, n := range c.Inner {
		fmt.Fprintf(out, "  %s at %d of %s in %s: %s(%s)%s\n", n.ID, n.Seq, n.Parent, n.Root, n.Name, n.Arguments, progressText(n.Progress))
	}
}

func progressText(p projections.Progress) string {
	var out strings.Builder
	for _, part := range []struct {
		what string
		seq  *events.Seq
	}{{"requested", p.Requested}, {"verdict " + p.Outcome, p.Verdict}, {"dispatched", p.Dispatched}, {"settled", p.Settled}} {
		if part.seq != nil {
			fmt.Fprintf(&out, ", %s %d", part.what, *part.seq)
		}
	}
	return out.String()
}

func inboxText(s *projections.Session) string {
	var out strings.Builder
	for _, target := range []string{events.InboxNextStep, events.InboxNextTurn} {
		fmt.Fprintf(&out, "%s:", target)
		for _, w := range s.Inbox.Waiting(target) {
			fmt.Fprintf(&out, " %s(%d)", w.Message.ID, w.Seq)
		}
		out.WriteByte('\n')
	}
	fmt.Fprintf(&out, "known: %v\n", s.Inbox.Known)
	return out.String()
}

func requestText(s *projections.Session) string {
	r := s.Request
	if r.Header == nil {
		return "none\n"
	}
	window := "unknown"
	if r.ContextWindow != nil {
		window = fmt.Sprint(*r.ContextWindow)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "header %d: %s/%s, %d tools, window %s\n", *r.HeaderSeq, r.Header.Config.Provider, r.Header.Config.Model, len(r.Header.Tools), window)
	for _, route := range s.ReviewRoutes() {
		fmt.Fprintf(&out, "reviews by %s/%s\n", route.Provider, route.Model)
	}
	return out.String()
}

func countsText(s *projections.Session) string {
	c := s.Counts
	var out strings.Builder
	fmt.Fprintf(&out, "%d events from %d to %d\n", c.Events, c.First, c.Last)
	fmt.Fprintf(&out, "%d turns, %d steps, %d calls, %d inner, %d failed, %d messages\n", c.Turns, c.Steps, c.Calls, c.Inner, c.Failed, c.Messages)
	for _, k := range slices.Sorted(maps.Keys(c.Verdicts)) {
		fmt.Fprintf(&out, "verdicts %s: %d\n", k, c.Verdicts[k])
	}
	for _, k := range slices.Sorted(maps.Keys(c.Approvals)) {
		fmt.Fprintf(&out, "approvals %s: %d\n", k, c.Approvals[k])
	}
	return out.String()
}

func foldText(s *projections.Session) string {
	turn, turnOpen := s.OpenTurn()
	_, step, stepOpen := s.OpenStep()
	own := "none"
	for seq := range s.Next() {
		if s.Own(seq) {
			own = fmt.Sprintf("from %d", seq)
			break
		}
	}
	return fmt.Sprintf("next %d, turn %d open %t, step %d open %t\nsurface %v generation %d\nown events: %s\n",
		s.Next(), turn, turnOpen, step, stepOpen, s.Surface().Nodes(), s.Surface().Generation(), own)
}
