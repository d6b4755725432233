package jetstream_test

import (
	"context"
	"iter"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// holdsContracts runs the suites of the log and of the tail on a store.
func holdsContracts(t *testing.T, nc *nats.Conn) {
	t.Helper()
	eventstest.TestLog(t, func(tb testing.TB) events.Log { return logOn(tb, nc) })
	t.Run("tail", func(t *testing.T) {
		eventstest.TestTail(t, func(tb testing.TB) (events.Log, events.Tail) {
			l := logOn(tb, nc)
			return l, l
		})
	})
}

func TestLogOnOneServer(t *testing.T) {
	t.Parallel()
	holdsContracts(t, newStore(t).nc)
}

func TestLogOverTCP(t *testing.T) {
	t.Parallel()
	nc := listening(t)
	provision(t, nc, 1)
	holdsContracts(t, nc)
}

// listening connects over TCP to a server of its own.
func listening(tb testing.TB) *nats.Conn {
	tb.Helper()
	s := start(tb, jetstream.ServerConfig{Fsync: jetstream.Fsync(250 * time.Millisecond), Listen: true})
	nc, err := nats.Connect(s.ClientURL(), nats.UserInfo(s.Credentials()))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(nc.Close)
	return nc
}

func TestLogOnACluster(t *testing.T) {
	t.Parallel()
	nc := jetstreamtest.Cluster(t, 3).Connect()
	provision(t, nc, 3)
	holdsContracts(t, nc)
}

// Two processes have a log each, whose remembered heads are stale by turns.
func TestLogsThatShareAStoreAreOneLog(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	eventstest.TestLog(t, func(tb testing.TB) events.Log {
		return &byTurns{logs: [2]events.Log{logOn(tb, s.nc), logOn(tb, s.node.Connect())}}
	})
}

// byTurns does each thing with the other one of two logs.
type byTurns struct {
	logs [2]events.Log
	n    atomic.Int64
}

func (b *byTurns) next() events.Log { return b.logs[b.n.Add(1)%2] }

// Create implements events.Log.
func (b *byTurns) Create(ctx context.Context, c events.Creation) error {
	return b.next().Create(ctx, c)
}

// Open implements events.Log.
func (b *byTurns) Open(ctx context.Context, id events.SessionID) (events.Opened, error) {
	return b.next().Open(ctx, id)
}

// Append implements events.Log.
func (b *byTurns) Append(ctx context.Context, id events.SessionID, a events.Append) (events.Seq, error) {
	return b.next().Append(ctx, id, a)
}

// Read implements events.Log.
func (b *byTurns) Read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return b.next().Read(ctx, id, from)
}

// Sessions implements events.Log.
func (b *byTurns) Sessions(ctx context.Context) iter.Seq2[events.SessionID, error] {
	return b.next().Sessions(ctx)
}

func TestProjectsHaveALogOfTheirOwn(t *testing.T) {
	nc := jetstreamtest.Server(t).Connect()
	provision(t, nc, 1)
	eventstest.TestLog(t, func(tb testing.TB) events.Log {
		return newLog(tb, jetstream.LogConfig{Conn: nc, Keys: testKeys(tb), Projects: true})
	})
	for id, err := range logOn(t, nc).Sessions(t.Context()) {
		t.Errorf("among sessions: got %q, %v", id, err)
	}
}
