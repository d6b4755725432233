package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/frame"
)

// Append stores records as one frame behind the log's last one.
func (l *Log) Append(ctx context.Context, id events.SessionID, a events.Append) (events.Seq, error) {
	if l.files != nil {
		return 0, errFilesAlone
	}
	addr, err := l.address(id)
	if err != nil {
		return 0, err
	}
	if err := l.checkAppend(a); err != nil {
		return 0, fmt.Errorf("jetstream: append to session %s: %w", id, err)
	}
	// What is remembered of the session may be old: only the store refuses.
	s, cached := l.recall(id)
	f, err := s.frame(id, a)
	if !cached || err != nil {
		if s, err = l.load(ctx, addr); err != nil {
			return 0, err
		}
		if a.Next < s.head.next {
			next, stands, err := l.stands(ctx, addr, s, a)
			if stands || err != nil {
				return next, err
			}
		}
		if f, err = s.frame(id, a); err != nil {
			return 0, err
		}
	}
	over := l.own.begin(id, a)
	at, err := l.publish(ctx, addr, s.head, f, a.Sent)
	over(err == nil)
	if err != nil {
		return 0, l.conflictAt(ctx, addr, a.Next, err)
	}
	s.head = at
	l.remember(id, s)
	if s.sealed(a) {
		l.seals.appended(id, f)
	}
	return at.next, nil
}

// checkAppend holds an append against the rules that need no log.
func (l *Log) checkAppend(a events.Append) error {
	if err := a.Check(); err != nil {
		return err
	}
	size := len(a.Records) - 1
	for _, r := range a.Records {
		size += len(r.Line)
	}
	if limit := int(l.nc.MaxPayload()) - frameReserve; size > limit {
		return fmt.Errorf("%d bytes do not fit into a frame of %d: %w", size, limit, events.ErrTooLarge)
	}
	return nil
}

// frame makes the frame of an append, if the session admits it: until its seed is
// complete only frames of the seed come, and none of them afterwards.
func (s session) frame(id events.SessionID, a events.Append) (storedFrame, error) {
	switch {
	case !s.complete() && !(a.Seeding && a.End() <= s.seed.Next):
		return storedFrame{}, fmt.Errorf("session %s: %d of its seed's %d events are there: %w", id, s.head.next, s.seed.Next, events.ErrSeedIncomplete)
	case a.Next != s.head.next:
		return storedFrame{}, &events.ConflictError{Session: id, Expected: a.Next, Actual: s.head.next}
	case s.complete() && a.Seeding:
		return storedFrame{}, fmt.Errorf("session %s: %w", id, &events.FieldError{Field: "seeding", Rule: "must not be set: the log's seed is complete"})
	}
	f := storedFrame{Frame: frame.New(s.head.inLog(), id, a)}
	if f.Index == 1 {
		f.HeaderHash = frame.HashLine(s.header.Line)
	}
	if a.Seeding && f.End() == s.seed.Next && s.seed.Chain != (events.Chain{}) && f.Chain != s.seed.Chain {
		return storedFrame{}, fmt.Errorf("session %s: %w", id, &events.FieldError{Field: "records", Rule: "must be the seed that was declared: the chain differs"})
	}
	return f, nil
}

// stands reports whether it is this very append that stands at its place, which
// the log has passed.
func (l *Log) stands(ctx context.Context, a address, s session, ap events.Append) (events.Seq, bool, error) {
	for f, err := range l.frames(ctx, a, s, ap.Next) {
		if err != nil {
			return 0, false, err
		}
		if f.Seq != ap.Next || f.MsgID != frame.MsgID(a.id, ap.Next, ap.ID) || !slices.EqualFunc(f.lines, ap.Records, sameRecord) {
			return 0, false, nil
		}
		if err := checkSignature(f.message, l.keys); err != nil {
			return 0, false, corruptFrame(a, f.Seq, f.storedFrame, err)
		}
		return f.End(), true, nil
	}
	return 0, false, nil
}

func sameRecord(x, y events.Record) bool {
	return x.Format == y.Format && bytes.Equal(x.Line, y.Line)
}

// conflictAt tells how far the log has moved on.
func (l *Log) conflictAt(ctx context.Context, a address, expected events.Seq, err error) error {
	if !errors.Is(err, events.ErrConflict) {
		return err
	}
	s, loadErr := l.load(ctx, a)
	if loadErr != nil {
		return loadErr
	}
	return &events.ConflictError{Session: a.id, Expected: expected, Actual: s.head.next}
}
