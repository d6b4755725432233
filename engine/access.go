package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// CodeNotImported says that a session was not imported, or has an owner already, so
// that there is nothing to adopt.
const CodeNotImported = "not-imported"

// AdoptSession makes an imported session a person's.
type AdoptSession struct {
	Owner string
	By    string // who does it: the owner, or an operator for them
}

func (c AdoptSession) decide(s *projections.Session) ([]events.Draft, error) {
	switch {
	case c.Owner == "":
		return nil, invalid("owner", "must not be empty")
	case c.By == "":
		return nil, invalid("by", "must not be empty")
	case s.ReplayOnly():
		return events.Drafts(events.SessionAdopted{Owner: c.Owner, By: c.By}), nil
	case (s.Access.Foreign || s.Imported > 0) && s.Owner() == c.Owner:
		return nil, nil
	}
	return nil, events.Refuse(CodeNotImported, "session", "%s was not imported, or is somebody's already", s.Header().ID)
}

// SetMembers says who beside the owner may work with a session and its children.
type SetMembers struct {
	Members []string
	By      string
}

func (c SetMembers) decide(s *projections.Session) ([]events.Draft, error) {
	if c.By == "" {
		return nil, invalid("by", "must not be empty")
	}
	names := slices.Compact(slices.Sorted(slices.Values(c.Members)))
	if slices.Equal(names, s.Members()) {
		return nil, nil
	}
	if names == nil {
		names = []string{}
	}
	return events.Drafts(events.SessionMembers{Members: names, By: c.By}), nil
}

// Adopted refuses to go on with a session that was imported and that nobody has
// adopted: what its log says was never said here, and allows nothing. Whoever makes a
// call, a child or a message asks, so that there is no way around it.
func Adopted(s *projections.Session) error {
	if !s.ReplayOnly() {
		return nil
	}
	id := s.Header().ID
	return events.Refuse(CodeReplayOnly, "session", "%s was imported, and what it says allows nothing until a person adopts it: 'engine session adopt %s' does", id, id)
}

// Access is who may work with a session, as people (decision 0012).
type Access struct {
	// Owner is the person whom it belongs to, "" for nobody.
	Owner string
	// Members may work with it as well: its own, and those of what it descends from.
	Members []string
	// Creator is who stored the session's header, and Root that of the session that
	// it descends from by spawns.
	Creator, Root events.Actor
	// ReplayOnly says that the session was imported and that nobody has adopted it.
	ReplayOnly bool
}

// Permits reports whether a person may work with the session.
func (a Access) Permits(person string) bool {
	return person != "" && (a.Owner == person || slices.Contains(a.Members, person))
}

// Access finds out whose a session is. A child's people are its parent's.
func (e *Engine) Access(ctx context.Context, id events.SessionID) (Access, error) {
	var a Access
	for depth := range lineage.MaxDepth + 1 {
		var parent events.SessionID
		err := e.View(ctx, id, func(s *projections.Session) error {
			if depth == 0 {
				a.Creator, a.ReplayOnly = s.Access.Creator, s.ReplayOnly()
			}
			a.Owner, a.Root = s.Owner(), s.Access.Creator
			a.Members = append(a.Members, s.Members()...)
			parent = s.Parent()
			return nil
		})
		if err != nil || parent == "" {
			return a, err
		}
		id = parent
	}
	return Access{}, fmt.Errorf("engine: session %s: %w", id, events.Refuse(lineage.CodeDepth, "session", "it descends from more sessions than there may be"))
}
