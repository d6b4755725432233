package shell

import "strings"

// builder makes words of the parts of one.
type builder struct {
	*reader
	frame
	scope *scope
	out   []Word
	span  Span
	whole bool // it is not split, and patterns in it are none

	parts   []Part
	first   string // the literal text behind parts, or
	rest    []byte // if it was added in pieces
	open    bool   // there is a word, if only an empty one
	quoted  bool   // a part of it is
	many    bool
	pattern bool // it has a pattern
}

// end ends the word.
func (b *builder) end() {
	b.flush()
	if b.open || len(b.parts) > 0 {
		if len(b.parts) == 0 {
			b.parts = b.one(Part{})
		}
		b.out = append(b.out, Word{Parts: b.parts, Quoted: b.quoted, Many: b.many, Span: b.span})
	}
	b.parts, b.open, b.quoted, b.many, b.pattern = nil, false, false, false, false
}

// flush makes a part of the literal text.
func (b *builder) flush() {
	text := b.first
	if len(b.rest) > 0 {
		text = string(b.rest)
	}
	b.first, b.rest = "", b.rest[:0]
	if text == "" {
		return
	}
	kind := Literal
	if b.pattern && climbs(text) {
		kind = Unknown // it may lead out of the folder that the pattern is in
	}
	b.part1(Part{kind, text})
}

func (b *builder) part1(p Part) {
	if b.parts == nil {
		b.parts = b.one(p)
		return
	}
	b.parts = append(b.parts, p)
}

// add adds a part; literal ones are put together.
func (b *builder) add(k PartKind, text string) {
	if k == Literal && text == "" {
		return
	}
	if !b.spend(1+len(text)/16, b.span) {
		return
	}
	b.open = true
	switch {
	case k != Literal:
		b.flush()
		b.part1(Part{k, text})
		b.pattern = b.pattern || k == Glob
	case b.first == "" && len(b.rest) == 0:
		b.first = text
	case len(b.first)+len(b.rest)+len(text) > maxText:
		b.tooComplex(b.span)
	default:
		if len(b.rest) == 0 {
			b.rest = append(b.rest, b.first...)
			b.first = ""
		}
		b.rest = append(b.rest, text...)
	}
}

// climbs reports whether a path has ".." among its names.
func climbs(text string) bool {
	for i := strings.Index(text, ".."); i >= 0; {
		if (i == 0 || text[i-1] == '/') && (i+2 == len(text) || text[i+2] == '/') {
			return true
		}
		next := strings.Index(text[i+1:], "..")
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

func (b *builder) unknown(text string, quoted bool) {
	b.add(Unknown, text)
	if !quoted && !b.whole {
		b.many = true
	}
}
