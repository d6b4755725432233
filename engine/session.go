package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// Session is one session that a caller has folded for itself, to append to it what
// it has decided. It is for one goroutine at a time. Most callers want an
// [Engine], which keeps sessions and decides commands.
type Session struct {
	folded *folded
}

// Load reads a session whole and folds it. A session that is not stored is
// [events.ErrNotFound], one whose seed was cut short [events.ErrSeedIncomplete],
// and a log that is other than what was appended, or breaks a rule, a
// *[events.CorruptError] with session, seq and type.
func Load(ctx context.Context, log events.Log, id events.SessionID) (*Session, error) {
	s, err := fold(ctx, log, nil, id, nil)
	if err != nil {
		return nil, fmt.Errorf("engine: load session %s: %w", id, err)
	}
	return &Session{folded: s}, nil
}

// Create stores the header of a new session and loads it. Repeating it with the
// same append id and header succeeds; any other session of that name is
// [events.ErrExists].
func Create(ctx context.Context, log events.Log, header events.Header, id events.AppendID, actor events.Actor) (*Session, error) {
	if header.Seeded() {
		return nil, fmt.Errorf("engine: create session %s: a seeded log is made by a fork or an import: %w", header.ID, events.ErrSeedIncomplete)
	}
	if err := log.Create(ctx, events.Creation{ID: id, Actor: actor, Header: header}); err != nil {
		return nil, fmt.Errorf("engine: create: %w", err)
	}
	return Load(ctx, log, header.ID)
}

// State is what the session is folded to. It is only read.
func (s *Session) State() *projections.Session { return s.folded.state }

// Header is the session's, which never changes.
func (s *Session) Header() events.Header { return s.folded.state.Header() }

// Head is where the log is folded up to.
func (s *Session) Head() events.Head { return s.folded.head }

// Balanced reports whether every turn of the log has ended.
func (s *Session) Balanced() bool { return s.folded.state.Tail.Balanced() }

// Append stores events as one frame behind the last one that the session has
// seen, all with the time now (Unix ms). They are held against the rules first: a
// *[events.FieldError] says which one refuses them, and the log never sees them.
// If the log has moved on, the session catches up and the error is a
// *[events.ConflictError]: the caller decides again. [events.ErrOutcomeUnknown]
// leaves the session as it was: the same append with the same id and time is safe.
func (s *Session) Append(ctx context.Context, id events.AppendID, actor events.Actor, now int64, evs ...events.Event) error {
	u, err := s.folded.drafts(events.Drafts(evs...), now)
	if err == nil {
		err = s.folded.append(ctx, nil, Meta{ID: id, Actor: actor}, u)
	}
	return s.failed(ctx, err)
}

// AppendEnvelopes is Append for events that say themselves at which place and
// time they are, what they do to the surface, and what they stand for.
func (s *Session) AppendEnvelopes(ctx context.Context, id events.AppendID, actor events.Actor, envelopes ...events.Envelope) error {
	u, err := unitOf(envelopes)
	if err == nil {
		err = s.folded.append(ctx, nil, Meta{ID: id, Actor: actor}, u)
	}
	return s.failed(ctx, err)
}

// failed says why an append failed; behind a conflict the session is where the
// log is.
func (s *Session) failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	err = fmt.Errorf("engine: append to session %s at seq %d: %w", s.Header().ID, s.folded.head.Next, err)
	if !errors.Is(err, events.ErrConflict) {
		return err
	}
	return errors.Join(err, s.folded.catchUp(ctx))
}
