package sql

import "strings"

type tokenKind uint8

const (
	word   tokenKind = iota // not quoted
	quoted                  // a name in quotes
	text                    // a string; its token's text is without the quotes
	number
	punct
)

type token struct {
	kind       tokenKind
	key        string // a word that has a meaning here, in lower case; a punctuation
	text       string // as written, without quotes
	start, end int
}

// scanner reads one statement after the other.
type scanner struct {
	text    string
	dialect Dialect
	depth   int
	pos     int
	toks    []token
	inside  int  // statements in the one that is classified
	doubt   bool // the dialects read this statement differently, or it does not end
	found   []Statement
}

// statement reads one statement, up to its semicolon or a client's command.
func (s *scanner) statement() {
	s.toks, s.doubt = s.toks[:0], false
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c == ';':
			s.pos++
			s.finish()
			return
		case c == '\\' && s.dialect != SQLite && s.dialect != TSQL:
			s.finish()
			s.backslash()
			return
		case c == '.' && len(s.toks) == 0 && (s.dialect == SQLite || s.dialect == Any):
			s.dotCommand()
			return
		case c == '!' && len(s.toks) == 0 && strings.HasPrefix(s.text[s.pos:], "!!"):
			s.lineCommand("!!", s.pos+2, Executes)
			return
		case len(s.toks) == 0 && isLetter(c) && s.clientWord():
			return
		default:
			s.token(c)
		}
	}
	s.finish()
}

// finish classifies what was read of a statement, if anything was.
func (s *scanner) finish() {
	if len(s.toks) == 0 {
		if s.doubt {
			s.found = append(s.found, Statement{Kinds: IsUnknown, Start: s.pos, End: s.pos})
		}
		s.doubt = false
		return
	}
	st := s.classify(s.toks)
	if s.doubt {
		st.Kinds |= IsUnknown
	}
	st.Start, st.End = s.toks[0].start, s.toks[len(s.toks)-1].end
	s.found = append(s.found, st)
	s.toks, s.doubt = s.toks[:0], false
}

func (s *scanner) token(c byte) {
	switch {
	case c <= ' ':
		s.doubt = s.doubt || c == 0
		s.pos++
	case c == '-' && s.next(1) == '-':
		s.dashes()
	case c == '#' && (s.dialect == MySQL || s.dialect == Any):
		s.doubt = s.doubt || s.dialect == Any
		s.skipLine()
	case c == '/' && s.next(1) == '*':
		s.comment()
	case c == '*' && s.next(1) == '/': // the end of a comment that MySQL executes
		s.pos += 2
	case c == '\'', c == '"', c == '`':
		s.quotedToken(c, s.pos)
	case c == '[' && s.dialect != Postgres && s.dialect != MySQL:
		s.bracket()
	case c == '$' && s.dialect != MySQL && s.dialect != TSQL && s.dollarQuote():
	case isLetter(c) || c >= 0x80 || c == '@' || c == '$':
		s.word()
	case c >= '0' && c <= '9':
		start := s.pos
		for s.pos < len(s.text) && (isWordByte(s.text[s.pos]) || s.text[s.pos] == '.') {
			s.pos++
		}
		s.add(token{kind: number, text: s.text[start:s.pos], start: start, end: s.pos})
	default:
		s.colon(c)
		s.add(token{kind: punct, key: s.text[s.pos : s.pos+1], start: s.pos, end: s.pos + 1})
		s.pos++
	}
}

// colon doubts what psql replaces with a variable's text.
func (s *scanner) colon(c byte) {
	if c != ':' || s.dialect != Postgres && s.dialect != Any {
		return
	}
	after := s.next(1)
	before := s.pos > 0 && s.text[s.pos-1] == ':'
	if !before && (isLetter(after) || after == '\'' || after == '"' || after == '{') {
		s.doubt = true
	}
}

func (s *scanner) add(t token) { s.toks = append(s.toks, t) }

func (s *scanner) next(n int) byte {
	if s.pos+n < len(s.text) {
		return s.text[s.pos+n]
	}
	return 0
}

func (s *scanner) skipLine() {
	if i := strings.IndexByte(s.text[s.pos:], '\n'); i >= 0 {
		s.pos += i + 1
		return
	}
	s.pos = len(s.text)
}

// dashes is a comment, for MySQL only in front of a space.
func (s *scanner) dashes() {
	after := s.next(2)
	if after > ' ' && after != '-' {
		switch s.dialect {
		case MySQL:
			s.add(token{kind: punct, key: "-", start: s.pos, end: s.pos + 1})
			s.pos++
			return
		case Any:
			s.doubt = true
		case Postgres, SQLite, TSQL:
		}
	}
	s.skipLine()
}

