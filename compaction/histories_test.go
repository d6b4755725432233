package compaction_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// TestHistories runs testdata: under each command stands a log, then what the
// command gives for it.
//
//	fold                                      the state
//	plan [id= turn= nodes= tokens= budget=]   the range, or the refusal
//	run summary= [as plan]                    the frames of a compaction, and the surface behind them
//	finish id= summary=                       of a compaction that has started
//	fail id= reason=                          as finish
//	prune at= text=                           the frame of a pruning, and the surface
//	extract limit=                            what the extract of the planned range says
//
// The lines of a log are in [line]; the seq of each event follows the one before.
func TestHistories(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if !strings.HasSuffix(path, ".txt") {
			return
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s := eventstest.NewScript(t, eventstest.Header(t, "session", func(h *events.Header) { h.IsSeeded = new(d.HasArg("seeded")) }))
			for text := range strings.SplitSeq(strings.TrimSpace(d.Input), "\n") {
				line(t, s, text)
			}
			out, err := command(newLog(t, s), d)
			if err != nil {
				return fmt.Sprintf("refused: %s: %v", code(t, err), err)
			}
			return out
		})
	})
}

// line puts one line of a history on the log.
func line(t *testing.T, s *eventstest.Script, text string) {
	t.Helper()
	word, rest, _ := strings.Cut(text, " ")
	fields := append(strings.Fields(rest), "", "")
	do := map[string]func(){
		"":           func() {},
		"empty":      func() {},
		"turn":       func() { s.StartTurn() },
		"turn-end":   func() { s.EndTurn(events.EndCompleted) },
		"step":       func() { s.StartStep() },
		"step-end":   func() { s.EndStep() },
		"system":     func() { s.System(rest) },
		"user":       func() { s.User(rest) },
		"from":       func() { s.UserFrom(events.Source{Kind: fields[0]}, strings.TrimPrefix(rest, fields[0]+" ")) },
		"parent":     func() { s.Add(fromParent(s.ID("letter"), rest, &events.ParentProof{Seq: 3, RecordHash: "00"})) },
		"child":      func() { s.Add(fromParent(s.ID("letter"), rest, nil)) },
		"say":        func() { s.Assistant(rest) },
		"ask":        func() { s.Assistant("", blocks(fields)...) },
		"call":       func() { s.Call(fields[0], "bash", "{}") },
		"result":     func() { s.Result(fields[0], strings.TrimPrefix(rest, fields[0]+" ")) },
		"lost":       func() { s.Failed(fields[0], events.CodeNotStarted) },
		"end-seed":   func() { s.Add(events.EndSeed{}) },
		"inherited":  func() { s.Add(events.EndSeed{Inherited: true}) },
		"start":      func() { s.Add(events.CompactionStart{CompactionID: fields[0], Turn: []byte(or(fields[1], "null"))}) },
		"end":        func() { s.Add(compactionEnd(fields[0], strings.TrimPrefix(rest, fields[0]))) },
		"checkpoint": func() { s.Compact(seq(t, fields[0]), seq(t, fields[1]), strings.Join(fields[2:], " ")) },
		"window": func() {
			n := int64(seq(t, fields[0]))
			s.Add(events.RequestContext{Provider: "p", Model: "m", ContextWindow: &n})
		},
	}[word]
	if do == nil {
		t.Fatalf("no line %q", text)
	}
	do()
}

func fromParent(id, text string, proof *events.ParentProof) events.Event {
	return events.AgentMessage{ID: id, Role: "user", SenderSessionID: "session-other", Form: "relay", Content: []events.Block{events.TextBlock(text)}, Parent: proof}
}

func blocks(ids []string) []events.Block {
	var out []events.Block
	for _, id := range ids {
		if id != "" {
			out = append(out, events.ToolCallBlock(id, "bash", "{}"))
		}
	}
	return out
}

func compactionEnd(id, failure string) events.CompactionEnd {
	e := events.CompactionEnd{CompactionID: id, Turn: []byte("null")}
	if failure = strings.TrimSpace(failure); failure != "" {
		e.Error = &failure
	}
	return e
}

func seq(t *testing.T, text string) events.Seq {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return events.Seq(n)
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func command(l *log, d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "fold":
		return show(l.state), nil
	case "plan":
		r, err := compaction.Plan(l.state, request(l.tb.(*testing.T), d))
		return fmt.Sprintf("replaces %v, %d tokens, keeps %d of %d nodes", r.Seqs, r.Tokens, len(l.state.Nodes)-len(r.Seqs), len(l.state.Nodes)), err
	case "run":
		return run(l, d)
	case "finish":
		return finish(l, d)
	case "fail":
		drafts, err := compaction.Fail(l.state, text(l, d, "id"), text(l, d, "reason"))
		return after(l, drafts), err
	case "prune":
		return prune(l, d)
	case "extract":
		return extract(l, d)
	default:
		d.Fatalf(l.tb.(*testing.T), "no command %s", d.Cmd)
		return "", nil
	}
}

func request(t *testing.T, d *datadriven.TestData) compaction.Request {
	t.Helper()
	r := compaction.Request{CompactionID: "c"}
	for key, into := range map[string]any{
		"id": &r.CompactionID, "turn": &r.Turn, "nodes": &r.Keep.Nodes, "tokens": &r.Keep.Tokens, "budget": &r.Budget, "by": &r.CommandID,
	} {
		if d.HasArg(key) {
			d.ScanArgs(t, key, into)
		}
	}
	if r.CompactionID == "none" {
		r.CompactionID = ""
	}
	return r
}

