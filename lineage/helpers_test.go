package lineage_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
)

// fold is what a log of envelopes leaves open.
func fold(es []events.Envelope) *lineage.Tail {
	var t lineage.Tail
	for _, e := range es {
		t.Apply(e)
	}
	return &t
}

// validate holds records against the rules of a log under the header, and gives
// their events.
func validate(tb rapid.TB, h events.Header, records ...events.Record) []events.Envelope {
	tb.Helper()
	v := events.NewValidator(h)
	var es []events.Envelope
	for _, r := range records {
		decoded, err := v.Record(r)
		if err != nil {
			tb.Fatalf("seq %d: %v\n%s", r.Seq, err, r.Line)
		}
		es = append(es, decoded...)
	}
	if err := v.Finish(); err != nil {
		tb.Fatalf("end of the log: %v", err)
	}
	return es
}

// planFork plans a fork that copies the first count events, and gives the
// child's seed.
func planFork(tb rapid.TB, parent []events.Record, count events.Seq) ([]events.Record, events.Seed) {
	tb.Helper()
	f := lineage.NewFork("parent", count)
	var child []events.Record
	for _, r := range parent {
		if f.Copied().Next == count {
			break
		}
		var err error
		if child, err = f.Copy(child, r); err != nil {
			tb.Fatalf("copy seq %d: %v", r.Seq, err)
		}
	}
	own, seed, err := f.Own(eventstest.Epoch)
	if err != nil {
		tb.Fatalf("end of the seed: %v", err)
	}
	return append(child, own...), seed
}

// childOf is the header of a fork of the session.
func childOf(tb rapid.TB, parent events.Header) events.Header {
	tb.Helper()
	h, err := lineage.ForkHeader(parent, "child", eventstest.Epoch)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

// describe writes an event as the histories show it: what its content says is
// left out, what it is about is not.
func describe(e events.Envelope) string {
	var about string
	switch ev := any(e.Event).(type) { // the events that closers are
	case events.ToolResult:
		about = fmt.Sprintf(" %s %s", ev.CallID(), ev.Error.Code)
	case events.PTCDispatch:
		about = fmt.Sprintf(" %s %s", ev.SubCallID, ev.Error.Code)
	case events.StepEnd:
		about = fmt.Sprintf(" %d.%d", ev.Turn, ev.Step)
	case events.TurnEnd:
		about = fmt.Sprintf(" %d %s", ev.Turn, ev.Reason.Kind)
	case events.EndSeed:
		about = fmt.Sprintf(" inherited=%t", ev.Inherited)
	}
	if len(e.Sources) > 0 {
		about += fmt.Sprintf(" cites %v", e.Sources)
	}
	return fmt.Sprintf("%d %s%s time %d", e.Seq, e.Type(), about, e.Time)
}

func describeAll(es []events.Envelope) string {
	lines := make([]string, 0, len(es))
	for _, e := range es {
		lines = append(lines, describe(e))
	}
	return strings.Join(lines, "\n")
}

// recorded reads a session of the reference harness.
func recorded(t *testing.T, name string) (events.Header, []events.Record) {
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
	var records []events.Record
	for scan.Scan() {
		records = append(records, eventstest.Line(t, h.Version, string(slices.Clone(scan.Bytes()))))
	}
	return h, records
}