// comment skips one, unless MySQL executes what is in it.
func (s *scanner) comment() {
	rest := s.text[s.pos+2:]
	if s.dialect == MySQL || s.dialect == Any {
		if strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "M!") {
			s.doubt = s.doubt || s.dialect == Any
			s.pos += 2 + strings.IndexByte(rest, '!') + 1
			for c := s.next(0); c >= '0' && c <= '9'; c = s.next(0) {
				s.pos++
			}
			return
		}
	}
	nests := s.dialect == Postgres || s.dialect == TSQL
	depth, i := 1, 0
	for ; i < len(rest) && depth > 0; i++ {
		switch {
		case strings.HasPrefix(rest[i:], "*/"):
			depth--
			i++
		case strings.HasPrefix(rest[i:], "/*"):
			if nests {
				depth++
				i++
			}
			s.doubt = s.doubt || s.dialect == Any
		}
	}
	s.doubt = s.doubt || depth > 0
	s.pos += 2 + i
}

// quotedToken reads a string or name from its quote at s.pos on; start is where its
// prefix (E, N, X) begins.
func (s *scanner) quotedToken(q byte, start int) {
	escapes := q != '`' && (s.dialect == MySQL || start < s.pos && s.text[start]|0x20 == 'e')
	s.pos++
	from := s.pos
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c == '\\' && escapes:
			s.pos += 2
			continue
		case c == '\\' && s.next(1) == q && s.dialect == Any:
			s.doubt = true
		case c == q && s.next(1) == q:
			s.pos += 2
			continue
		case c == q:
			s.add(token{kind: kindOfQuote(q), text: s.text[from:s.pos], start: start, end: s.pos + 1})
			s.pos++
			return
		}
		s.pos++
	}
	s.pos = len(s.text)
	s.doubt = true
	s.add(token{kind: kindOfQuote(q), text: s.text[min(from, s.pos):], start: start, end: s.pos})
}

func kindOfQuote(q byte) tokenKind {
	if q == '\'' {
		return text
	}
	return quoted
}

// bracket is a name in SQLite and T-SQL, a subscript elsewhere.
func (s *scanner) bracket() {
	end := strings.IndexByte(s.text[s.pos:min(s.pos+maxName, len(s.text))], ']')
	inside := ""
	if end > 0 {
		inside = s.text[s.pos+1 : s.pos+end]
	}
	if s.dialect == Any || end < 0 {
		s.doubt = s.doubt || end < 0 || strings.ContainsAny(inside, "'\"`;-/$")
		s.add(token{kind: punct, key: "[", start: s.pos, end: s.pos + 1})
		s.pos++
		return
	}
	s.add(token{kind: quoted, text: inside, start: s.pos, end: s.pos + end + 1})
	s.pos += end + 1
}

// dollarQuote reads $$ … $$ and $tag$ … $tag$.
func (s *scanner) dollarQuote() bool {
	i := s.pos + 1
	for i < len(s.text) && isWordByte(s.text[i]) && s.text[i] != '$' {
		i++
	}
	if i >= len(s.text) || s.text[i] != '$' || s.pos+1 < i && s.text[s.pos+1] <= '9' {
		return false
	}
	tag := s.text[s.pos : i+1]
	end := strings.Index(s.text[i+1:], tag)
	start := s.pos
	s.doubt = s.doubt || end < 0 || s.dialect != Postgres
	if end < 0 {
		s.add(token{kind: text, text: s.text[i+1:], start: start, end: len(s.text)})
		s.pos = len(s.text)
		return true
	}
	s.pos = i + 1 + end + len(tag)
	s.add(token{kind: text, text: s.text[i+1 : i+1+end], start: start, end: s.pos})
	return true
}

func (s *scanner) word() {
	start := s.pos
	for s.pos < len(s.text) && isWordByte(s.text[s.pos]) {
		s.pos++
	}
	if s.pos == start { // '@' alone
		s.pos++
	}
	w := s.text[start:s.pos]
	if q := s.next(0); q == '\'' && len(w) <= 2 {
		s.quotedToken(q, start) // E'…', N'…', B'…', X'…', U&'…'
		return
	}
	s.add(token{kind: word, key: keywordOf(w), text: w, start: start, end: s.pos})
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func isWordByte(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c >= 0x80 || c == '$' || c == '@'
}
