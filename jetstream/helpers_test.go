package jetstream_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// testKey is fixed, so that stores outlive a restart in a test.
func testKey() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed([]byte("a key for tests, 32 bytes long.."))
}

func testKeys(tb testing.TB) jetstream.Keys { return keysOf(tb, testKey()) }

func keysOf(tb testing.TB, private ed25519.PrivateKey) jetstream.Keys {
	tb.Helper()
	keys, err := jetstream.NewKeys(private)
	if err != nil {
		tb.Fatal(err)
	}
	return keys
}

// provision makes the streams with the given number of replicas.
func provision(tb testing.TB, nc *nats.Conn, replicas int) {
	tb.Helper()
	if _, err := jetstream.Provision(tb.Context(), streams(tb, nc), jetstream.Layout{Replicas: replicas}); err != nil {
		tb.Fatal(err)
	}
}

func streams(tb testing.TB, nc *nats.Conn) natsjs.JetStream {
	tb.Helper()
	js, err := natsjs.New(nc)
	if err != nil {
		tb.Fatal(err)
	}
	return js
}

// newLog is a log on a connection, closed when the test ends.
func newLog(tb testing.TB, cfg jetstream.LogConfig) *jetstream.Log {
	tb.Helper()
	l, err := jetstream.NewLog(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := l.Close(context.Background()); err != nil {
			tb.Errorf("close the log: %v", err)
		}
	})
	return l
}

func logOn(tb testing.TB, nc *nats.Conn) *jetstream.Log {
	tb.Helper()
	return newLog(tb, jetstream.LogConfig{Conn: nc, Keys: testKeys(tb)})
}

// store is one embedded server with the streams, and a connection to it.
type store struct {
	node *jetstreamtest.Node
	nc   *nats.Conn
}

func newStore(tb testing.TB) store {
	tb.Helper()
	n := jetstreamtest.Server(tb)
	s := store{node: n, nc: n.Connect()}
	provision(tb, s.nc, 1)
	return s
}

// behindWire is a log whose connection goes through a wire.
func (s store) behindWire(tb testing.TB) (*jetstream.Log, *jetstreamtest.Wire) {
	tb.Helper()
	w := jetstreamtest.NewWire(tb)
	return logOn(tb, s.node.Connect(w.Option())), w
}

var writer = events.Actor{Class: "engine", Name: "test"}

func creation(tb testing.TB, id events.SessionID) events.Creation {
	tb.Helper()
	return events.Creation{ID: "create", Actor: writer, Header: eventstest.Header(tb, id, nil)}
}

func headerAt(tb testing.TB, id events.SessionID, dir string) events.Header {
	tb.Helper()
	return eventstest.Header(tb, id, func(h *events.Header) { h.CWD = dir })
}

// create makes a session that begins empty.
func create(tb testing.TB, log events.Log, id events.SessionID) events.SessionID {
	tb.Helper()
	if err := log.Create(tb.Context(), creation(tb, id)); err != nil {
		tb.Fatalf("create session %s: %v", id, err)
	}
	return id
}

// unit is an append of one event for each text.
func unit(tb testing.TB, id events.AppendID, next events.Seq, texts ...string) events.Append {
	tb.Helper()
	a := events.Append{ID: id, Next: next, Actor: writer}
	for i, text := range texts {
		a.Records = append(a.Records, eventstest.Record(tb, next+events.Seq(i), events.PermissionPreset{Preset: text}))
	}
	return a
}

func mustAppend(tb testing.TB, log events.Log, id events.SessionID, a events.Append) {
	tb.Helper()
	if next, err := log.Append(tb.Context(), id, a); err != nil || next != a.End() {
		tb.Fatalf("append %s at %d: got %d, %v, want %d", a.ID, a.Next, next, err, a.End())
	}
}

