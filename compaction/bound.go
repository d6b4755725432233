package compaction

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docket-engine/docket/events"
)

const (
	// MaxWords is how many bytes of kept words a checkpoint holds whole. Of what is
	// beyond, it holds what restricts.
	MaxWords = 64 << 10
	// edge is how much of a longer text is kept at its ends, where people say what a
	// paste is for; neighbour how long a sentence may be that is kept for the one
	// beside it.
	edge, neighbour = 1 << 10, 4 << 10
)

// bounded cuts kept words that are too many: the longest text first, of equal ones
// the oldest, so that short ones and directives stay as they are. A text is cut once:
// what is left of it stays. Without restricts every sentence may restrict, and nothing
// is cut.
func bounded(words []events.Block, restricts func(string) bool) []events.Block {
	total := textBytesOf(words)
	if restricts == nil || total <= MaxWords {
		return words
	}
	byLength := make([]int, len(words))
	for i := range words {
		byLength[i] = i
	}
	slices.SortStableFunc(byLength, func(a, b int) int { return cmp.Compare(len(words[b].Text), len(words[a].Text)) })
	cut := map[int][]events.Block{}
	for _, i := range byLength {
		if total <= MaxWords {
			break
		}
		if words[i].Kept.Rest != nil {
			continue
		}
		pieces := pieces(words[i], restricts)
		total -= len(words[i].Text) - textBytesOf(pieces)
		cut[i] = pieces
	}
	var out []events.Block
	for i, w := range words {
		if pieces, was := cut[i]; was {
			out = append(out, pieces...)
		} else {
			out = append(out, w)
		}
	}
	return out
}

func textBytesOf(blocks []events.Block) (total int) {
	for _, b := range blocks {
		total += len(b.Text)
	}
	return total
}

// pieces are what is kept of a text that is cut: the sentences that restrict with
// those beside them, and the ends. Each is a part of the text, byte for byte; all
// carry the hash of what is not among them.
func pieces(w events.Block, restricts func(string) bool) []events.Block {
	sentences := split(w.Text)
	stays := make([]bool, len(sentences))
	for i, s := range sentences {
		if !restricts(strings.TrimSpace(s.in(w.Text))) {
			continue
		}
		stays[i] = true
		for _, beside := range []int{i - 1, i + 1} {
			if beside >= 0 && beside < len(sentences) && sentences[beside].len() <= neighbour {
				stays[beside] = true
			}
		}
	}
	for i, s := range sentences {
		stays[i] = stays[i] || s.end <= edge || s.start >= len(w.Text)-edge
	}
	var kept []span
	var rest strings.Builder
	for i, s := range sentences {
		switch {
		case !stays[i]:
			rest.WriteString(s.in(w.Text))
		case len(kept) > 0 && kept[len(kept)-1].end == s.start:
			kept[len(kept)-1].end = s.end
		default:
			kept = append(kept, s)
		}
	}
	if rest.Len() == 0 {
		return []events.Block{w}
	}
	if len(kept) == 0 {
		kept = []span{{}} // to carry the mark
	}
	digest := sha256.Sum256([]byte(rest.String()))
	mark := *w.Kept
	mark.Rest = &events.KeptRest{SHA256: hex.EncodeToString(digest[:]), Bytes: int64(rest.Len())}
	var out []events.Block
	for _, s := range kept {
		out = append(out, events.KeptBlock(s.in(w.Text), mark))
	}
	return out
}

// span is a part of a text.
type span struct{ start, end int }

func (s span) len() int              { return s.end - s.start }
func (s span) in(text string) string { return text[s.start:s.end] }

// split divides a text into its sentences, with whatever stands between them: put
// together, they are the text. A sentence ends with its line, and behind a stop that
// something empty follows, or that needs nothing behind it.
func split(text string) []span {
	var out []span
	start, stop := 0, false
	for i := 0; i < len(text); {
		r, width := utf8.DecodeRuneInString(text[i:])
		if stop && !unicode.IsSpace(r) && !strings.ContainsRune(closing, r) && !isStop(r) {
			out, start, stop = append(out, span{start, i}), i, false
		}
		i += width
		next, _ := utf8.DecodeRuneInString(text[i:])
		stop = stop || r == '\n' || strings.ContainsRune("。！？；", r) || isStop(r) && unicode.IsSpace(next)
	}
	if start < len(text) {
		out = append(out, span{start, len(text)})
	}
	return out
}

// closing are the characters behind a stop that belong to its sentence.
const closing = `"')]}»”’」』）`

func isStop(r rune) bool { return r == '.' || r == '!' || r == '?' || r == '…' }
