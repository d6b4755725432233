package eventstest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/docket-engine/docket/events"
)

var concurrentPromises = []promise{
	{"Exactly one of many writers wins each seq", func(t *testing.T, log events.Log) {
		const writers, rounds = 8, 12
		id := newSession(t, log)
		for round := range rounds {
			next := events.Seq(round)
			var won atomic.Int64
			together(writers, func(w int) {
				a := unit(t, appendID(w, round), next, fmt.Sprintf("writer %d", w))
				switch _, err := log.Append(t.Context(), id, a); {
				case err == nil:
					won.Add(1)
				case !isConflict(err):
					t.Errorf("writer %d: got %v, want a conflict", w, err)
				}
			})
			if won.Load() != 1 {
				t.Fatalf("got %d winners of seq %d, want 1", won.Load(), next)
			}
		}
		Check(t, log, id)
	}},
	{"No acknowledged append is lost, and none is stored that was not", func(t *testing.T, log events.Log) {
		const writers, each = 6, 10
		id := newSession(t, log)
		var mu sync.Mutex // guards acknowledged
		acknowledged := map[events.Seq]string{}
		together(writers, func(w int) {
			for n := range each {
				name := fmt.Sprintf("writer %d, %d", w, n)
				seq, err := insist(t, log, id, appendID(w, n), name)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				mu.Lock()
				acknowledged[seq] = name
				mu.Unlock()
			}
		})
		found := Check(t, log, id)
		for _, e := range found {
			if got, want := presetOf(e), acknowledged[e.Seq]; got != want {
				t.Errorf("seq %d: got %q, acknowledged was %q", e.Seq, got, want)
			}
		}
		if len(found) != writers*each {
			t.Errorf("got %d events, want %d", len(found), writers*each)
		}
	}},
	{"One append that many repeat at once is stored once", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		a := unit(t, "a", 0, "one", "two")
		together(8, func(int) {
			if next, err := log.Append(t.Context(), id, a); err != nil || next != 2 {
				t.Errorf("got %d, %v, want 2", next, err)
			}
		})
		wantLines(t, log, id, a.Records...)
	}},
	{"One of many creations of a name wins", func(t *testing.T, log events.Log) {
		c := newCreation(t, events.Seed{})
		var won atomic.Int64
		together(8, func(w int) {
			mine := c
			mine.ID = appendID(w, 0)
			switch err := log.Create(t.Context(), mine); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, events.ErrExists):
				t.Errorf("got %v, want ErrExists", err)
			}
		})
		if won.Load() != 1 {
			t.Errorf("got %d winners, want 1", won.Load())
		}
	}},
	{"A reader beside writers sees a whole log up to some frame", func(t *testing.T, log events.Log) {
		const frames = 40
		id := newSession(t, log)
		together(4, func(w int) {
			for f := range frames {
				if w == 0 {
					appendBeside(t, log, id, unit(t, appendID(0, f), events.Seq(3*f), "a", "b", "c"))
					continue
				}
				got, err := read(t.Context(), log, id, 0)
				if err != nil || len(got)%3 != 0 {
					t.Errorf("got %d records, %v, want whole frames of 3", len(got), err)
				}
				for seq, r := range got {
					if r.Seq != events.Seq(seq) {
						t.Errorf("got seq %d in place %d", r.Seq, seq)
						break
					}
				}
			}
		})
		Check(t, log, id)
	}},
	{"Sessions do not disturb each other", func(t *testing.T, log events.Log) {
		const sessions, each = 6, 10
		ids := make([]events.SessionID, sessions)
		for s := range ids {
			ids[s] = newSession(t, log)
		}
		together(sessions, func(s int) {
			for n := range each {
				appendBeside(t, log, ids[s], unit(t, appendID(0, n), events.Seq(n), fmt.Sprintf("session %d", s)))
			}
		})
		for s, id := range ids {
			for _, e := range Check(t, log, id) {
				if got, want := presetOf(e), fmt.Sprintf("session %d", s); got != want {
					t.Errorf("session %d: got %q at %d", s, got, e.Seq)
				}
			}
		}
	}},
}

// together runs a function in many goroutines that start at once, and waits.
func together(n int, do func(i int)) {
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		group.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	group.Wait()
}

// appendBeside is mustAppend for goroutines, which may not end a test.
func appendBeside(t *testing.T, log events.Log, id events.SessionID, a events.Append) {
	if _, err := log.Append(t.Context(), id, a); err != nil {
		t.Errorf("append %s at %d: %v", a.ID, a.Next, err)
	}
}

// insist appends one event wherever the log is, as a writer that catches up does.
func insist(t *testing.T, log events.Log, id events.SessionID, a events.AppendID, name string) (events.Seq, error) {
	next := events.Seq(0)
	for {
		_, err := log.Append(t.Context(), id, unit(t, a, next, name))
		conflict, moved := errors.AsType[*events.ConflictError](err)
		if !moved {
			return next, err
		}
		next = conflict.Actual
	}
}

func appendID(writer, n int) events.AppendID {
	return events.AppendID(fmt.Sprintf("w%d-%d", writer, n))
}

func presetOf(e events.Envelope) string {
	preset, _ := e.Event.(events.PermissionPreset)
	return preset.Preset
}
