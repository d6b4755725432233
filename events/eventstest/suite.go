package eventstest

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
)

// promise is a sentence of a contract and the test of it.
type promise struct {
	sentence string
	holds    func(t *testing.T, log events.Log)
}

// TestLog holds a log against every sentence of [events.Log], each in a subtest
// that is named after it. open gives an empty log, or one that other subtests
// have used: each makes sessions of its own names.
func TestLog(t *testing.T, open func(testing.TB) events.Log) {
	groups := map[string][]promise{
		"create":     createPromises,
		"open":       openPromises,
		"append":     appendPromises,
		"seed":       seedPromises,
		"read":       readPromises,
		"sessions":   sessionsPromises,
		"concurrent": concurrentPromises,
	}
	for name, promises := range groups {
		t.Run(name, func(t *testing.T) {
			for _, p := range promises {
				t.Run(p.sentence, func(t *testing.T) { p.holds(t, open(t)) })
			}
		})
	}
	t.Run("does under random operations what the log in memory does", func(t *testing.T) {
		log := open(t)
		rapid.Check(t, func(rt *rapid.T) { RunOperations(rt, t.Context(), log) })
	})
}

// newSession creates a session with a name of its own and no seed.
func newSession(tb testing.TB, log events.Log) events.SessionID {
	tb.Helper()
	return newSeeded(tb, log, events.Seed{})
}

func newSeeded(tb testing.TB, log events.Log, seed events.Seed) events.SessionID {
	tb.Helper()
	c := newCreation(tb, seed)
	if err := log.Create(tb.Context(), c); err != nil {
		tb.Fatalf("create session %s: %v", c.Header.ID, err)
	}
	return c.Header.ID
}

func newCreation(tb testing.TB, seed events.Seed) events.Creation {
	tb.Helper()
	id := newID()
	return events.Creation{ID: events.AppendID("create-" + id), Actor: actor, Header: Header(tb, id, nil), Seed: seed}
}

var actor = events.Actor{Class: "engine", Name: "suite"}

// presets are records that may stand anywhere in a log, one event each.
func presets(tb rapid.TB, next events.Seq, names ...string) []events.Record {
	tb.Helper()
	out := make([]events.Record, 0, len(names))
	for i, name := range names {
		out = append(out, Record(tb, next+events.Seq(i), events.PermissionPreset{Preset: name}))
	}
	return out
}

// unit is an append of such records.
func unit(tb rapid.TB, id events.AppendID, next events.Seq, names ...string) events.Append {
	tb.Helper()
	return events.Append{ID: id, Next: next, Actor: actor, Records: presets(tb, next, names...)}
}

// mustAppend appends and checks the seq that is given.
func mustAppend(tb testing.TB, log events.Log, id events.SessionID, a events.Append) {
	tb.Helper()
	next, err := log.Append(tb.Context(), id, a)
	if want := a.End(); err != nil || next != want {
		tb.Fatalf("append %s at %d: got %d, %v, want %d", a.ID, a.Next, next, err, want)
	}
}

// read collects what Read yields. It does not end before the log says so: what
// comes behind an error is an error of its own.
func read(ctx context.Context, log events.Log, id events.SessionID, from events.Seq) ([]events.Record, error) {
	var out []events.Record
	var failed error
	for r, err := range log.Read(ctx, id, from) {
		switch {
		case failed != nil:
			return out, errGoesOn
		case err == nil:
			out = append(out, r)
		case r.Format != 0 || r.Seq != 0 || r.Count != 0 || r.Line != nil:
			return out, errNotZero
		default:
			failed = err
		}
	}
	return out, failed
}

// wantLines compares the whole log with the lines that it should have, and
// checks it.
func wantLines(tb testing.TB, log events.Log, id events.SessionID, want ...events.Record) {
	tb.Helper()
	Check(tb, log, id)
	got, err := read(tb.Context(), log, id, 0)
	if err != nil {
		tb.Fatalf("read session %s: %v", id, err)
	}
	wantRecords(tb, got, want)
}
