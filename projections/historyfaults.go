package projections

import (
	"cmp"
	"slices"

	"github.com/docket-engine/docket/events"
)

// Fault is what a visible assistant message and the log say differently of a call,
// so that no review can tell what was started (reference 5.4, checks 8 to 13).
type Fault struct {
	Kind    FaultKind // "" for none
	Message events.Seq
	CallID  string
}

// FaultKind is one of those checks.
type FaultKind string

// The faults, in the order in which they are looked for at each call that a
// message asks for.
const (
	FaultRootTwice         FaultKind = "root-visible-twice"   // the call under review is asked for again
	FaultAmbiguousID       FaultKind = "ambiguous-id"         // an id that two calls of the step have
	FaultMissingLog        FaultKind = "missing-earlier-log"  // before the call under review, and not logged
	FaultUnstartedHasInner FaultKind = "unstarted-has-inner"  // not logged, but a program runs in it
	FaultNotPrefix         FaultKind = "not-a-started-prefix" // logged behind one that is not
	FaultMismatch          FaultKind = "visible-log-mismatch" // the log has another name or other arguments
)

// rootWalk is how far the walk has come to the native call under review.
type rootWalk struct {
	id     string
	passed bool
}

// Faults walks the visible assistant messages in the order of the surface, for the
// native call root of the open step: the first fault, and whether the call was
// met. What ended steps did was looked at once, when they ended.
func (h *History) Faults(s *Session, root string) (first Fault, met bool) {
	h.sync(s)
	walk := rootWalk{id: root}
	for _, n := range h.suspects(s) {
		if n.step == nil {
			return n.fault, false
		}
		if fault, bad := n.step.walk(n, &walk); bad {
			return fault, walk.passed
		}
	}
	return Fault{}, walk.passed
}

// suspects are the messages of the open step and those with a fault, in the order
// of the surface.
func (h *History) suspects(s *Session) []*historyNode {
	var out []*historyNode
	if h.step != nil {
		out = slices.Clone(h.step.messages)
	}
	if len(h.faulty) == 0 && len(out) < 2 {
		return out // no order to find
	}
	out = append(out, h.faulty...)
	at := make(map[events.Seq]int, len(out))
	for i, seq := range s.Surface().Nodes() {
		at[seq] = i
	}
	slices.SortFunc(out, func(a, b *historyNode) int { return cmp.Compare(at[a.seq], at[b.seq]) })
	return out
}

// walk looks at the calls that one message asks for. An id that it asks for twice is
// ambiguous also where the log has it once. What other messages ask for does not
// count, so that it makes no difference whether they are still visible.
func (p *historyStep) walk(n *historyNode, root *rootWalk) (Fault, bool) {
	unstarted := false
	asked := make(map[string]bool, len(n.blocks))
	for _, b := range n.blocks {
		kind := FaultKind("")
		logged := p.byID[b.ID]
		switch {
		case root != nil && root.passed && b.ID == root.id:
			kind = FaultRootTwice
		case len(logged) > 1 || asked[b.ID]:
			kind = FaultAmbiguousID
		case len(logged) == 0 && root != nil && !root.passed:
			kind = FaultMissingLog
		case len(logged) == 0 && p.parents[b.ID]:
			kind = FaultUnstartedHasInner
		case len(logged) == 0:
			unstarted = true
		case unstarted:
			kind = FaultNotPrefix
		case logged[0].Name != b.Name || logged[0].raw != b.Arguments:
			kind = FaultMismatch
		}
		if kind != "" {
			return Fault{Kind: kind, Message: n.seq, CallID: b.ID}, true
		}
		asked[b.ID] = true
		if root != nil && b.ID == root.id {
			root.passed = true
		}
	}
	return Fault{}, false
}
