package jetstream_test

import (
	"context"
	"crypto/ed25519"
	"testing"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// testKeys sign with a fixed key, so that stores outlive a restart in a test.
func testKeys(tb testing.TB) jetstream.Keys {
	tb.Helper()
	keys, err := jetstream.NewKeys(ed25519.NewKeyFromSeed([]byte("a key for tests, 32 bytes long..")))
	if err != nil {
		tb.Fatal(err)
	}
	return keys
}

// provision makes the streams with the given number of replicas.
func provision(tb testing.TB, nc *nats.Conn, replicas int) {
	tb.Helper()
	js, err := natsjs.New(nc)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := jetstream.Provision(tb.Context(), js, jetstream.Layout{Replicas: replicas}); err != nil {
		tb.Fatal(err)
	}
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

func TestLogOnOneServer(t *testing.T) {
	nc := jetstreamtest.Server(t).Connect()
	provision(t, nc, 1)
	eventstest.TestLog(t, func(tb testing.TB) events.Log { return logOn(tb, nc) })
}

func TestLogOnACluster(t *testing.T) {
	nc := jetstreamtest.Cluster(t, 3).Connect()
	provision(t, nc, 3)
	eventstest.TestLog(t, func(tb testing.TB) events.Log { return logOn(tb, nc) })
}
