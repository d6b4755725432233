package code

import "strings"

// closing is the bracket that ends what begins with open, which nests if it is another.
func closing(open byte) (string, byte) {
	switch open {
	case '(':
		return ")", '('
	case '[':
		return "]", '['
	case '{':
		return "}", '{'
	case '<':
		return ">", '<'
	}
	return string(open), 0
}

// delimited reads a string whose delimiter stands here.
func (x *lexer) delimited(fill, command, words bool) {
	if x.pos >= len(x.text) {
		x.fail("a string has no end")
		return
	}
	end, open := closing(x.text[x.pos])
	x.pos++
	if words { // a list: its words are known, but nobody asks for them
		x.quoted(quoteStyle{end: end, open: open, raw: true, lines: true})
		x.unknown()
		return
	}
	x.quoted(quoteStyle{end: end, open: open, fill: fill, raw: !fill, lines: true, command: command})
}

func (x *lexer) rubyToken(c byte) bool {
	prev := x.afterOperand()
	command := prev && x.space && x.last().kind == name && x.at(1) != ' ' // puts %w[a], maybe
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
	case c == '$':
		x.sigil(c)
	case c == '@':
		x.sigil(c)
	case c == ':' && (x.at(1) == '"' || x.at(1) == '\'') && !prev:
		x.pos++
		return x.rubyToken(x.text[x.pos])
	case c == ':' && isNameStart(x.at(1)) && (!prev || x.space) && x.last().text != "::":
		x.symbol()
	case c == '?' && !prev && x.at(1) > ' ':
		start := x.pos
		x.pos += 2
		x.add(str, x.text[start+1:x.pos], start)
	case c == '?' && command:
		x.fail("a question mark that may be a letter's")
		return false
	case c == '%' && (!prev || command):
		return x.rubyPercent(command)
	case c == '/':
		return x.slash()
	case x.has("<<") && (x.at(2) == '~' || x.at(2) == '-' || x.at(2) == '"' || x.at(2) == '\'' || x.at(2) == '`' || x.at(2) >= 'A' && x.at(2) <= 'Z'):
		if prev && x.last().kind != name {
			x.fail("a shift that may be a here-document")
		}
		x.pos += 2
		x.startHeredoc(false)
	default:
		return false
	}
	return true
}

func (x *lexer) symbol() {
	start := x.pos
	x.pos++
	for x.pos < len(x.text) && isNameByte(x.text[x.pos]) {
		x.pos++
	}
	if (x.at(0) == '?' || x.at(0) == '!') && x.at(1) != '=' {
		x.pos++
	}
	x.add(str, x.text[start+1:x.pos], start)
}

func (x *lexer) rubyPercent(doubtful bool) bool {
	kind, at := byte('Q'), 1
	if isNameStart(x.at(1)) {
		kind, at = x.at(1), 2
	}
	d := x.at(at)
	if strings.IndexByte("qQwWiIrxs", kind) < 0 || strings.IndexByte("([{<|!/^-", d) < 0 || d == 0 {
		return false
	}
	if doubtful {
		x.fail("a percent sign that may begin a string")
	}
	x.pos += at
	switch kind {
	case 'r':
		end, _ := closing(d)
		x.pos++
		x.regex(end[0], false)
	case 'w', 'i':
		x.delimited(false, false, true)
	case 'W', 'I':
		x.delimited(true, false, false)
	default:
		x.delimited(kind == 'Q' || kind == 'x', kind == 'x', false)
	}
	return true
}

func (x *lexer) perlToken(c byte) bool {
	prev := x.afterOperand()
	last := x.last()
	word := last.kind == name && last.text[0] != '$' && last.text[0] != '@' && last.text[0] != '%' // keys %h
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
	case c == '$', c == '@' && !(prev && !word), c == '%' && !(prev && !word) && (isNameStart(x.at(1)) || x.at(1) == '$' || x.at(1) == '{'):
		if x.at(1) == '{' || x.at(1) == '$' && (isNameStart(x.at(2)) || x.at(2) == '{' || x.at(2) == '$') {
			x.pos++ // a reference is followed; what it leads to is data
			x.add(op, "*", x.pos-1)
			return true
		}
		x.sigil(c)
	case c == '/':
		return x.slash()
	case c == '?' && !prev:
		x.fail("a question mark that may begin a pattern")
		return false
	case c == '<' && !prev && !x.has("<<"):
		return x.angle()
	case x.has("<<") && (x.at(2) == '"' || x.at(2) == '\'' || x.at(2) == '~' || isNameStart(x.at(2)) || x.at(2) == '`'):
		if prev {
			x.fail("a shift that may be a here-document")
		}
		x.pos += 2
		x.startHeredoc(false)
	case isNameStart(c):
		return x.perlQuote()
	default:
		return false
	}
	return true
}

// angle is <STDIN>, <$file>, or a pattern of files.
func (x *lexer) angle() bool {
	end := strings.IndexByte(x.text[x.pos:min(x.pos+maxWords, len(x.text))], '>')
	if end < 0 {
		return false
	}
	start := x.pos
	inside := x.text[x.pos+1 : x.pos+end]
	for i := range len(inside) {
		if !isNameByte(inside[i]) && (inside[i] != '$' || i > 0) {
			if strings.ContainsAny(inside, " ;=()") {
				return false
			}
			x.pos += end + 1
			x.add(name, "glob", start)
			return true
		}
	}
	x.pos += end + 1
	x.add(str, "", start)
	x.unknown()
	return true
}

