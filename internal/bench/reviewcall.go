package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

const (
	rowReviewed       = "reviewed call, in process"
	rowReviewedSigned = "reviewed call, its signatures alone"
	rowReviewedAlways = "reviewed call, in process, fsync always"

	// callFrames are the frames of a reviewed call: the call with review/requested,
	// the verdict with the dispatch, and the result.
	callFrames = 3
	// callsOfSession is how many calls a measured session makes, each in a step of its
	// own: what a review shows of the session stays of a usual length.
	callsOfSession = 25
)

// reviewGroup measures a call from the agent's wish to its result on the log, with
// a reviewer who answers at once: the request is made and the answer is read, and
// the permit is sealed and burnt. The raw baseline publishes three messages of the
// same bodies, guarded, one after the other.
func reviewGroup() group {
	return group{[]string{rowReviewed, rowReviewedSigned, rowReviewedAlways}, func(ctx context.Context, s *suite) error {
		if s.wants(rowReviewed) || s.wants(rowReviewedSigned) {
			if err := with(ctx, defaultFsync, func(r *rig) error {
				return s.reviewed(ctx, r, rowReviewed, s.size(1000, 100), atMost(3))
			}); err != nil {
				return err
			}
		}
		if !s.wants(rowReviewedAlways) {
			return nil
		}
		return with(ctx, jetstream.FsyncAlways, func(r *rig) error {
			return s.reviewed(ctx, r, rowReviewedAlways, s.size(200, 50), target{})
		})
	}}
}

func (s *suite) reviewed(ctx context.Context, r *rig, name string, calls int, t target) (err error) {
	b := reviewBench{rig: r, calls: calls}
	if b.desk, err = r.desk(r.nc, judgement{}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.desk.close(ctx)) }()
	if b.bodies, err = b.desk.bodies(ctx, r); err != nil {
		return err
	}
	err = s.compare(ctx, comparison{
		name: name, unit: micros, target: t, ours: b.ours, raw: b.raw,
		note: "p50; raw is three publishes of the same bodies with message ids and guards",
	})
	if err != nil || name != rowReviewed {
		return err
	}
	return s.compare(ctx, comparison{
		name: rowReviewedSigned, unit: micros, ours: b.signed, raw: b.raw,
		note: "p50; the three frames are signed: what the publishes come on top of",
	})
}

// signed gives how long the signatures take that a call needs before its result is
// stored.
func (b *reviewBench) signed(context.Context) (float64, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return 0, err
	}
	text := b.bodies[0] // a frame's headers are about as long
	return medianTime(b.calls, func(int) error {
		for range callFrames {
			if signature := ed25519.Sign(private, text); len(signature) != ed25519.SignatureSize {
				return errors.New("a signature is not whole")
			}
		}
		return nil
	})
}

// bodies are those of a call's frames.
func (d *desk) bodies(ctx context.Context, r *rig) ([][]byte, error) {
	c, err := d.open(ctx, "recorded")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(c.wants(ctx, 1), c.call(ctx)); err != nil {
		return nil, err
	}
	messages, err := r.messages(ctx, c.id)
	if err != nil {
		return nil, err
	}
	var bodies [][]byte
	for _, m := range messages[len(messages)-callFrames:] {
		bodies = append(bodies, m.Data)
	}
	return bodies, nil
}

type reviewBench struct {
	rig    *rig
	desk   *desk
	bodies [][]byte
	calls  int
	made   int // sessions
}

func (b *reviewBench) session() events.SessionID {
	b.made++
	return events.SessionID(fmt.Sprint("reviewed-", b.made))
}

// ours gives the median of calls, in µs.
func (b *reviewBench) ours(ctx context.Context) (float64, error) {
	times := make([]time.Duration, 0, b.calls)
	for len(times) < b.calls {
		c, err := b.desk.open(ctx, b.session())
		if err != nil {
			return 0, err
		}
		for i := range callsOfSession {
			if i > 0 {
				err = c.next(ctx)
			}
			if err = errors.Join(err, c.wants(ctx, 1)); err != nil {
				return 0, err
			}
			begin := time.Now()
			if err := c.call(ctx); err != nil {
				return 0, err
			}
			times = append(times, time.Since(begin))
		}
	}
	return medianMicros(times), nil
}

func (b *reviewBench) raw(ctx context.Context) (float64, error) {
	js, err := natsjs.New(b.rig.nc)
	if err != nil {
		return 0, err
	}
	_, subject := place(b.session())
	p := publisher{js: js, subject: subject}
	return medianTime(b.calls, func(int) error { return p.all(ctx, b.bodies) })
}

// all publishes one after the other.
func (p *publisher) all(ctx context.Context, bodies [][]byte) error {
	for _, body := range bodies {
		if err := p.publish(ctx, body); err != nil {
			return err
		}
	}
	return nil
}