// fill appends frames of one event each, which say their seq, behind next.
func fill(tb testing.TB, log events.Log, id events.SessionID, next events.Seq, frames int) {
	tb.Helper()
	for range frames {
		mustAppend(tb, log, id, unit(tb, events.AppendID(fmt.Sprint("fill-", next)), next, fmt.Sprint(next)))
		next++
	}
}

// texts reads what unit wrote, from a seq on.
func texts(ctx context.Context, log events.Log, id events.SessionID, from events.Seq) ([]string, error) {
	var out []string
	for r, err := range log.Read(ctx, id, from) {
		if err != nil {
			return out, err
		}
		decoded, err := r.Decode()
		if err != nil {
			return out, err
		}
		for _, e := range decoded {
			preset, _ := e.Event.(events.PermissionPreset)
			out = append(out, preset.Preset)
		}
	}
	return out, nil
}

// wantTexts wants exactly those events in the log, and the log in order.
func wantTexts(tb testing.TB, log events.Log, id events.SessionID, want ...string) {
	tb.Helper()
	eventstest.Check(tb, log, id)
	got, err := texts(tb.Context(), log, id, 0)
	if err != nil {
		tb.Fatalf("read session %s: %v", id, err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		tb.Errorf("session %s (-want +got):\n%s", id, diff)
	}
}

// wantNumbers wants the events that fill wrote, from 0 on.
func wantNumbers(tb testing.TB, log events.Log, id events.SessionID, n int) {
	tb.Helper()
	want := make([]string, n)
	for i := range want {
		want[i] = fmt.Sprint(i)
	}
	wantTexts(tb, log, id, want...)
}

func wantConflict(tb testing.TB, got error, want events.ConflictError) {
	tb.Helper()
	conflict, ok := errors.AsType[*events.ConflictError](got)
	if !ok {
		tb.Fatalf("got error %v, want a conflict", got)
	}
	if diff := cmp.Diff(want, *conflict); diff != "" {
		tb.Errorf("conflict (-want +got):\n%s", diff)
	}
}

// wantUnknown wants an unknown outcome that nobody can take for a conflict.
func wantUnknown(tb testing.TB, got error) {
	tb.Helper()
	if !errors.Is(got, events.ErrOutcomeUnknown) || errors.Is(got, events.ErrConflict) || errors.Is(got, events.ErrCorrupt) {
		tb.Fatalf("got error %v, want an unknown outcome", got)
	}
}

// wantCorrupt wants an error that names where the log is corrupt.
func wantCorrupt(tb testing.TB, got error, id events.SessionID, seq events.Seq) *events.CorruptError {
	tb.Helper()
	c, ok := errors.AsType[*events.CorruptError](got)
	if !ok || !errors.Is(got, events.ErrCorrupt) {
		tb.Fatalf("got error %v, want a corrupt log", got)
	}
	if c.Session != id || c.Seq != seq {
		tb.Errorf("got %q, want session %s at seq %d", c, id, seq)
	}
	return c
}

// stored counts the messages on a session's subject.
func stored(tb testing.TB, nc *nats.Conn, id events.SessionID) uint64 {
	tb.Helper()
	return countOf(tb, nc, sessions, subjectOf(id))
}

func countOf(tb testing.TB, nc *nats.Conn, stream, subject string) uint64 {
	tb.Helper()
	s, err := streams(tb, nc).Stream(tb.Context(), stream)
	if err != nil {
		tb.Fatal(err)
	}
	info, err := s.Info(tb.Context(), natsjs.WithSubjectFilter(subject))
	if err != nil {
		tb.Fatal(err)
	}
	return info.State.Subjects[subject]
}

func subjectOf(id events.SessionID) string {
	return jetstream.DefaultEpoch().Place(string(id)).Subject(string(id))
}

// kinds lists findings by kind and seq, in order.
func kinds(findings []events.Finding) []string {
	out := make([]string, 0, len(findings))
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s %d", f.Kind, f.Seq))
	}
	slices.Sort(out)
	return out
}
