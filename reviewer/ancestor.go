package reviewer

import (
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// Ancestor is one of the sessions that a child descends from by spawns, as far as its
// reviews depend on it: what its people and its project have said restricts the child,
// and which routes may judge it is the family's to say (reference 8, items 12 and 14).
// Nobody changes one, and it stays what it is when the session goes on.
type Ancestor struct {
	Session events.SessionID
	// Head is up to where its log was read.
	Head events.Head
	projections.Said
	// Pinned is the route that its own log began with, nil before its first request
	// header.
	Pinned *projections.RequestRoute
	// Allowed are those that people allowed in it.
	Allowed []projections.RequestRoute
	// Judges are who has judged its calls.
	Judges projections.Judges
}

// AncestorOf is a session as its descendants' reviews need it. h has to be complete.
func AncestorOf(s *projections.Session, h *projections.History, head events.Head) Ancestor {
	a := Ancestor{Session: s.Header().ID, Head: head, Said: h.Said(s), Allowed: s.AllowedRoutes(), Judges: s.JudgedBy()}
	if p := s.Request.Pinned; p != nil {
		a.Pinned = new(*p)
	}
	return a
}

// Pins are where the logs of ancestors ended when they were read, as review/requested
// says it.
func Pins(ancestors []Ancestor) []events.AncestorHead {
	var out []events.AncestorHead
	for _, a := range ancestors {
		out = append(out, events.AncestorHead{Session: a.Session, Next: a.Head.Next, Chain: a.Head.Chain.String()})
	}
	return out
}

// How the ancestors of a session can keep its calls from being reviewed: nobody knows
// what restricts them.
var (
	// ErrAncestorUnreadable is one that is missing, incomplete, or other than it was.
	ErrAncestorUnreadable = &Failure{Class: ClassInconsistent, Code: "ANCESTOR_UNREADABLE"}
	// ErrAncestorUnavailable is one that the store does not give now.
	ErrAncestorUnavailable = &Failure{Class: ClassUnavailable, Code: "ANCESTOR_UNAVAILABLE"}
)
