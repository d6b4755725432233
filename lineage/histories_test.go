package lineage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
)

// TestHistories runs testdata: under each command stand the events of a log, a
// line each, then what the command gives for it.
//
//	repair              the closers of a crash
//	fork [at=SEQ]       the child's own events and its seed
//
// With the argument seeded the log is itself that of a fork.
//
// An event is a type, its data and, where they are not those of an append to the
// surface, "replaces FIRST..LAST", "cites SEQ,SEQ" or "ignorable". Its seq follows
// the one before; its time is 1000 more each. A line that begins with { is of
// format 0, as it is stored.
func TestHistories(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if !strings.HasSuffix(path, ".txt") || strings.Contains(path, "delegation") { // see TestDelegationHistories
			return
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			header, records := parseLog(t, d.Input, d.HasArg("seeded"))
			es := validate(t, header, records...)
			switch d.Cmd {
			case "repair":
				return repaired(t, header, records, es)
			case "fork":
				count := events.Seq(len(es))
				if d.HasArg("at") {
					var at int
					d.ScanArgs(t, "at", &at)
					count = events.Seq(at) + 1
				}
				return forked(t, header, records, count)
			default:
				d.Fatalf(t, "no command %s", d.Cmd)
				return ""
			}
		})
	})
}

// repaired gives the closers, and holds the repaired log against the rules: it
// is valid and needs nothing more.
func repaired(t *testing.T, h events.Header, records []events.Record, es []events.Envelope) string {
	t.Helper()
	closers, err := lineage.Repair(fold(es))
	if err != nil {
		t.Fatal(err)
	}
	whole := validate(t, h, append(records, eventstest.Records(t, closers...)...)...)
	if again, err := lineage.Repair(fold(whole)); err != nil || len(again) > 0 {
		t.Errorf("got %v, %v for the repaired log, want nothing", again, err)
	}
	if len(closers) == 0 {
		return "nothing"
	}
	return describeAll(closers)
}

func forked(t *testing.T, h events.Header, records []events.Record, count events.Seq) string {
	t.Helper()
	child, seed := planFork(t, records, count)
	es := validate(t, childOf(t, h), child...)
	if !fold(es).Balanced() {
		t.Error("got a child with an open turn, want a balanced one")
	}
	lines := 0
	for _, r := range child {
		if r.End() <= count {
			lines++
		}
	}
	return fmt.Sprintf("copies %d events in %d lines\n%s\nseed: %s of %d events", count, lines, describeAll(es[count:]), seed.Kind, seed.Next)
}

// parseLog reads the events of a history.
func parseLog(t *testing.T, input string, seeded bool) (events.Header, []events.Record) {
	t.Helper()
	h := eventstest.Header(t, "parent", func(h *events.Header) { h.IsSeeded = &seeded })
	var records []events.Record
	var next events.Seq
	for line := range strings.SplitSeq(strings.TrimSpace(input), "\n") {
		if line == "" || line == "empty" {
			continue
		}
		var r events.Record
		if strings.HasPrefix(line, "{") {
			h = eventstest.Header0(t, "parent")
			r = eventstest.Line(t, events.Format0, line)
		} else {
			r = eventstest.Line(t, events.Format4, stored(t, next, line))
		}
		records = append(records, r)
		next = r.End()
	}
	return h, records
}

// stored writes an event of a history as its stored line.
func stored(t *testing.T, seq events.Seq, line string) string {
	t.Helper()
	name, rest, _ := strings.Cut(line, " ")
	end := strings.LastIndex(rest, "}")
	if end < 0 {
		t.Fatalf("no data in %q", line)
	}
	data, marks := rest[:end+1], strings.Fields(rest[end+1:])
	extra := ""
	op := `"append"`
	for i := 0; i < len(marks); i++ {
		switch marks[i] {
		case "ignorable":
			extra += `,"ignorable":true`
		case "replaces":
			i++
			first, last, _ := strings.Cut(marks[i], "..")
			op = fmt.Sprintf(`{"op":"replace","startSeq":%s,"endSeq":%s}`, first, last)
		case "cites":
			i++
			extra += fmt.Sprintf(`,"sourceEventSeqs":[%s]`, marks[i])
		default:
			t.Fatalf("no mark %q", marks[i])
		}
	}
	if events.Type(name).Surface() {
		extra = fmt.Sprintf(`,"surfaceOp":%s`, op) + extra
	}
	return fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":%s%s}`, name, seq, 1000*(seq+1), data, extra)
}
