package eventstest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
)

func isConflict(err error) bool { return errors.Is(err, events.ErrConflict) }

var readPromises = []promise{
	{"Read yields the records with events at or behind from, in order", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		mustAppend(t, log, id, unit(t, "a", 0, "one", "two", "three"))
		mustAppend(t, log, id, unit(t, "b", 3, "four"))
		mustAppend(t, log, id, unit(t, "c", 4, "five", "six"))
		all := presets(t, 0, "one", "two", "three", "four", "five", "six")
		for from := range all {
			wantFrom(t, log, id, events.Seq(from), all[from:])
		}
	}},
	{"Each record names the append that stored it", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		mustAppend(t, log, id, unit(t, "a/1", 0, "one", "two"))
		mustAppend(t, log, id, unit(t, "b", 2, "three"))
		var got []events.AppendID
		for r, err := range log.Read(t.Context(), id, 0) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.Append)
		}
		if diff := cmp.Diff([]events.AppendID{"a/1", "a/1", "b"}, got); diff != "" {
			t.Error(diff)
		}
	}},
	{"The first record may begin before from, if it is a packed row", func(t *testing.T, log events.Log) {
		id, records := packedLog(t, log)
		first := []int{0, 1, 2, 2, 2, 2, 3, 4, 4} // by seq: where in records it is
		for from, i := range first {
			wantFrom(t, log, id, events.Seq(from), records[i:])
		}
	}},
	{"Behind the head there is nothing, and that is no error", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		wantFrom(t, log, id, 0, nil)
		wantFrom(t, log, id, 7, nil)
		mustAppend(t, log, id, unit(t, "a", 0, "one", "two"))
		wantFrom(t, log, id, 2, nil)
		wantFrom(t, log, id, 99, nil)
	}},
	{"Read yields what is stored when it is called", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		a := unit(t, "a", 0, "one", "two", "three")
		mustAppend(t, log, id, a)
		var got []events.Record
		for r, err := range log.Read(t.Context(), id, 0) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r)
			next := events.Seq(2 + len(got))
			mustAppend(t, log, id, unit(t, events.AppendID(fmt.Sprint("b", next)), next, "later"))
		}
		wantRecords(t, got, a.Records)
	}},
	{"A session that is not there is ErrNotFound, once", func(t *testing.T, log events.Log) {
		got, err := read(t.Context(), log, newID(), 0)
		wantErr(t, err, events.ErrNotFound)
		wantRecords(t, got, nil)
	}},
	{"Under an ended context there is an error, once", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		mustAppend(t, log, id, unit(t, "a", 0, "one"))
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := read(ended, log, id, 0)
		wantErr(t, err, context.Canceled)
	}},
	{"Read yields all records, or an error, if its context ends meanwhile", readsAllOrFails},
	{"A reader may stop early", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		all := presets(t, 0, "one", "two", "three")
		mustAppend(t, log, id, events.Append{ID: "a", Records: all})
		for range 3 {
			for r, err := range log.Read(t.Context(), id, 1) {
				if err != nil {
					t.Fatal(err)
				}
				wantRecords(t, []events.Record{r}, all[1:2])
				break
			}
		}
		wantLines(t, log, id, all...)
	}},
	{"Records do not alias what the caller may change", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		mustAppend(t, log, id, unit(t, "a", 0, "one", "two"))
		got, err := read(t.Context(), log, id, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got {
			scribble(r.Line)
		}
		wantLines(t, log, id, presets(t, 0, "one", "two")...)
	}},
	{"A log of many frames is read whole, from everywhere", readsLongLogs},
}

func wantFrom(tb testing.TB, log events.Log, id events.SessionID, from events.Seq, want []events.Record) {
	tb.Helper()
	got, err := read(tb.Context(), log, id, from)
	if err != nil {
		tb.Fatalf("read from %d: %v", from, err)
	}
	wantRecords(tb, got, want)
}

// readsAllOrFails ends a reader's context at its second record. What was on its
// way may still come; what must not happen is that some are left out in silence.
func readsAllOrFails(t *testing.T, log events.Log) {
	id := newSession(t, log)
	all := presets(t, 0, "one", "two", "three", "four")
	for i := range all {
		mustAppend(t, log, id, events.Append{ID: events.AppendID(fmt.Sprint("a", i)), Next: events.Seq(i), Records: all[i : i+1]})
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []events.Record
	var failed error
	for r, err := range log.Read(ctx, id, 0) {
		if err != nil {
			failed = err
			continue
		}
		if got = append(got, r); len(got) == 2 {
			cancel()
		}
	}
	if failed == nil {
		wantRecords(t, got, all)
		return
	}
	wantErr(t, failed, context.Canceled)
	wantRecords(t, got, all[:len(got)])
}

func readsLongLogs(t *testing.T, log events.Log) {
	const frames, perFrame = 300, 5
	id := newSession(t, log)
	var all []events.Record
	for f := range frames {
		next := events.Seq(f * perFrame)
		a := unit(t, events.AppendID(fmt.Sprint("f", f)), next, "a", "b", "c", "d", "e")
		mustAppend(t, log, id, a)
		all = append(all, a.Records...)
	}
	wantLines(t, log, id, all...)
	for _, from := range []events.Seq{1, 4, 5, 511, 1000, 1497} {
		wantFrom(t, log, id, from, all[from:])
	}
}

var sessionsPromises = []promise{
	{"Sessions yields the ids of all stored sessions, each once", func(t *testing.T, log events.Log) {
		want := map[events.SessionID]int{}
		for range 20 {
			want[newSession(t, log)]++
		}
		mustAppend(t, log, newSeeded(t, log, events.Seed{Kind: events.SeedFork, Next: 9}), seeding(unit(t, "a", 0, "one")))
		got := map[events.SessionID]int{}
		for id, err := range log.Sessions(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if _, mine := want[id]; mine {
				got[id]++
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("got other sessions than want (-want +got):\n%s", diff)
		}
	}},
	{"Sessions yields one whose seed is incomplete", func(t *testing.T, log events.Log) {
		want := newSeeded(t, log, events.Seed{Kind: events.SeedFork, Next: 9})
		found := false
		for id, err := range log.Sessions(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			found = found || id == want
		}
		if !found {
			t.Errorf("got no session %s", want)
		}
	}},
	{"Sessions fails under an ended context", func(t *testing.T, log events.Log) {
		newSession(t, log)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		var failed error
		for _, err := range log.Sessions(ended) {
			failed = err
		}
		wantErr(t, failed, context.Canceled)
	}},
	{"Who lists sessions may stop early", func(t *testing.T, log events.Log) {
		newSession(t, log)
		newSession(t, log)
		for _, err := range log.Sessions(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
	}},
}
