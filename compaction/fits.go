package compaction

import (
	"context"
	"strconv"

	"github.com/docket-engine/docket/events"
)

// told is all that a checkpoint says beside kept words: an extract, and behind it
// the summary of whoever else made one.
func (s *State) told(in Input, c Completion) []events.Block {
	if c.Summary.extract {
		return c.Summary.Blocks
	}
	other := []events.Block{events.TextBlock(agentNote)}
	for _, b := range c.Summary.Blocks {
		other = append(other, events.TextBlock(b.Text))
	}
	in.Limit = s.Room(c.Range, in, c.Budget) - wordTokens(other, said)
	extract, _ := Extractive{}.Summarize(context.Background(), in) // which has no errors
	return append(extract.Blocks, other...)
}

// Room is what an extract of the range may take in tokens.
func (s *State) Room(r Range, in Input, budget int64) int64 {
	room := in.Limit + besideTokens
	if budget > 0 {
		staying := s.Tokens() - r.Tokens + s.stays(r, in.Kept) + frameTokens(len(in.Kept) > 0)
		room = min(room, max(leastExtract, budget-staying))
	}
	return room
}

// unfit says why the range is not to be replaced by a message of that content. What
// stays of it counts on neither side.
func (s *State) unfit(r Range, kept, content []events.Block) *events.Refusal {
	stays := s.stays(r, kept)
	words := wordTokens(kept, isKept)
	if takes, had := contentTokens(content)-words, r.Tokens-stays; takes >= had {
		return events.Refuse(CodeNotSmaller, "summary", "the checkpoint takes %d tokens, which is not less than the %d of what it would replace", takes, had)
	}
	return s.unstorable(r, kept)
}

// The bytes that what stays of a range may take, so that the frames in which it is
// stored are none that a log refuses.
const (
	mostWords        = 512 << 10
	mostInstructions = 256 << 10
)

// unstorable says that what stays is more than a frame holds.
func (s *State) unstorable(r Range, kept []events.Block) *events.Refusal {
	instructions := 0
	for _, in := range s.leaving(s.Nodes[s.position(r.Start) : s.position(r.End)+1]) {
		instructions += contentBytes(in.Message.Content)
	}
	for _, in := range s.Instructions {
		if in.Owed != "" {
			instructions += contentBytes(in.Message.Content)
		}
	}
	switch words := contentBytes(kept); {
	case words > mostWords:
		return events.Refuse(CodeTooLarge, "range", "what people say in it that restricts takes %d bytes, and a checkpoint holds %d", words, mostWords)
	case instructions > mostInstructions:
		return events.Refuse(CodeTooLarge, "range", "the project instructions in it take %d bytes, and %d can come back", instructions, mostInstructions)
	default:
		return nil
	}
}

func contentBytes(content []events.Block) (total int) {
	for _, b := range content {
		total += max(len(b.Raw), len(strconv.Quote(b.Text))+len(b.Arguments))
	}
	return total
}

// Check says why a compaction of the range could not be finished, whatever its
// summary: so that it is not started. in is what [State.Input] gave.
func (s *State) Check(r Range, in Input) error {
	refusal := s.unfit(r, in.Kept, checkpoint(in.Kept, []events.Block{events.TextBlock("x")}))
	switch {
	case refusal == nil:
		return nil
	case refusal.Code == CodeNotSmaller:
		refusal.Code = CodeNothingToGain
	}
	return refusal
}
