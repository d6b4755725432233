package events

import "slices"

// SessionAdopted says that a person has made an imported session theirs: until then
// it can be read and nothing else (design section 5).
type SessionAdopted struct {
	Owner   string  `json:"owner"`
	By      string  `json:"by"` // who did it: the owner, or an operator for them
	Unknown Unknown `json:",embed"`
}

// SessionMembers says who beside the owner may work with the session and its
// children. The last one holds.
type SessionMembers struct {
	Members []string `json:"members"`
	By      string   `json:"by"`
	Unknown Unknown  `json:",embed"`
}

// Type is "session/adopted".
func (SessionAdopted) Type() Type { return TypeSessionAdopted }

// Type is "session/members".
func (SessionMembers) Type() Type { return TypeSessionMembers }

func (e SessionAdopted) check() error {
	return firstError(nonEmpty("owner", e.Owner), nonEmpty("by", e.By))
}

func (e SessionMembers) check() error {
	if e.Members == nil {
		return fieldf("members", "is missing")
	}
	if slices.Contains(e.Members, "") {
		return fieldf("members", "must not hold an empty name")
	}
	return nonEmpty("by", e.By)
}
