package compaction_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// log is a session's log with its state, and the rules that it must keep.
type log struct {
	tb        rapid.TB
	validator *events.Validator
	state     *compaction.State
	events    []events.Envelope
}

func newLog(tb rapid.TB, s *eventstest.Script) *log {
	l := &log{tb: tb, validator: events.NewValidator(s.Header), state: &compaction.State{}}
	l.add(s.Events...)
	return l
}

func (l *log) add(es ...events.Envelope) {
	l.tb.Helper()
	if err := l.validator.Apply(es...); err != nil {
		l.tb.Fatalf("not a valid log: %v", err)
	}
	for _, e := range es {
		l.state.Apply(e)
		l.events = append(l.events, e)
	}
}

// append puts decided drafts behind the log as one frame.
func (l *log) append(drafts []events.Draft) []events.Envelope {
	l.tb.Helper()
	var es []events.Envelope
	for i, d := range drafts {
		next := l.validator.Next() + events.Seq(i)
		e, err := d.At(next, eventstest.Epoch+int64(next))
		if err != nil {
			l.tb.Fatalf("draft %s: %v", d.Event.Type(), err)
		}
		es = append(es, e)
	}
	l.add(es...)
	return es
}

// run starts a compaction and ends it with a summary.
func (l *log) run(r compaction.Request, summary compaction.Summary) (compaction.Range, compaction.Ending) {
	l.tb.Helper()
	plan, err := compaction.Plan(l.state, r)
	if err != nil {
		l.tb.Fatalf("plan: %v", err)
	}
	start, err := compaction.Start(l.state, r)
	if err != nil {
		l.tb.Fatalf("start: %v", err)
	}
	l.append(start)
	end, err := compaction.Finish(l.state, compaction.Completion{CompactionID: r.CompactionID, Range: plan, Messages: l.events, Summary: summary, MessageID: "m-" + r.CompactionID})
	if err != nil {
		l.tb.Fatalf("finish: %v", err)
	}
	l.append(end.Drafts)
	return plan, end
}

// fold gives the state of events.
func fold(es []events.Envelope) *compaction.State {
	s := &compaction.State{}
	for _, e := range es {
		s.Apply(e)
	}
	return s
}

func seqs(s *compaction.State) []events.Seq {
	out := make([]events.Seq, 0, len(s.Nodes))
	for _, n := range s.Nodes {
		out = append(out, n.Seq)
	}
	return out
}

// reloaded is the state behind a snapshot.
func reloaded(tb rapid.TB, s *compaction.State) *compaction.State {
	tb.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		tb.Fatal(err)
	}
	again := &compaction.State{}
	if err := json.Unmarshal(text, again, json.RejectUnknownMembers(true)); err != nil {
		tb.Fatalf("%v\n%s", err, text)
	}
	return again
}

func sameState(tb rapid.TB, want, got *compaction.State) {
	tb.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		tb.Fatalf("got another state (-want +got):\n%s", diff)
	}
}

// recorded reads the events of a session of the reference harness.
func recorded(t *testing.T, name string) []events.Envelope {
	t.Helper()
	dir := os.Getenv("DOCKET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	text, err := os.ReadFile(filepath.Join(dir, "realdata", "dsh", name))
	if err != nil {
		t.Skipf("the recorded sessions are absent: %v (set DOCKET_SHARED)", err)
	}
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, 1<<20)
	scan.Scan()
	h, err := events.ParseHeader(scan.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	v := events.NewValidator(h)
	var es []events.Envelope
	for scan.Scan() {
		decoded, err := v.Record(eventstest.Line(t, h.Version, string(slices.Clone(scan.Bytes()))))
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, decoded...)
	}
	return es
}

// code is the stable code of a refusal.
func code(tb rapid.TB, err error) string {
	tb.Helper()
	if err == nil {
		return ""
	}
	r, ok := err.(*events.Refusal)
	if !ok {
		tb.Fatalf("got %T %v, want a *events.Refusal", err, err)
	}
	return r.Code
}

func number(tb rapid.TB, v []byte) int64 {
	tb.Helper()
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}