// perlQuote is q qq qw qx m s tr y qr, unless the word is a key or a member.
func (x *lexer) perlQuote() bool {
	end := x.pos
	for end < len(x.text) && isNameByte(x.text[end]) {
		end++
	}
	w := x.text[x.pos:end]
	switch w {
	case "q", "qq", "qw", "qx", "m", "s", "tr", "y", "qr":
	default:
		return false
	}
	at := end
	for at < len(x.text) && (x.text[at] == ' ' || x.text[at] == '\n') {
		at++
	}
	if at >= len(x.text) || isMember(x.last().text) || strings.HasPrefix(x.text[at:], "=>") || x.text[at] == ',' ||
		x.text[at] == ';' || x.text[at] == ')' || x.text[at] == '}' && x.last().text == "{" || x.text[at] == '=' && x.text[at-1] == ' ' {
		return false
	}
	if d := x.text[at]; isNameByte(d) || d == '#' && at > end || d == '=' || d <= ' ' {
		x.fail("a string with a strange delimiter")
		return false
	}
	start := x.pos
	x.pos = at
	switch w {
	case "q", "qw":
		x.delimited(false, false, w == "qw")
	case "qq", "qx":
		x.delimited(true, w == "qx" && x.text[at] != '\'', false)
	case "m", "qr":
		close, _ := closing(x.text[at])
		x.pos++
		x.regex(close[0], false)
	default:
		x.substitution(w, start)
	}
	return true
}

// substitution is s/a/b/, whose flag e runs b, and tr.
func (x *lexer) substitution(w string, start int) {
	close, open := closing(x.text[x.pos])
	x.pos++
	x.regex(close[0], false)
	if len(x.toks) > 0 {
		x.toks = x.toks[:len(x.toks)-1]
	}
	end := x.pos
	if open != 0 {
		for end < len(x.text) && x.text[end] <= ' ' {
			end++
		}
		if end >= len(x.text) {
			x.fail("a substitution has no end")
			return
		}
		close, _ = closing(x.text[end])
		x.pos = end + 1
	} else {
		for x.pos > start && x.text[x.pos-1] != close[0] { // the letters are not flags yet
			x.pos--
		}
	}
	x.regex(close[0], false)
	for i := x.pos - 1; i > start && isNameStart(x.text[i]); i-- {
		if x.text[i] == 'e' && w == "s" {
			x.fail("code in a substitution")
		}
	}
	if strings.Contains(x.text[start:x.pos], "@{") || strings.Contains(x.text[start:x.pos], "${") {
		x.fail("code in a substitution")
	}
}

// startHeredoc reads the tag of a here-document; its body begins on the next line.
func (x *lexer) startHeredoc(php bool) {
	start := x.pos
	h := heredoc{indent: php}
	for !php && (x.at(0) == '~' || x.at(0) == '-') {
		h.indent = true
		x.pos++
	}
	for php && (x.at(0) == ' ' || x.at(0) == '\t') {
		x.pos++
	}
	q := x.at(0)
	if q == '"' || q == '\'' || q == '`' {
		end := strings.IndexByte(x.text[x.pos+1:], q)
		if end < 0 {
			x.fail("a here-document without a name")
			return
		}
		h.tag, h.raw, h.shell = x.text[x.pos+1:x.pos+1+end], q == '\'', q == '`'
		x.pos += end + 2
	} else {
		from := x.pos
		for x.pos < len(x.text) && isNameByte(x.text[x.pos]) {
			x.pos++
		}
		h.tag = x.text[from:x.pos]
	}
	if h.tag == "" || h.shell {
		x.fail("a here-document that is not plain")
	}
	h.token = len(x.toks)
	x.add(str, "", start)
	x.heredoc = append(x.heredoc, h)
}

// heredocBody reads lines up to the tag. Expressions in it are not followed.
func (x *lexer) heredocBody(h heredoc) {
	start := x.pos
	for x.pos < len(x.text) {
		end := strings.IndexByte(x.text[x.pos:], '\n')
		if end < 0 {
			end = len(x.text) - x.pos
		}
		line := strings.TrimSuffix(x.text[x.pos:x.pos+end], "\r")
		if h.indent {
			line = strings.TrimLeft(line, " \t")
		}
		if line == h.tag || x.lang == PHP && strings.HasPrefix(line, h.tag) && (len(line) == len(h.tag) || !isNameByte(line[len(h.tag)])) {
			x.endHeredoc(h, start, line)
			return
		}
		x.pos = min(x.pos+end+1, len(x.text))
	}
	x.fail("a here-document has no end")
}

func (x *lexer) endHeredoc(h heredoc, start int, line string) {
	body := x.text[start:x.pos]
	if h.token < len(x.toks) {
		t := &x.toks[h.token]
		t.text, t.start, t.end = body, start, x.pos
		t.known = h.raw
	}
	if !h.raw {
		if strings.Contains(body, "#{") && x.lang == Ruby || strings.ContainsAny(body, "$@") && x.lang != Ruby {
			x.fail("an expression in a here-document")
		}
		if h.token < len(x.toks) {
			x.toks[h.token].known = strings.IndexByte(body, '\\') < 0
		}
	}
	indent := strings.Index(x.text[x.pos:], line)
	if x.lang == PHP {
		x.pos += max(indent, 0) + len(h.tag)
		return
	}
	x.pos += max(indent, 0) + len(line)
}
