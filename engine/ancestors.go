package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// Ancestors reads what the reviews of a session depend on in those that it descends
// from by spawns, the nearest first: as they are stored now, also what another engine
// has appended. There are none for a session that was not spawned here, and those of its
// source for a fork of a child. The error is a [reviewer.ErrAncestorUnreadable] where one
// is missing, incomplete or corrupt, and a [reviewer.ErrAncestorUnavailable] where the
// store does not say.
func (e *Engine) Ancestors(ctx context.Context, id events.SessionID) ([]reviewer.Ancestor, error) {
	found, _, err := e.ancestorsOf(ctx, id, showsAlways)
	return found, err
}

// ancestorsOf is Ancestors for a session that reviews are shown, as shows says of its
// state: of another one nothing is looked at.
func (e *Engine) ancestorsOf(ctx context.Context, id events.SessionID, shows func(*projections.Session) bool) (found []reviewer.Ancestor, looked bool, err error) {
	var above events.SessionID
	err = e.withShown(ctx, id, shows, func(s *folded) (err error) {
		if looked = shows(s.state); looked {
			above, err = s.above(ctx)
		}
		return err
	})
	if err != nil {
		return nil, looked, unreadable(id, err)
	}
	found, err = e.ancestry(ctx, id, above)
	return found, looked, err
}

// ancestry reads the ancestors of a session from the nearest one on, "" for none. It may
// be called while the session is in use: whoever waits for a session under another one
// waits for one that was made before it, so that nobody waits for ever.
func (e *Engine) ancestry(ctx context.Context, id, above events.SessionID) ([]reviewer.Ancestor, error) {
	var out []reviewer.Ancestor
	for above != "" {
		at := above
		again := slices.ContainsFunc(out, func(a reviewer.Ancestor) bool { return a.Session == at })
		if len(out) == lineage.MaxDepth || again || at == id {
			return nil, reviewer.ErrAncestorUnreadable.With("session %s descends from itself, or from more sessions than there may be", id)
		}
		err := e.withShown(ctx, at, showsAlways, func(s *folded) error {
			if err := s.catchUp(ctx); err != nil {
				return err
			}
			a, err := s.ancestor(ctx)
			if err == nil {
				above, err = s.above(ctx)
			}
			out = append(out, a)
			return err
		})
		if err != nil {
			return nil, unreadable(at, err)
		}
	}
	return out, nil
}

func showsAlways(*projections.Session) bool { return true }

// ancestor is the session as its descendants' reviews need it.
func (s *folded) ancestor(ctx context.Context) (reviewer.Ancestor, error) {
	h, err := s.visible(ctx)
	if err == nil {
		err = h.Complete(s.state)
	}
	if err != nil {
		return reviewer.Ancestor{}, err
	}
	return reviewer.AncestorOf(s.state, h, s.head), nil
}

// above is the nearest session whose people's words bind this one, "" for none: its
// parent, or of a fork that of its source, whose child is gone on with here. That never
// changes.
func (s *folded) above(ctx context.Context) (events.SessionID, error) {
	if s.kin == nil {
		above := s.state.Parent()
		// A child's log has its own creation in front of all that was said in it.
		if forked := !s.state.Access.Foreign && s.state.Header().Origin != events.OriginSubagent; forked && s.inheritsCreation() {
			var err error
			if above, err = aboveSource(ctx, s.log, s.state.Header().ParentSession); err != nil {
				return "", err
			}
		}
		s.kin = &above
	}
	return *s.kin, nil
}

func (s *folded) inheritsCreation() bool {
	return slices.ContainsFunc(s.state.Lineage.Creations, func(c lineage.Creation) bool { return !s.state.Lineage.Own(c.Seq) })
}

// aboveSource follows the sources of forks to the one that was no fork. A source that was
// imported descends from nothing that is here.
func aboveSource(ctx context.Context, log events.Log, source events.SessionID) (events.SessionID, error) {
	for range maxForks {
		o, err := opened(ctx, log, source)
		switch h := o.Header; {
		case err != nil:
			return "", err
		case o.Seed.Kind == events.SeedImport:
			return "", nil
		case h.Origin == events.OriginSubagent || o.Seed.Kind != events.SeedFork:
			if h.Origin != events.OriginSubagent {
				return "", nil
			}
			return h.ParentSession, nil
		default:
			source = h.ParentSession
		}
	}
	return "", fmt.Errorf("session %s is a fork of more forks than are followed", source)
}

