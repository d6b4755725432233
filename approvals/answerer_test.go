package approvals_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
)

func says(outcome string, err error) approvals.Answerer {
	return func(context.Context, approvals.Question) (string, error) { return outcome, err }
}

func TestConsultEndsInOneOfTheFourOutcomes(t *testing.T) {
	never := make(chan time.Time)
	over := make(chan time.Time)
	close(over)
	silent := func(ctx context.Context, _ approvals.Question) (string, error) {
		<-ctx.Done()
		return events.OutcomeAllowedOnce, nil // late
	}
	for name, tc := range map[string]struct {
		expired   <-chan time.Time
		answerers []approvals.Answerer
		want      string
	}{
		"nobody":              {never, nil, events.OutcomeUnavailable},
		"one allows":          {never, []approvals.Answerer{says("allowed-once", nil)}, events.OutcomeAllowedOnce},
		"the first wins":      {never, []approvals.Answerer{says("rejected", nil), says("allowed-once", nil)}, events.OutcomeRejected},
		"the first leaves it": {never, []approvals.Answerer{says("", nil), says("allowed-once", nil)}, events.OutcomeAllowedOnce},
		"all leave it":        {never, []approvals.Answerer{says("", nil), says("", nil)}, events.OutcomeUnavailable},
		"a cancellation":      {never, []approvals.Answerer{says("cancelled", nil)}, events.OutcomeCancelled},
		"another outcome":     {never, []approvals.Answerer{says("allowed-always", nil)}, events.OutcomeUnavailable},
		"it fails":            {never, []approvals.Answerer{says("allowed-once", errors.New("no")), says("allowed-once", nil)}, events.OutcomeUnavailable},
		"it panics":           {never, []approvals.Answerer{func(context.Context, approvals.Question) (string, error) { panic("no") }}, events.OutcomeUnavailable},
		"its goroutine ends": {never, []approvals.Answerer{func(context.Context, approvals.Question) (string, error) {
			runtime.Goexit()
			return "allowed-once", nil
		}}, events.OutcomeUnavailable},
		"the wait is over": {over, []approvals.Answerer{silent}, events.OutcomeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // what is started must end
				got := approvals.Consult(t.Context(), tc.expired, approvals.Question{ID: "q1", Hash: "h"}, tc.answerers...)
				want := approvals.Conclusion{ID: "q1", Outcome: tc.want, Hash: "h"}
				if got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
			})
		})
	}
}

func TestAnAbortCancelsAtOnceAndDropsWhatComesLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, abort := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, abort)
		start := time.Now()
		deaf := func(context.Context, approvals.Question) (string, error) {
			<-time.After(time.Minute)
			return events.OutcomeAllowedOnce, nil
		}
		got := approvals.Consult(ctx, time.After(approvals.DefaultWait), approvals.Question{ID: "q1"}, deaf)
		if got.Outcome != events.OutcomeCancelled || time.Since(start) != time.Second {
			t.Errorf("got %s after %s, want cancelled after 1s", got.Outcome, time.Since(start))
		}
		time.Sleep(2 * time.Minute) // the late answer has a place to go
	})
}

// tardy is a context that is slow to say when it ends, so that whoever waits for
// several things finds all of them there.
type tardy struct{ context.Context }

func (c tardy) Done() <-chan struct{} {
	<-time.After(time.Second)
	return c.Context.Done()
}

// TestAnAnswerAtTheEndOfTheWaitIsLate: both are there, and chance must not choose.
func TestAnAnswerAtTheEndOfTheWaitIsLate(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			expired := make(chan time.Time)
			allow := func(context.Context, approvals.Question) (string, error) {
				close(expired)
				return events.OutcomeAllowedOnce, nil
			}
			got := approvals.Consult(tardy{t.Context()}, expired, approvals.Question{ID: "q1"}, allow)
			if got.Outcome != events.OutcomeUnavailable {
				t.Errorf("got %s, want unavailable", got.Outcome)
			}
		})
	}
}

func TestWhoIsAbortedBeforeIsNotAsked(t *testing.T) {
	ctx, abort := context.WithCancel(t.Context())
	abort()
	asked := func(context.Context, approvals.Question) (string, error) {
		t.Error("got asked")
		return events.OutcomeAllowedOnce, nil
	}
	if got := approvals.Consult(ctx, nil, approvals.Question{ID: "q1"}, asked); got.Outcome != events.OutcomeCancelled {
		t.Errorf("got %s, want cancelled", got.Outcome)
	}
}

func TestTheDefaultWaitIsTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		silent := func(ctx context.Context, _ approvals.Question) (string, error) { <-ctx.Done(); return "", ctx.Err() }
		got := approvals.Consult(t.Context(), time.After(approvals.DefaultWait), approvals.Question{ID: "q1"}, silent)
		if got.Outcome != events.OutcomeUnavailable || time.Since(start) != 10*time.Minute {
			t.Errorf("got %s after %s, want unavailable after 10m", got.Outcome, time.Since(start))
		}
	})
}
