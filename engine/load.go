package engine

import (
	"context"
	"fmt"

	"github.com/docket-engine/docket/events"
)

// Load reads a session whole and folds it. A session that is not stored is
// [events.ErrNotFound], one whose seed was cut short [events.ErrSeedIncomplete],
// and a log that is other than what was appended, or breaks a rule, a
// *[events.CorruptError] with session, seq and type.
func Load(ctx context.Context, log events.Log, id events.SessionID) (*Session, error) {
	o, err := opened(ctx, log, id)
	if err != nil {
		return nil, fmt.Errorf("engine: load: %w", err)
	}
	s := newSession(log, o)
	w := newWalk(log, o)
	w.validator = s.validator
	w.visit = func(_ events.Head, e events.Envelope) { s.tail.Apply(e) }
	if err := w.run(ctx); err != nil {
		return nil, fmt.Errorf("engine: load: %w", err)
	}
	s.head = w.head
	return s, nil
}

// Create stores the header of a new session and loads it. Repeating it with the
// same append id and header succeeds; any other session of that name is
// [events.ErrExists].
func Create(ctx context.Context, log events.Log, header events.Header, id events.AppendID, actor events.Actor) (*Session, error) {
	c := events.Creation{ID: id, Actor: actor, Header: header}
	if header.Seeded() {
		return nil, fmt.Errorf("engine: create session %s: a seeded log is made by a fork or an import: %w", header.ID, events.ErrSeedIncomplete)
	}
	if err := log.Create(ctx, c); err != nil {
		return nil, fmt.Errorf("engine: create: %w", err)
	}
	return Load(ctx, log, header.ID)
}
