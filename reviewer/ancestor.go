package reviewer

import (
	"slices"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// Ancestor is one of the sessions that a child descends from by spawns, as far as its
// reviews depend on it: what its people and its project have said restricts the child,
// and which routes may judge it is the family's to say (reference 8, items 12 and 14).
// Nobody changes one.
type Ancestor struct {
	Session events.SessionID
	// Head is up to where its log was read.
	Head  events.Head
	Words []projections.Words
	// Pinned is the route that it began with, nil before its first request header.
	Pinned *RouteName
	// Allowed are those that people allowed in it.
	Allowed []RouteName
	// Judges are the routes that have answered its reviews, as provider/model.
	Judges []string
}

// AncestorOf is a session as its descendants' reviews need it. h has to be complete.
func AncestorOf(s *projections.Session, h *projections.History, head events.Head) Ancestor {
	a := Ancestor{Session: s.Header().ID, Head: head, Words: slices.Collect(h.Words(s)), Judges: slices.Clone(s.Request.Judges)}
	if p := s.Request.Pinned; p != nil {
		a.Pinned = &RouteName{Provider: p.Provider, Model: p.Model}
	}
	for _, r := range s.AllowedRoutes() {
		a.Allowed = append(a.Allowed, RouteName{Provider: r.Provider, Model: r.Model})
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

// ErrAncestorUnreadable says that what an ancestor's people have said cannot be read,
// so that nobody knows what restricts the child.
var ErrAncestorUnreadable = &Failure{Class: ClassInconsistent, Code: "ANCESTOR_UNREADABLE"}
