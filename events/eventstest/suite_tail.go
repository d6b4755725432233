package eventstest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/docket-engine/docket/events"
)

// TestTail holds a tail against every sentence of [events.Tail]. open gives a
// tail and a log that writes what it follows.
func TestTail(t *testing.T, open func(testing.TB) (events.Log, events.Tail)) {
	for _, p := range tailPromises {
		t.Run(p.sentence, func(t *testing.T) {
			log, tail := open(t)
			p.holds(t, log, tail)
		})
	}
}

type tailPromise struct {
	sentence string
	holds    func(t *testing.T, log events.Log, tail events.Tail)
}

var tailPromises = []tailPromise{
	{"Tail yields the records that are stored and then those that come", func(t *testing.T, log events.Log, tail events.Tail) {
		id := newSession(t, log)
		mustAppend(t, log, id, unit(t, "a", 0, "one", "two"))
		grow := func(seen events.Seq) {
			if seen >= 2 && seen < 6 {
				mustAppend(t, log, id, unit(t, appendID(0, int(seen)), seen, "later"))
			}
		}
		got := follow(t, tail, id, 0, 6, grow)
		wantRecords(t, got, presets(t, 0, "one", "two", "later", "later", "later", "later"))
	}},
	{"It begins at or behind from", func(t *testing.T, log events.Log, tail events.Tail) {
		id := newSession(t, log)
		mustAppend(t, log, id, unit(t, "a", 0, "one", "two", "three"))
		wantRecords(t, follow(t, tail, id, 1, 3, nil), presets(t, 1, "two", "three"))
	}},
	{"The first record may begin before from, if it is a packed row", func(t *testing.T, log events.Log, tail events.Tail) {
		id, records := packedLog(t, log)
		wantRecords(t, follow(t, tail, id, 4, 9, nil), records[2:])
	}},
	{"It waits for a log that has not come as far as from", func(t *testing.T, log events.Log, tail events.Tail) {
		id := newSession(t, log)
		done := make(chan []events.Record, 1)
		go func() { done <- follow(t, tail, id, 2, 3, nil) }()
		for i, name := range []string{"one", "two", "three"} {
			mustAppend(t, log, id, unit(t, appendID(0, i), events.Seq(i), name))
		}
		wantRecords(t, <-done, presets(t, 2, "three"))
	}},
	{"The end of the context is not an error", func(t *testing.T, log events.Log, tail events.Tail) {
		id := newSession(t, log)
		mustAppend(t, log, id, unit(t, "a", 0, "one"))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for _, err := range tail.Tail(ctx, id, 0) {
			if err != nil {
				t.Errorf("got %v, want the end without an error", err)
			}
			cancel()
		}
		for _, err := range tail.Tail(ctx, id, 0) {
			t.Errorf("got a record or %v under an ended context, want nothing", err)
		}
	}},
	{"A session that is not there is ErrNotFound, once", func(t *testing.T, _ events.Log, tail events.Tail) {
		var got []error
		for _, err := range tail.Tail(t.Context(), newID(), 0) {
			got = append(got, err)
		}
		if len(got) != 1 || !errors.Is(got[0], events.ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound", got)
		}
	}},
	{"Many readers each see all of it, in order, whoever writes", tailsManyWriters},
	{"A reader may stop early", func(t *testing.T, log events.Log, tail events.Tail) {
		id := newSession(t, log)
		mustAppend(t, log, id, unit(t, "a", 0, "one", "two"))
		for range 3 {
			wantRecords(t, follow(t, tail, id, 0, 1, nil), presets(t, 0, "one"))
		}
	}},
}

// patience is how long a test waits for a record that may never come.
const patience = 30 * time.Second

// follow collects what a tail yields until the log has been seen up to a seq.
// seen, if it is not nil, is told after each record.
func follow(t *testing.T, tail events.Tail, id events.SessionID, from, upTo events.Seq, seen func(events.Seq)) []events.Record {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var got []events.Record
	for r, err := range tail.Tail(ctx, id, from) {
		if err != nil {
			t.Errorf("tail from %d: %v", from, err)
			break
		}
		got = append(got, r)
		if seen != nil {
			seen(r.End())
		}
		if r.End() >= upTo {
			break
		}
	}
	return got
}

func tailsManyWriters(t *testing.T, log events.Log, tail events.Tail) {
	const readers, writers, each = 4, 3, 15
	id := newSession(t, log)
	seen := make([][]events.Record, readers)
	together(readers+writers, func(i int) {
		if i < readers {
			seen[i] = follow(t, tail, id, 0, writers*each, nil)
			return
		}
		for n := range each {
			if _, err := insist(t, log, id, appendID(i, n), fmt.Sprintf("%d of writer %d", n, i)); err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		}
	})
	Check(t, log, id)
	for _, got := range seen {
		wantLines(t, log, id, got...)
	}
}
