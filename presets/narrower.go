package presets

import (
	"cmp"
	"slices"

	"github.com/docket-engine/docket/events"
)

// modes are the sandbox modes from the narrowest.
func modes() []string {
	return []string{events.ModeReadOnly, events.ModeWorkspaceWrite, events.ModeDangerFullAccess}
}

func isMode(mode string) bool { return slices.Contains(modes(), mode) }

// width orders modes; what is none is wider than all, so that it never wins.
func width(mode string) int {
	if i := slices.Index(modes(), mode); i >= 0 {
		return i
	}
	return len(modes())
}

// WiderMode reports whether mode a lets more through than mode b: a call in it is
// a widening. A mode that there is none of is wider than any other.
func WiderMode(a, b string) bool { return width(a) > width(b) }

// NarrowerMode is the narrower of two modes: what a call is dispatched in, when
// the mode was changed after its review (design section 6, stage 6).
func NarrowerMode(a, b string) string {
	if WiderMode(a, b) {
		return b
	}
	return a
}

// Narrower is the preset that lets less through: that a fork starts under (design
// section 5), and what a change of preset must not lift (section 6). The narrower
// sandbox wins; then the one under which calls are looked at before they run, and
// last the one that lets a model answer in a person's stead; then never, under
// which nothing is widened. Of equals it is the first.
func Narrower(a, b Preset) Preset {
	order := cmp.Or(
		cmp.Compare(width(a.Sandbox), width(b.Sandbox)),
		cmp.Compare(a.trust(), b.trust()),
		cmp.Compare(laxity(a.Approval), laxity(b.Approval)),
	)
	if order > 0 {
		return b
	}
	return a
}

// trust orders presets of one mode by who looks at a call.
func (p Preset) trust() int {
	switch {
	case p.Guard && p.Reviews == ReviewsCalls:
		return 0
	case p.Guard || p.Reviews == ReviewsCalls:
		return 1
	case p.Reviews == ReviewsRequests:
		return 3
	default:
		return 2
	}
}

func laxity(policy string) int {
	if policy == events.PolicyNever {
		return 0
	}
	return 1
}
