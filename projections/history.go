package projections

import (
	"errors"
	"fmt"
	"iter"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
)

// History is what a review request shows of a session, FILTERED_HISTORY and
// PROJECT_INSTRUCTIONS, kept up to date as the log grows (reference 5.2, 5.3 and
// 8). It belongs to one [Session] and is for one goroutine at a time.
//
// What is final, all in front of the open step's first assistant message, is
// rendered once and kept as bytes, so that a review costs what is new beside
// copying them. A replacement on the surface has them rendered anew.
type History struct {
	from, next events.Seq // the events seen
	begun      bool
	broken     error // an event was left out, so that nothing is complete any more

	nodes  map[events.Seq]*historyNode // visible messages that show something
	step   *historyStep                // the open one, nil between steps
	faulty []*historyNode              // of ended steps
	kept   int64                       // bytes that nodes and step hold, roughly

	stamp        historyStamp
	taken        int    // how many nodes of the surface are rendered in done
	done         []byte // FILTERED_HISTORY up to there, without the closing bracket
	instructions []byte // PROJECT_INSTRUCTIONS up to there, likewise
	rest         []byte // room for what comes behind done
	told         []byte // room for PROJECT_INSTRUCTIONS as a whole

	said saidText // what its descendants' reviewers are shown

	seen      map[events.Seq]bool // the surface, while the session is ahead
	seenStamp historyStamp
}

// historyStamp is what rendered text depends on beside the messages: under another
// one it is rendered anew.
type historyStamp struct {
	generation          int
	inherited, imported events.Seq
	nodes               int // of a set of visible events only
}

// RoleCheckpoint and RoleConstraint are the roles of texts whose source alone
// decides.
const (
	RoleCheckpoint lineage.Role = "checkpoint"
	RoleConstraint lineage.Role = "constraint"
)

// EntryKind says what an entry of a history is.
type EntryKind string

// The kinds of entries.
const (
	EntryUser   EntryKind = "user-message"
	EntryAgent  EntryKind = "agent-message"
	EntryNotice EntryKind = "review-notice"
	EntryCall   EntryKind = "tool-call"
)

// The modes of a call in a history.
const (
	ModeNative = "native"
	ModeInner  = "ptc-inner"
)

// Entry is one entry of FILTERED_HISTORY: a block of a message, or a call that was
// started.
type Entry struct {
	Seq    events.Seq // of the message, or of the call's start
	Time   int64      // of that event, Unix ms
	Kind   EntryKind
	Role   lineage.Role
	Source jsontext.Value // of a message
	Block  events.Block   // of a message
	// A call has a mode, an id, the tool's name, and its arguments as they are
	// shown: the raw text of a native call, indented JSON of an inner one.
	Mode, CallID, Name, Arguments string
	// Ended is how a call ended, as far as the log says; no request shows it.
	Ended CallEnd
}

// Instruction is one entry of PROJECT_INSTRUCTIONS.
type Instruction struct {
	Seq     events.Seq
	Source  jsontext.Value
	Content []events.Block
}

// CallRef names a call of the open step; the zero one names none.
type CallRef struct {
	ID    string
	Inner bool
}

// NewHistory begins with nothing seen.
func NewHistory() *History { return &History{nodes: map[events.Seq]*historyNode{}} }

// HistoryFrom is the first seq of the log that a History of the session has to
// see: nothing that a request shows came before it.
func HistoryFrom(s *Session) events.Seq {
	from := s.Next()
	for i, seq := range s.Surface().Nodes() {
		if i > 0 || !s.Surface().System() {
			from = min(from, seq)
		}
	}
	for i := range s.Calls.Shown {
		from = min(from, s.Calls.Shown[i].Start)
	}
	if s.Calls.Open != nil {
		from = min(from, s.Calls.Open.Start)
	}
	return from
}

// Apply takes an event that s has folded. The session may be further already:
// what is not visible in it is passed over.
func (h *History) Apply(s *Session, e events.Envelope) {
	switch {
	case !h.begun:
		h.begun, h.from = true, e.Seq
	case e.Seq != h.next:
		h.broken = fmt.Errorf("the history got seq %d where %d follows", e.Seq, h.next)
	}
	h.next = e.Seq + 1
	h.take(s, e)
	if s.Next() == h.next && h.stamp != stampOf(s) {
		h.sync(s) // what has left the surface is not kept
	}
}

