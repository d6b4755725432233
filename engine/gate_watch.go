package engine

import (
	"context"
	"errors"
	"time"

	"github.com/docket-engine/docket/events"
)

// watchAfter is how long a review takes before somebody looks whether its call has
// been ended meanwhile: what a person's stop costs at most, and what a quick review
// does not pay for.
const watchAfter = time.Second

// errEnded is why a review ends whose call has a result already.
var errEnded = errors.New("the call was ended by somebody else")

// unlessEnded gives a context for a review, which also ends when the log says that
// the call is over: a person's stop takes effect at once, through whichever engine
// it came (design section 6, stage 6). stop waits for what was started.
func (op *operation) unlessEnded(ctx context.Context) (watched context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	timer := time.AfterFunc(watchAfter, func() {
		defer close(done)
		if op.endsOnLog(ctx) {
			cancel(errEnded)
		}
	})
	return ctx, func() {
		cancel(nil)
		if !timer.Stop() {
			<-done
		}
	}
}

// endsOnLog follows the log until the call is over, or ctx is.
func (op *operation) endsOnLog(ctx context.Context) bool {
	for r, err := range op.gate.cfg.Tail.Tail(ctx, op.req.Session, op.asOf+1) {
		if err != nil {
			return false // the review goes on: its end looks at the log once more
		}
		decoded, err := r.Decode()
		if err != nil {
			return false
		}
		for _, e := range decoded {
			if op.over(e.Event) {
				return true
			}
		}
	}
	return false
}

// over reports whether an event behind the call's start ends the call.
func (op *operation) over(ev events.Event) bool {
	switch ev := any(ev).(type) {
	case events.ToolResult:
		return ev.CallID() == op.req.CallID
	case events.PTCDispatch:
		return ev.SubCallID == op.req.CallID
	case events.StepEnd, events.TurnEnd:
		return true
	default:
		return false
	}
}
