package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// trimmed is ${x#y}, ${x%y} and ${x^^}, ${x,,}, if what it takes is known.
func (b *builder) trimmed(p *syntax.Expansion, s string) (string, bool) {
	switch p.Op {
	case syntax.UpperAll, syntax.LowerAll:
		if p.Word != nil && len(p.Word.Parts) > 0 {
			return "", false
		}
		if p.Op == syntax.UpperAll {
			return strings.ToUpper(s), true
		}
		return strings.ToLower(s), true
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
	default:
		return "", false
	}
	if p.Word == nil || len(s) > 4096 {
		return "", p.Word == nil
	}
	w := builder{reader: b.reader, frame: b.frame, scope: b.scope, span: b.span}
	w.word(p.Word)
	w.open = true
	w.end()
	if len(w.out) != 1 || w.out[0].Many {
		return "", false
	}
	parts := w.out[0].Parts
	for _, part := range parts {
		if part.Kind == Unknown || part.Kind == Glob && strings.Trim(part.Text, "*?") != "" {
			return "", false
		}
	}
	suffix := p.Op == syntax.RemSmallSuffix || p.Op == syntax.RemLargeSuffix
	large := p.Op == syntax.RemLargeSuffix || p.Op == syntax.RemLargePrefix
	if !b.spend(len(s), b.span) {
		return "", false
	}
	for i := 0; i <= len(s); i++ {
		n := i // bytes that are taken
		if large {
			n = len(s) - i
		}
		if suffix && matches(parts, s[len(s)-n:]) {
			return s[:len(s)-n], true
		}
		if !suffix && matches(parts, s[:n]) {
			return s[n:], true
		}
	}
	return s, true
}

// matches reports whether a text is one that a pattern of literals, * and ? describes.
func matches(parts []Part, s string) bool {
	type cell struct {
		c    byte
		wild bool
	}
	var pattern []cell
	for _, p := range parts {
		for i := 0; i < len(p.Text); i++ {
			pattern = append(pattern, cell{p.Text[i], p.Kind == Glob})
		}
	}
	at, star, mark := 0, -1, 0
	for i := 0; i < len(s); {
		switch {
		case at < len(pattern) && pattern[at].wild && pattern[at].c == '*':
			star, mark = at, i
			at++
		case at < len(pattern) && (pattern[at].wild && pattern[at].c == '?' || !pattern[at].wild && pattern[at].c == s[i]):
			at++
			i++
		case star >= 0:
			mark++
			at, i = star+1, mark
		default:
			return false
		}
	}
	for at < len(pattern) && pattern[at].wild && pattern[at].c == '*' {
		at++
	}
	return at == len(pattern)
}
