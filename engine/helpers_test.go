package engine_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

var human = events.Actor{Class: "human", Name: "ada"}

// recordedFiles are the sessions of the reference harness, by name.
func recordedFiles(t *testing.T) map[string][]byte {
	t.Helper()
	dir := os.Getenv("DOCKET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	names, err := filepath.Glob(filepath.Join(dir, "realdata", "dsh", "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Skipf("the recorded sessions are absent from %s (set DOCKET_SHARED)", dir)
	}
	files := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = text
	}
	return files
}

// file is a session file with that text.
func file(text []byte) engine.File {
	return engine.File{
		Name: "session.jsonl", Size: int64(len(text)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	}
}

func importText(tb rapid.TB, log events.Log, text []byte) engine.Imported {
	tb.Helper()
	done, err := engine.Import(context.Background(), log, engine.ImportRequest{File: file(text), Actor: human})
	if err != nil {
		tb.Fatalf("import: %v", err)
	}
	return done
}

func exportText(tb rapid.TB, log events.Log, id events.SessionID, opts engine.ExportOptions) ([]byte, engine.Exported) {
	tb.Helper()
	var w bytes.Buffer
	done, err := engine.Export(context.Background(), log, id, &w, opts)
	if err != nil {
		tb.Fatalf("export session %s: %v", id, err)
	}
	return w.Bytes(), done
}

// text is a log as its file has it.
func text(h events.Header, records []events.Record) []byte {
	var w bytes.Buffer
	w.Write(h.Line)
	w.WriteByte('\n')
	for _, r := range records {
		w.Write(r.Line)
		w.WriteByte('\n')
	}
	return w.Bytes()
}

// create stores a session with those records, one append each.
func create(tb rapid.TB, log events.Log, h events.Header, records ...events.Record) {
	tb.Helper()
	ctx := context.Background()
	if err := log.Create(ctx, events.Creation{ID: "create", Actor: human, Header: h}); err != nil {
		tb.Fatal(err)
	}
	for _, r := range records {
		a := events.Append{ID: events.AppendID("a" + r.Type()), Next: r.Seq, Actor: human, Records: []events.Record{r}}
		if _, err := log.Append(ctx, h.ID, a); err != nil {
			tb.Fatal(err)
		}
	}
}

// verified fails unless the session is in order, and gives the report.
func verified(tb rapid.TB, log events.Log, id events.SessionID) engine.Report {
	tb.Helper()
	report, err := engine.Verify(context.Background(), log, nil, id, nil)
	if err != nil || !report.OK() {
		tb.Fatalf("verify session %s: %v, %v", id, err, report.Findings)
	}
	return report
}

// linesOf are a session's stored lines.
func linesOf(tb rapid.TB, log events.Log, id events.SessionID) []string {
	tb.Helper()
	var lines []string
	for r, err := range log.Read(context.Background(), id, 0) {
		if err != nil {
			tb.Fatalf("read session %s: %v", id, err)
		}
		lines = append(lines, string(r.Line))
	}
	return lines
}

// eventsOf decodes a session.
func eventsOf(tb rapid.TB, log events.Log, id events.SessionID) []events.Envelope {
	tb.Helper()
	var es []events.Envelope
	for r, err := range log.Read(context.Background(), id, 0) {
		if err != nil {
			tb.Fatalf("read session %s: %v", id, err)
		}
		decoded, err := r.Decode()
		if err != nil {
			tb.Fatalf("session %s at seq %d: %v", id, r.Seq, err)
		}
		es = append(es, decoded...)
	}
	return es
}

func sameLines(tb rapid.TB, got, want []string) {
	tb.Helper()
	if i := firstOther(got, want); i >= 0 {
		tb.Fatalf("got %d lines, want %d; the first that differs is %d:\ngot  %s\nwant %s", len(got), len(want), i, at(got, i), at(want, i))
	}
}

func firstOther(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}

func at(lines []string, i int) string {
	if i >= len(lines) {
		return "nothing"
	}
	return lines[i]
}

// bigSession has events of about 100 KB each, so that two fill a frame.
func bigSession(tb rapid.TB, id events.SessionID, events_ int) *eventstest.Script {
	tb.Helper()
	s := eventstest.NewScript(tb, eventstest.Header(tb, id, nil))
	s.StartTurn()
	s.StartStep()
	for range events_ {
		s.User(strings.Repeat("text ", 20<<10))
	}
	return s
}

var errCut = errors.New("the power is gone")

// cutLog fails all appends behind the first n. If lost is set, the last one is
// stored all the same and only its acknowledgement is lost.
type cutLog struct {
	events.Log
	n    int
	lost bool
	done int
}

func (c *cutLog) Append(ctx context.Context, id events.SessionID, a events.Append) (events.Seq, error) {
	if c.done++; c.done > c.n {
		if c.lost && c.done == c.n+1 {
			if _, err := c.Log.Append(ctx, id, a); err != nil {
				return 0, err
			}
		}
		return 0, errors.Join(events.ErrOutcomeUnknown, errCut)
	}
	return c.Log.Append(ctx, id, a)
}

// tampered is a log whose store gives other records than were appended.
type tampered struct {
	events.Log
	session events.SessionID
	change  func([]events.Record) []events.Record
}

func (l *tampered) Read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	if id != l.session {
		return l.Log.Read(ctx, id, from)
	}
	return func(yield func(events.Record, error) bool) {
		var records []events.Record
		for r, err := range l.Log.Read(ctx, id, from) {
			if err != nil {
				yield(events.Record{}, err)
				return
			}
			records = append(records, r)
		}
		for _, r := range l.change(records) {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// replaceLine gives records with the line of one of them changed.
func replaceLine(i int, old, with string) func([]events.Record) []events.Record {
	return func(records []events.Record) []events.Record {
		records = slices.Clone(records)
		records[i].Line = bytes.Replace(records[i].Line, []byte(old), []byte(with), 1)
		return records
	}
}
