package code

import "strings"

type tokenKind uint8

const (
	name   tokenKind = iota // also a keyword, and $x where variables are written so
	number                  // its text is as written
	str                     // its text is the value, if known
	op
	pattern // a regular expression
)

type token struct {
	kind       tokenKind
	known      bool // of a string: text is its whole value
	line       bool // a line ended in front of it
	space      bool // white space stood in front of it
	text       string
	start, end int
}

// glue joins the parts of a string with expressions in it; the lexer puts brackets
// around the whole.
const glue = "\x00+"

// backtick is the name of the function that a command in backquotes is.
const backtick = "`"

// lexer splits a text. It is the same for all languages but for strings, comments and
// patterns.
type lexer struct {
	text    string
	lang    Language
	pos     int
	toks    []token
	line    bool
	space   bool
	depth   int
	wrong   string // why the text cannot be split for certain
	wrongAt int
	// failures are counted, because a text with nothing else would take long.
	failures int
	parens   []paren
	heredoc  []heredoc
	closed   paren // the bracket that the last token closed
}

// paren is an open bracket.
type paren struct {
	open  byte
	word  bool // if, while and the like stand in front of it
	index bool // of {: a subscript, not a block
}

func (x *lexer) fail(why string) {
	x.failures++
	if x.wrong == "" {
		x.wrong, x.wrongAt = why, x.pos
	}
}

func (x *lexer) add(k tokenKind, text string, start int) {
	x.toks = append(x.toks, token{
		kind: k, known: true, line: x.line, space: x.space, text: text, start: start, end: x.pos,
	})
	x.line, x.space = false, false
}

func (x *lexer) op(text string) {
	start := x.pos
	x.add(op, text, start)
}

// unknown marks the last string as a beginning only.
func (x *lexer) unknown() { x.toks[len(x.toks)-1].known = false }

func (x *lexer) at(n int) byte {
	if x.pos+n < len(x.text) && x.pos+n >= 0 {
		return x.text[x.pos+n]
	}
	return 0
}

func (x *lexer) has(prefix string) bool {
	return x.pos <= len(x.text) && strings.HasPrefix(x.text[x.pos:], prefix)
}

func (x *lexer) last() token {
	if len(x.toks) == 0 {
		return token{kind: op}
	}
	return x.toks[len(x.toks)-1]
}

// run splits the whole text.
func (x *lexer) run(lang Language) {
	x.begin()
	for x.pos < len(x.text) {
		x.step()
	}
	if len(x.parens) > 0 {
		x.fail("a bracket is not closed")
	}
	if len(x.heredoc) > 0 {
		x.fail("a here-document is not there")
	}
}

// inside splits an expression in a string, up to the bracket that closes it, which is
// skipped.
func (x *lexer) inside(closing byte) {
	x.depth++
	if x.depth > maxDepth {
		x.fail("strings in strings")
		x.pos = len(x.text)
	}
	outer := x.parens
	x.parens = nil
	x.op("(")
	for x.pos < len(x.text) && (len(x.parens) > 0 || x.text[x.pos] != closing && !x.endsField()) {
		x.step()
	}
	x.op(")")
	x.parens = outer
	x.depth--
	if x.pos >= len(x.text) {
		x.fail("an expression in a string has no end")
		return
	}
}

// endsField is the end of an expression in Python's f"{x!r:>3}".
func (x *lexer) endsField() bool {
	if x.lang != Python {
		return false
	}
	return x.text[x.pos] == ':' || x.text[x.pos] == '!' && x.at(1) != '='
}

// step reads one token, or skips a space or comment.
func (x *lexer) step() {
	if x.failures > maxProblems {
		x.pos = len(x.text)
		return
	}
	c := x.text[x.pos]
	switch {
	case c == '\n' || c == '\r':
		x.newline()
	case c == ' ' || c == '\t' || c == '\f' || c == '\v':
		x.space = true
		x.pos++
	case c == 0:
		x.fail("a NUL byte")
		x.pos++
	case c == '\\' && (x.at(1) == '\n' || x.at(1) == '\r' && x.at(2) == '\n') && (x.lang == Python || x.lang == Ruby):
		x.pos += 2
		x.space = true
	case x.comment():
	case x.special(c):
	case isNameStart(c) || c >= 0x80 || c == '$' && x.lang == JavaScript:
		x.name()
	case isDigit(c) || c == '.' && isDigit(x.at(1)) && !x.afterOperand():
		x.number()
	default:
		x.operator()
	}
}

func (x *lexer) newline() {
	x.pos++
	x.line, x.space = true, true
	for len(x.heredoc) > 0 && x.pos <= len(x.text) && x.text[x.pos-1] == '\n' {
		h := x.heredoc[0]
		x.heredoc = x.heredoc[1:]
		x.heredocBody(h)
	}
}

