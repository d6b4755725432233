package jetstream

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
)

// inbox is where the answers to a request arrive that has many of them. It is not
// under the connection's own inbox, whose wildcard would get each of them too.
type inbox struct {
	nc      *nats.Conn
	sub     *nats.Subscription
	arrived chan *nats.Msg
	timer   *time.Timer
}

// openInbox makes one, under a subject, for at most size messages that nobody has
// received.
func openInbox(nc *nats.Conn, subject string, size int) (*inbox, error) {
	in := &inbox{nc: nc, arrived: make(chan *nats.Msg, size), timer: time.NewTimer(answerWait)}
	var err error
	in.sub, err = nc.ChanSubscribe(subject, in.arrived)
	return in, err
}

func (in *inbox) close() {
	in.timer.Stop()
	_ = in.sub.Unsubscribe() // a closed connection has none
}

// ask sends a request whose answers come here.
func (in *inbox) ask(subject string, body []byte) error {
	return in.nc.PublishRequest(subject, in.sub.Subject, body)
}

// receive waits for the next answer.
func (in *inbox) receive(ctx context.Context) (*nats.Msg, error) {
	select {
	case m := <-in.arrived:
		return m, nil
	default:
	}
	in.timer.Reset(answerWait)
	select {
	case m := <-in.arrived:
		return m, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-in.timer.C:
		return nil, errNoAnswer
	}
}
