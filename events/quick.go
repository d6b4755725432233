package events

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// quick reads JSON in one pass, as strictly as the decoder behind it, and gives
// up on all that is not as plain as nearly every stored line is: white space,
// exponents, escaped names, large objects, lone surrogates, members of the wrong
// type. What it gives up on, the strict decoder decides and explains; so it never
// has to say why, and must never accept what that one refuses. FuzzQuick compares
// the two.
type quick struct {
	b     []byte // a copy of the line, which the values are slices of
	i     int
	depth int
	bad   bool // it has given up; nothing that is read any more counts
	// names are where those of the objects that are open begin and end, innermost
	// last, to find duplicates.
	names [quickNames]span
	open  int // how many there are
}

type span struct{ start, end int32 }

const (
	quickDepth  = 32
	quickNames  = 32 // in all objects that are open
	quickDigits = 15 // less than 2^53
)

func (q *quick) giveUp() { q.bad = true }

// peek is the next byte, 0 at the end.
func (q *quick) peek() byte {
	if q.i < len(q.b) {
		return q.b[q.i]
	}
	return 0
}

// take passes over a byte that has to come next.
func (q *quick) take(c byte) {
	if q.peek() != c {
		q.giveUp()
		return
	}
	q.i++
}

// members is the state of an object that is read member by member.
type members struct {
	first int // of its names
	begun bool
}

// object begins an object.
func (q *quick) object() members {
	q.take('{')
	if q.depth++; q.depth > quickDepth {
		q.giveUp()
	}
	return members{first: q.open}
}

// member gives the name of the next member and stands in front of its value; nil
// at the object's end.
func (q *quick) member(m *members) []byte {
	switch {
	case q.bad:
		return nil
	case q.peek() == '}':
		q.i++
		q.depth--
		q.open = m.first
		return nil
	case m.begun:
		q.take(',')
	}
	m.begun = true
	name, escaped := q.text()
	q.take(':')
	if q.bad || escaped || q.open == quickNames {
		q.giveUp()
		return nil
	}
	for _, n := range q.names[m.first:q.open] {
		if string(q.b[n.start:n.end]) == string(name) {
			q.giveUp()
			return nil
		}
	}
	end := q.i - len(`":`)
	q.names[q.open] = span{int32(end - len(name)), int32(end)}
	q.open++
	return name
}

// element reports whether another element of an array follows; the first call
// stands in front of the array.
func (q *quick) element(begun *bool) bool {
	if !*begun {
		q.take('[')
		if q.depth++; q.depth > quickDepth {
			q.giveUp()
		}
	}
	switch {
	case q.bad:
		return false
	case q.peek() == ']':
		q.i++
		q.depth--
		return false
	case *begun:
		q.take(',')
		if q.peek() == ']' {
			q.giveUp()
		}
	}
	*begun = true
	return !q.bad
}

// text reads a string and gives what stands between the quotes, and whether
// there are escapes in it. It is valid UTF-8 without lone surrogates.
func (q *quick) text() (raw []byte, escaped bool) {
	q.take('"')
	start, ascii := q.i, true
	for !q.bad {
		q.plain(&ascii)
		switch c := q.peek(); {
		case c == '"':
			raw = q.b[start:q.i:q.i]
			q.i++
			if !ascii && !utf8.Valid(raw) {
				q.giveUp()
			}
			return raw, escaped
		case c == '\\':
			escaped = true
			q.escape()
		case c < ' ': // or the end
			q.giveUp()
		default:
			ascii = ascii && c < utf8.RuneSelf
			q.i++
		}
	}
	return nil, escaped
}

