package secrets

import (
	"strings"
	"unicode/utf8"
)

// scanner goes through one view of a text.
type scanner struct {
	s     string
	spans []Span
	open  bool // something cannot be delimited
	// escaped says that there are escapes, or letters that cannot be seen; broken that
	// quotes stand within words.
	escaped, broken bool
	// shapes says that only shapes count: in this view names do not stand where they
	// stood.
	shapes bool
	// aside are places that were found ahead of the scan, in no order.
	aside     []Span
	commandTo int // the command that was looked at last
	// wordFrom and wordTo are the word that was measured last.
	wordFrom, wordTo int
}

// scan finds the secrets of the view. The spans are in order and do not overlap.
func (x *scanner) scan() {
	s := x.s
	for i := 0; i < len(s) && !x.open; {
		bits := classes[s[i]]
		if bits&triggerBit == 0 || bits&spaceBit != 0 && (i == 0 || classes[s[i-1]]&lastBit == 0) {
			i++
			continue
		}
		i = max(i+1, x.at(i))
	}
}

// found notes a secret and says where to go on.
func (x *scanner) found(start, end int, kind Kind) int {
	if n := len(x.spans); n > 0 {
		start = max(start, min(x.spans[n-1].End, end))
	}
	// What is stepped over may have escapes too, and end elsewhere without them.
	x.escaped = x.escaped || strings.IndexByte(x.s[start:end], '\\') >= 0 || strings.IndexByte(x.s[start:end], '%') >= 0
	if start < end {
		x.spans = append(x.spans, Span{Start: start, End: end, Kind: kind})
	}
	return end
}

// at looks at a place where a secret may show itself, and says where to go on.
func (x *scanner) at(i int) int {
	s := x.s
	switch s[i] {
	case '_':
		return x.shapeAt(i, underscoreShapes)
	case '-':
		return x.dash(i)
	case '.':
		return x.shapeAt(i, dotShapes)
	case 'A', 'S':
		return x.upperShape(i)
	case 'J':
		return x.jwt(i)
	case 'B', 'b':
		return x.scheme(i)
	case ':':
		if i > 0 && digit(s[i-1]) {
			if end, ok := x.telegram(i); ok {
				return end
			}
		}
	case '"', '\'':
		x.broken = x.broken || splits(s, i)
		return i + 1
	}
	if x.shapes {
		return i + 1
	}
	switch s[i] {
	case '=':
		return x.assignment(i)
	case ':':
		return x.colon(i)
	case ' ', '\t':
		return x.spaced(i)
	case ',':
		return x.listed(i)
	case 0x9A: // the last byte of a full-width colon
		if i >= 2 && s[i-2] == 0xEF && s[i-1] == 0xBC {
			return x.named(i-2, i+1, ':')
		}
	default:
		x.escaped = x.escaped || hides(s, i)
	}
	return i + 1
}

func (x *scanner) colon(i int) int {
	s := x.s
	if i+2 < len(s) && s[i+1] == '/' && s[i+2] == '/' {
		return x.authority(i)
	}
	if i+1 < len(s) && s[i+1] == ':' {
		return i + 2
	}
	after := i + 1
	if after < len(s) && s[after] == '=' {
		after++
	}
	return x.named(i, after, ':')
}

func (x *scanner) assignment(i int) int {
	s := x.s
	if i > 0 && (s[i-1] == '=' || s[i-1] == '!' || s[i-1] == '<' || s[i-1] == '>') {
		return i + 1
	}
	after := i + 1
	if after < len(s) && (s[after] == '>' || s[after] == '=') {
		if next := run(s, after+1, blank); s[after] == '=' && (next >= len(s) || !quote(s[next])) {
			return i + 1 // a comparison, and not with a text
		}
		after++
	}
	return x.named(i, after, '=')
}

// name is what stands before a sign.
type name struct {
	from, to int
	quoted   bool // in quotes of its own
	spaced   bool // from its sign
}

