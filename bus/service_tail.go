package bus

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

// Why a tail ends.
var (
	errExpired = errors.New("the tail has lived its time")
	errClosing = errors.New("the engine is shutting down")
)

func tailKey(q *request, id string) string { return heldKey("tail", q.caller.Class, q.caller.Name, id) }

// tail follows a session's log for a person. Everything that it sends is stored, and in
// order; what wakes it up is no evidence.
func (s *Service) tail(ctx context.Context, q *request, r api.Tail) (any, error) {
	if !s.openTail(q.from()) {
		return nil, refusal(api.CodeUnavailable, "", "you have as many tails as you may have")
	}
	running, cancel := context.WithCancelCause(s.ctx)
	h, mine, err := s.hold(tailKey(q, r.TailID), q.digest(), q.reply, cancel)
	if err != nil || !mine {
		s.closeTail(q.from())
		cancel(nil)
	}
	switch {
	case err != nil:
		return nil, err
	case !mine:
		return nil, refusal(api.CodeConflict, "tailId", "you have a tail of that name")
	}
	q.later, q.id = true, r.TailID
	s.respond(q, q.reply, api.StateAccepted, s.accepted(q, ""))
	s.work.Go(func() {
		defer s.closeTail(q.from())
		expiry := time.AfterFunc(s.cfg.Limits.TailLife, func() { cancel(errExpired) })
		defer expiry.Stop()
		t := &tailing{service: s, q: q, held: h, id: r.TailID, sent: r.From}
		t.run(running, r.From)
		cancel(nil)
		s.release(tailKey(q, r.TailID), h)
	})
	return nil, nil
}

func (s *Service) openTail(caller string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tails[caller] >= s.cfg.Limits.Tails {
		return false
	}
	s.tails[caller]++
	return true
}

func (s *Service) closeTail(caller string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tails[caller]--; s.tails[caller] <= 0 {
		delete(s.tails, caller)
	}
}

// endTails tells followers to go on with another engine.
func (s *Service) endTails() {
	s.mu.Lock()
	var all []*held
	for _, h := range s.held {
		all = append(all, h)
	}
	s.mu.Unlock()
	for _, h := range all {
		h.cancel(errClosing) // the gate has answered the calls by now
	}
}

func (s *Service) tailAlive(ctx context.Context, q *request, r api.TailAlive) (any, error) {
	return s.about(ctx, tailKey(q, r.TailID), doAlive, r.Next)
}

func (s *Service) tailStop(ctx context.Context, q *request, r api.TailStop) (any, error) {
	return s.about(ctx, tailKey(q, r.TailID), doCancel, 0)
}

// tailing is one tail. It is for one goroutine.
type tailing struct {
	service *Service
	q       *request
	held    *held
	id      string
	sent    events.Seq // up to where the follower was sent everything
	ahead   []batchEnd // sent, and not known to have come
}

// batchEnd is the end of a part, and what it took in bytes.
type batchEnd struct {
	next events.Seq
	size int
}

// run sends parts until the tail ends. Reading goes on in a goroutine of its own,
// so that signs of life come also while nothing happens.
func (t *tailing) run(ctx context.Context, from events.Seq) {
	records := make(chan events.Record, 16)
	failed := make(chan error, 1)
	reading, stop := context.WithCancel(ctx)
	t.service.work.Go(func() {
		defer close(records)
		for r, err := range t.service.cfg.Tail.Tail(reading, t.q.session, from) {
			if err != nil {
				failed <- err
				return
			}
			select {
			case records <- r:
			case <-reading.Done():
				return
			}
		}
	})
	t.forward(ctx, records)
	stop()
	for range records { // until the reader has ended
	}
	select {
	case err := <-failed:
		t.service.refuse(t.q, t.q.reply, err)
	default:
		t.service.respond(t.q, t.q.reply, api.StateFinal, api.TailEnd{TailID: t.id, Next: t.sent, Reason: reasonOf(ctx)})
	}
}

func reasonOf(ctx context.Context) string {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errCancelled):
		return "stopped"
	case errors.Is(cause, errGone):
		return "gone"
	case errors.Is(cause, errExpired):
		return "expired"
	default:
		return string(api.CodeShuttingDown)
	}
}

// forward sends what is read, and stops reading while the follower is too far
// behind.
func (t *tailing) forward(ctx context.Context, records <-chan events.Record) {
	life := time.NewTicker(t.service.cfg.Limits.Alive)
	defer life.Stop()
	for {
		in := records
		if t.behind() {
			in = nil
		}
		select {
		case <-ctx.Done():
			return
		case <-life.C:
			t.send(batch{from: t.sent, next: t.sent})
		case <-t.held.heard:
			t.settle()
		case r, ok := <-in:
			if !ok {
				return
			}
			t.send(t.gather(r, records))
		}
	}
}

// gather takes what is there already into one part.
func (t *tailing) gather(r events.Record, records <-chan events.Record) batch {
	b := batch{from: t.sent}
	b.add(r)
	for b.size < pageSize/2 {
		select {
		case r, ok := <-records:
			if !ok {
				return b
			}
			b.add(r)
		default:
			return b
		}
	}
	return b
}

func (b *batch) add(r events.Record) {
	b.records = append(b.records, jsontext.Value(r.Line))
	b.size += len(r.Line)
	b.next = r.End()
}

func (t *tailing) send(b batch) {
	if b.records == nil {
		b.records = []jsontext.Value{}
	} else {
		t.ahead = append(t.ahead, batchEnd{b.next, b.size})
	}
	t.service.respond(t.q, t.q.reply, api.StateEvents, api.Events{TailID: t.id, From: b.from, Records: b.records, Next: b.next})
	t.sent = b.next
}

// settle forgets the parts that the follower says it has.
func (t *tailing) settle() {
	t.held.mu.Lock()
	next := t.held.next
	t.held.mu.Unlock()
	for len(t.ahead) > 0 && t.ahead[0].next <= next {
		t.ahead = t.ahead[1:]
	}
}

// behind reports whether the follower has more to take than is allowed.
func (t *tailing) behind() bool {
	n := 0
	for _, b := range t.ahead {
		n += b.size
	}
	return n >= t.service.cfg.Limits.TailAhead
}
