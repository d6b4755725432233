package engine

import (
	"context"
	"fmt"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// Ancestors reads what the reviews of a session depend on in those that it descends
// from by spawns, the nearest first: as they are stored now, also what another engine
// has appended. There are none for a session that was not spawned here. The error is a
// [reviewer.ErrAncestorUnreadable] where one is missing, incomplete or corrupt.
func (e *Engine) Ancestors(ctx context.Context, id events.SessionID) ([]reviewer.Ancestor, error) {
	parent, err := e.parentOf(ctx, id)
	if err != nil {
		return nil, err
	}
	var out []reviewer.Ancestor
	for parent != "" {
		if len(out) == lineage.MaxDepth {
			return nil, reviewer.ErrAncestorUnreadable.With("session %s descends from more sessions than there may be", id)
		}
		at := parent
		err := e.Show(ctx, at, func(v reviewer.View) error {
			if err := v.History.Complete(v.Session); err != nil {
				return err
			}
			out = append(out, reviewer.AncestorOf(v.Session, v.History, v.Head))
			parent = v.Session.Parent()
			return nil
		})
		if err != nil {
			return nil, unreadable(at, err)
		}
	}
	return out, nil
}

func (e *Engine) parentOf(ctx context.Context, id events.SessionID) (parent events.SessionID, err error) {
	err = e.withShown(ctx, id, func(*projections.Session) bool { return true }, func(s *folded) error {
		parent = s.state.Parent()
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("engine: session %s: %w", id, err)
	}
	return parent, nil
}

// unreadable is why a review cannot be had. That nobody waits for it any more is
// another matter.
func unreadable(id events.SessionID, err error) error {
	if f := asFailure(err); f.Class == reviewer.ClassCancelled {
		return f
	}
	return reviewer.ErrAncestorUnreadable.With("what the people of the ancestor %s have said cannot be read", id).Because(err)
}

// AncestorsAt reads the ancestors of a session as they were when a review was asked
// for: the pins are those of its review/requested. A log that is another one at its pin
// is a *[events.CorruptError].
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

// ancestorAt folds a log up to a pin and no further.
func (e *Engine) ancestorAt(ctx context.Context, pin events.AncestorHead) (reviewer.Ancestor, error) {
	want, err := pin.Head()
	if err != nil {
		return reviewer.Ancestor{}, err
	}
	o, err := opened(ctx, e.cfg.Log, pin.Session)
	if err != nil {
		return reviewer.Ancestor{}, err
	}
	if o.Head.Next < want.Next {
		return reviewer.Ancestor{}, &events.CorruptError{Session: pin.Session, Seq: o.Head.Next, Err: fmt.Errorf("the log ends here, a review was shown it up to %d", want.Next)}
	}
	s := &folded{log: e.cfg.Log, state: projections.NewSession(o.Header), head: events.Head{Chain: events.ChainStart()}, history: projections.NewHistory()}
	s.state.Access.Creator, s.state.Access.Foreign = o.Creator, o.Seed.Kind == events.SeedImport
	if s.state.Access.Foreign {
		s.state.Imported = o.Seed.Next
	}
	o.Head = want
	if err := s.read(ctx, o); err != nil {
		return reviewer.Ancestor{}, err
	}
	if err := s.history.Complete(s.state); err != nil {
		return reviewer.Ancestor{}, err
	}
	return reviewer.AncestorOf(s.state, s.history, s.head), nil
}
