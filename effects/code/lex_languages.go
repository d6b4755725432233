package code

import "strings"

// special reads what is written differently in each language.
func (x *lexer) special(c byte) bool {
	switch x.lang {
	case Python:
		return x.pythonString(c)
	case JavaScript:
		return x.scriptToken(c)
	case PHP:
		return x.phpToken(c)
	case Ruby:
		return x.rubyToken(c)
	case Perl:
		return x.perlToken(c)
	case Awk:
	}
	return false
}

// coding doubts a file that says to be in letters that hide code.
func (x *lexer) coding() {
	head := x.text[:min(len(x.text), 400)]
	for range 2 {
		line, rest, _ := strings.Cut(head, "\n")
		if i := strings.Index(line, "coding"); i >= 0 && strings.IndexByte(line, '#') >= 0 && strings.IndexByte(line, '#') < i {
			which := strings.ToLower(strings.TrimLeft(line[i+6:], ":= \t"))
			if !strings.HasPrefix(which, "utf-8") && !strings.HasPrefix(which, "utf8") && !strings.HasPrefix(which, "ascii") {
				x.fail("letters of another encoding")
			}
		}
		head = rest
	}
}

func (x *lexer) pythonString(c byte) bool {
	at := x.pos
	for at < len(x.text) && at < x.pos+3 && strings.IndexByte("rRbBuUfFtT", x.text[at]) >= 0 {
		at++
	}
	if at >= len(x.text) || x.text[at] != '"' && x.text[at] != '\'' {
		return false
	}
	prefix := strings.ToLower(x.text[x.pos:at])
	q := quoteStyle{end: x.text[at : at+1], verb: strings.IndexByte(prefix, 'r') >= 0, fill: strings.ContainsAny(prefix, "ft")}
	if long := x.text[at:min(at+3, len(x.text))]; long == `"""` || long == "'''" {
		q.end, q.lines = long, true
	}
	x.pos = at + len(q.end)
	x.quoted(q)
	return true
}

func (x *lexer) scriptToken(c byte) bool {
	switch c {
	case '"', '\'':
		x.pos++
		x.quoted(quoteStyle{end: string(c)})
	case '`':
		x.pos++
		x.quoted(quoteStyle{end: "`", lines: true, fill: true})
	case '/':
		return x.slash()
	case '\\':
		x.fail("an escape in a name")
		x.pos++
	default:
		return false
	}
	return true
}

// slash reads a pattern if one begins here. What may be either is a failure.
func (x *lexer) slash() bool {
	last := x.last()
	divides := x.afterOperand()
	switch {
	case last.kind == op && last.text == ")" && x.closed.word:
		divides = false
	case last.kind == op && last.text == "}" && !x.closed.index:
		x.fail("a slash that may begin a pattern")
	case last.kind == op && (last.text == "++" || last.text == "--"):
		x.fail("a slash that may begin a pattern")
	case last.kind == name && divides && (x.lang == Ruby || x.lang == Perl) && last.text[0] != '$' && last.text[0] != '@':
		if x.lang == Perl || x.at(1) != ' ' && x.space {
			x.fail("a slash that may begin a pattern")
		}
	}
	if divides {
		return false
	}
	x.pos++
	x.regex('/', true)
	return true
}

// regex reads a pattern from behind its opening delimiter.
func (x *lexer) regex(end byte, classes bool) {
	start := x.pos
	class := false
	for x.pos < len(x.text) {
		c := x.text[x.pos]
		switch {
		case c == '\\':
			x.pos++
		case c == '\n' && x.lang == JavaScript:
			x.fail("a pattern has no end")
			x.pos = len(x.text)
			return
		case c == '[' && classes && x.lang == JavaScript:
			class = true
		case c == ']':
			class = false
		case c == end && !class:
			inside := x.text[start:x.pos]
			if strings.Contains(inside, "(?{") || strings.Contains(inside, "(??{") ||
				x.lang == Ruby && strings.Contains(inside, "#{") || x.lang == Perl && (strings.Contains(inside, "@{") || computedIndexes(inside)) {
				x.fail("code in a pattern")
			}
			x.pos++
			for x.pos < len(x.text) && isNameStart(x.text[x.pos]) {
				x.pos++
			}
			x.add(pattern, "", start)
			return
		}
		x.pos++
	}
	x.pos = len(x.text)
	x.fail("a pattern has no end")
}

// subscript reports whether the { that comes next is one.
func (x *lexer) subscript() bool {
	t := x.last()
	if x.lang != Perl {
		return false
	}
	return t.kind == op && (t.text == "->" || t.text == "]" || t.text == "}" && x.closed.index) ||
		t.kind == name && (t.text[0] == '$' || t.text[0] == '@')
}

// phpStart skips what is not code, if the text has marks of what is.
func (x *lexer) phpStart() {
	i := strings.Index(x.text, "<?")
	if i < 0 {
		return
	}
	if strings.TrimSpace(x.text[x.pos:max(i, x.pos)]) != "" {
		x.fail("text in front of the code, or a mark in it")
		return
	}
	x.pos = i
	x.phpOpen()
}

func (x *lexer) phpOpen() {
	switch {
	case x.has("<?php"):
		x.pos += 5
	case x.has("<?="):
		x.pos += 3
	default:
		x.pos += 2
	}
	x.line = true
}

func (x *lexer) phpToken(c byte) bool {
	switch {
	case c == '\'':
		x.pos++
		x.quoted(quoteStyle{end: "'", raw: true, lines: true})
	case c == '"':
		x.pos++
		x.quoted(quoteStyle{end: `"`, fill: true, lines: true})
	case c == '`':
		x.pos++
		x.quoted(quoteStyle{end: "`", fill: true, lines: true, command: true})
	case x.has("?>"):
		x.op(";")
		next := strings.Index(x.text[x.pos:], "<?")
		if next < 0 {
			x.pos = len(x.text)
			return true
		}
		x.pos += next
		x.phpOpen()
	case x.has("<<<"):
		x.pos += 3
		x.startHeredoc(true)
	case c == '$':
		x.sigil(c)
	case c == '\\':
		x.pos++ // a name's space
	default:
		return false
	}
	return true
}

// sigil reads $name and @name, and variables named by a sign.
func (x *lexer) sigil(c byte) {
	start := x.pos
	x.pos++
	if c == '@' && x.at(0) == '@' {
		x.pos++
	}
	if x.lang == Perl && x.at(0) == '#' && (x.at(1) == '$' || x.at(1) == '{' || isNameStart(x.at(1))) {
		x.pos++ // $#list
	}
	for x.pos < len(x.text) && (isNameByte(x.text[x.pos]) || x.lang == Perl && x.has("::") && isNameStart(x.at(2))) {
		if x.text[x.pos] == ':' {
			x.pos++
		}
		x.pos++
	}
	if x.pos == start+1 && c == '$' && x.lang != PHP && x.pos < len(x.text) && x.text[x.pos] > ' ' && x.at(0) != '{' && x.at(0) != '$' {
		x.pos++ // $_ is above; $! $/ $' and the like
	}
	if x.pos == start+1 {
		x.fail("a variable whose name is computed")
	}
	x.add(name, x.text[start:x.pos], start)
}
