package lineage

import (
	"fmt"

	"github.com/docket-engine/docket/events"
)

// ForkHeader is the header of a fork of parent (reference 1.6): the parent's
// cwd and agent preset, parentSession its id, isSeeded, no origin, createdAt in
// Unix ms. A fork is as deep as its parent, not deeper: nothing was delegated,
// and it must not be able to delegate further than its parent could. Members
// that only others know are not carried over, since they speak of the parent. An
// id or a time that no header may have is a *[events.FieldError].
func ForkHeader(parent events.Header, child events.SessionID, createdAt int64) (events.Header, error) {
	if child == parent.ID {
		return events.Header{}, fmt.Errorf("lineage: session %s cannot be forked into itself: %w", child, events.ErrExists)
	}
	seeded, depth := true, parent.Depth()
	return events.NewHeader(events.Header{
		ID:              child,
		CreatedAt:       createdAt,
		CWD:             parent.CWD,
		ParentSession:   parent.ID,
		IsSeeded:        &seeded,
		DelegationDepth: &depth,
		AgentPreset:     parent.AgentPreset,
	})
}
