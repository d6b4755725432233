package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"
)

// stallLimit is how long a reader may keep a writer waiting.
const stallLimit = 50 * time.Millisecond

// stall runs something while a publisher on a connection of its own publishes to
// the same stream, one message after the other, and gives the longest time that
// one of them took.
func (r *rig) stall(ctx context.Context, do func() error) (time.Duration, error) {
	nc, err := r.server.Connect(ctx)
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	js, err := natsjs.New(nc)
	if err != nil {
		return 0, err
	}
	r.stalls++
	_, subject := place(filler(layoutSessions + r.stalls))
	p := publisher{js: js, subject: subject}
	if err := p.publish(ctx, nil); err != nil {
		return 0, fmt.Errorf("warm the publisher up: %w", err)
	}
	stop := make(chan struct{})
	result := make(chan error, 1)
	var longest time.Duration // owned by the publisher until it has ended
	go func() {
		var err error
		longest, err = p.until(ctx, stop)
		result <- err
	}()
	doErr := do()
	close(stop)
	err = errors.Join(<-result, doErr)
	return longest, err
}

// until publishes until it is told to stop, and gives the longest time that it
// took.
func (p *publisher) until(ctx context.Context, stop <-chan struct{}) (longest time.Duration, err error) {
	body := make([]byte, eventSize)
	for {
		begin := time.Now()
		if err := p.publish(ctx, body); err != nil {
			return longest, err
		}
		longest = max(longest, time.Since(begin))
		select {
		case <-stop:
			return longest, nil
		default:
		}
	}
}
