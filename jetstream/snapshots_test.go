package jetstream_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// snapshot is one of a session as it is now.
func snapshot(tb testing.TB, log events.Log, id events.SessionID, state string) events.Snapshot {
	tb.Helper()
	opened, err := log.Open(tb.Context(), id)
	if err != nil {
		tb.Fatal(err)
	}
	return events.Snapshot{Session: id, Head: opened.Head, Version: "fold 1", State: []byte(state)}
}

func save(tb testing.TB, log *jetstream.Log, s events.Snapshot) events.Snapshot {
	tb.Helper()
	if err := log.Save(tb.Context(), s); err != nil {
		tb.Fatal(err)
	}
	return s
}

// wantNoSnapshot wants none, and no error: losing one costs time only.
func wantNoSnapshot(tb testing.TB, log *jetstream.Log, id events.SessionID, version string) {
	tb.Helper()
	if got, ok, err := log.Load(tb.Context(), id, version); ok || err != nil {
		tb.Errorf("got %v, %v, want no snapshot", got, err)
	}
}

func wantSnapshot(tb testing.TB, log *jetstream.Log, want events.Snapshot) {
	tb.Helper()
	got, ok, err := log.Load(tb.Context(), want.Session, want.Version)
	if string(got.State) != string(want.State) { // a difference of large states takes seconds
		tb.Errorf("got a state of %d bytes, want another one of %d", len(got.State), len(want.State))
	}
	got.State, want.State = nil, nil
	if diff := cmp.Diff(want, got); !ok || err != nil || diff != "" {
		tb.Errorf("snapshot (-want +got), there: %t, %v:\n%s", ok, err, diff)
	}
}

func TestASnapshotIsLoadedAsItWasSaved(t *testing.T) {
	s := newStore(t)
	log := logOn(t, s.nc)
	create(t, log, "s1")
	wantNoSnapshot(t, log, "s1", "fold 1")
	fill(t, log, "s1", 0, 3)
	save(t, log, snapshot(t, log, "s1", "state one"))
	fill(t, log, "s1", 3, 2)
	for _, state := range []string{"", "state two", strings.Repeat("x", 900<<10)} {
		want := save(t, log, snapshot(t, log, "s1", state))
		for _, l := range []*jetstream.Log{log, logOn(t, s.nc)} {
			wantSnapshot(t, l, want)
		}
	}
	if got := countOf(t, s.nc, jetstream.SnapshotsStream, jetstream.SnapshotSubject("s1")); got != 1 {
		t.Errorf("got %d snapshots, want the last one", got)
	}
	wantNoSnapshot(t, log, "s2", "fold 1")
}

func TestASnapshotOfAnotherVersionIsNone(t *testing.T) {
	s := newStore(t)
	log := logOn(t, s.nc)
	create(t, log, "s1")
	for _, version := range []string{"fold 1", "", " 2 ", "a\r\nDocket-Sig: b", "é%41/"} {
		made := snapshot(t, log, "s1", "state")
		made.Version = version
		save(t, log, made)
		wantSnapshot(t, log, made)
		wantNoSnapshot(t, log, "s1", "fold 2")
	}
}

func TestASnapshotThatIsTooLargeIsRefusedAndTheOldOneStays(t *testing.T) {
	log := logOn(t, newStore(t).nc)
	create(t, log, "s1")
	old := save(t, log, snapshot(t, log, "s1", "state"))
	if err := log.Save(t.Context(), snapshot(t, log, "s1", strings.Repeat("x", 1<<20))); !errors.Is(err, events.ErrTooLarge) {
		t.Errorf("got %v, want that it is too large", err)
	}
	wantSnapshot(t, log, old)
}

