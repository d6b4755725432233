package shell

import (
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of what is given to the parser, which calls itself for each level.
const (
	maxBrackets = 200   // open at once
	maxOpeners  = 10000 // words such as if and !, of which each may open a level
	maxSigns    = 2000  // in a row
)

var (
	bashParsers  = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}
	posixParsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangPOSIX)) }}
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

func parseWith(pool *sync.Pool, text string) (*syntax.File, error) {
	p := pool.Get().(*syntax.Parser)
	file, err := p.Parse(strings.NewReader(text), "")
	pool.Put(p)
	return file, err
}

// document parses a text as the inside of double quotes.
func document(text string) *syntax.Word {
	p := bashParsers.Get().(*syntax.Parser)
	w, err := p.Document(strings.NewReader(text))
	bashParsers.Put(p)
	if err != nil {
		return nil
	}
	return w
}

// tooDeep reports whether a text may hold more levels than a parser can go down.
func tooDeep(text string) bool {
	if len(text) < maxBrackets {
		return false
	}
	brackets, openers, signs, quotes := 0, 0, 0, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case '(', '{':
			if brackets++; brackets > maxBrackets {
				return true
			}
		case ')', '}':
			brackets = max(brackets-1, 0)
		case '`':
			quotes++
		}
		switch {
		case c == '-' || c == '+' || c == '~' || c == '!' || c == '=' || c == '?' || c == ':' || c == '*':
			if signs++; signs > maxSigns {
				return true
			}
		case c != ' ' && c != '\t' && !letter(c):
			signs = 0
		}
		if c == '!' || letter(c) && (i == 0 || !letter(text[i-1])) && opens(text[i:]) {
			openers++
		}
	}
	return openers > maxOpeners || quotes > maxOpeners
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
