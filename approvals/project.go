package approvals

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Project is what a project's log says: lasting grants and sensitive resources
// (design section 4). The zero Project is that of an empty log; its JSON is its
// snapshot. It grows with the grants that are not taken back.
type Project struct {
	Grants         []ProjectGrant `json:"grants,omitzero"`
	Sensitive      []string       `json:"sensitive,omitzero"`      // not read without a person
	WriteSensitive []string       `json:"writeSensitive,omitzero"` // not written without a person
}

// ProjectGrant is an "always" that holds.
type ProjectGrant struct {
	ID      string     `json:"id"`
	Tool    string     `json:"tool"`
	Pattern string     `json:"pattern"`
	By      string     `json:"by"`
	Seq     events.Seq `json:"seq"`
}

// Apply folds an event of a project's log. Lists are made anew, so that a copy of
// the Project stays what it was.
func (p *Project) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) { // a project's log holds no others that matter
	case events.ProjectSensitiveResources:
		p.Sensitive = ev.Patterns
	case events.ProjectWriteSensitiveResources:
		p.WriteSensitive = ev.Patterns
	case events.ProjectGrant:
		p.Grants = append(slices.Clip(p.without(ev.GrantID)), ProjectGrant{ev.GrantID, ev.Tool, ev.Pattern, ev.By, e.Seq})
	case events.ProjectGrantRevoked:
		p.Grants = p.without(ev.GrantID)
	}
}

func (p *Project) without(id string) []ProjectGrant {
	if !slices.ContainsFunc(p.Grants, func(g ProjectGrant) bool { return g.ID == id }) {
		return p.Grants
	}
	return slices.DeleteFunc(slices.Clone(p.Grants), func(g ProjectGrant) bool { return g.ID == id })
}

// Covers finds the grant that a call has: one of the same tool whose pattern is
// the call's own. None covers a widening, a protected resource or a failure,
// whatever was granted before they were that.
func (p *Project) Covers(tool string, call Subject) (ProjectGrant, bool) {
	pattern := call.Pattern()
	if pattern == "" {
		return ProjectGrant{}, false
	}
	i := slices.IndexFunc(p.Grants, func(g ProjectGrant) bool { return g.Tool == tool && g.Pattern == pattern })
	if i < 0 {
		return ProjectGrant{}, false
	}
	return p.Grants[i], true
}

// GrantAlways gives what an "always" adds to the project's log: the question's
// own pattern, unless it is granted already. The answer is one that [Decide]
// accepts.
func GrantAlways(p *Project, q Question, a Answer, grantID string) []events.Draft {
	granted := slices.ContainsFunc(p.Grants, func(g ProjectGrant) bool { return g.Tool == q.Tool && g.Pattern == q.Pattern })
	if a.Kind != ReplyAlways || granted || a.check(q) != nil {
		return nil
	}
	return events.Drafts(events.ProjectGrant{GrantID: grantID, Tool: q.Tool, Pattern: q.Pattern, By: a.By})
}

// Revoke decides that a grant is taken back.
func Revoke(p *Project, grantID, by string) ([]events.Draft, error) {
	if by == "" {
		return nil, events.Refuse(CodeNoPerson, "by", "a person takes a grant back, and this names nobody")
	}
	if !slices.ContainsFunc(p.Grants, func(g ProjectGrant) bool { return g.ID == grantID }) {
		return nil, events.Refuse(CodeNoGrant, "grantId", "%q is no grant of the project", grantID)
	}
	return events.Drafts(events.ProjectGrantRevoked{GrantID: grantID, By: by}), nil
}

// Text is the grant as a fact in a judge's prompt (seed 003, section 3).
func (g ProjectGrant) Text() string { return "Persistent grant: " + g.Pattern }
