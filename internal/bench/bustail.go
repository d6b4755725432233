package main

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// busTail measures how long after the store's acknowledgement, as the engine has it, a
// record is with a person who follows the session over TCP. Raw is how long a message
// takes from its publish to a subscriber over TCP.
func (s *suite) busTail(ctx context.Context, b *busRig) error {
	n := s.size(500, 50)
	return s.compare(ctx, comparison{
		name: rowBusTail, unit: micros, target: atMost(2), note: "p50; raw is one publish to one subscriber over TCP",
		ours: func(ctx context.Context) (float64, error) { return b.tailed(ctx, n) },
		raw:  func(context.Context) (float64, error) { return b.subscribed(n) },
	})
}

// tailed appends one event after the other, each when the one before has come.
func (b *busRig) tailed(ctx context.Context, n int) (float64, error) {
	made, err := b.person.Create(ctx, api.SessionCreate{CWD: "/srv/demo"})
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	arrived, failed := make(chan arrival, 1), make(chan error, 1)
	go func() {
		for r, err := range b.person.Tail(ctx, made.Session, 0) {
			if err != nil {
				failed <- err
				return
			}
			arrived <- arrival{r.End(), time.Now()}
		}
	}()
	await := func(next events.Seq) (time.Time, error) {
		for {
			select {
			case a := <-arrived:
				if a.next >= next {
					return a.at, nil
				}
			case err := <-failed:
				return time.Time{}, err
			case <-ctx.Done():
				return time.Time{}, context.Cause(ctx)
			}
		}
	}
	state, err := b.person.Show(ctx, made.Session)
	if err == nil {
		_, err = await(state.Next)
	}
	if err != nil {
		return 0, err
	}
	c := &caller{desk: b.desk, id: made.Session}
	var late []time.Duration
	for i := range n {
		var command engine.Command = engine.StartTurn{}
		if i%2 == 1 {
			command = engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}}
		}
		done, err := b.desk.engine.Do(ctx, c.id, command, c.meta())
		acknowledged := time.Now()
		if err != nil {
			return 0, err
		}
		at, err := await(done.Next)
		if err != nil {
			return 0, err
		}
		late = append(late, max(at.Sub(acknowledged), 0))
	}
	return medianMicros(late), nil
}

// arrival is a record that has come.
type arrival struct {
	next events.Seq
	at   time.Time
}

// subscribed publishes one message after the other, each when the one before has come.
func (b *busRig) subscribed(n int) (float64, error) {
	publisher, err := b.rig.connect(context.Background())
	if err != nil {
		return 0, err
	}
	subscriber, err := nats.Connect(b.rig.server.ClientURL(), nats.UserCredentialBytes([]byte(b.engine)))
	if err != nil {
		return 0, err
	}
	defer subscriber.Close()
	arrived := make(chan time.Time, 1)
	_, err = subscriber.Subscribe("docket.engine.subscribed", func(*nats.Msg) { arrived <- time.Now() })
	if err = errors.Join(err, subscriber.Flush()); err != nil {
		return 0, err
	}
	var took []time.Duration
	for range n {
		begin := time.Now()
		if err := publisher.Publish("docket.engine.subscribed", make([]byte, eventSize)); err != nil {
			return 0, err
		}
		took = append(took, (<-arrived).Sub(begin))
	}
	return medianMicros(took), nil
}
