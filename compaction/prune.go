package compaction

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/docket-engine/docket/events"
)

// Pruning rewrites one visible tool result to a shorter one, without a model.
type Pruning struct {
	Seq    events.Seq        // where the result is
	Result events.ToolResult // what stands there
	// Content takes the place of the message's, see [Shorten].
	Content []events.Block
}

// Prune decides a pruning (reference 1.4, 1.5): compaction/prune, and the result
// again, with other content and all else as it was, in its own place. It cites
// the result that it replaces. While a compaction is under way nothing is pruned,
// since that would make its plan stale.
func Prune(s *State, p Pruning) ([]events.Draft, error) {
	if held := s.Held(); held != nil {
		return nil, events.Refuse(CodeLocked, "seq", "compaction %s is under way since seq %d", held.CompactionID, held.Seq)
	}
	at := s.position(p.Seq)
	if at < 0 || s.Nodes[at].Type != events.TypeToolResult {
		return nil, events.Refuse(CodeNoResult, "seq", "must be a visible tool/result, %d is not", p.Seq)
	}
	if now := nodeOf(events.Envelope{Event: p.Result}); now.Answers != s.Nodes[at].Answers || now.Tokens != s.Nodes[at].Tokens {
		return nil, events.Refuse(CodeNoResult, "result", "is not the one that stands at %d", p.Seq)
	}
	if p.Content == nil {
		return nil, events.Refuse(CodeMissing, "content", "must be there")
	}
	pruned := p.Result
	pruned.Message.Content = p.Content
	if takes, had := Tokens(pruned), s.Nodes[at].Tokens; takes >= had {
		return nil, events.Refuse(CodeNothingToGain, "content", "takes %d tokens, which is not less than the %d of what it would replace", takes, had)
	}
	return []events.Draft{
		{Event: events.CompactionPrune{
			ShadowedRange: events.SeqRange{Start: p.Seq, End: p.Seq}, ShadowedSeqs: []events.Seq{p.Seq}, ShadowedTokenCount: count(s.Nodes[at].Tokens),
		}},
		{Event: pruned, Surface: events.SurfaceReplace(p.Seq, p.Seq), Sources: []events.Seq{p.Seq}},
	}, nil
}

// Shorten cuts the middle out of each text that is longer than its share of the
// tokens, and says how much is left out there; blocks that are no text are named
// and left out. Content that fits stays as it is.
func Shorten(content []events.Block, tokens int64) []events.Block {
	if contentTokens(content) <= tokens {
		return content
	}
	share := (tokens - messageTokens) / int64(max(len(content), 1))
	short := make([]events.Block, 0, len(content))
	for _, b := range content {
		switch {
		case oneBlock(b) <= share:
			short = append(short, b)
		case b.Type == "text":
			short = append(short, events.TextBlock(middleOut(b.Text, textBytes(share))))
		default:
			short = append(short, events.TextBlock(fmt.Sprintf("[%s left out]", b.Type)))
		}
	}
	return short
}

// middleOut keeps the beginning and, half as much, the end of a text.
func middleOut(text string, limit int) string {
	const mark = "\n[… %d bytes left out …]\n"
	room := max(0, limit-len(mark)-8)
	if len(text) <= limit || room == 0 {
		return fmt.Sprintf("[%d bytes left out]", len(text))
	}
	front, back := clip(text, room*2/3), text[len(text)-room/3:]
	for len(back) > 0 && !utf8.RuneStart(back[0]) {
		back = back[1:]
	}
	return front + fmt.Sprintf(mark, len(text)-len(front)-len(back)) + back
}

// clip is the beginning of a text, cut between characters.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return strings.TrimRight(text[:limit], " \n")
}
