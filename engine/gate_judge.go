package engine

import (
	"context"
	"errors"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

// judged is what a review came to. The zero judged is that of a call that nobody
// reviews.
type judged struct {
	reviewed  bool
	aborted   bool // whoever wanted the answer went away: whatever came does not count
	verdict   reviewer.Verdict
	failure   *reviewer.Failure // nil if there is a verdict
	startedAt time.Time
	endedAt   time.Time
}

// final reports whether nothing that follows could let the call run.
func (j judged) final() bool { return j.reviewed && (j.aborted || j.failure != nil) }

func (j judged) denies() bool { return j.reviewed && !j.final() && j.verdict.Outcome != reviewer.Allow }

// judge asks the reviewer, once (reference 5.1). What counts first of what came
// back is whether the integration is still there.
func (op *operation) judge(ctx context.Context) judged {
	if op.with == nil && op.failure == nil {
		return judged{}
	}
	j := judged{reviewed: true, failure: op.failure, startedAt: time.Now()}
	if op.failure == nil {
		asking, stop := op.during(ctx)
		asking, unwatch := op.unlessEnded(asking)
		v, err := asked(asking, op.review)
		gone := asking.Err() != nil
		unwatch()
		stop()
		j.verdict, j.failure = v, failureOf(v, err)
		// A review that ends because nobody waits for it any more is cancelled; one that
		// fails by itself is a failure, whoever waits for it.
		j.aborted = gone && j.failure != nil && j.failure.Class == reviewer.ClassCancelled
	}
	j.endedAt = time.Now()
	j.aborted = j.aborted || op.aborted()
	op.audit(j)
	return j
}

// failureOf holds an answer against its two shapes.
func failureOf(v reviewer.Verdict, err error) *reviewer.Failure {
	switch {
	case err != nil:
		return asFailure(err)
	case v.Outcome != reviewer.Allow && v.Outcome != reviewer.Deny:
		return errNoVerdict.With("%q is neither allow nor deny", v.Outcome)
	case v.Outcome == reviewer.Allow && v.Reason != nil:
		return errNoVerdict.With("an allow has no reason")
	default:
		return nil
	}
}

var (
	errNoVerdict       = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "NO_VERDICT"}
	errReviewerPanic   = &reviewer.Failure{Class: reviewer.ClassInternal, Code: "REVIEWER_PANIC"}
	errReviewerBroken  = &reviewer.Failure{Class: reviewer.ClassInternal, Code: "REVIEWER_ERROR"}
	errReviewCancelled = &reviewer.Failure{Class: reviewer.ClassCancelled, Code: "REVIEW_CANCELLED", Detail: "the review was cancelled"}
	errStaleReview     = &reviewer.Failure{Class: reviewer.ClassStale, Code: "STALE_REVIEW", Detail: "the session was narrowed while the call was under review"}
)

// asFailure is an error as a failure: what is none is the reviewer's fault.
func asFailure(err error) *reviewer.Failure {
	if f, ok := errors.AsType[*reviewer.Failure](err); ok {
		return f
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return errReviewCancelled.Because(err)
	}
	return errReviewerBroken.With("%v", err).Because(err)
}

func prepared(r reviewer.Reviewer, v reviewer.View, c reviewer.Call) (review reviewer.Review, err error) {
	defer func() {
		if p := recover(); p != nil {
			review, err = nil, errReviewerPanic.With("%v", p)
		}
	}()
	if review, err = r.Prepare(v, c); err == nil && review == nil {
		err = errReviewerBroken.With("it made no request")
	}
	return review, err
}

func asked(ctx context.Context, r reviewer.Review) (v reviewer.Verdict, err error) {
	defer func() {
		if p := recover(); p != nil {
			v, err = reviewer.Verdict{}, errReviewerPanic.With("%v", p)
		}
	}()
	return r.Ask(ctx)
}

// outcomeOf is what a review came to by itself.
func (op *operation) outcomeOf(j judged) string {
	switch {
	case j.aborted:
		return events.VerdictCancelled
	case j.failure != nil:
		return events.VerdictFailure
	default:
		return string(j.verdict.Outcome)
	}
}
