package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
)

// Session is a session's log, folded as far as the rules of the next append need
// it. It is for one goroutine at a time.
type Session struct {
	log       events.Log
	header    events.Header
	head      events.Head
	validator *events.Validator
	tail      lineage.Tail
}

func newSession(log events.Log, o events.Opened) *Session {
	return &Session{
		log: log, header: o.Header, validator: events.NewValidator(o.Header),
		head: events.Head{Chain: events.ChainStart()},
	}
}

// Header is the session's, which never changes.
func (s *Session) Header() events.Header { return s.header }

// Balanced reports whether every turn of the log has ended.
func (s *Session) Balanced() bool { return s.tail.Balanced() }

// Head is where the log is folded up to.
func (s *Session) Head() events.Head { return s.head }

// Append stores events as one frame behind the last one that the session has
// seen, all with the time now (Unix ms). They are held against the rules first: a
// *[events.FieldError] says which one refuses them, and the log never sees them.
// If the log has moved on, the session catches up and the error is a
// *[events.ConflictError]: the caller decides again. [events.ErrOutcomeUnknown]
// leaves the session as it was: the same append with the same id and time is safe.
func (s *Session) Append(ctx context.Context, id events.AppendID, actor events.Actor, now int64, evs ...events.Event) error {
	envelopes := make([]events.Envelope, 0, len(evs))
	for i, ev := range evs {
		e, err := events.NewEnvelope(s.head.Next+events.Seq(i), now, ev)
		if err != nil {
			return s.refused(err)
		}
		envelopes = append(envelopes, e)
	}
	return s.AppendEnvelopes(ctx, id, actor, envelopes...)
}

// AppendEnvelopes is Append for events that say themselves at which place and
// time they are, what they do to the surface, and what they stand for.
func (s *Session) AppendEnvelopes(ctx context.Context, id events.AppendID, actor events.Actor, envelopes ...events.Envelope) error {
	records := make([]events.Record, 0, len(envelopes))
	for _, e := range envelopes {
		r, err := events.NewRecord(e)
		if err != nil {
			return s.refused(err)
		}
		records = append(records, r)
	}
	undo, err := s.validator.Stage(envelopes...)
	if err != nil {
		return s.refused(err)
	}
	_, err = s.log.Append(ctx, s.header.ID, events.Append{ID: id, Next: s.head.Next, Actor: actor, Records: records})
	if err != nil {
		undo()
		return s.failed(ctx, err)
	}
	for _, e := range envelopes {
		s.tail.Apply(e)
	}
	s.head = events.Head{Next: records[len(records)-1].End(), Chain: s.head.Chain.Over(records...)}
	return nil
}

// failed says why an append failed; behind a conflict the session is where the
// log is.
func (s *Session) failed(ctx context.Context, err error) error {
	err = fmt.Errorf("engine: append: %w", err)
	if !errors.Is(err, events.ErrConflict) {
		return err
	}
	return errors.Join(err, s.catchUp(ctx))
}

// catchUp folds what others have appended.
func (s *Session) catchUp(ctx context.Context) error {
	o, err := s.log.Open(ctx, s.header.ID)
	if err != nil {
		return fmt.Errorf("engine: catch up: %w", err)
	}
	for r, err := range stored(ctx, s.log, s.header.ID, s.head.Next, o.Head.Next) {
		if err != nil {
			return fmt.Errorf("engine: catch up: %w", err)
		}
		decoded, err := s.validator.Record(r)
		if err != nil {
			return fmt.Errorf("engine: catch up: %w", &events.CorruptError{Session: s.header.ID, Seq: r.Seq, Type: r.Type(), Err: err})
		}
		for _, e := range decoded {
			s.tail.Apply(e)
		}
		s.head = events.Head{Next: r.End(), Chain: s.head.Chain.Next(r.Line)}
	}
	return nil
}

func (s *Session) refused(err error) error {
	return fmt.Errorf("engine: append to session %s at seq %d: %w", s.header.ID, s.head.Next, err)
}
