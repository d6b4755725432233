package code

import "strings"

// heredoc is one whose body begins on the next line.
type heredoc struct {
	tag    string
	indent bool // the end may be indented
	raw    bool
	shell  bool
	token  int // the string's place among the tokens
}

// comment skips one, if there is one here.
func (x *lexer) comment() bool {
	switch x.lang {
	case Python, Ruby, Perl:
		if x.text[x.pos] == '#' {
			x.skipLine()
			return true
		}
		return x.lang != Python && x.blockComment()
	case JavaScript, PHP:
		switch {
		case x.has("//"), x.lang == PHP && x.text[x.pos] == '#' && x.at(1) != '[':
			x.skipLine()
		case x.has("/*"):
			end := strings.Index(x.text[x.pos+2:], "*/")
			if end < 0 {
				x.fail("a comment has no end")
				x.pos = len(x.text)
				return true
			}
			if strings.IndexByte(x.text[x.pos:x.pos+2+end], '\n') >= 0 {
				x.line = true
			}
			x.pos += end + 4
			x.space = true
		case x.lang == JavaScript && (x.has("<!--") || x.line && x.has("-->")):
			x.fail("a comment that only some readers take for one")
			x.pos += 3
		default:
			return false
		}
		return true
	case Awk:
	}
	return false
}

// blockComment is Perl's =pod … =cut and Ruby's =begin … =end; what follows __END__ is
// no code.
func (x *lexer) blockComment() bool {
	if x.pos > 0 && x.text[x.pos-1] != '\n' {
		return false
	}
	if line := x.text[x.pos:min(x.pos+8, len(x.text))]; strings.HasPrefix(line, "__END__") || x.lang == Perl && x.has("__DATA__") {
		x.pos = len(x.text)
		return true
	}
	if x.text[x.pos] != '=' || !isNameStart(x.at(1)) {
		return false
	}
	stop := "\n=end"
	if x.lang == Perl {
		stop = "\n=cut"
	} else if !x.has("=begin") {
		return false
	}
	end := strings.Index(x.text[x.pos:], stop)
	if end < 0 {
		x.pos = len(x.text)
		return true
	}
	x.pos += end + len(stop)
	x.skipLine()
	return true
}

// quoteStyle is how a string is read.
type quoteStyle struct {
	end     string
	open    byte // an opening bracket that nests, or 0
	raw     bool // only \\ and the quote are escapes
	verb    bool // not even those: r"…" of Python keeps its backslashes
	fill    bool // expressions inside
	lines   bool // it may go over lines
	command bool // it is run by a shell
}

// quoted reads a string from behind its opening quote. Parts with expressions between
// them are joined by glue, in brackets.
func (x *lexer) quoted(q quoteStyle) {
	start := x.pos
	if q.command {
		x.add(name, backtick, start)
		x.op("(")
	}
	wrap := q.fill
	if wrap {
		x.op("(")
	}
	x.body(q)
	if wrap {
		x.op(")")
	}
	if q.command {
		x.op(")")
	}
}

func (x *lexer) body(q quoteStyle) {
	var value strings.Builder
	from, start, depth := x.pos, x.pos, 0
	flush := func() {
		value.WriteString(x.text[from:min(x.pos, len(x.text))])
		from = x.pos
	}
	for x.pos < len(x.text) {
		c := x.text[x.pos]
		switch {
		case depth == 0 && x.has(q.end):
			flush()
			x.add(str, value.String(), start)
			x.pos += len(q.end)
			return
		case c == '\\':
			flush()
			x.escape(&value, q)
			from = x.pos
			continue
		case (c == '\n' || c == '\r') && !q.lines:
			x.fail("a string has no end")
			x.add(str, value.String(), start)
			x.unknown()
			return
		case q.open != 0 && c == q.open:
			depth++
		case q.open != 0 && c == q.end[0]:
			depth--
		case q.fill && x.fills(c):
			flush()
			x.add(str, value.String(), start)
			value.Reset()
			x.op(glue)
			x.filling(q)
			x.pos = min(x.pos, len(x.text))
			x.op(glue)
			from, start = x.pos, x.pos
			continue
		}
		x.pos++
	}
	x.fail("a string has no end")
	flush()
	x.add(str, value.String(), start)
	x.unknown()
}

