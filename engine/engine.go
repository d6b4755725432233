package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

const (
	// snapshotEvery is how many events come between two snapshots of a session: a
	// cold open folds at most about so many.
	snapshotEvery = 256
	// raceAttempts is how often a command is decided again because others were
	// first.
	raceAttempts = 32

	defaultCacheBytes = 64 << 20
)

// Config says what an [Engine] works on.
type Config struct {
	Log events.Log // required
	// Snapshots make a cold open proportional to what came since; nil for none.
	Snapshots events.Snapshots
	// CacheBytes bounds the folded sessions that are kept; default 64 MiB.
	CacheBytes int64
	// SnapshotFailed is told of a snapshot that could not be written or read, which
	// costs time and nothing else; nil for nobody.
	SnapshotFailed func(events.SessionID, error)
	// Restricts tells of a sentence whether it may restrict what an agent does. Where
	// people said more than a checkpoint keeps whole, such sentences are kept, and
	// others are left to the log. Nil takes every sentence for one.
	Restricts func(sentence string) bool
}

// Engine decides commands and appends what they come to. Its methods are safe for
// concurrent use, and several Engines may work on one log: whoever appends first
// wins, and the others decide again.
type Engine struct {
	cfg   Config
	cache *cache
}

// New makes an Engine.
func New(cfg Config) (*Engine, error) {
	if cfg.Log == nil {
		return nil, errors.New("engine: Config.Log is nil")
	}
	if cfg.CacheBytes < 0 {
		return nil, fmt.Errorf("engine: Config.CacheBytes is negative: %d", cfg.CacheBytes)
	}
	if cfg.CacheBytes == 0 {
		cfg.CacheBytes = defaultCacheBytes
	}
	if cfg.SnapshotFailed == nil {
		cfg.SnapshotFailed = func(events.SessionID, error) {}
	}
	return &Engine{cfg: cfg, cache: newCache(cfg.CacheBytes)}, nil
}

// Done is what a command came to.
type Done struct {
	// Events were appended, as one frame; none if there was nothing to do.
	Events []events.Envelope
	// Next is the seq behind the session's last event.
	Next events.Seq
	// Already says that a command of this id was done before; Events are then not
	// told again, and Next is the seq behind them.
	Already bool
}

// Do decides a command on a session and appends what it comes to.
//
// A command that the state does not allow is a *[events.Refusal], and nothing was
// written. A session that is not stored, incomplete or corrupt is refused as
// [Load] refuses it. Where the store does not say whether the events are stored,
// the error is events.ErrOutcomeUnknown: doing the command again with its id does
// it once.
func (e *Engine) Do(ctx context.Context, id events.SessionID, c Command, m Meta) (Done, error) {
	if err := m.check(); err != nil {
		return Done{}, fmt.Errorf("engine: session %s: %w", id, err)
	}
	var done Done
	err := e.with(ctx, id, func(s *folded) (err error) {
		done, err = e.do(ctx, s, c, m)
		return err
	})
	if err != nil {
		return Done{}, fmt.Errorf("engine: session %s: %w", id, err)
	}
	return done, nil
}

// do decides until the command is refused, or its events are stored. Only what is
// decided on the state that is stored now is told to be refused, or to need
// nothing: another engine may have gone on.
func (e *Engine) do(ctx context.Context, s *folded, c Command, m Meta) (Done, error) {
	for attempt := 1; ; attempt++ {
		if end, done := s.state.Commands.Find(m.ID); done {
			return Done{Next: end, Already: true}, nil
		}
		if s.state.Commands.Reused(m.ID) {
			return Done{}, reused()
		}
		seen := s.head.Next
		u, err := s.decide(c, m)
		settled := err != nil || len(u.envelopes) == 0
		if !settled {
			if err = s.append(ctx, c, m, u); err == nil {
				e.snapshot(ctx, s)
				return Done{Events: u.envelopes, Next: s.state.Next()}, nil
			}
			if !errors.Is(err, events.ErrConflict) {
				return Done{}, refused(err)
			}
		}
		if attempt < raceAttempts {
			if err := s.catchUp(ctx); err != nil {
				return Done{}, err
			}
		}
		if attempt == raceAttempts || settled && s.head.Next == seen {
			return Done{Next: s.state.Next()}, err
		}
	}
}