// begin is what may stand only at the very start.
func (x *lexer) begin() {
	if x.has("#!") {
		x.skipLine()
	}
	switch x.lang {
	case Python:
		x.coding()
	case PHP:
		x.phpStart()
	case JavaScript, Ruby, Perl, Awk:
	}
}

func (x *lexer) skipLine() {
	for x.pos < len(x.text) && x.text[x.pos] != '\n' {
		if x.text[x.pos] == '\r' && x.lang != Perl && x.lang != Ruby {
			return
		}
		if x.lang == PHP && x.has("?>") {
			return
		}
		if x.lang == JavaScript && (x.has("\u2028") || x.has("\u2029")) {
			x.pos += 3
			x.line = true
			return
		}
		x.pos++
	}
}

func (x *lexer) name() {
	start := x.pos
	plain := true
	for x.pos < len(x.text) && (isNameByte(x.text[x.pos]) || x.text[x.pos] >= 0x80 || x.text[x.pos] == '$' && x.lang == JavaScript) {
		plain = plain && x.text[x.pos] < 0x80
		x.pos++
	}
	if !plain {
		x.fail("a name in letters that may be others in disguise")
	}
	if x.lang == Ruby && (x.at(0) == '?' || x.at(0) == '!') && x.at(1) != '=' {
		x.pos++ // empty?
	}
	x.add(name, x.text[start:x.pos], start)
}

func (x *lexer) number() {
	start := x.pos
	for x.pos < len(x.text) {
		c := x.text[x.pos]
		if c == '.' && (!isDigit(x.at(1)) && x.lang != JavaScript && x.lang != Python || x.at(1) == '.') {
			break
		}
		if (c == '-' || c == '+') && x.text[x.pos-1]|0x20 == 'e' && !strings.HasPrefix(x.text[start:], "0x") {
			x.pos++
			continue
		}
		if !isNameByte(c) && c != '.' {
			break
		}
		x.pos++
	}
	x.add(number, x.text[start:x.pos], start)
}

// operators are those of more than one byte that matter, longest first.
var operators = [...]string{
	"===", "!==", "**=", "//=", ">>=", "<<=", "??=", "||=", "&&=", "...", "<=>", "?->",
	"==", "!=", "<=", ">=", "=>", "->", "::", ":=", "+=", "-=", "*=", "/=", ".=", "|=", "&=", "^=", "%=", "=~", "!~",
	"?.", "&.", "??", "&&", "||", "++", "--", "**", "//", "..", "<<", ">>", "@=",
}

func (x *lexer) operator() {
	start := x.pos
	length := 1
	for _, o := range operators {
		if x.text[x.pos] == o[0] && x.has(o) {
			length = len(o)
			break
		}
	}
	if length == 2 && x.has("..") && x.lang == PHP {
		length = 1
	}
	x.brackets(x.text[start])
	x.pos += length
	x.add(op, x.text[start:x.pos], start)
}

// brackets keeps count of the open ones.
func (x *lexer) brackets(c byte) {
	switch c {
	case '(', '[', '{':
		prev := x.last()
		x.parens = append(x.parens, paren{open: c, word: prev.kind == name && controls[prev.text], index: c == '{' && x.subscript()})
	case ')', ']', '}':
		if len(x.parens) == 0 {
			x.fail("a bracket closes nothing")
			return
		}
		top := x.parens[len(x.parens)-1]
		if c == ')' && top.open != '(' || c == ']' && top.open != '[' || c == '}' && top.open != '{' {
			x.fail("brackets cross")
		}
		x.parens = x.parens[:len(x.parens)-1]
		x.closed = top
	}
	if len(x.parens) > 4*maxDepth {
		x.fail("too many brackets")
		x.pos = len(x.text) - 1
	}
}

// controls are the words whose brackets are no call's.
var controls = set("if while for with switch catch elsif unless until foreach elif match and or not in return")

// afterOperand reports whether the last token ends a value, so that / divides.
func (x *lexer) afterOperand() bool {
	t := x.last()
	switch t.kind {
	case number, str, pattern:
		return true
	case name:
		return !operatorWords[t.text] || len(x.toks) > 1 && isMember(x.toks[len(x.toks)-2].text)
	case op:
		return t.text == ")" || t.text == "]" || t.text == "}"
	}
	return false
}

func isMember(o string) bool { return o == "." || o == "?." || o == "->" || o == "::" || o == "&." }

// operatorWords are words that a value follows.
var operatorWords = set(`return typeof case in of delete void throw new else do instanceof yield await and or not is if
	elif while unless until when then print puts p split grep map join push echo include require assert lambda raise
	x eq ne lt gt le ge cmp xor`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func isDigit(c byte) bool     { return c >= '0' && c <= '9' }
func isNameStart(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func isNameByte(c byte) bool  { return isNameStart(c) || isDigit(c) }
