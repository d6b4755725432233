package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const maxBraces = 1024 // words that one word makes

// braces are the words that {a,b} and {1..3} make of one.
func (r *reader) braces(w *syntax.Word) []*syntax.Word {
	has := false
	for _, p := range w.Parts {
		if lit, ok := p.(*syntax.Lit); ok && strings.IndexByte(lit.Value, '{') >= 0 {
			has = true
		}
	}
	if !has {
		return []*syntax.Word{w}
	}
	split := *w
	split.Parts = append([]syntax.WordPart(nil), w.Parts...)
	if !syntax.SplitBraces(&split) {
		return []*syntax.Word{w}
	}
	out := r.combined(split.Parts)
	if out == nil {
		r.tooComplex(Span{0, len(r.outer)})
		return []*syntax.Word{w}
	}
	words := make([]*syntax.Word, len(out))
	for i, parts := range out {
		words[i] = &syntax.Word{Parts: parts}
	}
	return words
}

// combined are all ways to choose of the braces among parts; nil for too many.
func (r *reader) combined(parts []syntax.WordPart) [][]syntax.WordPart {
	out := [][]syntax.WordPart{nil}
	for _, p := range parts {
		choices := [][]syntax.WordPart{{p}}
		if brace, ok := p.(*syntax.BraceExp); ok {
			if choices = r.choices(brace); choices == nil {
				return nil
			}
		}
		if len(out)*len(choices) > maxBraces {
			return nil
		}
		if len(choices) == 1 {
			for i := range out {
				out[i] = append(out[i], choices[0]...)
			}
			continue
		}
		next := make([][]syntax.WordPart, 0, len(out)*len(choices))
		for _, o := range out {
			for _, c := range choices {
				r.work -= len(o) + len(c)
				next = append(next, append(append([]syntax.WordPart(nil), o...), c...))
			}
		}
		if out = next; r.work < 0 {
			return nil
		}
	}
	return out
}

func (r *reader) choices(brace *syntax.BraceExp) [][]syntax.WordPart {
	var out [][]syntax.WordPart
	if !brace.Sequence {
		for _, e := range brace.Elems {
			inner := r.combined(e.Parts)
			if inner == nil || len(out)+len(inner) > maxBraces {
				return nil
			}
			out = append(out, inner...)
		}
		return out
	}
	from, to := brace.Elems[0].Lit(), brace.Elems[1].Lit()
	start, err := strconv.Atoi(from)
	letters := err != nil
	end, _ := strconv.Atoi(to)
	if letters {
		start, end = int(from[0]), int(to[0])
	}
	step := 1
	if len(brace.Elems) > 2 {
		step, _ = strconv.Atoi(brace.Elems[2].Lit())
		step = max(step, -step, 1)
	}
	width := 0
	if padded(from) || padded(to) {
		width = max(len(from), len(to))
	}
	if n := max(end-start, start-end); n < 0 || n/step >= maxBraces {
		return nil
	}
	if end < start {
		step = -step
	}
	for n := start; step > 0 && n <= end || step < 0 && n >= end; n += step {
		text := string(rune(n))
		if !letters {
			text = strconv.Itoa(n)
			for len(text) < width {
				text = "0" + text
			}
		} else if text == "\\" {
			text = `\\`
		}
		out = append(out, []syntax.WordPart{&syntax.Lit{Value: text}})
	}
	return out
}

// padded reports whether a number of a sequence has zeros in front of it.
func padded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}
