package powershell

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// builder puts a word together.
type builder struct {
	parts  []shell.Part
	text   strings.Builder
	quoted bool
}

func (b *builder) literal(s string) { b.text.WriteString(s) }

func (b *builder) flush() {
	if b.text.Len() > 0 {
		b.parts = append(b.parts, shell.Part{Text: b.text.String()})
		b.text.Reset()
	}
}

func (b *builder) unknown(source string) {
	b.flush()
	b.parts = append(b.parts, shell.Part{Kind: shell.Unknown, Text: source})
}

func (b *builder) add(w shell.Word) {
	for _, p := range w.Parts {
		if p.Kind == shell.Literal {
			b.literal(p.Text)
			continue
		}
		b.flush()
		b.parts = append(b.parts, p)
	}
}

func (b *builder) word(at shell.Span) shell.Word {
	b.flush()
	return shell.Word{Parts: b.parts, Quoted: b.quoted, Span: at}
}

// endsWord reports whether a byte outside of quotes ends a word.
func endsWord(c byte) bool {
	return c <= ' ' || strings.IndexByte(";|&(){},<>", c) >= 0
}

// word reads a word of a command: a bare one, quoted pieces, variables, and groups
// whose statements are read as well.
func (r *reader) word() shell.Word {
	start := r.pos
	var b builder
	for r.pos < len(r.text) {
		c := r.cur()
		switch {
		case c == '\'':
			b.quoted = true
			r.single(&b)
		case c == '"':
			b.quoted = true
			r.double(&b)
		case c == '`' && r.pos+1 < len(r.text):
			b.quoted = true
			r.escape(&b)
		case c == '@' && (r.next() == '"' || r.next() == '\'') && r.pos == start:
			b.quoted = true
			r.hereString(&b)
		case c == '@' && (r.next() == '(' || r.next() == '{'):
			r.pos++
			from := r.pos
			r.group()
			b.unknown("@" + r.since(from))
		case c == '$':
			first := r.pos == start
			r.variable(&b)
			if first {
				r.membersOf(&b, start)
			}
		case c == '{' || c == '(':
			first := r.pos == start
			if !first && c == '{' {
				return r.finish(&b, start)
			}
			from := r.pos
			r.group()
			b.unknown(r.since(from))
			if first {
				r.membersOf(&b, start)
			}
		case endsWord(c):
			return r.finish(&b, start)
		default:
			b.text.WriteByte(c)
			r.pos++
		}
	}
	return r.finish(&b, start)
}

// membersOf reads what is asked of the value that a word begins with.
func (r *reader) membersOf(b *builder, start int) {
	if _, plain := r.members(shell.Word{}); !plain {
		*b = builder{}
		b.unknown(r.since(start))
	}
}

func (r *reader) finish(b *builder, start int) shell.Word {
	w := b.word(r.span(start, r.pos))
	if !w.Quoted && len(w.Parts) > 0 && w.Parts[0].Kind == shell.Literal && r.home != "" {
		if t := w.Parts[0].Text; t == "~" || strings.HasPrefix(t, "~/") || strings.HasPrefix(t, `~\`) {
			w.Parts[0].Text = r.home + t[1:]
		}
	}
	return w
}

func (r *reader) single(b *builder) {
	start := r.pos
	r.pos++
	for r.pos < len(r.text) {
		if r.cur() == '\'' {
			if r.next() != '\'' {
				r.pos++
				return
			}
			r.pos++
		}
		b.text.WriteByte(r.cur())
		r.pos++
	}
	r.problem(shell.Unparsable, "a quote has no end", start)
}

func (r *reader) double(b *builder) {
	start := r.pos
	r.pos++
	for r.pos < len(r.text) {
		switch c := r.cur(); {
		case c == '"' && r.next() == '"':
			b.text.WriteByte('"')
			r.pos += 2
		case c == '"':
			r.pos++
			return
		case c == '`' && r.pos+1 < len(r.text):
			r.escape(b)
		case c == '$':
			r.variable(b)
		default:
			b.text.WriteByte(c)
			r.pos++
		}
	}
	r.problem(shell.Unparsable, "a quote has no end", start)
}

