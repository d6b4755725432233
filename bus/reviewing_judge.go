package bus

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

// review answers one request, once, unless nobody waits for it any more.
func (s *ReviewService) review(m *nats.Msg, q reviewAsked) {
	defer s.leave()
	ctx, cancel := context.WithCancelCause(about(s.ctx, q))
	var beats sync.WaitGroup
	beats.Go(func() { s.beat(ctx, m, q, cancel) })
	said := s.says(q.Nonce)
	v, err := s.judge(ctx, m, q, &said)
	over := errors.Is(err, errReviewOver) || errors.Is(context.Cause(ctx), errReviewOver)
	leaving := err != nil && errors.Is(context.Cause(ctx), errLeaving)
	cancel(nil)
	beats.Wait()
	switch {
	case over:
	case leaving:
		s.say(m, said.answered(reviewer.Verdict{}, errReviewerGone.With("the reviewer was shut down before it had an answer")))
	default:
		s.say(m, said.answered(v, s.failure(q, v, err)))
	}
}

// beat says that the review is under way, and ends it when nobody waits for it.
func (s *ReviewService) beat(ctx context.Context, m *nats.Msg, q reviewAsked, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(s.cfg.Beat)
	defer ticker.Stop()
	s.say(m, s.says(q.Nonce))
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		s.say(m, s.says(q.Nonce)) // first: an engine that is slow to answer still hears it
		if _, _, err := s.log.ask(ctx, q, readAsked{Want: wantAlive}); errors.Is(err, errReviewOver) {
			cancel(errReviewOver)
			return
		}
	}
}

// judge reads the log, makes the request of it, and asks, once.
func (s *ReviewService) judge(ctx context.Context, m *nats.Msg, q reviewAsked, said *reviewSaid) (v reviewer.Verdict, err error) {
	defer s.contain(q, &err)
	r, err := s.prepare(ctx, q)
	if err != nil {
		return reviewer.Verdict{}, err
	}
	said.Route, said.Digest = r.Route(), r.Digest()
	asking := *said
	asking.State = saidAsking
	s.say(m, asking)
	return r.Ask(ctx)
}

// prepare makes the review of the session as it was when it was asked for. A session
// that is kept may be further by now: then it is read again.
func (s *ReviewService) prepare(ctx context.Context, q reviewAsked) (r reviewer.Review, err error) {
	var unprepared error
	ancestors, err := s.ancestors(ctx, q)
	if err != nil {
		return nil, err
	}
	for range 2 {
		err = s.engine.Show(ctx, q.Session, func(v reviewer.View) error {
			v.Ancestors = ancestors
			if v.Head.Next != q.Next || v.Head.Chain.String() != q.Chain {
				return &events.CorruptError{Session: q.Session, Seq: v.Head.Next, Err: errors.New("it is not the log that the review is about")}
			}
			r, unprepared = s.prepared(v, q)
			return nil
		})
		if !errors.Is(err, events.ErrCorrupt) {
			break
		}
	}
	switch {
	case err != nil:
		return nil, err
	case unprepared != nil:
		return nil, unprepared
	case r == nil:
		return nil, errReviewBroken.With("the reviewer made no request")
	default:
		return r, nil
	}
}

// ancestors are those of the session as they were when the review was asked for.
func (s *ReviewService) ancestors(ctx context.Context, q reviewAsked) ([]reviewer.Ancestor, error) {
	var pins []events.AncestorHead
	for _, h := range q.Ancestors {
		pins = append(pins, events.AncestorHead{Session: h.Session, Next: h.Next, Chain: h.Chain})
	}
	return s.engine.AncestorsAt(ctx, pins)
}

// related refuses a child whose ancestors the engine did not name: it may be of a version
// that knows nothing of them.
func related(v reviewer.View) error {
	parent := v.Session.Parent()
	if parent != "" && (len(v.Ancestors) == 0 || v.Ancestors[0].Session != parent) {
		return reviewer.ErrAncestorUnreadable.With("the engine did not say where the log of the session's parent %s ends", parent)
	}
	return nil
}

// prepared makes the request while nobody else uses the session, and lets it go also
// where the reviewer fails.
func (s *ReviewService) prepared(v reviewer.View, q reviewAsked) (r reviewer.Review, err error) {
	defer s.contain(q, &err)
	if err := related(v); err != nil {
		return nil, err
	}
	return s.cfg.Reviewer.Prepare(v, q.call())
}

// contain makes a panic the review's failure.
func (s *ReviewService) contain(q reviewAsked, err *error) {
	if p := recover(); p != nil {
		s.cfg.Logger.Error("a review panicked", "session", q.Session, "call", q.CallID, "panic", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
		*err = errReviewPanic
	}
}

// failure is why there is no verdict, nil where there is one that can be believed.
func (s *ReviewService) failure(q reviewAsked, v reviewer.Verdict, err error) *reviewer.Failure {
	if f, ok := errors.AsType[*reviewer.Failure](err); ok {
		return f
	}
	if err == nil {
		text := verdictText{Outcome: string(v.Outcome), Reason: string(v.Reason), Evidence: string(v.Evidence)}
		if err = text.check(); err == nil {
			return nil
		}
	}
	s.cfg.Logger.Warn("a review failed", "session", q.Session, "call", q.CallID, "error", err)
	switch {
	case errors.Is(err, events.ErrCorrupt):
		return errLogDiffers
	case errors.Is(err, errLogFailed), errors.Is(err, context.DeadlineExceeded):
		return errLogUnreadable
	case errors.Is(err, context.Canceled):
		return errReviewEnded
	default:
		return errReviewBroken
	}
}
