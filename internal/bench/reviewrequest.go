package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

const (
	rowRequestLength = "review request, of a long log against a short one"
	rowRequestCopy   = "review request, nothing compacted"
	rowRequestCold   = "review request, cold"

	visibleNodes = 100
)

// reviewRequestGroup measures what it takes to make the request of a review.
func reviewRequestGroup() group {
	return group{[]string{rowRequestLength, rowRequestCopy, rowRequestCold}, func(ctx context.Context, s *suite) error {
		if err := s.requestLength(ctx); err != nil {
			return err
		}
		if err := s.requestCopy(ctx); err != nil {
			return err
		}
		if !s.wants(rowRequestCold) {
			return nil
		}
		return with(ctx, defaultFsync, func(r *rig) error { return s.requestCold(ctx, r) })
	}}
}

// requestLength compares logs of two lengths of which as much is visible.
func (s *suite) requestLength(ctx context.Context) error {
	if !s.wants(rowRequestLength) {
		return nil
	}
	long, short, rounds := s.size(100_000, 10_000), 1000, s.size(2000, 200)
	big, bigCall, err := view(long, visibleNodes)
	if err != nil {
		return err
	}
	little, littleCall, err := view(short, visibleNodes)
	if err != nil {
		return err
	}
	return s.compare(ctx, comparison{
		name: rowRequestLength, unit: micros, target: atMost(1.3),
		note: fmt.Sprintf("p50, warm; %d events against %d, %d and %d visible nodes", long, short,
			len(big.Session.Surface().Nodes()), len(little.Session.Surface().Nodes())),
		ours: func(context.Context) (float64, error) { return requests(big, bigCall, rounds) },
		raw:  func(context.Context) (float64, error) { return requests(little, littleCall, rounds) },
	})
}

// requestCopy compares a session of which all is visible with copying the bytes of
// its history, and with the request about the same call that has none.
func (s *suite) requestCopy(ctx context.Context) error {
	if !s.wants(rowRequestCopy) {
		return nil
	}
	size, rounds := s.size(10_000, 2000), s.size(1000, 200)
	whole, wholeCall, err := view(size, 0)
	if err != nil {
		return err
	}
	alone, aloneCall, err := view(0, 0)
	if err != nil {
		return err
	}
	text := whole.History.Text(whole.Session, projections.CallRef{ID: wholeCall.CallID})
	history := append(append([]byte{}, text.Done...), text.Rest...)
	var copied []byte
	return s.compare(ctx, comparison{
		name: rowRequestCopy, unit: micros, target: atMost(1.5),
		note: fmt.Sprintf("p50, warm; raw copies the %d bytes of history and makes the request about the call alone", len(history)),
		ours: func(context.Context) (float64, error) { return requests(whole, wholeCall, rounds) },
		raw: func(context.Context) (float64, error) {
			return medianTime(rounds, func(int) error {
				copied = append([]byte(nil), history...)
				_, err := auto.NewRequest(alone, aloneCall)
				if len(copied) != len(history) {
					err = errors.New("not all was copied")
				}
				return err
			})
		},
	})
}

// requests gives the median time of making a request, in µs.
func requests(v reviewer.View, c reviewer.Call, rounds int) (float64, error) {
	return medianTime(rounds, func(int) error {
		_, err := auto.NewRequest(v, c)
		return err
	})
}

// requestCold compares the first call of an engine that has seen nothing with
// folding the session, and rendering what is shown of it from events that are
// decoded.
func (s *suite) requestCold(ctx context.Context, r *rig) (err error) {
	d, err := r.desk(r.nc, judgement{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close(ctx)) }()
	c, err := d.open(ctx, "cold")
	if err != nil {
		return err
	}
	for i := range s.size(1000, 200) {
		if i > 0 {
			err = c.next(ctx)
		}
		if err = errors.Join(err, c.wants(ctx, 1), c.call(ctx)); err != nil {
			return err
		}
	}
	if err := errors.Join(c.next(ctx), c.wants(ctx, s.pairs+1), c.call(ctx)); err != nil {
		return err
	}
	return s.compare(ctx, comparison{
		name: rowRequestCold, unit: millis, target: atMost(1),
		note: "a call on a new engine, review and dispatch included; raw folds the session and renders its history once",
		ours: func(ctx context.Context) (float64, error) { return coldCall(ctx, r, c) },
		raw:  func(ctx context.Context) (float64, error) { return coldFold(ctx, r, c.id) },
	})
}

// coldCall makes the session's next call at a desk of its own.
func coldCall(ctx context.Context, r *rig, c *caller) (took float64, err error) {
	d, err := r.desk(r.nc, judgement{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, d.close(ctx)) }()
	req := engine.CallRequest{Session: c.id, CallID: c.callID(c.made), Name: callTool, Arguments: callArguments, Nonce: "nonce"}
	c.made++
	begin := time.Now()
	answer, err := d.gate.Call(ctx, req, c.meta())
	took = since(begin, time.Millisecond)
	if err == nil && answer.Permit == nil {
		err = fmt.Errorf("call %s was refused: %s", req.CallID, answer.Refused.Text)
	}
	return took, err
}

// coldFold folds the session on an engine of its own, and makes the request about
// its last call.
func coldFold(ctx context.Context, r *rig, id events.SessionID) (took float64, err error) {
	log, err := r.log(r.nc)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, log.Close(ctx)) }()
	var all []events.Envelope
	var last events.Envelope
	for record, err := range log.Read(ctx, id, 0) {
		if err != nil {
			return 0, err
		}
		decoded, err := record.Decode()
		if err != nil {
			return 0, err
		}
		for _, e := range decoded {
			if all = append(all, e); e.Type() == events.TypeToolCall {
				last = e
			}
		}
	}
	fresh, err := r.log(r.nc)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, fresh.Close(ctx)) }()
	e, err := engine.New(engine.Config{Log: fresh})
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	err = e.View(ctx, id, func(session *projections.Session) error {
		history := projections.NewHistory()
		for _, e := range all[projections.HistoryFrom(session):] {
			history.Apply(session, e)
		}
		call, err := auto.CallAt(session, last, nil)
		if err == nil {
			_, err = auto.NewRequest(reviewer.View{Session: session, History: history}, call)
		}
		return err
	})
	return since(begin, time.Millisecond), err
}
