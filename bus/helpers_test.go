package bus_test

import (
	"testing"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// streams is the JetStream client of a connection.
func streams(tb testing.TB, nc *nats.Conn) natsjs.JetStream {
	tb.Helper()
	js, err := natsjs.New(nc)
	if err != nil {
		tb.Fatal(err)
	}
	return js
}