// maxForks is how many forks of forks are followed.
const maxForks = 256

// unreadable is why a review cannot be had.
func unreadable(id events.SessionID, err error) error {
	lost := errors.Is(err, events.ErrNotFound) || errors.Is(err, events.ErrCorrupt) || errors.Is(err, events.ErrSeedIncomplete)
	switch f, is := errors.AsType[*reviewer.Failure](err); {
	case is:
		return f
	case lost:
		return reviewer.ErrAncestorUnreadable.With("what the people of the ancestor %s have said cannot be read: its log is missing, incomplete or damaged", id).Because(err)
	default:
		return reviewer.ErrAncestorUnavailable.With("what the people of the ancestor %s have said cannot be read now", id).Because(err)
	}
}

// ancestorsKept is how many of its last places a session remembers for reviews that were
// asked for at them.
const ancestorsKept = 16

// AncestorsAt reads the ancestors of a session as they were when a review was asked
// for: the pins are those of its review/requested. A log that is another one at its pin
// is a [reviewer.ErrAncestorUnreadable] because of a *[events.CorruptError].
func (e *Engine) AncestorsAt(ctx context.Context, pins []events.AncestorHead) ([]reviewer.Ancestor, error) {
	var out []reviewer.Ancestor
	for _, pin := range pins {
		a, err := e.ancestorAt(ctx, pin)
		if err != nil {
			return nil, unreadable(pin.Session, err)
		}
		out = append(out, a)
	}
	return out, nil
}

// ancestorAt gives a session as it was at a pin: from what is folded if that is there or
// was there lately, else from its log up to there. What is folded goes on as far as the
// log does, so that the next review finds it.
func (e *Engine) ancestorAt(ctx context.Context, pin events.AncestorHead) (a reviewer.Ancestor, err error) {
	want, err := pin.Head()
	if err != nil {
		return reviewer.Ancestor{}, err
	}
	found := false
	err = e.withShown(ctx, pin.Session, showsAlways, func(s *folded) error {
		if a, found = s.toldAt(want); found {
			return nil
		}
		if s.head.Next < want.Next {
			if err := s.catchUp(ctx); err != nil {
				return err
			}
		}
		if s.head != want {
			return nil // it is further, or another log
		}
		var err error
		if a, err = s.ancestor(ctx); err != nil {
			return err
		}
		found = true
		s.told = append(s.told[max(0, len(s.told)-ancestorsKept+1):], a)
		return nil
	})
	if err != nil || found {
		return a, err
	}
	return e.ancestorFrom(ctx, pin.Session, want)
}

// toldAt finds what the session was at a head.
func (s *folded) toldAt(head events.Head) (reviewer.Ancestor, bool) {
	i := slices.IndexFunc(s.told, func(a reviewer.Ancestor) bool { return a.Head == head })
	if i < 0 {
		return reviewer.Ancestor{}, false
	}
	return s.told[i], true
}

// ancestorFrom folds a log up to a head and no further.
func (e *Engine) ancestorFrom(ctx context.Context, id events.SessionID, want events.Head) (reviewer.Ancestor, error) {
	s, err := fold(ctx, cutLog{e.cfg.Log, want}, nil, id, showsAlways)
	if err != nil {
		return reviewer.Ancestor{}, err
	}
	if s.head != want {
		return reviewer.Ancestor{}, &events.CorruptError{Session: id, Seq: s.head.Next, Err: fmt.Errorf("a review was shown it up to %d", want.Next)}
	}
	return s.ancestor(ctx)
}

// cutLog is a log whose sessions end at a head.
type cutLog struct {
	events.Log
	head events.Head
}

// Open gives a session as it was at the head.
func (l cutLog) Open(ctx context.Context, id events.SessionID) (events.Opened, error) {
	o, err := opened(ctx, l.Log, id)
	switch {
	case err != nil:
		return o, err
	case o.Head.Next < l.head.Next:
		return o, &events.CorruptError{Session: id, Seq: o.Head.Next, Err: fmt.Errorf("the log ends here, a review was shown it up to %d", l.head.Next)}
	}
	o.Head = l.head
	return o, nil
}
