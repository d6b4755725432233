package auto

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/docket-engine/docket/reviewer"
)

// What an answer may take where its route sets nothing.
const (
	defaultIdle  = 60 * time.Second
	defaultTotal = 10 * time.Minute
	defaultBytes = 1 << 20
)

// maxDetail bounds what of somebody else's message goes into a failure, in bytes.
const maxDetail = 1 << 10

// How asking a model can fail, beside what the model's client reports itself and
// what [ErrAnswerNotJSON] and its like say of a whole answer.
var (
	ErrCancelled      = &reviewer.Failure{Class: reviewer.ClassCancelled, Code: "REVIEW_CANCELLED"}
	ErrModelIdle      = &reviewer.Failure{Class: reviewer.ClassTimeout, Code: "MODEL_IDLE"}
	ErrModelTotalTime = &reviewer.Failure{Class: reviewer.ClassTimeout, Code: "MODEL_TOTAL_TIME"}
	ErrAnswerTooLarge = &reviewer.Failure{Class: reviewer.ClassTooLarge, Code: "ANSWER_TOO_LARGE"}
	// ErrModelPanic and ErrModelFailed are a client that breaks its contract.
	ErrModelPanic  = &reviewer.Failure{Class: reviewer.ClassInternal, Code: "MODEL_PANIC"}
	ErrModelFailed = &reviewer.Failure{Class: reviewer.ClassProvider, Code: "MODEL_FAILED"}
	// ErrModelError and ErrModelAborted are ends that say that there is no answer.
	ErrModelError   = &reviewer.Failure{Class: reviewer.ClassProvider, Code: "MODEL_ERROR"}
	ErrModelAborted = &reviewer.Failure{Class: reviewer.ClassProvider, Code: "MODEL_ABORTED"}
	// The answer came, and is not a whole one.
	ErrFinishNotStop    = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "FINISH_NOT_STOP"}
	ErrFinishMissing    = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "FINISH_MISSING"}
	ErrChunkAfterFinish = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "CHUNK_AFTER_FINISH"}
	ErrAnswerBlocks     = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "ANSWER_BLOCKS"}
	ErrBlockBroken      = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "BLOCK_BROKEN"}
)

// collect asks the model once and gives the answer's one block of text. What is not
// a whole answer is a *reviewer.Failure. It returns when the model's stream does,
// which ends with ctx and with the limits of the route.
func collect(ctx context.Context, m reviewer.Model, p reviewer.Prompt) (string, error) {
	limits := p.Route.Limits
	idle, total := orDefault(limits.Idle, defaultIdle), orDefault(limits.Total, defaultTotal)
	answer := answer{limit: orDefault(limits.Bytes, defaultBytes)}

	if ctx.Err() != nil {
		return "", ended(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	begin := time.Now()
	limit := time.AfterFunc(min(idle, total), func() { // one timer for whichever limit comes first
		if time.Since(begin) >= total {
			cancel(ErrModelTotalTime.With("the model did not end its answer within %s", total))
		} else {
			cancel(ErrModelIdle.With("the model sent nothing for %s", idle))
		}
	})
	defer limit.Stop()

	// Whatever comes ends a silence, also a byte that says nothing: a provider with a
	// queue keeps the connection alive for minutes. The time in all goes on.
	heard := func() { limit.Reset(min(idle, total-time.Since(begin))) }
	err := receive(reviewer.WithHeard(ctx, heard), m, p, func(c reviewer.Chunk) error {
		heard()
		return answer.add(c)
	})
	switch {
	case ctx.Err() != nil: // whatever came of it, it came too late
		return "", ended(ctx)
	case err != nil:
		return "", err
	}
	return answer.text()
}

func orDefault[T ~int64](limit, fallback T) T {
	if limit <= 0 {
		return fallback
	}
	return limit
}

// ended tells the limits, which end the context themselves, from a caller who went
// away.
func ended(ctx context.Context) error {
	cause := context.Cause(ctx)
	if failure, ok := errors.AsType[*reviewer.Failure](cause); ok && failure.Class == reviewer.ClassTimeout {
		return failure
	}
	return ErrCancelled.With("the review was cancelled before its answer was complete").Because(cause)
}

// receive runs the stream once, and makes a failure of whatever its end throws.
func receive(ctx context.Context, m reviewer.Model, p reviewer.Prompt, add func(reviewer.Chunk) error) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = ErrModelPanic.With("the model's client panicked: %s", bounded(fmt.Sprint(thrown)))
		}
	}()
	for chunk, err := range m.Stream(ctx, p) {
		if err != nil {
			return failureOf(err)
		}
		if ctx.Err() != nil {
			return ended(ctx)
		}
		if err := add(chunk); err != nil {
			return err
		}
	}
	return nil
}

// failureOf keeps a failure that says what it is: the log has no words for another.
func failureOf(err error) error {
	if failure, ok := errors.AsType[*reviewer.Failure](err); ok && failure.Class != "" && failure.Code != "" {
		return failure
	}
	return ErrModelFailed.With("%s", bounded(err.Error())).Because(err)
}

// bounded cuts a message at a rune that is whole, and drops what is not UTF-8.
func bounded(text string) string {
	text = strings.ToValidUTF8(text, "")
	if len(text) <= maxDetail {
		return text
	}
	return strings.ToValidUTF8(text[:maxDetail], "") + "…"
}
