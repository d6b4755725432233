package jetstream

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
)

// tailInterval is how often a tail looks by itself: a wake-up may be lost.
const tailInterval = 5 * time.Second

// Tail yields a session's records as they come. It is woken up by what the
// stream republishes, and reads from the stream.
func (l *Log) Tail(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		a, err := l.address(id)
		if err != nil {
			yield(events.Record{}, err)
			return
		}
		wake := make(chan *nats.Msg, 1) // full is enough: one wake-up reads all
		sub, err := l.nc.Subscribe(LiveSubject(a.subject), func(m *nats.Msg) {
			select {
			case wake <- m:
			default:
			}
		})
		if err != nil {
			yield(events.Record{}, fmt.Errorf("jetstream: follow session %s: %w", id, err))
			return
		}
		defer func() { _ = sub.Unsubscribe() }() // a closed connection has none
		l.follow(ctx, a, from, wake, yield)
	}
}

func (l *Log) follow(ctx context.Context, a address, from events.Seq, wake <-chan *nats.Msg, yield func(events.Record, error) bool) {
	look := time.NewTicker(tailInterval)
	defer look.Stop()
	for {
		for r, err := range l.Read(ctx, a.id, from) {
			if err != nil && ctx.Err() != nil {
				return
			}
			if !yield(r, err) || err != nil {
				return
			}
			from = r.End()
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-look.C:
		}
	}
}