// nameBefore looks back from a sign.
func (x *scanner) nameBefore(i int) (n name, ok bool) {
	s, least := x.s, max(0, i-maxName-8)
	for i > least && blank(s[i-1]) {
		i, n.spaced = i-1, true
	}
	if i > least && (s[i-1] == ']' || s[i-1] == ')') {
		i--
	}
	for i > least && (quote(s[i-1]) || s[i-1] == '\\') {
		i, n.quoted = i-1, true
	}
	n.to = i
	for i > least && is(s[i-1], nameBit) {
		i--
	}
	for i < n.to && s[i] >= 0x80 && !utf8.RuneStart(s[i]) {
		i++
	}
	n.from = i
	return n, n.to-n.from >= 2 && (alnum(s[n.to-1]) || s[n.to-1] >= 0x80 || s[n.to-1] == '_')
}

// named looks at the value behind a name and its sign.
func (x *scanner) named(sign, after int, by byte) int {
	s := x.s
	n, ok := x.nameBefore(sign)
	if ok && by == '=' && typeName(s[n.from:n.to]) {
		n, ok = x.nameBeforeType(n)
	}
	if !ok {
		return sign + 1
	}
	key := s[n.from:n.to]
	p := place{rank: rankOf(key)}
	if before := n.from - 1; by == '=' && before >= 0 && (s[before] == '?' || s[before] == '&' || s[before] == '#') {
		p.url = p.rank > none
		p.rank = max(p.rank, p.urlRank(key))
	}
	if equalFold(key, "pass") && by == ':' && !n.quoted {
		return sign + 1 // of a test
	}
	if key == "pwd" || strings.HasSuffix(key, ".pwd") {
		p.rank = medium // a folder more often than a password
	}
	if p.rank == none || working(key, s, after) || n.from > 0 && s[n.from-1] == '/' {
		return sign + 1
	}
	around := byte(0)
	if !n.quoted && n.from > 0 && quote(s[n.from-1]) {
		around = s[n.from-1]
	}
	if header := by == ':' || by == '=' && n.spaced; header && (isHeader(key) || p.rank == strong && (around != 0 || lineStart(s, n.from))) {
		if end, done := x.line(n, after, around); done {
			return end
		}
	}
	if by == '=' && !n.spaced && after < len(s) && blank(s[after]) {
		p.rank = min(p.rank, medium) // "password= user=": a shell takes it for nothing
		around = 0
	}
	p.strict = by == '=' && !n.spaced && !n.quoted && variableName(key) && (after >= len(s) || !blank(s[after])) || n.from > 0 && s[n.from] == '-' && by == '=' && !names(key)
	return x.value(n, after, p, around)
}

// value judges the value that begins behind a sign.
func (x *scanner) value(n name, after int, p place, around byte) int {
	s := x.s
	i := after
	for i < len(s) && (blank(s[i]) || n.quoted && space(s[i])) {
		i++
	}
	if around != 0 && i > after {
		around = 0 // of a text in quotes, not of a pair
	}
	if i < len(s) && p.rank >= medium && quotedInside(s, i) && (s[i] == '[' || s[i] == '{' && n.quoted) {
		return x.list(i, n)
	}
	if end := block(s, i); end > i && p.rank >= medium {
		return x.found(i, end, kindOf(s[n.from:n.to]))
	}
	if p.url {
		return x.parameter(n, i, p)
	}
	if i < len(s) && quote(s[i]) && !n.quoted && !opensAgain(s, i) && insideQuote(s, n.from, s[i]) {
		return i // it closes: input("Password: ")
	}
	e, ok := x.valueAt(i, around)
	if !ok {
		return after
	}
	p.quoted, p.single = e.quoted, e.single
	v := s[e.from:e.to]
	call := !p.quoted && !p.strict && (e.to < len(s) && s[e.to] == '(' || n.spaced && camel(v) || n.quoted && makeupOf(v).digits == 0) && identifiers(v)
	if len(v) <= maxPlain && (call || !p.secret(v)) || e.quoted && s[e.from-1] == '`' && containsSpace(v) {
		return max(after, i)
	}
	if e.quoted && !e.single && computed(v) {
		x.open = true
		return len(s)
	}
	return x.found(e.from, e.to, kindOf(s[n.from:n.to]))
}

// list takes what is in brackets behind a secret's name as a whole.
func (x *scanner) list(i int, n name) int {
	end := closing(x.s, i)
	if end < 0 {
		x.open = true
		return len(x.s)
	}
	return x.found(i, end, kindOf(x.s[n.from:n.to]))
}