// What the engine did not sign is dropped: a snapshot is never an error.
func TestAChangedSnapshotIsNone(t *testing.T) {
	s := newStore(t)
	log := logOn(t, s.nc)
	create(t, log, "s1")
	create(t, log, "s2")
	fill(t, log, "s1", 0, 3)
	good := save(t, log, snapshot(t, log, "s1", "state"))
	save(t, log, snapshot(t, log, "s2", "state"))
	js := streams(t, s.nc)
	message := func(id events.SessionID) *nats.Msg {
		m := messagesOf(t, js, jetstream.SnapshotsStream, jetstream.SnapshotSubject(string(id)))[0]
		maps.DeleteFunc(m.Header, func(name string, _ []string) bool { return strings.HasPrefix(name, "Nats-") })
		return &nats.Msg{Subject: jetstream.SnapshotSubject("s1"), Header: m.Header, Data: m.Data}
	}
	one, two := message("s1"), message("s2")
	put := func(m *nats.Msg) {
		if _, err := js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	put(one)
	wantSnapshot(t, logOn(t, s.nc), good)
	changes := map[string]*nats.Msg{
		"another state":                   {Subject: one.Subject, Header: one.Header, Data: []byte("STATE")},
		"no state":                        {Subject: one.Subject, Header: one.Header},
		"no headers":                      {Subject: one.Subject, Data: one.Data},
		"another session's":               two,
		"another session's under its own": {Subject: one.Subject, Header: two.Header, Data: one.Data},
	}
	for _, name := range slices.Sorted(maps.Keys(one.Header)) {
		changes[name+" changed"] = frames{one}.with(0, func(m *nats.Msg) { m.Header[name] = []string{changed(m.Header.Get(name))} })[0]
		changes[name+" removed"] = frames{one}.with(0, func(m *nats.Msg) { m.Header.Del(name) })[0]
		changes[name+" doubled"] = frames{one}.with(0, func(m *nats.Msg) { m.Header.Add(name, m.Header.Get(name)) })[0]
	}
	for name, m := range changes {
		put(m)
		t.Run(name, func(t *testing.T) { wantNoSnapshot(t, logOn(t, s.nc), "s1", "fold 1") })
	}
	put(one)
	wantSnapshot(t, logOn(t, s.nc), good)
}

// framesRead counts the frames that a read gets from the store.
func framesRead(t *testing.T, w *jetstreamtest.Wire, read func()) int {
	t.Helper()
	n := 0
	w.Received(func(p *jetstreamtest.Passing) bool {
		if isRead(p) {
			n++
		}
		return true
	})
	read()
	w.Received(nil)
	return n
}

func TestAReadBehindASnapshotBeginsThere(t *testing.T) {
	lengths(t, func(t *testing.T, frames int) {
		s := newStore(t)
		writing := logOn(t, s.nc)
		create(t, writing, "s1")
		fill(t, writing, "s1", 0, frames)
		want := save(t, writing, snapshot(t, writing, "s1", "state"))
		fill(t, writing, "s1", events.Seq(frames), 20) // more than what a log remembers
		log, wire := s.behindWire(t)
		wantSnapshot(t, log, want)
		for _, from := range []int{frames, frames + 5} {
			n := framesRead(t, wire, func() {
				got, err := texts(t.Context(), log, "s1", events.Seq(from))
				if err != nil || len(got) != frames+20-from || got[0] != fmt.Sprint(from) {
					t.Errorf("from %d: got %v, %v, want what is behind it", from, got, err)
				}
			})
			if n != 20 {
				t.Errorf("from %d: read %d frames, want the 20 behind the snapshot", from, n)
			}
		}
		if n := framesRead(t, wire, func() { wantNumbers(t, log, "s1", frames+20) }); n < frames+20 {
			t.Errorf("from 0: read %d frames, want all", n)
		}
	})
}

// Whoever reads on from a snapshot finds that the log is another one.
func TestAReadBehindASnapshotOfAnotherLogIsRefused(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		f := genuine(t, s, "s1")
		log := logOn(t, s.nc)
		texts := func(log *jetstream.Log) error {
			if _, ok, err := log.Load(t.Context(), "s1", "fold 1"); !ok {
				t.Fatalf("got no snapshot, %v", err)
			}
			for _, err := range log.Read(t.Context(), "s1", 3) {
				return err
			}
			return nil
		}
		// The snapshot is of a log that had other events before.
		other := rebuilt(t, f[:at0])
		mustAppend(t, logOn(t, other.nc), "s1", unit(t, "x", 0, "1", "2"))
		mustAppend(t, logOn(t, other.nc), "s1", unit(t, "y", 2, "3"))
		made := snapshot(t, logOn(t, other.nc), "s1", "state")
		reader := logOn(t, other.nc)
		if _, err := reader.Open(t.Context(), "s1"); err != nil { // so that the place is known
			t.Fatal(err)
		}
		save(t, reader, made)
		m := messagesOf(t, streams(t, other.nc), jetstream.SnapshotsStream, jetstream.SnapshotSubject("s1"))[0]
		maps.DeleteFunc(m.Header, func(name string, _ []string) bool { return strings.HasPrefix(name, "Nats-") })
		s.add(t, frames{{Subject: m.Subject, Header: m.Header, Data: m.Data}})
		if err := texts(log); !errors.Is(err, events.ErrCorrupt) {
			t.Errorf("got %v, want a corrupt log", err)
		}
	})
}
