package compaction

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Voice is whose words a visible message holds, as far as a checkpoint that stands
// for it has to hold them too.
type Voice string

// The voices. A message of none of them is told of by the summary alone.
const (
	VoicePerson  Voice = "person"
	VoiceParent  Voice = "parent"
	VoiceProject Voice = "project" // of project instructions, which come back as messages
	VoiceEngine  Voice = "engine"  // of a checkpoint that we made, which may hold kept words
)

// Heard is the state with other voices than a log alone tells: whose gives that of
// each node which has one, "" for a fact's. The log's own are those of a session that
// is nobody's child and was not imported.
func (s *State) Heard(whose func(Node) Voice) *State {
	heard := *s
	heard.Nodes = slices.Clone(s.Nodes)
	for i, n := range heard.Nodes {
		if n.Voice == "" {
			continue
		}
		if n.Voice = whose(n); n.Voice == "" {
			n.Words = 0
		}
		heard.Nodes[i] = n
	}
	return &heard
}

// voice is whose words an event holds, and what they take in tokens.
func voice(ev events.Event) (v Voice, words int64, sender events.SessionID) {
	switch ev := any(ev).(type) { // the messages whose words are kept: no complete switch
	case events.UserMessage:
		switch {
		case ev.Source.Kind == events.SourceUser:
			return VoicePerson, wordTokens(ev.Content, said), ""
		case ev.Source.Kind == events.SourceAgentInstructions:
			return VoiceProject, contentTokens(ev.Content), ""
		case ev.Source.Checkpoint():
			return VoiceEngine, wordTokens(ev.Content, isKept), ""
		}
	case events.AgentMessage:
		if ev.Parent != nil {
			return VoiceParent, wordTokens(ev.Content, said), ev.SenderSessionID
		}
	}
	return "", 0, ""
}

func said(b events.Block) bool   { return b.Type == "text" && b.Text != "" }
func isKept(b events.Block) bool { return b.Kept.Valid() }

func wordTokens(content []events.Block, counts func(events.Block) bool) (total int64) {
	for _, b := range content {
		if counts(b) {
			total += oneBlock(b)
		}
	}
	return total
}

// words are the kept words of a checkpoint that takes the place of messages: what
// people and the parent say in them, and what an earlier checkpoint has kept, in the
// order in which it was said.
func (s *State) words(es []events.Envelope) []events.Block {
	var out []events.Block
	for _, e := range es {
		at := s.position(e.Seq)
		if at < 0 {
			continue
		}
		content := events.Blocks(e.Event)
		switch s.Nodes[at].Voice {
		case VoicePerson:
			out = append(out, marked(e.Seq, events.FromPerson, content)...)
		case VoiceParent:
			out = append(out, marked(e.Seq, events.FromParent, content)...)
		case VoiceEngine:
			out = append(out, slices.DeleteFunc(slices.Clone(content), func(b events.Block) bool { return !isKept(b) })...)
		}
	}
	slices.SortStableFunc(out, func(a, b events.Block) int { return int(a.Kept.Seq - b.Kept.Seq) })
	return out
}

func marked(seq events.Seq, from events.KeptFrom, content []events.Block) []events.Block {
	var out []events.Block
	for _, b := range content {
		if said(b) {
			out = append(out, events.KeptBlock(b.Text, events.Kept{Seq: seq, From: from}))
		}
	}
	return out
}
