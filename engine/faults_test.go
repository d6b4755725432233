package engine_test

import (
	"context"
	"iter"
	"maps"
	"sync"
	"testing"

	"github.com/docket-engine/docket/events"
)

// snapshots keeps snapshots in memory.
type snapshots struct {
	mu    sync.Mutex // guards what follows
	saved map[events.SessionID]events.Snapshot
	saves int
	err   error // of loads and saves, nil for none
}

func (s *snapshots) Save(_ context.Context, snap events.Snapshot) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if s.saved == nil {
		s.saved = map[events.SessionID]events.Snapshot{}
	}
	s.saved[snap.Session] = snap
	s.saves++
	return nil
}

func (s *snapshots) Load(_ context.Context, id events.SessionID, version string) (events.Snapshot, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	snap, ok := s.saved[id]
	if s.err != nil || !ok || snap.Version != version {
		return events.Snapshot{}, false, s.err
	}
	return snap, true, nil
}

// change replaces a session's snapshot.
func (s *snapshots) change(t *testing.T, id events.SessionID, how func(*events.Snapshot)) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	snap, ok := s.saved[id]
	if !ok {
		t.Fatalf("no snapshot of session %s", id)
	}
	how(&snap)
	s.saved[id] = snap
}

// counting is a log that counts what is read from it.
type counting struct {
	events.Log
	mu      sync.Mutex // guards what follows
	records map[events.SessionID]int
	opens   int
	appends int
}

func (l *counting) Open(ctx context.Context, id events.SessionID) (events.Opened, error) {
	l.mu.Lock()
	l.opens++
	l.mu.Unlock()
	return l.Log.Open(ctx, id)
}

func (l *counting) Append(ctx context.Context, id events.SessionID, a events.Append) (events.Seq, error) {
	l.mu.Lock()
	l.appends++
	l.mu.Unlock()
	return l.Log.Append(ctx, id, a)
}

func (l *counting) Read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for r, err := range l.Log.Read(ctx, id, from) {
			l.mu.Lock()
			if l.records == nil {
				l.records = map[events.SessionID]int{}
			}
			l.records[id]++
			l.mu.Unlock()
			if !yield(r, err) {
				return
			}
		}
	}
}

// read gives how many records were read so far, by session, and forgets it.
func (l *counting) read() map[events.SessionID]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := maps.Clone(l.records)
	l.records = nil
	return n
}

// fault is what happens to one append.
type fault int

const (
	none     fault = iota
	lostSent       // stored, and the answer is lost
	lostAway       // not stored, and the answer is lost
	lostLate       // not stored yet, and the answer is lost
	conflict       // refused as if another one had been first
)

// flaky is a log whose appends go wrong as plan says. It is as safe for concurrent
// use as plan is.
type flaky struct {
	events.Log
	plan func() fault

	mu   sync.Mutex // guards late
	late []lateAppend
}

type lateAppend struct {
	id events.SessionID
	a  events.Append
}

func (l *flaky) Append(ctx context.Context, id events.SessionID, a events.Append) (events.Seq, error) {
	switch l.plan() {
	case lostSent:
		if _, err := l.Log.Append(ctx, id, a); err != nil {
			return 0, err
		}
		return 0, events.ErrOutcomeUnknown
	case lostAway:
		return 0, events.ErrOutcomeUnknown
	case lostLate:
		l.mu.Lock()
		l.late = append(l.late, lateAppend{id, a})
		l.mu.Unlock()
		return 0, events.ErrOutcomeUnknown
	case conflict:
		return 0, &events.ConflictError{Session: id, Expected: a.Next, Actual: a.Next}
	default:
		return l.Log.Append(ctx, id, a)
	}
}

// arrive lets what was under way come to the store, or be too late.
func (l *flaky) arrive(ctx context.Context) {
	l.mu.Lock()
	late := l.late
	l.late = nil
	l.mu.Unlock()
	for _, p := range late {
		// Too late is a conflict: others were first, or the command was done again.
		_, _ = l.Log.Append(ctx, p.id, p.a)
	}
}
