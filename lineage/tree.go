package lineage

import (
	"cmp"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
)

// Relation is how a session came from the one above it in a tree.
type Relation string

// The relations of a tree.
const (
	RelationRoot  Relation = "root"
	RelationChild Relation = "child"
	RelationFork  Relation = "fork"
)

// Relative is a session in the tree of those that it is related to.
type Relative struct {
	ID       events.SessionID `json:"id"`
	Relation Relation         `json:"relation"`
	// Depth is the delegation depth that its header says; of a missing child, the
	// one that its parent makes it.
	Depth int64  `json:"depth"`
	Mode  string `json:"mode,omitempty"`  // of a child, by its own descriptor, or the parent's fact
	Label string `json:"label,omitempty"` // as Mode
	// Verified says that a child is what it says, by [VerifyChild]; Unverified is
	// the code of what speaks against it. Roots and forks have neither.
	Verified   bool   `json:"verified,omitempty"`
	Unverified string `json:"unverified,omitempty"`
	// Missing says that the session is only known from a relative's log or header.
	Missing bool `json:"missing,omitempty"`
	// Cycle says that the session descends from itself; it stands as a root.
	Cycle    bool       `json:"cycle,omitempty"`
	Children []Relative `json:"children,omitempty"` // and forks, by their age
}

// Tree puts sessions under those that they come from, roots first by age. It
// takes any sessions: of one that comes twice the first counts, parents and
// children that are not among them stand there as missing, and a cycle is cut
// where its smallest id is. A nil State is an empty log's. Each session stands in the tree once.
func Tree(sessions []Kin) []Relative {
	g := grow(sessions)
	var roots []events.SessionID
	for id := range g.known {
		if _, has := g.parent[id]; !has {
			roots = append(roots, id)
		}
	}
	for _, id := range g.cycles() {
		g.cut[id] = true
		roots = append(roots, id)
	}
	return g.relatives(roots)
}

// graph is what sessions say of each other.
type graph struct {
	known  map[events.SessionID]bool
	kin    map[events.SessionID]Kin // of those that are there
	parent map[events.SessionID]events.SessionID
	below  map[events.SessionID][]events.SessionID
	cut    map[events.SessionID]bool // roots of cycles
}

func grow(sessions []Kin) *graph {
	g := &graph{
		known: map[events.SessionID]bool{}, kin: map[events.SessionID]Kin{}, cut: map[events.SessionID]bool{},
		parent: map[events.SessionID]events.SessionID{}, below: map[events.SessionID][]events.SessionID{},
	}
	for _, k := range sessions {
		if k.State == nil {
			k.State = &State{}
		}
		if _, twice := g.kin[k.Header.ID]; !twice {
			g.kin[k.Header.ID], g.known[k.Header.ID] = k, true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(g.kin)) {
		k := g.kin[id]
		if k.Header.ParentSession != "" {
			g.parent[id], g.known[k.Header.ParentSession] = k.Header.ParentSession, true
		}
		g.missingChildren(k)
	}
	for _, id := range slices.Sorted(maps.Keys(g.parent)) {
		g.below[g.parent[id]] = append(g.below[g.parent[id]], id)
	}
	return g
}

// missingChildren adds the children that only the session's own log knows.
func (g *graph) missingChildren(k Kin) {
	for _, e := range k.State.Children {
		_, there := g.kin[e.ChildID]
		_, has := g.parent[e.ChildID]
		if k.State.Own(e.Seq) && !there && !has {
			g.parent[e.ChildID], g.known[e.ChildID] = k.Header.ID, true
		}
	}
}

// cycles gives the smallest id of each cycle.
func (g *graph) cycles() []events.SessionID {
	done := map[events.SessionID]bool{}
	var heads []events.SessionID
	for _, id := range slices.Sorted(maps.Keys(g.parent)) {
		var path []events.SessionID
		at, has := id, true
		for has && !done[at] {
			done[at] = true
			path = append(path, at)
			at, has = g.parent[at]
		}
		if i := slices.Index(path, at); has && i >= 0 {
			heads = append(heads, slices.Min(path[i:]))
		}
	}
	return heads
}

// relatives gives the trees under sessions, the oldest first.
func (g *graph) relatives(ids []events.SessionID) []Relative {
	slices.SortFunc(ids, func(a, b events.SessionID) int {
		return cmp.Or(cmp.Compare(g.kin[a].Header.CreatedAt, g.kin[b].Header.CreatedAt), cmp.Compare(a, b))
	})
	var out []Relative
	for _, id := range ids {
		r := g.relative(id)
		r.Children = g.relatives(slices.DeleteFunc(slices.Clone(g.below[id]), func(c events.SessionID) bool { return g.cut[c] }))
		out = append(out, r)
	}
	return out
}

func (g *graph) relative(id events.SessionID) Relative {
	k, there := g.kin[id]
	parent, has := g.parent[id]
	r := Relative{ID: id, Relation: RelationRoot, Depth: k.Header.Depth(), Missing: !there, Cycle: g.cut[id]}
	switch {
	case !has || r.Cycle:
		return r
	case there && !isChild(k.Header):
		r.Relation = RelationFork
		return r
	}
	r.Relation = RelationChild
	if !there {
		return g.told(r, g.kin[parent])
	}
	if own, ok := k.State.Descriptor(); ok {
		r.Mode, r.Label = own.Descriptor.Mode, own.Descriptor.Label
	}
	r.Verified, r.Unverified = g.verified(parent, k)
	return r
}

// told adds what the parent's log says of a child that is not there.
func (g *graph) told(r Relative, parent Kin) Relative {
	entry, _ := parent.State.Child(r.ID)
	var d events.SubagentDescriptor
	if err := json.Unmarshal(entry.Descriptor, &d); err == nil {
		r.Mode, r.Label = d.Mode, d.Label
	}
	r.Depth = parent.Header.Depth() + 1
	return r
}

func (g *graph) verified(parent events.SessionID, child Kin) (ok bool, code string) {
	p, there := g.kin[parent]
	if !there {
		return false, CodeParentMissing
	}
	_, err := VerifyChild(p, child)
	if refusal, is := err.(*events.Refusal); is {
		return false, refusal.Code
	}
	return err == nil, ""
}
