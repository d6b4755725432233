package approvals

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Grant is the leave for one exact widening of one call of the open step (design
// section 4).
type Grant struct {
	CallID        string     `json:"callId"`
	Tool          string     `json:"tool"`
	Mode          string     `json:"mode"`
	Justification string     `json:"justification"`
	Seq           events.Seq `json:"seq"`
	Used          bool       `json:"used,omitzero"`
}

// IssueGrant decides a grant, one a call.
func IssueGrant(s *State, g events.GrantIssued) ([]events.Draft, error) {
	for _, m := range []struct{ field, value string }{{"callId", g.CallID}, {"tool", g.Tool}, {"justification", g.Justification}} {
		if m.value == "" {
			return nil, events.Refuse(CodeBadGrant, m.field, "must not be empty")
		}
	}
	if g.Mode != events.ModeWorkspaceWrite && g.Mode != events.ModeDangerFullAccess {
		return nil, events.Refuse(CodeBadGrant, "mode", "must be %s or %s, is %q", events.ModeWorkspaceWrite, events.ModeDangerFullAccess, g.Mode)
	}
	if !s.TurnOpen {
		return nil, events.Refuse(CodeNoTurn, "", "a grant is for a call, which needs an open turn")
	}
	if slices.ContainsFunc(s.Grants, func(old Grant) bool { return old.CallID == g.CallID }) {
		return nil, events.Refuse(CodeGrantExists, "callId", "call %q has its grant", g.CallID)
	}
	return events.Drafts(g), nil
}

// UseGrant decides the use of a call's grant, once and for exactly what it is
// for. It gives the grant, whose seq a dispatch names.
func UseGrant(s *State, callID, tool, mode string) (Grant, []events.Draft, error) {
	for _, g := range s.Grants {
		if g.CallID == callID && g.Tool == tool && g.Mode == mode && !g.Used {
			return g, events.Drafts(events.GrantConsumed{CallID: callID, GrantSeq: g.Seq}), nil
		}
	}
	return Grant{}, nil, events.Refuse(CodeNoGrant, "callId", "no unused grant lets call %q use %s in %s", callID, tool, mode)
}

func (s *State) consumed(ev events.GrantConsumed) {
	for i, g := range s.Grants {
		if g.Seq == ev.GrantSeq {
			s.Grants = slices.Clone(s.Grants)
			s.Grants[i].Used = true
			return
		}
	}
}
