package shell

import (
	"fmt"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of what is given to the parser, which calls itself for each level.
const (
	maxBrackets  = 200   // open at once
	maxOpeners   = 10000 // words such as if and !, of which each may open a level
	maxSigns     = 2000  // in a row
	maxTokens    = 1 << 15
	maxLines     = 1 << 17 // and blanks
	maxFunctions = 2000
)

// parser is one of mvdan.cc/sh with what it reads from.
type parser struct {
	*syntax.Parser
	text strings.Reader
}

var (
	bashParsers  = sync.Pool{New: func() any { return &parser{Parser: syntax.NewParser(syntax.Variant(syntax.LangBash))} }}
	posixParsers = sync.Pool{New: func() any { return &parser{Parser: syntax.NewParser(syntax.Variant(syntax.LangPOSIX))} }}
)

// parse parses a text as bash, and failing that as a POSIX shell; nil and why not, if
// neither takes it.
func parse(text string) (*syntax.File, string) {
	file, err := parseWith(&bashParsers, text)
	if err == nil {
		return file, ""
	}
	if file, other := parseWith(&posixParsers, text); other == nil {
		return file, ""
	}
	return nil, err.Error()
}

// parseWith parses a text. A parser that falls over a text does not take it.
func parseWith(pool *sync.Pool, text string) (file *syntax.File, err error) {
	p := pool.Get().(*parser)
	defer func() {
		if fault := recover(); fault != nil {
			file, err = nil, fmt.Errorf("the parser fell: %v", fault)
		}
	}()
	p.text.Reset(text)
	file, err = p.Parse(&p.text, "")
	p.text.Reset("")
	pool.Put(p)
	return file, err
}

// document parses a text as the inside of double quotes.
func document(text string) *syntax.Word {
	p := bashParsers.Get().(*parser)
	w, err := p.Document(strings.NewReader(text))
	bashParsers.Put(p)
	if err != nil {
		return nil
	}
	return w
}

// tooDeep reports whether a text may hold more levels than a parser can go down, or
// more signs than it can read in a moment.
func tooDeep(text string) bool {
	if len(text) < maxBrackets {
		return false
	}
	var n levels
	for i := 0; i < len(text); i++ {
		if n.count(text, i) {
			return true
		}
	}
	return n.openers > maxOpeners
}

// levels counts what may open a level.
type levels struct {
	brackets, openers, signs, tokens, lines, functions int
}

// count looks at one byte, and reports whether a bound is met.
func (n *levels) count(text string, i int) bool {
	c := text[i]
	switch c {
	case '(', '{':
		if c == '(' && i > 0 && letter(text[i-1]) && i+2 < len(text) && text[i+1] == ')' {
			n.functions++ // f() f() …
		}
		n.brackets++
	case ')', '}':
		n.brackets = max(n.brackets-1, 0)
	case '\n', ' ':
		n.lines++
	case '\'', '"', '`', '$', '&', '|', ';', '\\', '<', '>', '#':
		n.tokens++
	}
	switch {
	case c == '-' || c == '+' || c == '~' || c == '!' || c == '=' || c == '?' || c == ':' || c == '*' || c == ',':
		n.signs++
	case c != ' ' && c != '\t' && !letter(c):
		n.signs = 0
	}
	if c == '!' || letter(c) && (i == 0 || !letter(text[i-1])) && opens(text[i:]) {
		n.openers++
	}
	return n.brackets > maxBrackets || n.signs > maxSigns || n.tokens > maxTokens || n.lines > maxLines || n.functions > maxFunctions
}

func letter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || '0' <= c && c <= '9'
}

// opens reports whether a text begins with a word that may open a level.
func opens(s string) bool {
	switch s[0] {
	case 'i', 'w', 'u', 'f', 'c', 's', 't':
	default:
		return false
	}
	n := 1
	for n < len(s) && n < 10 && letter(s[n]) {
		n++
	}
	switch s[:n] {
	case "if", "while", "until", "for", "case", "select", "function", "time", "coproc":
		return true
	}
	return false
}
