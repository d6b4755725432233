package lineage

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// Kin is a session as its relatives see it: its header and its folded state.
type Kin struct {
	Header events.Header
	State  *State
	// Imported is how many events at the front of its log were imported: what they
	// say of other sessions was never checked here.
	Imported events.Seq
}

// VerifyChild checks that a child is what it says (reference 8, item 2): its
// header names the parent as its direct parent and is one deeper, and the
// parent's own log has the creation fact of this header and this descriptor. The
// proof is what an admitted message keeps of it. A child without a fact is linked
// by its header alone, and unverified; so is one that was imported, or whose fact
// was, since nobody here saw it being made.
func VerifyChild(parent, child Kin) (events.ParentProof, error) {
	if err := childByHeader(parent.Header, child.Header); err != nil {
		return events.ParentProof{}, err
	}
	entry, ok := parent.State.Child(child.Header.ID)
	if !ok {
		return events.ParentProof{}, events.Refuse(CodeNotCatalogued, "childId", "the log of %s has no creation fact of %s", parent.Header.ID, child.Header.ID)
	}
	if child.Imported > 0 || entry.Seq < parent.Imported {
		return events.ParentProof{}, events.Refuse(CodeImported, "childId", "%s or its creation was imported", child.Header.ID)
	}
	if entry.HeaderHash != HeaderHash(child.Header) {
		return events.ParentProof{}, events.Refuse(CodeHeaderDiffers, "header", "of %s is not the one that was created at seq %d of %s", child.Header.ID, entry.Seq, parent.Header.ID)
	}
	own, ok := child.State.Descriptor()
	if !ok {
		return events.ParentProof{}, events.Refuse(CodeNoDescriptor, "descriptor", "%s has none of its own", child.Header.ID)
	}
	if !sameJSON(entry.Descriptor, describe(own.Descriptor)) {
		return events.ParentProof{}, events.Refuse(CodeDescriptorDiffers, "descriptor", "of %s is not the one that was created at seq %d of %s", child.Header.ID, entry.Seq, parent.Header.ID)
	}
	return events.ParentProof{Seq: entry.Seq, RecordHash: entry.RecordHash}, nil
}

func childByHeader(parent, child events.Header) error {
	if !isChild(child) || child.ParentSession != parent.ID || child.ID == parent.ID {
		return events.Refuse(CodeNotChild, "parentSession", "%s is not a child of %s by its header", child.ID, parent.ID)
	}
	if child.Depth() != parent.Depth()+1 {
		return events.Refuse(CodeDepthDiffers, "delegationDepth", "of %s must be %d, one more than its parent's, is %d", child.ID, parent.Depth()+1, child.Depth())
	}
	return nil
}

// VerifyLine checks a line of descent, from a session to its root: each one is
// the parent of the one before it, none comes twice, a child is one deeper than
// its parent and a fork as deep.
func VerifyLine(line []events.Header) error {
	seen := map[events.SessionID]bool{}
	for _, h := range line {
		if seen[h.ID] {
			return events.Refuse(CodeCycle, "parentSession", "%s descends from itself", h.ID)
		}
		seen[h.ID] = true
	}
	for i, h := range line {
		if h.ParentSession == "" && i == len(line)-1 {
			return nil
		}
		if h.ParentSession == "" || i == len(line)-1 || line[i+1].ID != h.ParentSession {
			return events.Refuse(CodeBroken, "parentSession", "of %s is %q, which is not what follows it", h.ID, h.ParentSession)
		}
		if want := line[i+1].Depth() + deeper(h); h.Depth() != want {
			return events.Refuse(CodeDepthDiffers, "delegationDepth", "of %s must be %d, is %d", h.ID, want, h.Depth())
		}
	}
	return events.Refuse(CodeMissing, "line", "must not be empty")
}

func deeper(h events.Header) int64 {
	if isChild(h) {
		return 1
	}
	return 0
}

// Resume gives what a child that is opened again is composed of (reference 6):
// its log alone is read, nothing is captured and nothing written. It must be
// continuable, and resumed by the very parent that its header names.
func Resume(child Kin, parent events.SessionID) (events.SubagentDescriptor, error) {
	if !isChild(child.Header) || child.Header.ParentSession != parent {
		return events.SubagentDescriptor{}, events.Refuse(CodeNotChild, "parent", "%s is not the direct parent of %s", parent, child.Header.ID)
	}
	own, ok := child.State.Descriptor()
	switch {
	case !ok:
		return events.SubagentDescriptor{}, events.Refuse(CodeNoDescriptor, "child", "%s has no descriptor of its own", child.Header.ID)
	case own.Descriptor.Mode != events.ChildContinuable:
		return events.SubagentDescriptor{}, events.Refuse(CodeNotContinuable, "child", "%s was made for one task", child.Header.ID)
	default:
		return own.Descriptor, nil
	}
}

// AdmitUser refuses a person's message to a child whose creation is not stored:
// the first one behind its descriptor would be taken for the creation prompt
// (design section 6, "Children are no laundry"). A child that has lived without a
// descriptor was imported; people may write to it.
func AdmitUser(child Kin) error {
	if !isChild(child.Header) {
		return nil
	}
	own, has := child.State.Descriptor()
	lived := child.State.LastTurn != nil && child.State.Own(child.State.LastTurn.Seq)
	if has && own.Prompt == nil && own.Told == nil || !has && !lived {
		return events.Refuse(CodeCreationPending, "session", "%s is still being made: its first message is its parent's", child.Header.ID)
	}
	return nil
}

// describe writes a descriptor as a creation fact has it.
func describe(d events.SubagentDescriptor) jsontext.Value {
	text, err := json.Marshal(d)
	if err != nil {
		return nil // not one that a log may hold; it equals nothing
	}
	return text
}

// sameJSON compares two values whatever order and spaces they are written in.
func sameJSON(a, b jsontext.Value) bool {
	a, b = a.Clone(), b.Clone()
	return len(a) > 0 && a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}
