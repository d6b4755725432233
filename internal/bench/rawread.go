package main

import (
	"context"
	"fmt"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"github.com/docket-engine/docket/events"
)

// wanted is a session that a raw reader reads. It is told how many messages there
// are, which our Log has to find out.
type wanted struct {
	id       events.SessionID
	messages int
}

// reader is a raw way to read a session.
type reader struct {
	name string
	read func(context.Context, *rig, wanted) error
}

func readers() []reader {
	return []reader{
		{"ordered consumer", readOrdered},
		{"pull consumer", readPulled},
		{"direct gets of 64", batches(64)},
		{"direct gets of 256", batches(256)},
		{"direct gets of 1000", batches(1000)},
	}
}

// readOrdered reads with the client's ordered consumer.
func readOrdered(ctx context.Context, r *rig, w wanted) error {
	stream, subject := place(w.id)
	cons, err := r.js.OrderedConsumer(ctx, stream, natsjs.OrderedConsumerConfig{FilterSubjects: []string{subject}})
	if err != nil {
		return err
	}
	return receive(cons, w.messages)
}

// readPulled reads with an ephemeral pull consumer, without acknowledgements.
func readPulled(ctx context.Context, r *rig, w wanted) error {
	stream, subject := place(w.id)
	cons, err := r.js.CreateConsumer(ctx, stream, natsjs.ConsumerConfig{
		FilterSubject: subject, AckPolicy: natsjs.AckNonePolicy, MemoryStorage: true,
	})
	if err != nil {
		return err
	}
	return receive(cons, w.messages)
}

func receive(cons natsjs.Consumer, messages int) error {
	it, err := cons.Messages()
	if err != nil {
		return err
	}
	defer it.Stop()
	for range messages {
		if _, err := it.Next(natsjs.NextMaxWait(30 * time.Second)); err != nil {
			return err
		}
	}
	return nil
}

// batches reads by batched direct gets of at most so many, and never asks for
// more than there are: that searches to the stream's end.
func batches(page int) func(context.Context, *rig, wanted) error {
	return func(ctx context.Context, r *rig, w wanted) error {
		stream, subject := place(w.id)
		next := uint64(1)
		for left := w.messages; left > 0; {
			got, err := jetstreamext.GetBatch(ctx, r.js, stream, min(page, left), jetstreamext.GetBatchSeq(next), jetstreamext.GetBatchSubject(subject))
			if err != nil {
				return err
			}
			before := left
			for m, err := range got {
				if err != nil {
					return err
				}
				next = m.Sequence + 1
				left--
			}
			if left == before {
				return fmt.Errorf("a batch ended with %d messages left", left)
			}
		}
		return nil
	}
}

// removeConsumers deletes what raw readers leave behind: they are measured
// without it.
func (r *rig) removeConsumers(ctx context.Context) error {
	name, _ := place("any")
	stream, err := r.js.Stream(ctx, name)
	if err != nil {
		return err
	}
	names := stream.ConsumerNames(ctx)
	var found []string
	for n := range names.Name() {
		found = append(found, n)
	}
	if err := names.Err(); err != nil {
		return err
	}
	for _, n := range found {
		if err := stream.DeleteConsumer(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// consumers counts those of the sessions' stream.
func (r *rig) consumers(ctx context.Context) (int, error) {
	name, _ := place("any")
	stream, err := r.js.Stream(ctx, name)
	if err != nil {
		return 0, err
	}
	return stream.CachedInfo().State.Consumers, nil
}