// plain passes over bytes that need no look, eight at a time: no quote, no
// backslash, no control character.
func (q *quick) plain(ascii *bool) {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	all := uint64(0)
	for q.i+8 <= len(q.b) {
		x := binary.LittleEndian.Uint64(q.b[q.i:])
		quote, slash := x^(ones*'"'), x^(ones*'\\')
		// The high bit is set in each byte that was below ' ' or is zero now; a byte
		// behind such a one may have it wrongly, and is looked at singly.
		if ((x-ones*' ')&^x|(quote-ones)&^quote|(slash-ones)&^slash)&high != 0 {
			break
		}
		all |= x
		q.i += 8
	}
	*ascii = *ascii && all&high == 0
}

// escape passes over one. Surrogates are left to the strict decoder.
func (q *quick) escape() {
	if q.i+1 >= len(q.b) {
		q.giveUp()
		return
	}
	switch q.b[q.i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		q.i += 2
	case 'u':
		if r := q.hex(); r < 0 || r >= 0xd800 && r < 0xe000 {
			q.giveUp()
			return
		}
		q.i += 6
	default:
		q.giveUp()
	}
}

// hex is the code of the \u escape that comes next, -1 if it is none.
func (q *quick) hex() rune {
	if q.i+6 > len(q.b) {
		return -1
	}
	r := rune(0)
	for _, c := range q.b[q.i+2 : q.i+6] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return -1
		}
	}
	return r
}

// str reads a string.
func (q *quick) str() string {
	raw, escaped := q.text()
	if q.bad || !escaped {
		return string(raw)
	}
	s, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)), q.b[q.i-len(raw)-2:q.i])
	if err != nil {
		q.giveUp()
	}
	return string(s)
}

// whole reads a whole number from 0.
func (q *quick) whole() int64 {
	start := q.i
	n := int64(0)
	for q.i < len(q.b) && q.b[q.i] >= '0' && q.b[q.i] <= '9' {
		n = n*10 + int64(q.b[q.i]-'0')
		if q.i++; q.i-start > quickDigits {
			q.giveUp()
			return 0
		}
	}
	if c := q.peek(); q.i == start || q.b[start] == '0' && q.i > start+1 || c == '.' || c == 'e' || c == 'E' {
		q.giveUp()
	}
	return n
}

// boolean reads true or false.
func (q *quick) boolean() bool {
	switch {
	case bytes.HasPrefix(q.b[q.i:], []byte("true")):
		q.i += len("true")
		return true
	case bytes.HasPrefix(q.b[q.i:], []byte("false")):
		q.i += len("false")
	default:
		q.giveUp()
	}
	return false
}

// value passes over any value and gives its text.
func (q *quick) value() jsontext.Value {
	start := q.i
	q.skip()
	if q.bad {
		return nil
	}
	return q.b[start:q.i:q.i]
}

func (q *quick) skip() {
	switch c := q.peek(); {
	case c == '"':
		q.text()
	case c == '{':
		m := q.object()
		for q.member(&m) != nil {
			q.skip()
		}
	case c == '[':
		for begun := false; q.element(&begun); {
			q.skip()
		}
	case c == 't' || c == 'f':
		q.boolean()
	case bytes.HasPrefix(q.b[q.i:], []byte("null")):
		q.i += len("null")
	default:
		q.number()
	}
}

// number passes over one without an exponent, that is not as small as -0 or as
// long as one that a double cannot hold.
func (q *quick) number() {
	if q.peek() == '-' {
		q.i++
		if q.peek() == '0' {
			q.giveUp()
			return
		}
	}
	whole := q.digits()
	if whole == 0 || whole > 1 && q.b[q.i-whole] == '0' || whole > quickDigits {
		q.giveUp()
		return
	}
	if q.peek() == '.' {
		q.i++
		if n := q.digits(); n == 0 || n > quickDigits {
			q.giveUp()
		}
	}
	if c := q.peek(); c == 'e' || c == 'E' {
		q.giveUp()
	}
}

func (q *quick) digits() (n int) {
	for q.i < len(q.b) && q.b[q.i] >= '0' && q.b[q.i] <= '9' {
		q.i++
		n++
	}
	return n
}
