package engine_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

func nameOf(n int) events.SessionID { return events.SessionID(fmt.Sprint("idle-", n)) }

// TestTenThousandIdleSessionsStayUnderTheLimit: those that were not used for
// longest are dropped, and read again when somebody comes back.
func TestTenThousandIdleSessionsStayUnderTheLimit(t *testing.T) {
	const sessions, limit = 10_000, 8 << 20
	log := &counting{Log: &eventstest.Memory{}}
	for n := range sessions {
		if err := log.Create(t.Context(), events.Creation{ID: "create", Header: eventstest.Header(t, nameOf(n), nil)}); err != nil {
			t.Fatal(err)
		}
	}
	e := mustEngine(t, engine.Config{Log: log, CacheBytes: limit})
	do := func(n int, c engine.Command, id string) {
		t.Helper()
		if _, err := e.Do(t.Context(), nameOf(n), c, engine.Meta{ID: events.AppendID(id), Now: 1}); err != nil {
			t.Fatal(err)
		}
	}
	before := heap()
	for n := range sessions {
		do(n, engine.StartTurn{}, "start")
	}
	// What the log holds of them is small beside ten thousand folded sessions.
	if grown := heap() - before; grown > 4*limit {
		t.Errorf("got %d bytes more for %d sessions, want about %d", grown, sessions, limit)
	}
	log.read()
	do(sessions-1, engine.StartStep{}, "step") // the last one is there still
	do(0, engine.StartStep{}, "step")          // the first one is not
	read := log.read()
	if read[nameOf(sessions-1)] != 0 || read[nameOf(0)] != 1 {
		t.Errorf("read %d records of the last session and %d of the first, want 0 and 1", read[nameOf(sessions-1)], read[nameOf(0)])
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestASessionInUseIsNotDropped however little the cache may hold: whoever else
// wants it waits for its one place.
func TestASessionInUseIsNotDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &counting{Log: &eventstest.Memory{}}
		w := newWorkshop(t, engine.Config{Log: log, CacheBytes: 1})
		if err := log.Create(t.Context(), events.Creation{ID: "create", Header: eventstest.Header(t, "other", nil)}); err != nil {
			t.Fatal(err)
		}
		w.do(t, engine.StartTurn{})
		second := make(chan error, 1)
		err := w.engine.View(t.Context(), w.id, func(*projections.Session) error {
			if _, err := w.engine.Do(t.Context(), "other", engine.StartTurn{}, w.meta()); err != nil {
				return err
			}
			go func() { second <- w.engine.View(t.Context(), w.id, func(*projections.Session) error { return nil }) }()
			synctest.Wait()
			if len(second) > 0 {
				t.Error("two have one session at a time")
			}
			return nil
		})
		if err := errors.Join(err, <-second); err != nil {
			t.Fatal(err)
		}
		log.read()
		w.do(t, engine.StartStep{}) // read again: nothing stays in so small a cache
		if read := log.read()[w.id]; read != 1 {
			t.Errorf("read %d records, want 1", read)
		}
	})
}

// TestSessionsThatAreNotThereTakeNoPlace, however many somebody asks for.
func TestSessionsThatAreNotThereTakeNoPlace(t *testing.T) {
	e := mustEngine(t, engine.Config{Log: &eventstest.Memory{}})
	before := heap()
	for n := range 20_000 {
		if _, err := e.Do(t.Context(), nameOf(n), engine.StartTurn{}, engine.Meta{ID: "x", Now: 1}); !errors.Is(err, events.ErrNotFound) {
			t.Fatal(err)
		}
	}
	if grown := heap() - before; grown > 1<<20 {
		t.Errorf("got %d bytes more, want none to speak of", grown)
	}
	runtime.KeepAlive(e)
}

// TestWhatIsNotKnownToBeStoredIsReadAgain: an error drops the folded state, a
// refusal does not.
func TestWhatIsNotKnownToBeStoredIsReadAgain(t *testing.T) {
	log := &counting{Log: &eventstest.Memory{}}
	now := none
	lossy := &flaky{Log: log, plan: func() fault { return now }}
	w := newWorkshop(t, engine.Config{Log: lossy})
	w.do(t, engine.StartTurn{}, engine.StartStep{})
	log.read()
	w.refuse(t, engine.StartTurn{}, engine.CodeTurnOpen)
	log.read() // by the comparison
	w.do(t, engine.EndStep{})
	if read := log.read()[w.id]; read != 0 {
		t.Errorf("read %d records behind a refusal, want none", read)
	}
	now = lostSent
	if _, err := w.engine.Do(t.Context(), w.id, engine.StartStep{}, w.meta()); !errors.Is(err, events.ErrOutcomeUnknown) {
		t.Fatalf("got %v, want the outcome unknown", err)
	}
	now = none
	w.do(t, engine.EndStep{})
	if read := log.read()[w.id]; read != 4 {
		t.Errorf("read %d records behind an unknown outcome, want 4", read)
	}
}

// TestASessionOfLargeMessagesIsMeasuredByThem: not by how many they are.
func TestASessionOfLargeMessagesIsMeasuredByThem(t *testing.T) {
	log := &counting{Log: &eventstest.Memory{}}
	w := newWorkshop(t, engine.Config{Log: log, CacheBytes: 1 << 20})
	w.do(t, engine.StartTurn{})
	for n := range 4 {
		log.read()
		w.do(t, engine.UserMessage{MessageID: fmt.Sprint("m", n), Content: says(strings.Repeat("x", 400<<10))})
	}
	if read := log.read()[w.id]; read == 0 {
		t.Error("a session of 1.2 MB stays in a cache of 1 MiB")
	}
}

// TestACallerWaitsForASessionNoLongerThanItWants: while another command of it
// hangs.
func TestACallerWaitsForASessionNoLongerThanItWants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		log := &flaky{Log: &eventstest.Memory{}, plan: func() fault { <-hang; return none }}
		w := newWorkshop(t, engine.Config{Log: log})
		first := make(chan error)
		m := w.meta()
		go func() {
			_, err := w.engine.Do(context.Background(), w.id, engine.StartTurn{}, m)
			first <- err
		}()
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		second := make(chan error)
		go func() { second <- w.engine.View(ctx, w.id, func(*projections.Session) error { return nil }) }()
		synctest.Wait()
		cancel()
		if err := <-second; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want it cancelled", err)
		}
		close(hang)
		if err := <-first; err != nil {
			t.Error(err)
		}
		w.do(t, engine.StartStep{})
	})
}
