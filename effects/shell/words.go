package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// special are the bytes of a literal word that mean something.
var special = func() (t [256]bool) {
	for _, c := range []byte("\\*?[~{=:") {
		t[c] = true
	}
	return t
}()

// plain reports whether a word stands for itself.
func plain(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok {
		return "", false
	}
	for i := 0; i < len(lit.Value); i++ {
		if special[lit.Value[i]] {
			return "", false
		}
	}
	return lit.Value, true
}

// fields are words after all expansions.
func (r *reader) fields(words []*syntax.Word, f frame, sc *scope) []Word {
	out := make([]Word, 0, len(words))
	for _, w := range words {
		if r.full {
			break
		}
		at := f.src.span(w)
		if len(out) >= maxWords {
			r.tooComplex(at)
			break
		}
		if text, ok := plain(w); ok {
			out = append(out, Word{Parts: r.one(Part{Text: text}), Span: at})
			continue
		}
		for _, w := range r.braces(w) {
			b := builder{reader: r, frame: f, scope: sc, out: out, span: at}
			b.word(w)
			b.end()
			out = b.out
			if len(out) >= maxWords || !r.spend(1, at) {
				break
			}
		}
	}
	return out
}

// single is a word that is not split, and stands for no files: of an assignment, a
// redirection, a here-string.
func (r *reader) single(w *syntax.Word, f frame, sc *scope) Word {
	if w == nil || len(w.Parts) == 0 {
		return Word{}
	}
	at := f.src.span(w)
	if text, ok := plain(w); ok {
		return Word{Parts: r.one(Part{Text: text}), Span: at}
	}
	b := builder{reader: r, frame: f, scope: sc, span: at, whole: true}
	b.word(w)
	b.open = true
	b.end()
	return b.out[0]
}

// target is the word of a redirection: a single one, which may be a pattern.
func (r *reader) target(w *syntax.Word, f frame, sc *scope) Word {
	b := builder{reader: r, frame: f, scope: sc, span: f.src.span(w)}
	b.word(w)
	b.end()
	if len(b.out) != 1 {
		return Word{Parts: r.one(Part{Unknown, f.src.words(w)}), Many: true, Span: b.span}
	}
	return b.out[0]
}

// word adds the parts of a word.
func (b *builder) word(w *syntax.Word) {
	for i, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.literal(p.Value, i == 0, i == len(w.Parts)-1)
		case *syntax.SglQuoted:
			b.open, b.quoted = true, true
			if p.Dollar {
				b.add(Literal, ansi(p.Value))
			} else {
				b.add(Literal, p.Value)
			}
		case *syntax.DblQuoted:
			b.open, b.quoted = true, true
			b.double(p.Parts)
		default:
			b.part(p, false)
		}
	}
}

// double adds what stands in double quotes.
func (b *builder) double(parts []syntax.WordPart) {
	for _, p := range parts {
		if lit, ok := p.(*syntax.Lit); ok {
			b.add(Literal, unbackslash(lit.Value, "$`\"\\"))
		} else {
			b.part(p, true)
		}
	}
}

// part adds an expansion.
func (b *builder) part(p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.ParamExp:
		b.param(p, quoted)
	case *syntax.CmdSubst:
		out, known := b.substitution(p.Stmts, b.frame, b.scope)
		if !known {
			b.unknown(b.src.words(p), quoted)
			return
		}
		b.text(strings.TrimRight(out, "\n"), quoted)
	case *syntax.ArithmExp:
		if n, ok := b.number(p.X, b.frame, b.scope); ok {
			b.text(n, quoted)
			return
		}
		b.inside(p, b.frame, b.scope)
		b.add(Unknown, b.src.words(p))
	case *syntax.ProcSubst:
		out, known := b.substitution(p.Stmts, b.frame, b.scope)
		if known && p.Op == syntax.CmdIn && len(b.produced) < maxCommands {
			b.reader.produced = append(b.reader.produced, produced{b.span, out})
		}
		b.add(Unknown, b.src.words(p))
	case *syntax.ExtGlob:
		b.globbed(p)
	default:
		b.unknown(b.src.words(p), quoted)
	}
}

func (b *builder) globbed(p *syntax.ExtGlob) {
	text := b.src.words(p)
	if strings.Contains(text, "$(") || strings.Contains(text, "`") {
		b.unsafe(text)
	}
	if b.whole {
		b.add(Literal, text)
	} else {
		b.add(Glob, text)
	}
}

// unsafe runs what is in a text that a shell expands once more.
func (b *builder) unsafe(text string) { b.again(text, b.span, b.frame, b.scope) }

// text adds a value that an expansion gave: it is split, and its patterns count, if it
// does not stand in quotes.
func (b *builder) text(s string, quoted bool) {
	if quoted || b.whole {
		b.add(Literal, s)
		return
	}
	seps, known := b.separators()
	if !known {
		b.unknown(s, false)
		return
	}
	start := 0
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(seps, s[i]) < 0 {
			continue
		}
		b.patterns(s[start:i])
		if s[i] != ' ' && s[i] != '\t' && s[i] != '\n' {
			b.open = true
		}
		b.end()
		if len(b.out) > maxWords {
			b.tooComplex(b.span)
			return
		}
		start = i + 1
	}
	b.patterns(s[start:])
}

// separators is the value of IFS.
func (b *builder) separators() (string, bool) {
	v, set := b.scope.lookup("IFS")
	switch {
	case !set || v.unset:
		return " \t\n", true
	case v.maybe || v.array || len(v.parts) > 1:
		return "", false
	case len(v.parts) == 0:
		return "", true
	default:
		return v.parts[0].Text, v.parts[0].Kind == Literal
	}
}

// patterns adds a text in which * and the like stand for files.
func (b *builder) patterns(s string) {
	start := 0
	for i := 0; i < len(s); {
		n := pattern(s[i:])
		if n == 0 {
			i++
			continue
		}
		b.add(Literal, s[start:i])
		b.add(Glob, s[i:i+n])
		i += n
		start = i
	}
	b.add(Literal, s[start:])
}

// pattern is the length of the pattern that a text begins with: * ? or [a-z].
func pattern(s string) int {
	switch s[0] {
	case '*', '?':
		n := 1
		for n < len(s) && (s[n] == '*' || s[n] == '?') {
			n++
		}
		return n
	case '[':
		for i := 2; i < len(s) && i < 256; i++ {
			if s[i] == ']' {
				return i + 1
			}
			if s[i] == '/' {
				return 0
			}
		}
	}
	return 0
}
