package jetstream

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
)

// tailInterval is how often a tail looks by itself: a wake-up may be lost.
const tailInterval = 5 * time.Second

// Tail yields a session's records as they come. It is woken up by what the stream
// republishes, and reads from the stream; what this Log has appended itself it yields
// when the store has acknowledged it.
func (l *Log) Tail(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		a, err := l.address(id)
		if l.files != nil {
			err = errFilesFollowed
		}
		if err != nil {
			yield(events.Record{}, err)
			return
		}
		t := &tail{log: l, address: a, next: from, wake: make(chan *nats.Msg, 1)}
		sub, err := l.nc.Subscribe(LiveSubject(a.subject), t.woken)
		if err != nil {
			yield(events.Record{}, fmt.Errorf("jetstream: follow session %s: %w", id, err))
			return
		}
		defer func() { _ = sub.Unsubscribe() }() // a closed connection has none
		var leave func()
		t.own, leave = l.own.follow(id)
		defer leave()
		t.follow(ctx, yield)
	}
}

// tail is one that is followed.
type tail struct {
	log     *Log
	address address
	next    events.Seq     // what was yielded ends here
	wake    chan *nats.Msg // holds the last one
	own     <-chan ownFrame
}

// woken keeps the last wake-up, which reads all that the ones before it would have.
func (t *tail) woken(m *nats.Msg) {
	select {
	case <-t.wake:
	default:
	}
	t.wake <- m // nobody else fills it
}

func (t *tail) follow(ctx context.Context, yield func(events.Record, error) bool) {
	look := time.NewTicker(tailInterval)
	defer look.Stop()
	for read := true; ; {
		if read && !t.read(ctx, yield) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case f := <-t.own:
			if !t.take(f, yield) {
				return
			}
			read = f.end > t.next
		case m := <-t.wake:
			more, known := t.acknowledged(ctx, m, yield)
			if !more {
				return
			}
			read = !known
		case <-look.C:
			read = true
		}
	}
}

// read yields what is stored behind what was yielded. It reports whether the tail
// goes on.
func (t *tail) read(ctx context.Context, yield func(events.Record, error) bool) bool {
	for r, err := range t.log.Read(ctx, t.address.id, t.next) {
		if err != nil && ctx.Err() != nil {
			return false
		}
		if !yield(r, err) || err != nil {
			return false
		}
		t.next = r.End()
	}
	return true
}

// take yields what an append of this Log's has stored, as far as it follows on what was
// yielded: there may be a gap before it, and it may have been read already.
func (t *tail) take(f ownFrame, yield func(events.Record, error) bool) bool {
	for _, r := range f.records {
		if r.Seq != t.next {
			continue
		}
		if !yield(r, nil) {
			return false
		}
		t.next = r.End()
	}
	return true
}

// acknowledged waits a moment for the acknowledgement of what may have woken the tail
// up, if this Log appends it. known says that there is nothing to read.
func (t *tail) acknowledged(ctx context.Context, m *nats.Msg, yield func(events.Record, error) bool) (more, known bool) {
	if knows(m, t.next) {
		return true, true
	}
	if !t.log.own.busy(t.address.id) && len(t.own) == 0 {
		return true, false
	}
	grace := time.NewTimer(ownGrace)
	defer grace.Stop()
	for !knows(m, t.next) {
		select {
		case f := <-t.own:
			if !t.take(f, yield) {
				return false, true
			}
			if f.end > t.next {
				return true, false
			}
		case <-grace.C:
			return true, false
		case <-ctx.Done():
			return false, true
		}
	}
	return true, true
}
