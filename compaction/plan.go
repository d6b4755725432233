package compaction

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Request asks for a compaction.
type Request struct {
	CompactionID string
	// CommandID is the command by which a person asked, if one did.
	CommandID string
	// Turn is the open turn; 0 asks for a compaction between turns.
	Turn int
	// Keep is what stays visible at the end of the surface at least.
	Keep Keep
	// Budget is what the surface may take in tokens: while it takes no more,
	// nothing is to be done. 0 is none, as for a person who asks.
	Budget int64
}

// Keep is a part of the surface counted from its end. The zero Keep is the newest
// event, which is what the reference keeps for a person who asks.
type Keep struct {
	Tokens int64
	Nodes  int
}

// Range is what a compaction replaces: the visible events from Start to End, in
// the order of the surface.
type Range struct {
	Start  events.Seq   `json:"start"`
	End    events.Seq   `json:"end"`
	Seqs   []events.Seq `json:"seqs"`
	Tokens int64        `json:"tokens"`
	// Kept is what of the tokens stays visible behind the compaction: kept words, and
	// project instructions that come back.
	Kept       int64 `json:"kept,omitzero"`
	Generation int   `json:"generation"` // the surface's; another one makes the plan stale
}

// Plan says what a compaction replaces (reference 1.5): all from behind the
// system message up to the last place where every call has its result and behind
// which at least Keep remains. It changes nothing.
func Plan(s *State, r Request) (Range, error) {
	if err := mayStart(s, r); err != nil {
		return Range{}, err
	}
	if total := s.Tokens(); r.Budget > 0 && total <= r.Budget {
		return Range{}, events.Refuse(CodeWithinBudget, "budget", "the surface takes %d tokens, which is within the budget of %d", total, r.Budget)
	}
	head := s.head()
	last := s.lastShadowed(r.Keep)
	if last < head {
		return Range{}, events.Refuse(CodeNothingToGain, "keep", "nothing is visible before the part that stays")
	}
	for last >= head && !s.Nodes[last].Boundary() {
		last--
	}
	if last < head {
		return Range{}, events.Refuse(CodeNoBoundary, "", "there is no place behind which every call has its result")
	}
	return gain(s.between(head, last), s.Nodes[head:last+1])
}

// mayStart checks what does not depend on the surface.
func mayStart(s *State, r Request) error {
	switch held := s.Held(); {
	case r.CompactionID == "":
		return events.Refuse(CodeMissing, "compactionId", "must not be empty")
	case held != nil:
		return events.Refuse(CodeLocked, "compactionId", "compaction %s is under way since seq %d", held.CompactionID, held.Seq)
	case s.Last != nil && s.Last.CompactionID == r.CompactionID, s.Lock != nil && s.Lock.CompactionID == r.CompactionID:
		return events.Refuse(CodeRepeated, "compactionId", "%s was used before", r.CompactionID)
	case r.Turn == 0 && s.Turn != 0:
		return events.Refuse(CodeTurn, "turn", "turn %d is open: a compaction between turns waits for its end", s.Turn)
	case r.Turn != s.Turn:
		return events.Refuse(CodeTurn, "turn", "must be the open turn, %d, is %d", s.Turn, r.Turn)
	default:
		return nil
	}
}

// head is the position where a range begins: the system message at the front
// stays.
func (s *State) head() int {
	if len(s.Nodes) > 0 && s.Nodes[0].Type == events.TypeSystemMessage {
		return 1
	}
	return 0
}

// lastShadowed is the last position behind which at least keep remains, -1 if
// there is none. Instructions at the very end that came back there do not count, so
// that the same request finds no more to replace.
func (s *State) lastShadowed(keep Keep) int {
	last, tokens := len(s.Nodes)-1, int64(0)
	for last >= 0 && s.cameBack(s.Nodes[last]) {
		last--
	}
	for kept := 0; last >= 0 && (kept < max(keep.Nodes, 1) || tokens < keep.Tokens); kept++ {
		tokens += s.Nodes[last].Tokens
		last--
	}
	return last
}

func (s *State) between(first, last int) Range {
	r := Range{Start: s.Nodes[first].Seq, End: s.Nodes[last].Seq, Generation: s.Generation}
	nodes := s.Nodes[first : last+1]
	for _, n := range nodes {
		r.Seqs = append(r.Seqs, n.Seq)
		r.Tokens += n.Tokens
		if n.Voice != VoiceProject {
			r.Kept += n.Words
		}
	}
	r.Kept += instructionTokens(s.leaving(nodes))
	return r
}

func instructionTokens(all []Instruction) (total int64) {
	for _, in := range all {
		total += contentTokens(in.Message.Content)
	}
	return total
}

// gain refuses a range whose replacement could not be smaller: a checkpoint alone,
// which would only be told again, or next to nothing. What is kept is no gain, and
// neither is what an earlier checkpoint of ours says: a new one carries it. Only words
// beyond what is kept whole may be one.
func gain(r Range, nodes []Node) (Range, error) {
	if len(nodes) == 1 && nodes[0].Checkpoint {
		return Range{}, events.Refuse(CodeNothingToGain, "", "nothing but a checkpoint could be replaced")
	}
	fresh, words := r.Tokens-r.Kept, int64(0)
	for _, n := range nodes {
		if n.Voice == VoiceEngine {
			fresh -= n.Tokens - n.Words
		}
		if n.Voice != VoiceProject {
			words += n.Words
		}
	}
	fresh += max(0, words-MaxWords/bytesPerToken)
	if least := frameTokens(words > 0) + blockTokens + 1; fresh <= least {
		return Range{}, events.Refuse(CodeNothingToGain, "", "what could be replaced takes %d tokens, and the shortest checkpoint %d", fresh, least)
	}
	return r, nil
}

// Cover is the range from one visible event to another, if a compaction may
// replace it (reference 1.5). It asks for no gain and knows no lock: it is how a
// range that was recorded, or planned some time ago, is held against the surface.
func (s *State) Cover(start, end events.Seq) (Range, error) {
	first, last := s.position(start), s.position(end)
	switch {
	case first < 0:
		return Range{}, events.Refuse(CodeRange, "start", "must be a visible event, %d is not", start)
	case last < first:
		return Range{}, events.Refuse(CodeRange, "end", "must be a visible event that does not stand before the start, %d is not", end)
	case first != s.head():
		return Range{}, events.Refuse(CodeRange, "start", "must be the first event behind the system message, %d is not", start)
	case !s.Nodes[last].Boundary():
		return Range{}, events.Refuse(CodeRange, "end", "%d calls up to %d have no result up to there", s.Nodes[last].Unanswered, end)
	default:
		return s.between(first, last), nil
	}
}

// same reports whether the range is still what it was when it was planned.
func (s *State) same(r Range) bool {
	now, err := s.Cover(r.Start, r.End)
	return err == nil && now.Generation == r.Generation && now.Tokens == r.Tokens && slices.Equal(now.Seqs, r.Seqs)
}