func (h *History) take(s *Session, e events.Envelope) {
	switch ev := any(e.Event).(type) { // what a request shows
	case events.StepStart:
		h.step = newHistoryStep(ev)
	case events.StepEnd:
		h.endStep()
	case events.UserMessage:
		h.put(s, e, userNode(e.Seq, ev, e.Seq < s.Imported))
	case events.AgentMessage:
		h.put(s, e, agentNode(e.Seq, ev))
	case events.ReviewNotice:
		h.put(s, e, noticeNode(e.Seq, ev))
	case events.AssistantMessage:
		h.say(s, e.Seq, ev)
	case events.ToolCall:
		h.call(e, ev)
	case events.PTCDispatchStart:
		h.inner(e, ev)
	default:
		h.step.course(e)
	}
}

// Complete reports what keeps the History from showing all that a request about
// the session needs: events that it was not given.
func (h *History) Complete(s *Session) error {
	switch {
	case h.broken != nil:
		return h.broken
	case !h.begun && HistoryFrom(s) == s.Next():
		return nil // there is nothing to show
	case h.next != s.Next():
		return fmt.Errorf("the history is at seq %d, the session at %d", h.next, s.Next())
	case s.Calls.Open != nil && s.Calls.Open.Start < h.from:
		return errors.New("the history has not seen the start of the open step")
	}
	h.sync(s)
	return h.broken
}

// Size estimates how many bytes of memory the History holds.
func (h *History) Size() int64 {
	return h.kept + int64(cap(h.done)+cap(h.instructions)+cap(h.rest)+cap(h.told)+cap(h.said.said.Text)+cap(h.said.said.Words)*sizeEntry) + int64(len(h.seen))*sizeSeen + sizeHistory
}

const (
	sizeHistory = 512
	sizeSeen    = 16
	sizeEntry   = 320
)

// Entries are the entries of FILTERED_HISTORY, in order, without the call that is
// pending.
func (h *History) Entries(s *Session, pending CallRef) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, seq := range s.Surface().Nodes() {
			n := h.nodes[seq]
			if n == nil || n.instruction {
				continue
			}
			for _, e := range n.show(s.Authority(), pending) {
				if !yield(e.Entry) {
					return
				}
			}
		}
	}
}

// Instructions are the entries of PROJECT_INSTRUCTIONS, in order.
func (h *History) Instructions(s *Session) iter.Seq[Instruction] {
	return func(yield func(Instruction) bool) {
		for _, seq := range s.Surface().Nodes() {
			n := h.nodes[seq]
			if n == nil || !n.instruction {
				continue
			}
			if !yield(n.told()) {
				return
			}
		}
	}
}

// put keeps a message that is visible and shows something.
func (h *History) put(s *Session, e events.Envelope, n *historyNode) {
	if n == nil || !h.visible(s, e.Seq) {
		return
	}
	for _, entry := range n.entries {
		entry.Time = e.Time
	}
	h.nodes[e.Seq] = n
	h.kept += n.size()
}

// lookBack is how many of the newest nodes are looked at before the surface is
// made a set: events come one by one, or a few in a frame.
const lookBack = 8

// visible reports whether an event is on the surface of a session that may be
// further.
func (h *History) visible(s *Session, seq events.Seq) bool {
	nodes := s.Surface().Nodes()
	for i := len(nodes) - 1; i >= max(0, len(nodes)-lookBack); i-- {
		if nodes[i] == seq {
			return true
		}
	}
	if s.Next() == seq+1 && len(nodes) <= lookBack {
		return false
	}
	stamp := stampOf(s)
	stamp.nodes = len(nodes)
	if h.seen == nil || h.seenStamp != stamp {
		h.seen, h.seenStamp = make(map[events.Seq]bool, len(nodes)), stamp
		for _, n := range nodes {
			h.seen[n] = true
		}
	}
	return h.seen[seq]
}

func stampOf(s *Session) historyStamp {
	return historyStamp{generation: s.Surface().Generation(), inherited: s.Lineage.Inherited, imported: s.Imported}
}
