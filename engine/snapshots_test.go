package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// folded is a session's state as bytes, and the seq that it is at.
func foldedState(t *testing.T, e *engine.Engine, id events.SessionID) string {
	t.Helper()
	var state string
	err := e.View(t.Context(), id, func(s *projections.Session) error {
		text, err := s.Snapshot()
		state = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func mustEngine(t *testing.T, cfg engine.Config) *engine.Engine {
	t.Helper()
	e, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestAColdOpenReadsWhatCameAfterTheSnapshot, and comes to the state that reading
// all of it comes to.
func TestAColdOpenReadsWhatCameAfterTheSnapshot(t *testing.T) {
	log, snaps := &counting{Log: &eventstest.Memory{}}, &snapshots{}
	cfg := engine.Config{Log: log, Snapshots: snaps}
	w := newWorkshop(t, cfg)
	longTalk(t, w, 100)
	total := len(w.lines(t))
	if snaps.saves < 3 || snaps.saves > total/256 {
		t.Errorf("got %d snapshots of %d events, want one for each 256", snaps.saves, total)
	}
	log.read()
	got := foldedState(t, mustEngine(t, cfg), w.id)
	saved := snaps.saved[w.id].Head.Next
	if read := log.read()[w.id]; read != total-int(saved) {
		t.Errorf("read %d records of %d behind a snapshot at %d", read, total, saved)
	}
	if diff := cmp.Diff(foldedState(t, mustEngine(t, engine.Config{Log: log}), w.id), got); diff != "" {
		t.Errorf("behind a snapshot the state is another one:\n%s", diff)
	}
	// Commands that were done before the snapshot are known behind it.
	done, err := mustEngine(t, cfg).Do(t.Context(), w.id, engine.StartTurn{}, engine.Meta{ID: events.AppendID(fmt.Sprint("command-", w.n)), Now: 1})
	if err != nil || !done.Already {
		t.Errorf("got %+v, %v, want it done already", done, err)
	}
}

// TestASnapshotThatIsOfNoUse is dropped where that costs time alone, and makes the
// log corrupt where it says that the log has lost something.
func TestASnapshotThatIsOfNoUse(t *testing.T) {
	cases := map[string]struct {
		change  func(*events.Snapshot)
		corrupt string
	}{
		"another version": {func(s *events.Snapshot) { s.Version = "session-0" }, ""},
		"no state":        {func(s *events.Snapshot) { s.State = nil }, ""},
		"half a state":    {func(s *events.Snapshot) { s.State = s.State[:len(s.State)/2] }, ""},
		"an unknown part": {func(s *events.Snapshot) { s.State = []byte(`{"more":1,` + string(s.State[1:])) }, ""},
		"another seq":     {func(s *events.Snapshot) { s.Head.Next-- }, ""},
		"another session": {func(s *events.Snapshot) {
			s.State = []byte(strings.ReplaceAll(string(s.State), `\"work\"`, `\"wrok\"`))
		}, ""},
		"another chain": {func(s *events.Snapshot) { s.Head.Chain = events.ChainStart() }, "the chain differs"},
		"another header": {func(s *events.Snapshot) {
			s.State = []byte(strings.ReplaceAll(string(s.State), `/workspace/demo`, `/workspace/dem0`))
		}, "its header is not the one"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			snaps := &snapshots{}
			cfg := engine.Config{Log: &eventstest.Memory{}, Snapshots: snaps}
			w := newWorkshop(t, cfg)
			longTalk(t, w, 30)
			want := foldedState(t, w.engine, w.id)
			snaps.change(t, w.id, c.change)
			e := mustEngine(t, cfg)
			if c.corrupt == "" {
				if diff := cmp.Diff(want, foldedState(t, e, w.id)); diff != "" {
					t.Errorf("the state is another one:\n%s", diff)
				}
				return
			}
			_, err := e.Do(t.Context(), w.id, engine.StartTurn{}, w.meta())
			if !errors.Is(err, events.ErrCorrupt) || !strings.Contains(err.Error(), c.corrupt) {
				t.Errorf("got %v, want it corrupt: %s", err, c.corrupt)
			}
		})
	}
}

// TestALogThatEndsBeforeItsSnapshotIsCorrupt: the engine had folded what is gone.
func TestALogThatEndsBeforeItsSnapshotIsCorrupt(t *testing.T) {
	snaps := &snapshots{}
	w := newWorkshop(t, engine.Config{Log: &eventstest.Memory{}, Snapshots: snaps})
	longTalk(t, w, 30)
	other := newWorkshop(t, engine.Config{Log: &eventstest.Memory{}})
	longTalk(t, other, 1)
	_, err := mustEngine(t, engine.Config{Log: other.log, Snapshots: snaps}).Do(t.Context(), w.id, engine.StartTurn{}, w.meta())
	if !errors.Is(err, events.ErrCorrupt) {
		t.Errorf("got %v, want it corrupt", err)
	}
}

// TestASnapshotStoreThatFailsCostsTimeAlone: it is told, and not asked for each
// event.
func TestASnapshotStoreThatFailsCostsTimeAlone(t *testing.T) {
	told := 0
	snaps := &snapshots{err: errors.New("the disk is full")}
	w := newWorkshop(t, engine.Config{Snapshots: snaps, SnapshotFailed: func(id events.SessionID, err error) {
		if id != "work" || !errors.Is(err, snaps.err) {
			t.Errorf("told of %s: %v", id, err)
		}
		told++
	}})
	longTalk(t, w, 40)
	if events := len(w.lines(t)); told < 2 || told > 1+events/256 {
		t.Errorf("told %d times in %d events", told, events)
	}
}

// TestACallerWhoGoesAwayIsNoFailureOfTheStore: nobody is told of one.
func TestACallerWhoGoesAwayIsNoFailureOfTheStore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := mustEngine(t, engine.Config{
		Log: &eventstest.Memory{}, Snapshots: &snapshots{err: context.Canceled},
		SnapshotFailed: func(_ events.SessionID, err error) { t.Errorf("told of %v", err) },
	})
	if err := e.View(ctx, "work", func(*projections.Session) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it cancelled", err)
	}
}
