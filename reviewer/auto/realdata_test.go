package auto_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// recordedFile reads a session that the reference harness wrote.
func recordedFile(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("DOCKET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	text, err := os.ReadFile(filepath.Join(dir, "realdata", "dsh", name))
	if err != nil {
		t.Skipf("the recorded session %s is absent from %s (set DOCKET_SHARED)", name, dir)
	}
	return text
}

// TestWhatTheHarnessReviewedCanBeReviewedAgain: each call that the harness had under
// its preset auto is reviewed from the imported log, and the request shows what a
// plain reading of the file finds there: roles, order and pending action.
func TestWhatTheHarnessReviewedCanBeReviewedAgain(t *testing.T) {
	for name, want := range map[string]int{"auto.jsonl": 14, "auto-child1.jsonl": 2, "auto-compact.jsonl": 3, "auto-code.jsonl": 7} {
		t.Run(name, func(t *testing.T) {
			text := recordedFile(t, name)
			header, rest, _ := bytes.Cut(text, []byte("\n"))
			h, err := events.ParseHeader(header)
			if err != nil {
				t.Fatal(err)
			}
			// The schemas of inner calls are stood for: the harness did not record them.
			s, history := projections.NewSession(h), projections.NewHistory()
			s.Imported = events.MaxSafeInteger
			plain := plainFile{t: t, child: h.Origin == events.OriginSubagent}
			reviews := 0
			var all []events.Envelope
			for line := range bytes.Lines(rest) {
				line = bytes.TrimSuffix(line, []byte("\n"))
				plain.line(line)
				for _, e := range recordedEvents(t, s, h, line) {
					history.Apply(s, e)
					all = append(all, e)
					call, err := auto.CallAt(s, e, shippedSchema(e.Event))
					if err != nil || s.Presets.Preset != "auto" || call.Mode == reviewer.ModeNative && call.Name == "run_code" {
						continue
					}
					reviews++
					reviewAgain(t, reviewer.View{Session: s, History: history}, call, plain)
					sameCold(t, reviewer.View{Session: s, History: history}, call, all)
				}
			}
			if reviews != want {
				t.Errorf("got %d reviews, want %d", reviews, want)
			}
		})
	}
}

func recordedEvents(t *testing.T, s *projections.Session, h events.Header, line []byte) []events.Envelope {
	t.Helper()
	r, err := events.ParseRecord(h.Version, line)
	if err != nil {
		t.Fatal(err)
	}
	es, err := s.Record(r)
	if err != nil {
		t.Fatal(err)
	}
	return es
}

// sameCold makes the request from what is visible alone.
func sameCold(t *testing.T, v reviewer.View, c reviewer.Call, all []events.Envelope) {
	t.Helper()
	want, err := auto.NewRequest(v, c)
	if err != nil {
		return // told already
	}
	v.History = projections.NewHistory()
	for _, e := range all[projections.HistoryFrom(v.Session):] {
		v.History.Apply(v.Session, e)
	}
	if got, err := auto.NewRequest(v, c); err != nil || got.User != want.User {
		t.Errorf("%s: got %v and another request from a cold history:\n%s", c.CallID, err, cmp.Diff(want.User, got.User))
	}
}

func reviewAgain(t *testing.T, v reviewer.View, c reviewer.Call, plain plainFile) {
	t.Helper()
	r, err := auto.NewRequest(v, c)
	if err != nil {
		t.Errorf("%s: %v", c.CallID, err)
		return
	}
	got := readRequest(t, r)
	var shown []plainEntry
	for _, e := range got.History {
		p := plainEntry{Role: e.Role, Mode: e.Mode, Name: e.Name}
		if e.Arguments != nil {
			p.Text = compacted(*e.Arguments)
		}
		for _, b := range e.Content {
			p.Text += compacted(string(b))
		}
		shown = append(shown, p)
	}
	if diff := cmp.Diff(plain.reading(), shown); diff != "" {
		t.Errorf("%s: got another history than the file's (-file +request):\n%s", c.CallID, diff)
	}
	if len(got.Instructions) != plain.instructions {
		t.Errorf("%s: got %d project instructions, want %d", c.CallID, len(got.Instructions), plain.instructions)
	}
	want := plain.calls[len(plain.calls)-1]
	pending := plainEntry{Role: "fact", Mode: got.Pending.Mode, Name: got.Pending.Name, Text: compacted(string(got.Pending.Arguments))}
	if diff := cmp.Diff(want.plainEntry, pending); diff != "" {
		t.Errorf("%s: got another pending action than the file's last call (-file +request):\n%s", c.CallID, diff)
	}
	if got.Environment["cwd"] != v.Session.Header().CWD || len(got.Environment) != 1 {
		t.Errorf("got environment %v", got.Environment)
	}
}

func compacted(text string) string {
	v := jsontext.Value(text)
	if err := v.Compact(); err != nil {
		return text
	}
	return string(v)
}

// plainFile is a file of storage version 0 as it is read without any of our code.
type plainFile struct {
	t            *testing.T
	child        bool
	described    bool // the creation prompt is still to come
	nodes        []plainNode
	calls        []plainCall
	instructions int
}

type plainNode struct {
	seq     int
	entries []plainEntry // of a message
	asked   []string     // ids of calls, of an assistant message
	told    bool         // a project instruction
}

type plainEntry struct{ Role, Mode, Name, Text string }

type plainCall struct {
	plainEntry
	id, parent string
}

// plainLine is what the reading looks at.
type plainLine struct {
	Type string
	Seq  int
	Op   jsontext.Value `json:"surfaceOp"`
	Data struct {
		Source struct {
			Kind, Plugin string
		}
		Content      []jsontext.Value
		Name         string
		CallID       string `json:"callId"`
		SubCallID    string `json:"subCallId"`
		ParentCallID string `json:"parentCallId"`
		Arguments    jsontext.Value
		Message      struct{ Content []struct{ Type, ID string } }
	}
}

func (p *plainFile) line(text []byte) {
	p.t.Helper()
	var kind struct{ Type string }
	if err := json.Unmarshal(text, &kind, json.MatchCaseInsensitiveNames(true)); err != nil {
		p.t.Fatal(err)
	}
	switch kind.Type { // data of other types has other shapes
	case "user/message", "assistant/message", "tool/call", "tool/code-dispatch-start", "tool/result", "subagent/descriptor":
	default:
		return
	}
	var l plainLine
	if err := json.Unmarshal(text, &l, json.MatchCaseInsensitiveNames(true)); err != nil {
		p.t.Fatalf("%v\n%s", err, text)
	}
	d := l.Data
	switch l.Type {
	case "subagent/descriptor":
		p.described = true
	case "tool/call":
		var raw string
		if err := json.Unmarshal(d.Arguments, &raw); err != nil {
			p.t.Fatal(err)
		}
		p.calls = append(p.calls, plainCall{plainEntry{"fact", "native", d.Name, compacted(raw)}, d.CallID, ""})
	case "tool/code-dispatch-start":
		p.calls = append(p.calls, plainCall{plainEntry{"fact", "ptc-inner", d.Name, compacted(string(d.Arguments))}, d.SubCallID, d.ParentCallID})
	default:
		p.place(l)
	}
}

// place puts a message on the surface.
func (p *plainFile) place(l plainLine) {
	n := plainNode{seq: l.Seq}
	switch l.Type {
	case "user/message":
		role := p.role(l.Data.Source.Kind, l.Data.Source.Plugin)
		n.told = role == "constraint"
		for _, b := range l.Data.Content {
			n.entries = append(n.entries, plainEntry{Role: role, Text: compacted(string(b))})
		}
	case "assistant/message":
		for _, b := range l.Data.Message.Content {
			if b.Type == "tool-call" {
				n.asked = append(n.asked, b.ID)
			}
		}
	}
	var op struct{ Start, End int }
	if l.Op.Kind() != '{' {
		p.nodes = append(p.nodes, n)
	} else if err := json.Unmarshal(l.Op, &op, json.MatchCaseInsensitiveNames(true)); err != nil {
		p.t.Fatal(err)
	} else {
		var kept []plainNode
		in, done := false, false
		for _, old := range p.nodes {
			in = in || old.seq == op.Start
			if !in {
				kept = append(kept, old)
			} else if !done {
				kept, done = append(kept, n), true
			}
			in = in && old.seq != op.End
		}
		p.nodes = kept
	}
	p.instructions = 0
	for _, n := range p.nodes {
		if n.told {
			p.instructions++
		}
	}
}

func (p *plainFile) role(kind, plugin string) string {
	switch {
	case kind == "agent-instructions":
		return "constraint"
	case kind == "user" && p.child && p.described:
		p.described = false
		return "direct-parent-instruction"
	case kind == "user":
		return "human-instruction"
	case kind == "plugin" && plugin == "compact":
		return "checkpoint"
	default:
		return "fact"
	}
}

// reading is the history without the call that is pending, which is the last one.
// Ids do not repeat in these files.
func (p *plainFile) reading() []plainEntry {
	var out []plainEntry
	for _, n := range p.nodes {
		if n.told {
			continue
		}
		out = append(out, n.entries...)
		for _, id := range n.asked {
			for _, c := range p.calls {
				own := c.id == id || c.parent == id
				if own && c != p.calls[len(p.calls)-1] {
					out = append(out, c.plainEntry)
				}
			}
		}
	}
	return out
}
