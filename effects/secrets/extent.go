package secrets

import "strings"

// extent is where a value lies: what is in its quotes, if it has any.
type extent struct {
	from, to       int
	quoted, single bool
}

// maxPlain bounds what may be judged to be no secret: many names before one long
// value must not each read all of it.
const maxPlain = 256

// maxList and maxNested bound what is in brackets behind a secret's name. Beyond them
// its end is not known.
const (
	maxList   = 16 << 10
	maxNested = 16
)

// valueAt finds the value that begins at i. around is the quote in which name and
// value stand together, or 0. ok is false if there is no value, or no end of it.
func (x *scanner) valueAt(i int, around byte) (e extent, ok bool) {
	s := x.s
	i = stringPrefix(s, i)
	if i >= len(s) {
		return e, false
	}
	slashes := run(s, i, func(c byte) bool { return c == '\\' }) - i
	if at := i + slashes; at < len(s) && quote(s[at]) && (s[at] != around || opensAgain(s, at)) {
		return x.quotedAt(at, slashes), true
	}
	switch {
	case s[i] == '$' && i+1 < len(s) && strings.IndexByte("({[", s[i+1]) >= 0:
		end := closing(s, i+1)
		if end < 0 {
			x.open = true
			return e, false
		}
		return extent{from: i, to: x.bareEnd(end, around)}, true
	case strings.HasPrefix(s[i:], "{{"):
		if end := strings.Index(s[i:min(len(s), i+maxPlain)], "}}"); end > 0 {
			return extent{from: i, to: i + end + 2}, true
		}
	case s[i] == '<':
		if end := strings.IndexAny(s[i:min(len(s), i+maxName)], ">\n"); end > 0 && s[i+end] == '>' {
			return extent{from: i, to: i + end + 1}, true
		}
		return e, false
	}
	end := i
	if strings.HasPrefix(s[i:], "[redacted") || strings.HasPrefix(s[i:], "[cut") {
		// Only what is a marker is left alone; of others nothing is, spaces and all.
		end = lineEnd(s, i)
		if n := strings.IndexByte(s[i:end], ']'); n >= 0 {
			end = i + n + 1
		}
	}
	end = x.bareEnd(end, around)
	return extent{from: i, to: end}, end > i
}

// opensAgain tells the second of two equal quotes that opens a value from the one that
// closes the text around it: after escapes were undone both look alike.
func opensAgain(s string, i int) bool {
	return i+1 < len(s) && !is(s[i+1], endBit) && strings.IndexByte("+.%,]}:", s[i+1]) < 0 && !quote(s[i+1])
}

// stringPrefix steps over what languages put in front of a quote.
func stringPrefix(s string, i int) int {
	for n := 0; n < 3 && i+n < len(s); n++ {
		switch s[i+n] {
		case 'f', 'b', 'r', 'u', 'F', 'B', 'R', 'U', 'L', '@', '$':
		case '"', '\'':
			return i + n
		default:
			return i
		}
	}
	return i
}

// quotedAt finds the end of what the quote at i opens, which has some backslashes
// before it. Without an end it is all that follows.
func (x *scanner) quotedAt(i, slashes int) extent {
	s, q := x.s, x.s[i]
	e := extent{from: i + 1, quoted: true, single: q == '\''}
	if slashes == 0 && i+2 < len(s) && s[i+1] == q && s[i+2] == q {
		e.from = i + 3
		if n := strings.Index(s[e.from:], s[i:i+3]); n >= 0 {
			e.to = e.from + n
			return e
		}
		e.to = len(s)
		return e
	}
	for at := e.from; ; at++ {
		n := strings.IndexByte(s[at:], q)
		if n < 0 {
			e.to = len(s)
			return e
		}
		at += n
		before := 0
		for at-before > e.from && s[at-before-1] == '\\' {
			before++
		}
		switch {
		case slashes > 0 && before <= slashes:
			e.to = at - before
			return e
		case slashes == 0 && (before%2 == 0 || q == '\'' && (at+1 == len(s) || is(s[at+1], endBit))):
			e.to = x.joined(at)
			return e
		}
	}
}

// joined is the end of a value whose quote closes at i: there, unless more of the same
// word or of the same sum of strings follows.
func (x *scanner) joined(i int) int {
	s, end := x.s, i
	for p := i + 1; p < len(s); {
		c := s[p]
		switch {
		case quote(c):
			n := strings.IndexByte(s[p+1:], c)
			if n < 0 {
				return len(s)
			}
			p += n + 2
			end = p - 1
			continue
		case c == '\\' && p+1 < len(s) && quote(s[p+1]):
			p += 2
			end = p
			continue
		case word(c) && c != '-':
			p = run(s, p, word)
			end = p
			continue
		case c == ' ' || c == '+':
			next := p + run(s[p:min(len(s), p+16)], 0, func(c byte) bool { return space(c) || c == '+' })
			if next < len(s) && quote(s[next]) && strings.IndexByte(s[p:next], '+') >= 0 {
				p = next
				continue
			}
		}
		return end
	}
	return end
}

// bareEnd is where a word without quotes ends that begins before i.
func (x *scanner) bareEnd(i int, around byte) int {
	s := x.s
	for i < len(s) {
		c := s[i]
		switch {
		case around != 0 && c == around:
			return i
		case around != 0 && blank(c):
			if pairAhead(s, i+1) {
				return i
			}
		case is(c, endBit):
			return i
		case c == '[' && markerLen(s[i:]) > 0:
			i += markerLen(s[i:])
			continue
		case c == '\\' && i+1 < len(s) && (is(s[i+1], endBit) || quote(s[i+1])):
			if around == 0 || s[i+1] != around {
				i++
			} else {
				return i
			}
		case quote(c):
			if i+1 >= len(s) || is(s[i+1], endBit) || strings.IndexByte(",]}:", s[i+1]) >= 0 || quote(s[i+1]) {
				return i
			}
		case c == ',':
			if i+1 >= len(s) || space(s[i+1]) || quote(s[i+1]) || pairAhead(s, i+1) {
				return i
			}
		case c == '}' || c == ']':
			if i+1 >= len(s) || is(s[i+1], endBit) || quote(s[i+1]) || s[i+1] == ',' || s[i+1] == c {
				return i
			}
		}
		i++
	}
	return len(s)
}

// pairAhead reports whether another name with its sign begins at i.
func pairAhead(s string, i int) bool {
	end := run(s[:min(len(s), i+32)], i, word)
	return end > i && end < len(s) && (s[end] == '=' || s[end] == ':') && letter(s[i])
}

// closing finds the end of a bracket, with those within it and with quotes, or -1.
// It looks no further than maxList bytes, and no deeper than maxNested.
func closing(s string, i int) int {
	s = s[:min(len(s), i+maxList)]
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '(', '{', '[':
			if depth++; depth > maxNested {
				return -1
			}
		case ')', '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '\\':
			i++
		case '\'', '"':
			n := strings.IndexByte(s[i+1:], s[i])
			if n < 0 {
				return -1
			}
			i += n + 1
		}
	}
	return -1
}

// lineEnd is the end of the line that i is in.
func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}