func (r *reader) escape(b *builder) {
	c := r.next()
	r.pos += 2
	switch c {
	case 'n':
		b.text.WriteByte('\n')
	case 't':
		b.text.WriteByte('\t')
	case 'r':
		b.text.WriteByte('\r')
	case 'e': // or the letter, for an older PowerShell
		r.problem(shell.ControlBytes, "`e", r.pos)
		b.text.WriteByte('e')
	case '0', 'a', 'b', 'f', 'v':
		b.text.WriteByte(0x1f)
	case '\n':
	case 'u':
		if r.cur() == '{' {
			r.problem(shell.LookAlike, "`u{", r.pos)
		}
		b.text.WriteByte('u')
	default:
		b.text.WriteByte(c)
	}
}

// hereString reads @" … "@, whose quotes stand at the ends of lines.
func (r *reader) hereString(b *builder) {
	start := r.pos
	q := r.next()
	line := strings.IndexByte(r.text[r.pos:], '\n')
	if line < 0 || strings.TrimSpace(r.text[r.pos+2:r.pos+line]) != "" {
		r.problem(shell.Unparsable, "a here-string begins in its line", start)
		r.pos = len(r.text)
		return
	}
	from := r.pos + line + 1
	end := strings.Index(r.text[from-1:], "\n"+string(q)+"@")
	if end < 0 {
		r.problem(shell.Unparsable, "a here-string has no end", start)
		r.pos = len(r.text)
		return
	}
	body := strings.TrimSuffix(r.text[min(from, from-1+end):from-1+end], "\r")
	r.pos = from + end + 2
	if q == '\'' {
		b.literal(body)
		return
	}
	inside := *r
	inside.text, inside.pos = body, 0
	at := r.span(start, r.pos)
	inside.at = &at
	for inside.pos < len(body) {
		switch c := inside.cur(); {
		case c == '`' && inside.pos+1 < len(body):
			inside.escape(b)
		case c == '$':
			inside.variable(b)
		default:
			b.text.WriteByte(c)
			inside.pos++
		}
	}
}

// variable reads $x, ${x}, $env:X, $(…), with the value that is known.
func (r *reader) variable(b *builder) {
	start := r.pos
	switch c := r.next(); {
	case c == '(':
		r.pos++
		r.group()
		b.unknown(r.since(start))
		return
	case c == '{':
		end := strings.IndexByte(r.text[r.pos:], '}')
		if end < 0 {
			r.problem(shell.Unparsable, "a variable's name has no end", start)
			r.pos = len(r.text)
			return
		}
		r.pos += end + 1
		r.named(b, r.text[start+2:r.pos-1], start)
		return
	case isWord(c):
		r.pos++
		for isWord(r.cur()) && r.pos < len(r.text) || r.cur() == ':' && isWord(r.next()) {
			r.pos++
		}
		r.named(b, r.text[start+1:r.pos], start)
		return
	case c == '_' || c == '?' || c == '$' || c == '^':
		r.pos += 2
		b.unknown(r.since(start))
		return
	}
	b.text.WriteByte('$')
	r.pos++
}

func (r *reader) named(b *builder, name string, start int) {
	switch low := strings.ToLower(name); low {
	case "home", "env:home", "env:userprofile":
		if r.home != "" {
			b.literal(r.home)
			return
		}
	case "null":
		return
	case "true", "false":
		b.literal("$" + low)
		return
	case "pwd":
		b.literal(".")
		return
	default:
		if v, ok := r.shared.vars[low]; ok {
			if r.shared.expanded += len(v.Prefix()); r.shared.expanded > maxText {
				r.problem(shell.TooComplex, name, start)
				break
			}
			b.add(v)
			return
		}
	}
	b.unknown(r.since(start))
}
