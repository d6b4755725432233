package approvals

import (
	"context"
	"time"

	"github.com/docket-engine/docket/events"
)

// DefaultWait is how long a question stays open before it is unavailable.
const DefaultWait = 10 * time.Minute

// Answerer is a program that can answer in a person's stead. An empty outcome
// leaves the question to the next one.
type Answerer func(ctx context.Context, q Question) (outcome string, err error)

// Consult asks the answerers in order and gives how the question ends (reference
// 3): the first outcome wins. One that fails, panics or says something else than
// the four outcomes makes it unavailable, and so does the end of the wait, a
// channel of the caller's timer. The end of ctx is a cancellation at once. A late
// answer is dropped; the context that answerers get has ended by then.
func Consult(ctx context.Context, expired <-chan time.Time, q Question, answerers ...Answerer) Conclusion {
	c := Conclusion{ID: q.ID, Outcome: events.OutcomeCancelled, Hash: q.Hash}
	if ctx.Err() != nil {
		return c
	}
	asking, stop := context.WithCancel(ctx)
	defer stop()
	answer := make(chan string, 1) // a late one has a place to go
	go first(asking, q, answerers, answer)
	select {
	case <-ctx.Done():
	case <-expired:
		c.Outcome = events.OutcomeUnavailable
	case outcome := <-answer:
		c.Outcome = known(outcome)
	}
	// Where two came at once the answer is the late one.
	select {
	case <-expired:
		c.Outcome = events.OutcomeUnavailable
	default:
	}
	if ctx.Err() != nil {
		c.Outcome = events.OutcomeCancelled
	}
	return c
}

// first sends the first outcome. It sends one however the answerers end.
func first(ctx context.Context, q Question, answerers []Answerer, answer chan<- string) {
	outcome := events.OutcomeUnavailable
	defer func() {
		if recover() != nil {
			outcome = events.OutcomeUnavailable
		}
		answer <- outcome
	}()
	for _, ask := range answerers {
		given, err := ask(ctx, q)
		if err != nil {
			return
		}
		if given != "" {
			outcome = given
			return
		}
	}
}
