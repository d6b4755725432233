package projections

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
)

// historyNode is a visible message: what it shows, in a request's words.
type historyNode struct {
	seq         events.Seq
	instruction bool // a part of PROJECT_INSTRUCTIONS
	// entries are a message's blocks or the calls that an assistant message of an
	// ended step started. The role is left open where it rests on the session.
	entries []*historyEntry
	user    bool                 // of source kind user: a person's, a parent's or nobody's
	agent   *events.AgentMessage // what its role rests on, without the content

	step   *historyStep // of an assistant message whose step is open
	blocks []callBlock  // the calls that it asks for, while the step is open
	fault  Fault        // of an assistant message whose step has ended
}

// historyEntry is an entry, and its text while it is not part of what is final.
type historyEntry struct {
	Entry
	text []byte
}

// userNode shows a user/message; nil shows nothing. What a tool said is never
// shown, whether as a message or as a block of one. The kept words of a checkpoint
// are entries like all its blocks, with their mark; in one that was imported, which
// nobody here made, a mark counts for nothing and is not shown.
func userNode(seq events.Seq, ev events.UserMessage, imported bool) *historyNode {
	if ev.Source.Kind == events.SourceTool {
		return nil
	}
	content := ev.Content
	if imported && ev.Source.Checkpoint() {
		content = unmarked(content)
	}
	n := messageNode(seq, EntryUser, rawSource(ev.Source), content)
	switch {
	case n == nil:
	case ev.Source.Kind == events.SourceAgentInstructions:
		n.instruction = true
		n.be(RoleConstraint)
	case ev.Source.Kind == events.SourceUser:
		n.user = true
	case ev.Source.Checkpoint():
		n.be(RoleCheckpoint)
	}
	return n
}

func unmarked(content []events.Block) []events.Block {
	out := make([]events.Block, 0, len(content))
	for _, b := range content {
		out = append(out, b.WithoutKept())
	}
	return out
}

// agentNode shows an agent-message. Its source is what a request says of it: who
// sent it, and nothing of the proof.
func agentNode(seq events.Seq, ev events.AgentMessage) *historyNode {
	source := marshalled(struct {
		Kind            string           `json:"kind"`
		SenderSessionID events.SessionID `json:"senderSessionId"`
	}{events.SourceAgentMessage, ev.SenderSessionID})
	n := messageNode(seq, EntryAgent, source, ev.Content)
	if n != nil {
		n.agent = &events.AgentMessage{SenderSessionID: ev.SenderSessionID, Parent: ev.Parent}
	}
	return n
}

// noticeNode shows what a reviewer told the agent: a fact.
func noticeNode(seq events.Seq, ev events.ReviewNotice) *historyNode {
	source := marshalled(struct {
		Kind     string `json:"kind"`
		Reviewer string `json:"reviewer"`
	}{events.SourceReviewNotice, ev.Reviewer})
	return messageNode(seq, EntryNotice, source, ev.Content)
}

func messageNode(seq events.Seq, kind EntryKind, source jsontext.Value, content []events.Block) *historyNode {
	n := &historyNode{seq: seq}
	for _, b := range content {
		if b.Type == "tool-result" {
			continue
		}
		n.entries = append(n.entries, &historyEntry{Entry: Entry{Seq: seq, Kind: kind, Role: lineage.RoleFact, Source: source, Block: b}})
	}
	if len(n.entries) == 0 {
		return nil
	}
	return n
}

// be gives a role to the texts; all else stays a fact.
func (n *historyNode) be(role lineage.Role) {
	for _, e := range n.entries {
		if e.Block.Type == "text" && e.Role != role {
			e.Role, e.text = role, nil
		}
	}
}

// show gives the entries with their roles as the session stands, without the
// pending call.
func (n *historyNode) show(a lineage.Authority, pending CallRef) []*historyEntry {
	switch {
	case n.step != nil:
		return n.step.started(n.blocks, pending)
	case n.user:
		n.be(a.User(n.seq))
	case n.agent != nil:
		n.be(a.Agent(n.seq, *n.agent))
	}
	return n.entries
}

// told is the node as an instruction.
func (n *historyNode) told() Instruction {
	i := Instruction{Seq: n.seq, Source: n.entries[0].Source}
	for _, e := range n.entries {
		i.Content = append(i.Content, e.Block)
	}
	return i
}

// size estimates what the node holds.
func (n *historyNode) size() int64 {
	size := int64(sizeEntry)
	for _, e := range n.entries {
		size += sizeEntry + int64(len(e.Block.Raw)+len(e.Block.Text)+len(e.Name)+len(e.Arguments)+len(e.Source)+len(e.text))
	}
	for _, b := range n.blocks {
		size += sizeWanted + int64(len(b.Arguments))
	}
	return size
}

func rawSource(s events.Source) jsontext.Value {
	if s.Raw != nil {
		return s.Raw
	}
	return marshalled(s)
}

// marshalled is a value as JSON. What cannot be written, which no decoded event
// has, is null: then it says nothing.
func marshalled(v any) jsontext.Value {
	text, err := json.Marshal(v)
	if err != nil {
		return jsontext.Value("null")
	}
	return text
}

// callBlock is a call that an assistant message asks for.
type callBlock struct{ ID, Name, Arguments string }

func callBlocks(content []events.Block) []callBlock {
	var out []callBlock
	for _, b := range content {
		if b.Type == "tool-call" {
			out = append(out, callBlock{b.ID, b.Name, b.Arguments})
		}
	}
	return slices.Clip(out)
}
