package lineage

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Role is whose words a message is, for those who judge by it (reference 5.3).
type Role string

// The roles that lineage decides between.
const (
	RoleHuman  Role = "human-instruction"
	RoleParent Role = "direct-parent-instruction"
	RoleFact   Role = "fact"
)

// Authority reads whose words the messages of a session are.
type Authority struct {
	Header events.Header
	State  *State
	// Imported is how many events at the front of the log were imported: what they
	// claim of a parent's proof was never checked here, so their agent-messages are
	// facts (reference 8, item 2).
	Imported events.Seq
}

// User gives the role of the text of a user/message of source kind user
// (reference 5.3, the proposed reading): a creation prompt is the parent's if it
// and its descriptor are the session's own and the header says that it is a
// child, else a fact; so is what stands in a child's own part before any
// descriptor of its own. All else is a person's, also in an inherited prefix.
func (a Authority) User(seq events.Seq) Role {
	s := a.State
	i := slices.IndexFunc(s.Creations, func(c Creation) bool { return c.Prompt != nil && *c.Prompt == seq })
	if i >= 0 {
		if isChild(a.Header) && s.Own(s.Creations[i].Seq) && s.Own(seq) {
			return RoleParent
		}
		return RoleFact
	}
	own, has := s.Descriptor()
	if a.Header.Origin == events.OriginSubagent && s.Own(seq) && (!has || seq < own.Seq) {
		return RoleFact
	}
	return RoleHuman
}

// Agent gives the role of an agent-message's text: the parent's if the engine
// proved it when it was admitted, else a fact, whatever it says of its sender
// (reference 8, item 2).
func (a Authority) Agent(seq events.Seq, m events.AgentMessage) Role {
	proven := m.Parent != nil && m.SenderSessionID == a.Header.ParentSession && isChild(a.Header)
	if proven && a.State.Own(seq) && seq >= a.Imported {
		return RoleParent
	}
	return RoleFact
}
