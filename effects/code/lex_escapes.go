package code

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// escape reads what stands behind a backslash.
func (x *lexer) escape(value *strings.Builder, q quoteStyle) {
	next := x.at(1)
	switch {
	case q.verb:
		value.WriteByte('\\')
		if next != 0 && next != '\n' || next == '\n' && q.lines {
			value.WriteByte(next)
			x.pos++
		}
		x.pos++
	case q.raw:
		if next == '\\' || next == q.end[0] || q.open != 0 && next == q.open {
			value.WriteByte(next)
			x.pos += 2
			return
		}
		value.WriteByte('\\')
		x.pos++
	default:
		x.pos += 2
		x.escaped(value, next)
	}
	x.pos = min(x.pos, len(x.text))
}

func (x *lexer) escaped(value *strings.Builder, c byte) {
	switch c {
	case '\n', 0:
	case '\r':
		if x.at(0) == '\n' {
			x.pos++
		}
	case 'n':
		value.WriteByte('\n')
	case 't':
		value.WriteByte('\t')
	case 'r':
		value.WriteByte('\r')
	case 'x':
		x.hex(value, 2)
	case 'u':
		if x.at(0) == '{' {
			x.pos++
			x.hex(value, 6)
			if x.at(0) == '}' {
				x.pos++
			}
			return
		}
		x.hex(value, 4)
	case 'U':
		x.hex(value, 8)
	case 'N':
		if x.lang == Python || x.lang == Perl {
			x.fail("a character by its name")
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := int(c - '0')
		for i := 0; i < 2 && x.at(0) >= '0' && x.at(0) <= '7'; i++ {
			n = n*8 + int(x.at(0)-'0')
			x.pos++
		}
		value.WriteRune(rune(n))
	case 'a', 'b', 'f', 'v', 'e', 'c':
		value.WriteByte(0x1f) // a control character of some kind
	default:
		value.WriteByte(c)
	}
}

func (x *lexer) hex(value *strings.Builder, most int) {
	if x.lang == Perl && x.at(0) == '{' {
		x.fail("a character by its number")
	}
	end := x.pos
	for end < len(x.text) && end < x.pos+most && strings.IndexByte("0123456789abcdefABCDEF", x.text[end]) >= 0 {
		end++
	}
	n, err := strconv.ParseUint(x.text[x.pos:end], 16, 32)
	if err != nil || n > utf8.MaxRune {
		x.fail("an escape that is none")
	}
	value.WriteRune(rune(n))
	x.pos = end
}