// fills reports whether an expression begins at c in a string.
func (x *lexer) fills(c byte) bool {
	switch x.lang {
	case Python:
		if x.has("{{") || x.has("}}") {
			x.pos++ // one is left, as itself
			return false
		}
		return c == '{'
	case JavaScript:
		return c == '$' && x.at(1) == '{'
	case Ruby:
		return c == '#' && (x.at(1) == '{' || x.at(1) == '$' || x.at(1) == '@')
	case Perl:
		n := x.at(1)
		return (c == '$' || c == '@') && (isNameStart(n) || n == '{' || n == '$' || n == ':' || c == '$' && (isDigit(n) || n == '&' || n == '!' || n == '@'))
	case PHP:
		n := x.at(1)
		return c == '$' && (isNameStart(n) || n == '{') || c == '{' && n == '$'
	case Awk:
	}
	return false
}

// filling reads the expression, with what marks it.
func (x *lexer) filling(q quoteStyle) {
	switch x.lang {
	case Python:
		x.pos++
		x.inside('}')
		x.field(q, 0)
	case JavaScript:
		x.pos += 2
		x.inside('}')
		x.pos++
	case Ruby:
		if x.at(1) != '{' {
			x.pos++
			x.sigil(x.text[x.pos])
			return
		}
		x.pos += 2
		x.inside('}')
		x.pos++
	case PHP:
		switch {
		case x.text[x.pos] == '{':
			x.pos++
			x.inside('}')
			x.pos++
		case x.at(1) == '{':
			x.fail("a variable whose name is computed")
			x.pos++
		default:
			x.interpolated()
		}
	case Perl:
		if x.at(1) == '{' { // ${name}, ${\ …}, @{[ … ]}
			start := x.pos
			end := x.pos + 2
			for end < len(x.text) && isNameByte(x.text[end]) {
				end++
			}
			if end < len(x.text) && x.text[end] == '}' && end > x.pos+2 {
				x.pos = end + 1
				x.add(name, "$"+x.text[start+2:end], start)
				return
			}
			x.pos += 2
			x.inside('}')
			x.pos++
			return
		}
		x.interpolated()
	case Awk:
	}
}

// interpolated is a plain variable in a string; subscripts stay text, so that the whole
// is not known.
func (x *lexer) interpolated() {
	start := x.pos
	x.pos++
	for x.pos < len(x.text) && (isNameByte(x.text[x.pos]) || x.has("::") && isNameStart(x.at(2))) {
		x.pos++
		if x.text[x.pos-1] == ':' {
			x.pos++
		}
	}
	if x.pos == start+1 {
		x.pos = min(x.pos+1, len(x.text))
	}
	n := x.text[start:x.pos]
	call := x.has("[") || x.has("{") || x.has("->")
	x.add(name, n, start)
	if call { // its value is an element, or a member
		x.op("[")
		x.add(str, "", x.pos)
		x.unknown()
		x.op("]")
	}
	if x.lang == Perl && computedIndex(x.text[x.pos:]) {
		x.fail("an index in a string that is computed")
	}
}

// computedIndex reports whether code stands in the subscripts that a text begins with.
func computedIndex(rest string) bool {
	rest = rest[:min(len(rest), maxWords)]
	for {
		rest = strings.TrimPrefix(rest, "->")
		if rest == "" || rest[0] != '[' && rest[0] != '{' {
			return false
		}
		end := strings.IndexAny(rest, "]}(`")
		if end < 0 {
			return true
		}
		if rest[end] == '(' || rest[end] == '`' {
			return true
		}
		rest = rest[end+1:]
	}
}

// computedIndexes looks for such subscripts behind the variables of a pattern.
func computedIndexes(text string) bool {
	for {
		i := strings.IndexAny(text, "$@")
		if i < 0 {
			return false
		}
		text = text[i+1:]
		end := 0
		for end < len(text) && (isNameByte(text[end]) || text[end] == ':') {
			end++
		}
		if end > 0 && computedIndex(text[end:]) {
			return true
		}
		text = text[end:]
	}
}

// field is the rest of one of Python's: !r, :format, and fields in it.
func (x *lexer) field(q quoteStyle, depth int) {
	for x.pos < len(x.text) && depth < 4 {
		switch c := x.text[x.pos]; {
		case c == '}':
			x.pos++
			return
		case c == '{':
			x.op(glue)
			x.pos++
			x.inside('}')
			x.field(q, depth+1)
		case c == '\n' && !q.lines || c == q.end[0] && x.has(q.end):
			x.fail("a field has no end")
			return
		default:
			x.pos++
		}
	}
	x.fail("a field has no end")
}
