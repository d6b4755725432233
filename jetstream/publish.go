package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
)

// publish stores a frame behind a position and gives the position behind it. sent is
// that of the append.
//
// Whatever the server answers but a plain acknowledgement is resolved in one
// way (design section 3): read from the leader the first message of the subject
// behind the position. If it is this frame, it is stored; if it is another one,
// events.ErrConflict; if there is none, publish the same message again, until
// the context ends, or for publishPatience behind the first such answer. Then the
// outcome is events.ErrOutcomeUnknown, unless the store has said each time that it
// did not take the frame, as one does whose disk is full: then it is that refusal.
func (l *Log) publish(ctx context.Context, a address, at position, f storedFrame, sent func()) (position, error) {
	f.Trust = l.trust()
	out := l.room.take()
	if err := out.write(f, a.subject, l.keys, at.stream); err != nil {
		return position{}, fmt.Errorf("jetstream: append to session %s: %w", a.id, err)
	}
	if err := ctx.Err(); err != nil {
		return position{}, fmt.Errorf("jetstream: append to session %s: nothing was sent: %w", a.id, context.Cause(ctx))
	}
	ack, err := l.acks.publish(ctx, &out.message, sent)
	if err == nil && !ack.Duplicate {
		l.room.give(out)
		f.stream = ack.Sequence
		return f.position(), nil
	}
	return l.settle(ctx, publishing{address: a, at: at, frame: f, message: &out.message}, err)
}

// publishing is a frame that was published once.
type publishing struct {
	address address
	at      position
	frame   storedFrame
	message *nats.Msg
	// uncertain says that the frame may be stored: of an attempt nobody has said that
	// it was not.
	uncertain bool
}

var errPatience = fmt.Errorf("no clear answer for %s", publishPatience)

// settle finds out what became of a frame whose publish was not plainly
// acknowledged; err is what was answered, nil for a duplicate.
func (l *Log) settle(ctx context.Context, p publishing, err error) (position, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, publishPatience, errPatience)
	defer cancel()
	for wait := backoffStart; ; wait = min(2*wait, backoffLimit) {
		if !p.uncertain && err != nil && refused(err) {
			return position{}, fmt.Errorf("jetstream: append to session %s: the store refused it: %w", p.address.id, err)
		}
		if !p.uncertain && errors.Is(err, nats.ErrConnectionClosed) {
			return position{}, fmt.Errorf("jetstream: append to session %s: nothing was sent: %w", p.address.id, err)
		}
		p.uncertain = p.uncertain || !unable(err)
		stands, readErr := l.resolve(ctx, p.address, p.at, p.frame)
		if readErr == nil || !errors.Is(readErr, errNoMessage) && !transient(readErr) {
			return stands, readErr
		}
		if end := l.pauseOpen(ctx, wait); end != nil {
			return position{}, p.unsettled(end, err, readErr)
		}
		ack, againErr := l.acks.publish(ctx, p.message, nil)
		if againErr == nil && !ack.Duplicate {
			p.frame.stream = ack.Sequence
			return p.frame.position(), nil
		}
		err = againErr
	}
}

// unsettled is the error of giving up, and why: behind an answer and a look that
// settled nothing.
func (p publishing) unsettled(end, answer, look error) error {
	if !p.uncertain {
		return fmt.Errorf("jetstream: append to session %s: the store refused it: %w (given up: %w)", p.address.id, answer, end)
	}
	return fmt.Errorf("jetstream: append to session %s: %w (%w; last: %w)", p.address.id, events.ErrOutcomeUnknown, end, look)
}

// pauseOpen waits, unless the connection is closed: then nobody will ever say.
func (l *Log) pauseOpen(ctx context.Context, wait time.Duration) error {
	err := pause(ctx, wait)
	if l.nc.IsClosed() {
		err = errors.Join(err, nats.ErrConnectionClosed)
	}
	return err
}

// unable reports whether an answer says that the store could not take this
// message, in a state that may pass.
func unable(err error) bool {
	api, ok := errors.AsType[*natsjs.APIError](err)
	return ok && api.Code >= 500
}

// refused reports whether an answer says for certain that this message was not
// stored, and why, so that trying again is pointless.
func refused(err error) bool {
	api, ok := errors.AsType[*natsjs.APIError](err)
	if !ok {
		return errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, nats.ErrPermissionViolation)
	}
	switch api.ErrorCode {
	case codeStoreFailed:
		return true // the stream is full: it keeps what it has and refuses more
	case natsjs.JSErrCodeStreamWrongLastSequence, natsjs.JSErrCodeStreamWrongLastSequenceConstant, codeDuplicateInBatch, codeDuplicateInFlight:
		return false // somebody's message stands there: perhaps one's own
	default:
		return api.Code < 500 // 5xx is the server's state, which may pass
	}
}

// transient reports whether a read failed for a reason that may pass.
func transient(err error) bool {
	return !errors.Is(err, events.ErrConflict) && !errors.Is(err, events.ErrCorrupt)
}

// resolve finds out whose message stands behind a position. It is errNoMessage
// if there is none.
func (l *Log) resolve(ctx context.Context, a address, at position, f storedFrame) (position, error) {
	m, err := l.firstAfter(ctx, a, at.stream)
	if errors.Is(err, errNoMessage) {
		return position{}, l.checkBehind(ctx, a, at)
	}
	if err != nil {
		return position{}, err
	}
	found, err := l.checked(a, m)
	if err != nil {
		return position{}, err
	}
	if found.MsgID == f.MsgID && found.Chain == f.Chain && found.HeaderHash == f.HeaderHash && found.Seed == f.Seed && bytes.Equal(found.Body, f.Body) {
		return found.position(), nil
	}
	return position{}, events.ErrConflict
}

// checkBehind tells a store that has nothing new yet from one that has lost what
// it had.
func (l *Log) checkBehind(ctx context.Context, a address, at position) error {
	if at.stream == 0 {
		return errNoMessage
	}
	head, err := l.current(ctx, a, at)
	if errors.Is(err, errNoMessage) || err == nil && head.stream < at.stream {
		return corrupt(a, at.next, errors.New("the store has lost frames that were acknowledged"))
	}
	if err != nil {
		return err
	}
	return errNoMessage
}

// pause waits with some jitter, so that losers of a race do not meet again.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait/2 + rand.N(wait))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
