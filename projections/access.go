package projections

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/docket-engine/docket/events"
)

// Access is what says whose a session is (decision 0012).
type Access struct {
	// Creator is who stored the session's header.
	Creator events.Actor `json:"creator"`
	// Foreign says that the session was imported: what it says of itself was never
	// checked here.
	Foreign bool      `json:"foreign,omitempty"`
	Adopted *Adoption `json:"adopted,omitempty"`
	Members *Members  `json:"members,omitempty"`
}

// Adoption is the last session/adopted.
type Adoption struct {
	Owner string     `json:"owner"`
	Seq   events.Seq `json:"seq"`
}

// Members is the last session/members.
type Members struct {
	Names []string   `json:"names"`
	Seq   events.Seq `json:"seq"`
}

// Apply folds an event that the Validator has accepted.
func (a *Access) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) {
	case events.SessionAdopted:
		a.Adopted = &Adoption{ev.Owner, e.Seq}
	case events.SessionMembers:
		a.Members = &Members{ev.Members, e.Seq}
	}
}

// here reports whether an event was decided on this log: what an import brought or
// a fork inherited was said of another session.
func (s *Session) here(seq events.Seq) bool { return seq >= s.Imported && s.Own(seq) }

// ReplayOnly reports whether the session was imported and nobody has adopted it, or is
// a fork of such a one from before it was adopted: nothing is done in it, whatever it
// says.
func (s *Session) ReplayOnly() bool {
	a := s.Access.Adopted
	return (s.Access.Foreign || s.Imported > 0) && (a == nil || a.Seq < s.Imported)
}

// Owner is the person whom the session belongs to: who adopted it, whom it was
// created for, or who created it. "" where that is nobody, as with a child, which
// belongs to its parent's owner, and with an import that nobody has adopted.
func (s *Session) Owner() string {
	a := s.Access
	switch {
	case s.ReplayOnly():
		return ""
	case a.Adopted != nil && s.here(a.Adopted.Seq):
		return a.Adopted.Owner
	case a.Creator.Class == ClassSpawner, a.Creator.Class == ClassHost:
		return gjson.GetBytes(s.header.Line, OwnerMember).Str
	case a.Creator.Class == ClassHuman:
		return a.Creator.Name
	default:
		return ""
	}
}

// OwnerMember is the header's member that names the person whom a spawner or a host
// created the session for. It counts in no other session's header.
const OwnerMember = "owner"

// The classes of actors that ownership depends on.
const (
	ClassHuman   = "human"
	ClassSpawner = "spawner"
	ClassHost    = "host"
)

// Members are those beside the owner who may work with the session and its children.
func (s *Session) Members() []string {
	if m := s.Access.Members; m != nil && s.here(m.Seq) && !s.ReplayOnly() {
		return slices.Clone(m.Names)
	}
	return nil
}

// Parent is the session whose people may work with this one as well: that of a
// child that was spawned here, "" for any other session.
func (s *Session) Parent() events.SessionID {
	if s.Access.Foreign || s.header.Origin != events.OriginSubagent {
		return ""
	}
	return s.header.ParentSession
}