func text(l *log, d *datadriven.TestData, key string) string {
	var s string
	if d.HasArg(key) {
		d.ScanArgs(l.tb.(*testing.T), key, &s)
	}
	if s == "none" {
		return ""
	}
	return strings.ReplaceAll(s, "_", " ")
}

func summaryOf(l *log, d *datadriven.TestData) compaction.Summary {
	return compaction.Summary{Blocks: []events.Block{events.TextBlock(text(l, d, "summary"))}, Provider: or(text(l, d, "provider"), "p"), Model: "m"}
}

func run(l *log, d *datadriven.TestData) (string, error) {
	r := request(l.tb.(*testing.T), d)
	plan, err := compaction.Plan(l.state, r)
	if err != nil {
		return "", err
	}
	start, err := compaction.Start(l.state, r)
	if err != nil {
		return "", err
	}
	begun := describe(l.append(start))
	end, err := compaction.Finish(l.state, compaction.Completion{CompactionID: r.CompactionID, Range: plan, Messages: l.events, Summary: summaryOf(l, d), MessageID: "m"})
	return begun + after(l, end.Drafts), err
}

// finish ends what the log has started; what it replaces is planned on the log
// as it is now, or, with planned=SEQ, on what was before that event.
func finish(l *log, d *datadriven.TestData) (string, error) {
	at := l.state.Next
	if d.HasArg("planned") {
		at = seq(l.tb.(*testing.T), text(l, d, "planned"))
	}
	before := fold(l.events[:at])
	before.Lock, before.Last = nil, nil
	plan, err := compaction.Plan(before, compaction.Request{CompactionID: "x", Turn: before.Turn})
	if err != nil {
		return "", err
	}
	end, err := compaction.Finish(l.state, compaction.Completion{CompactionID: text(l, d, "id"), Range: plan, Messages: l.events, Summary: summaryOf(l, d), MessageID: "m"})
	return after(l, end.Drafts), err
}

func prune(l *log, d *datadriven.TestData) (string, error) {
	at := seq(l.tb.(*testing.T), text(l, d, "at"))
	result, _ := l.events[at].Event.(events.ToolResult)
	drafts, err := compaction.Prune(l.state, compaction.Pruning{Seq: at, Result: result, Content: []events.Block{events.TextBlock(text(l, d, "text"))}})
	return after(l, drafts), err
}

func extract(l *log, d *datadriven.TestData) (string, error) {
	nobody := l.state.Heard(func(compaction.Node) compaction.Voice { return "" }) // so that nothing is kept beside it
	plan, err := compaction.Plan(nobody, compaction.Request{CompactionID: "x"})
	if err != nil {
		return "", err
	}
	in, err := compaction.NewInput(plan, l.events)
	if err != nil {
		return "", err
	}
	d.ScanArgs(l.tb.(*testing.T), "limit", &in.Limit)
	summary, err := compaction.Extractive{}.Summarize(l.tb.(*testing.T).Context(), in)
	return fmt.Sprintf("%s (%s/%s)", summary.Blocks[0].Text, summary.Provider, summary.Model), err
}

// after appends decided drafts and shows them, and the surface behind them.
func after(l *log, drafts []events.Draft) string {
	if drafts == nil {
		return ""
	}
	return describe(l.append(drafts)) + fmt.Sprintf("surface: %v", seqs(l.state))
}

func describe(es []events.Envelope) string {
	var b strings.Builder
	for _, e := range es {
		fmt.Fprintf(&b, "%d %s %s", e.Seq, e.Type(), e.Data)
		if start, end, ok := e.Surface.Replace(); ok {
			fmt.Fprintf(&b, " replaces %d..%d cites %v", start, end, e.Sources)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func show(s *compaction.State) string {
	var b strings.Builder
	for _, n := range s.Nodes {
		fmt.Fprintf(&b, "%d %s %d tokens", n.Seq, n.Type, n.Tokens)
		if n.Checkpoint {
			b.WriteString(", checkpoint")
		}
		if !n.Boundary() {
			fmt.Fprintf(&b, ", %d without a result", n.Unanswered)
		}
		b.WriteString("\n")
	}
	for _, in := range s.Instructions {
		fmt.Fprintf(&b, "instructions of %d: %q, owed %q\n", in.Seq, in.Message.Content[0].Text, in.Owed)
	}
	fmt.Fprintf(&b, "turn %d, generation %d, window %d\n", s.Turn, s.Generation, s.ContextWindow)
	if s.Lock != nil {
		fmt.Fprintf(&b, "lock %s of turn %d since %d, stale %t\n", s.Lock.CompactionID, s.Lock.Turn, s.Lock.Seq, s.Lock.Stale)
	}
	if s.Last != nil {
		fmt.Fprintf(&b, "last %s ended at %d, failed %t %q", s.Last.CompactionID, s.Last.Seq, s.Last.Failed, s.Last.Error)
		if s.Last.Checkpoint != nil {
			fmt.Fprintf(&b, ", checkpoint at %d", *s.Last.Checkpoint)
		}
		b.WriteString("\n")
	}
	return b.String()
}
