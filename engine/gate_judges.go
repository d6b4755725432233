package engine

import (
	"context"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

// judgedAs makes sure that the ancestors of a call under review are known, and that the
// one who judges it is who has judged before.
func (op *operation) judgedAs(ctx context.Context, s *folded) {
	if !op.looked { // the session was put under review a moment ago
		op.looked = true
		above, err := s.above(ctx)
		if err == nil {
			op.ancestors, err = op.gate.engine.ancestry(ctx, op.req.Session, above)
		}
		if err != nil {
			op.unknown = unreadable(op.req.Session, err)
		}
	}
	if op.unknown == nil {
		op.unknown = op.sameReviewer(s)
	}
}

var errReviewerChanged = &reviewer.Failure{Class: reviewer.ClassRoute, Code: "REVIEWER_CHANGED"}

// sameReviewer refuses a reviewer that stands behind the name of a preset now where
// another one has judged under it: in the session, or where it has no verdict yet, in
// the nearest ancestor that has one. Whoever sets the preset anew takes the new one.
func (op *operation) sameReviewer(s *folded) error {
	now := op.with.reviewer.Name()
	judges := s.state.JudgedBy()
	before, judged := judges.Reviewer(op.plan.preset)
	for _, a := range op.ancestors {
		if judged {
			break
		}
		before, judged = a.Judges.Reviewer(op.plan.preset)
	}
	if judged && before != now {
		return errReviewerChanged.With("the calls of this session were judged by %q under the preset %s, and here that is %q: a person who sets the preset anew takes the new one", before, op.plan.preset, now)
	}
	return nil
}

// judgedBy is the route that was asked, "" where nobody was, or nobody can say.
func (op *operation) judgedBy() string {
	if op.review == nil || op.failure != nil {
		return ""
	}
	if route := routeOf(op.review); events.RouteNamed(route) {
		return route
	}
	return ""
}

func routeOf(r reviewer.Review) (route string) {
	defer func() {
		if p := recover(); p != nil {
			route = ""
		}
	}()
	return r.Route()
}
