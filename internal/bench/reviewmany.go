package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

const (
	rowManySlow = "1000 sessions under review, a model of 2 s"
	rowManyPeak = "1000 sessions under review, an instant model"

	reviewingSessions = 1000
	slowModel         = 2 * time.Second
)

// reviewManyGroup measures how many reviewed calls a second many sessions make at
// once: with a slow model beside what the model allows, and with an instant one
// beside raw publishes, three a call.
func reviewManyGroup() group {
	return group{[]string{rowManySlow, rowManyPeak}, func(ctx context.Context, s *suite) error {
		return with(ctx, defaultFsync, func(r *rig) error { return s.reviewMany(ctx, r) })
	}}
}

func (s *suite) reviewMany(ctx context.Context, r *rig) error {
	b := reviewManyBench{rig: r, sessions: s.size(reviewingSessions, reviewingSessions/10)}
	d, err := r.desk(r.nc, judgement{})
	if err != nil {
		return err
	}
	b.bodies, err = d.bodies(ctx, r)
	if err = errors.Join(err, d.close(ctx)); err != nil {
		return err
	}
	allowed := float64(b.sessions) / slowModel.Seconds()
	rounds := s.size(2, 1)
	err = s.compare(ctx, comparison{
		name: rowManySlow, unit: perSecond, target: atLeast(0.9), note: "calls, once all are at it, begun one after the other; raw is what the model allows",
		ours: func(ctx context.Context) (float64, error) { return b.steady(ctx, rounds) },
		raw:  func(context.Context) (float64, error) { return allowed, nil },
	})
	if err != nil {
		return err
	}
	rounds = s.size(10, 5)
	return s.compare(ctx, comparison{
		name: rowManyPeak, unit: perSecond, target: atLeast(0.4), note: "calls; raw is three guarded publishes each, one after the other",
		ours: func(ctx context.Context) (float64, error) { return b.ours(ctx, rounds) },
		raw:  func(ctx context.Context) (float64, error) { return b.raw(ctx, rounds) },
	})
}

type reviewManyBench struct {
	rig      *rig
	sessions int
	bodies   [][]byte
	made     int // sessions
}

func (b *reviewManyBench) session() events.SessionID {
	b.made++
	return events.SessionID(fmt.Sprint("reviewing-", b.made))
}

// desk opens a desk with new sessions whose models ask for so many calls of a step.
func (b *reviewManyBench) desk(ctx context.Context, model reviewer.Model, each int) (*desk, []*caller, error) {
	d, err := b.rig.desk(b.rig.nc, model)
	if err != nil {
		return nil, nil, err
	}
	callers := make([]*caller, b.sessions)
	for i := range callers {
		if callers[i], err = d.open(ctx, b.session()); err == nil {
			err = callers[i].wants(ctx, each)
		}
		if err != nil {
			return nil, nil, errors.Join(err, d.close(ctx))
		}
	}
	return d, callers, nil
}

// steady gives how many calls a second are made under the slow model, in so many
// times its delay. The sessions begin spread over its delay, as they would by
// themselves; what is counted begins when each of them has made a call.
func (b *reviewManyBench) steady(ctx context.Context, rounds int) (float64, error) {
	warm, counted := 2*slowModel, time.Duration(rounds)*slowModel
	d, callers, err := b.desk(ctx, judgement{delay: slowModel}, 3+rounds)
	if err != nil {
		return 0, err
	}
	errs := make([]error, b.sessions)
	var made atomic.Int64
	var wg sync.WaitGroup
	begin := time.Now()
	for i, c := range callers {
		wg.Go(func() {
			if errs[i] = until(ctx, begin.Add(slowModel*time.Duration(i)/time.Duration(b.sessions))); errs[i] != nil {
				return
			}
			for since := time.Since(begin); since < warm+counted && errs[i] == nil; since = time.Since(begin) {
				errs[i] = c.call(ctx)
				if at := time.Since(begin); at >= warm && at < warm+counted {
					made.Add(1)
				}
			}
		})
	}
	wg.Wait()
	return float64(made.Load()) / counted.Seconds(), errors.Join(append(errs, d.close(ctx))...)
}

func until(ctx context.Context, t time.Time) error {
	select {
	case <-time.After(time.Until(t)):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ours gives how many calls new sessions make in a second, each so many of a step,
// at a desk of their own. What is written behind the replies counts: the desk is
// closed within the time.
func (b *reviewManyBench) ours(ctx context.Context, each int) (float64, error) {
	d, callers, err := b.desk(ctx, judgement{}, each)
	if err != nil {
		return 0, err
	}
	return b.together(each, func(i int) error { return callers[i].call(ctx) }, func() error { return d.close(ctx) })
}

func (b *reviewManyBench) raw(ctx context.Context, each int) (float64, error) {
	js, err := natsjs.New(b.rig.nc)
	if err != nil {
		return 0, err
	}
	publishers := make([]publisher, b.sessions)
	for i := range publishers {
		_, publishers[i].subject = place(b.session())
		publishers[i].js = js
	}
	return b.together(each, func(i int) error { return publishers[i].all(ctx, b.bodies) }, func() error { return nil })
}

// together does something so many times for each session, all sessions at once,
// and gives how often it was done in a second, the end included.
func (b *reviewManyBench) together(each int, do func(session int) error, end func() error) (float64, error) {
	errs := make([]error, b.sessions)
	var wg sync.WaitGroup
	begin := time.Now()
	for i := range b.sessions {
		wg.Go(func() {
			for n := 0; n < each && errs[i] == nil; n++ {
				errs[i] = do(i)
			}
		})
	}
	wg.Wait()
	errs = append(errs, end())
	return float64(b.sessions*each) / since(begin, time.Second), errors.Join(errs...)
}
