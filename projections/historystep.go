package projections

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
)

// historyStep is the open step: the calls that were logged in it, in the order of
// the log, and its visible assistant messages.
type historyStep struct {
	turn, step int
	messages   []*historyNode
	native     []*historyCall
	byID       map[string][]*historyCall // native calls
	under      map[string][]*historyCall // inner calls by the native one that they descend from
	rootOf     map[string]string         // inner calls' ids to that one
	parents    map[string]bool           // ids that an inner start names as its parent
	innerByID  map[string]*historyCall   // the last inner call of each id
}

// historyCall is a call that was started.
type historyCall struct {
	historyEntry
	raw        string // a native call's arguments as they were logged
	dispatched bool
}

func newHistoryStep(ev events.StepStart) *historyStep {
	return &historyStep{
		turn: ev.Turn, step: ev.Step,
		byID: map[string][]*historyCall{}, under: map[string][]*historyCall{}, rootOf: map[string]string{}, parents: map[string]bool{},
		innerByID: map[string]*historyCall{},
	}
}

// say keeps an assistant message that is visible and asks for calls.
func (h *History) say(s *Session, seq events.Seq, ev events.AssistantMessage) {
	blocks := callBlocks(ev.Message.Content)
	if len(blocks) == 0 || !h.visible(s, seq) {
		return
	}
	if h.step == nil {
		h.broken = errIncomplete
		return
	}
	n := &historyNode{seq: seq, step: h.step, blocks: blocks}
	h.step.messages = append(h.step.messages, n)
	h.nodes[seq] = n
	h.kept += n.size()
}

func (h *History) call(e events.Envelope, ev events.ToolCall) {
	if h.step == nil {
		return // its step had begun before, and shows nothing
	}
	raw := *ev.Arguments
	c := &historyCall{raw: raw, historyEntry: historyEntry{Entry: Entry{
		Seq: e.Seq, Time: e.Time, Kind: EntryCall, Role: lineage.RoleFact, Mode: ModeNative, CallID: ev.CallID, Name: ev.Name, Arguments: raw, Ended: EndPending,
	}}}
	h.step.native = append(h.step.native, c)
	h.step.byID[ev.CallID] = append(h.step.byID[ev.CallID], c)
	h.kept += sizeEntry + int64(len(raw))
}

// inner keeps a program's call under the native one that it descends from: also
// what an inner program called is part of what that one did.
func (h *History) inner(e events.Envelope, ev events.PTCDispatchStart) {
	if h.step == nil {
		return
	}
	root, nested := h.step.rootOf[ev.ParentCallID]
	if !nested {
		root = ev.ParentCallID
	}
	c := &historyCall{historyEntry: historyEntry{Entry: Entry{
		Seq: e.Seq, Time: e.Time, Kind: EntryCall, Role: lineage.RoleFact, Mode: ModeInner, CallID: ev.SubCallID, Name: ev.Name,
		Arguments: string(indented(nil, ev.Arguments, "")), Ended: EndPending,
	}}}
	h.step.rootOf[ev.SubCallID] = root
	h.step.parents[ev.ParentCallID] = true
	h.step.under[root] = append(h.step.under[root], c)
	h.step.innerByID[ev.SubCallID] = c
	h.kept += sizeEntry + int64(len(c.Arguments))
}

// started lists the calls that the blocks of one message started, each followed
// by its inner ones, without the pending one.
func (p *historyStep) started(blocks []callBlock, pending CallRef) []*historyEntry {
	var out []*historyEntry
	for _, b := range blocks {
		calls := p.byID[b.ID]
		if len(calls) == 0 {
			continue // not started: nothing has happened
		}
		if pending.Inner || pending.ID != b.ID {
			out = append(out, &calls[len(calls)-1].historyEntry)
		}
		for _, in := range p.under[b.ID] {
			if !pending.Inner || pending.ID != in.CallID {
				out = append(out, &in.historyEntry)
			}
		}
	}
	return out
}

// endStep makes the calls of the step final.
func (h *History) endStep() {
	step := h.step
	h.step = nil
	if step == nil {
		return
	}
	for _, c := range step.native {
		h.kept -= sizeEntry + int64(len(c.raw))
	}
	for _, inner := range step.under {
		for _, c := range inner {
			h.kept -= sizeEntry + int64(len(c.Arguments))
		}
	}
	for _, n := range step.messages {
		n.fault, _ = step.walk(n, nil)
		if n.fault.Kind != "" {
			h.faulty = append(h.faulty, n)
		}
		h.kept -= n.size()
		n.entries, n.step, n.blocks = step.started(n.blocks, CallRef{}), nil, nil
		h.kept += n.size()
	}
}

// sync renders what has become final, and all of it anew where something left the
// surface or the roles may have changed.
func (h *History) sync(s *Session) {
	nodes := s.Surface().Nodes()
	if stamp := stampOf(s); h.stamp != stamp {
		h.forget(nodes)
		h.stamp, h.taken, h.done, h.instructions = stamp, 0, nil, nil
	}
	a := s.Authority()
	for ; h.taken < len(nodes); h.taken++ {
		seq := nodes[h.taken]
		n := h.nodes[seq]
		if n == nil {
			if seq < h.from && (h.taken > 0 || !s.Surface().System()) {
				h.broken = errIncomplete
			}
			continue
		}
		if n.step != nil {
			return
		}
		h.render(n, a)
	}
}

// forget drops the messages that are not on the surface any more.
func (h *History) forget(visible []events.Seq) {
	kept := make(map[events.Seq]*historyNode, len(h.nodes))
	h.faulty = h.faulty[:0]
	size := int64(0)
	for _, seq := range visible {
		n := h.nodes[seq]
		if n == nil {
			continue
		}
		kept[seq] = n
		size += n.size()
		if n.fault.Kind != "" {
			h.faulty = append(h.faulty, n)
		}
	}
	if h.step != nil {
		var still []*historyNode
		for _, n := range h.step.messages {
			if kept[n.seq] != nil {
				still = append(still, n)
			}
		}
		h.step.messages = still
		size += h.step.size()
	}
	h.nodes, h.kept = kept, size
}

func (p *historyStep) size() int64 {
	size := int64(0)
	for _, c := range p.native {
		size += sizeEntry + int64(len(c.raw))
	}
	for _, inner := range p.under {
		for _, c := range inner {
			size += sizeEntry + int64(len(c.Arguments))
		}
	}
	return size
}

// indented writes a JSON value as a request shows it, its lines after the first
// behind the prefix. What is no strict JSON, which no log holds, is shown as a
// string.
func indented(dst []byte, v jsontext.Value, prefix string) []byte {
	before := len(dst)
	out, err := jsontext.AppendFormat(dst, v, jsontext.WithIndent("  "), jsontext.WithIndentPrefix(prefix))
	if err == nil {
		return out
	}
	return quoted(dst[:before], string(v))
}