func reused() *events.Refusal {
	return events.Refuse(CodeReused, "id", "the id was used for another command")
}

// View gives a session as it is stored now. The state is only read, and only
// until see returns.
func (e *Engine) View(ctx context.Context, id events.SessionID, see func(*projections.Session) error) error {
	err := e.with(ctx, id, func(s *folded) error {
		if err := s.catchUp(ctx); err != nil {
			return err
		}
		return see(s.state)
	})
	if err != nil {
		return fmt.Errorf("engine: session %s: %w", id, err)
	}
	return nil
}

// with runs do on a folded session that nobody else uses meanwhile.
func (e *Engine) with(ctx context.Context, id events.SessionID, do func(*folded) error) error {
	return e.withShown(ctx, id, nil, do)
}

// withShown is with for a session that a review may be shown: shows says of its
// state whether one will be, so that opening it reads its log once.
func (e *Engine) withShown(ctx context.Context, id events.SessionID, shows func(*projections.Session) bool, do func(*folded) error) error {
	entry := e.cache.acquire(id)
	if err := entry.lock(ctx); err != nil {
		e.cache.leave(entry)
		return err
	}
	err := e.onEntry(ctx, entry, shows, do)
	size := entry.measure()
	entry.unlock()
	e.cache.release(entry, size)
	return err
}

func (e *Engine) onEntry(ctx context.Context, entry *cacheEntry, shows func(*projections.Session) bool, do func(*folded) error) error {
	if entry.folded == nil {
		snap, err := e.restore(ctx, entry.id)
		if err != nil {
			return err
		}
		if entry.folded, err = fold(ctx, e.cfg.Log, snap, entry.id, shows); err != nil {
			entry.folded = nil
			return err
		}
	}
	err := do(entry.folded)
	if err != nil && !errors.Is(err, events.ErrConflict) && !isRefusal(err) {
		entry.folded = nil // what is stored may be something else: it is read again
	}
	return err
}

// refused makes a broken rule of the log the refusal of the command that would
// have broken it.
func refused(err error) error {
	if errors.Is(err, events.ErrTooLarge) {
		return events.Refuse(CodeTooLarge, "", "what the command would write does not fit into one frame of the log")
	}
	if f, ok := errors.AsType[*events.FieldError](err); ok {
		// A command has the members of its event, which are the event's data.
		return events.Refuse(CodeInvalid, strings.TrimPrefix(f.Field, "data."), "%s", f.Rule)
	}
	return err
}

func isRefusal(err error) bool {
	_, ok := errors.AsType[*events.Refusal](err)
	return ok
}

// restore gives the state of a session's snapshot, nil if there is none that can
// be used. A store that fails costs a longer read, as no snapshot does.
func (e *Engine) restore(ctx context.Context, id events.SessionID) (*folded, error) {
	if e.cfg.Snapshots == nil {
		return nil, nil
	}
	snap, found, err := e.cfg.Snapshots.Load(ctx, id, projections.Version)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		e.cfg.SnapshotFailed(id, err)
		return nil, nil
	case !found:
		return nil, nil
	}
	state, err := projections.Restore(snap.State)
	if err != nil || state.Header().ID != id || state.Next() != snap.Head.Next {
		return nil, nil // dropped: it costs a longer read
	}
	return &folded{state: state, head: snap.Head, saved: snap.Head.Next}, nil
}

// snapshot saves the state when enough has come since the last time.
func (e *Engine) snapshot(ctx context.Context, s *folded) {
	if e.cfg.Snapshots == nil || s.head.Next-s.saved < snapshotEvery {
		return
	}
	text, err := s.state.Snapshot()
	if err == nil {
		err = e.cfg.Snapshots.Save(ctx, events.Snapshot{
			Session: s.state.Header().ID, Head: s.head, Version: projections.Version, State: text,
		})
	}
	// Also where it failed: the next one is as good, and a store that cannot take
	// one is not asked with each event.
	s.saved = s.head.Next
	if err != nil {
		e.cfg.SnapshotFailed(s.state.Header().ID, err)
	}
}
