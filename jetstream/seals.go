package jetstream

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/frame"
)

const (
	sealPrefix   = auditPrefix + "seal."
	sealAttempts = 3
)

// sealer writes seals behind the appends that end a turn or a seed, one after the
// other, and never holds an append up. A seal that a crash swallows is missed by
// nobody: the next one covers the same records.
type sealer struct {
	log *Log

	mu      sync.Mutex // guards what follows; never held while calling out
	waiting map[events.SessionID]events.Head
	idle    chan struct{} // closed when nothing is being written; nil before the first seal
	running bool
	closed  bool
}

func startSealer(l *Log) *sealer {
	return &sealer{log: l, waiting: map[events.SessionID]events.Head{}}
}

// appended seals where a log is behind a frame.
func (s *sealer) appended(id events.SessionID, f storedFrame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.waiting[id] = events.Head{Next: f.End(), Chain: f.Chain}
	if !s.running {
		s.running, s.idle = true, make(chan struct{})
		go s.run()
	}
}

// sealed reports whether an append is sealed: it ends a turn, or the log's seed.
func (s session) sealed(a events.Append) bool {
	return a.Seeding && a.End() == s.seed.Next || endsTurn(a.Records)
}

func endsTurn(records []events.Record) bool {
	for _, r := range records {
		if r.Type() == events.TypeTurnEnd {
			return true
		}
	}
	return false
}

// run writes seals until none is waiting, and ends.
func (s *sealer) run() {
	for {
		s.mu.Lock()
		id, head, any := one(s.waiting)
		if !any {
			s.running = false
			close(s.idle)
			s.mu.Unlock()
			return
		}
		delete(s.waiting, id)
		s.mu.Unlock()
		if err := s.log.seal(context.Background(), id, head); err != nil {
			s.log.log.Warn("a seal was not written", "session", id, "seq", head.Next-1, "error", err)
		}
	}
}

func one(m map[events.SessionID]events.Head) (events.SessionID, events.Head, bool) {
	for id, head := range m {
		return id, head, true
	}
	return "", events.Head{}, false
}

// close waits for the seals that are waiting. None is taken afterwards.
func (s *sealer) close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	idle := s.idle
	s.mu.Unlock()
	if idle == nil {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("jetstream: seals are still being written: %w", context.Cause(ctx))
	}
}

// seal signs where a log is and stores it outside of the log's stream.
func (l *Log) seal(ctx context.Context, id events.SessionID, head events.Head) error {
	rec := events.SealRecord{Session: id, Seq: head.Next - 1, Chain: head.Chain.String(), Time: time.Now().UnixMilli()}
	payload, err := frame.SealText(rec)
	if err != nil {
		return err
	}
	if rec.Sig, err = l.keys.sign(payload); err != nil {
		return err
	}
	text, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		err := l.storeSeal(ctx, id, text)
		if err == nil || attempt == sealAttempts {
			return err
		}
	}
}

// storeSeal publishes once. A seal that is stored twice says the same twice.
func (l *Log) storeSeal(ctx context.Context, id events.SessionID, text []byte) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	_, err := l.js.PublishMsg(ctx, &nats.Msg{Subject: sealPrefix + string(id), Data: text})
	return err
}

// Seals yields a session's seals in the order in which they were stored.
func (l *Log) Seals(ctx context.Context, id events.SessionID) iter.Seq2[events.SealRecord, error] {
	return func(yield func(events.SealRecord, error) bool) {
		if err := id.Check(); err != nil {
			yield(events.SealRecord{}, fmt.Errorf("jetstream: seals: %w", err))
			return
		}
		a := address{id: id, stream: AuditStream, subject: sealPrefix + string(id)}
		last, err := l.last(ctx, a)
		if errors.Is(err, errNoMessage) {
			return
		}
		if err != nil {
			yield(events.SealRecord{}, fmt.Errorf("jetstream: seals of session %s: %w", id, err))
			return
		}
		for m, err := range l.messages(ctx, a, position{}, position{stream: last.stream, index: manyFrames}) {
			rec, err := l.readSeal(a, m, err)
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

func (l *Log) readSeal(a address, m stored, err error) (events.SealRecord, error) {
	if err != nil {
		return events.SealRecord{}, fmt.Errorf("jetstream: seals of session %s: %w", a.id, err)
	}
	rec, err := l.keys.trusted.CheckSeal(a.id, m.data)
	if err != nil {
		return events.SealRecord{}, corrupt(a, rec.Seq, fmt.Errorf("seal at stream sequence %d: %w", m.stream, err))
	}
	return rec, nil
}

var _ events.Audit = (*Log)(nil)
