package lineage

import (
	"errors"
	"strings"

	"github.com/docket-engine/docket/events"
)

// MaxDepth is how deep children may be where nothing else is said: a root is at
// 0, its children at 1.
const MaxDepth = 8

// Child is what a child's header is made of beside its parent's.
type Child struct {
	ID        events.SessionID
	CreatedAt int64 // Unix ms
	// Seeded says that the child begins with a prefix of its parent's log.
	Seeded bool
	// AgentPreset is the child's; "" is the parent's.
	AgentPreset string
	// MaxDepth is how deep the child may be; 0 is [MaxDepth].
	MaxDepth int64
}

// ChildHeader is the header of a child (reference 6): the parent's cwd,
// parentSession its id, origin subagent, one deeper than the parent. A child that
// would be too deep is refused with [CodeDepth].
func ChildHeader(parent events.Header, c Child) (events.Header, error) {
	limit := c.MaxDepth
	if limit == 0 {
		limit = MaxDepth
	}
	if parent.Depth() >= limit {
		return events.Header{}, events.Refuse(CodeDepth, "parent", "a child of %s would be at depth %d, and %d is the deepest", parent.ID, parent.Depth()+1, limit)
	}
	if c.ID == parent.ID {
		return events.Header{}, events.Refuse(CodeCycle, "childId", "must not be the parent's own")
	}
	preset := c.AgentPreset
	if preset == "" {
		preset = parent.AgentPreset
	}
	depth := parent.Depth() + 1
	h, err := events.NewHeader(events.Header{
		ID: c.ID, CreatedAt: c.CreatedAt, CWD: parent.CWD, ParentSession: parent.ID, IsSeeded: &c.Seeded,
		Origin: events.OriginSubagent, DelegationDepth: &depth, AgentPreset: preset,
	})
	return h, refuseField(CodeHeader, err)
}

// HeaderHash is what a creation fact says of the child's header: the SHA-256 of
// its line, hex.
func HeaderHash(h events.Header) string { return digest(h.Line) }

// isChild reports whether the header says that the session was spawned.
func isChild(h events.Header) bool {
	return h.Origin == events.OriginSubagent && h.ParentSession != ""
}

// refuseField makes a refusal of what a value's own check says of the member that
// a delegation gave.
func refuseField(code string, err error) error {
	f, ok := errors.AsType[*events.FieldError](err)
	if !ok {
		return err
	}
	field := strings.TrimPrefix(strings.TrimPrefix(f.Field, "data."), "header.")
	if code == CodeHeader && field == "id" {
		field = "childId"
	}
	return events.Refuse(code, field, "%s", f.Rule)
}
