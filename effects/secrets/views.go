package secrets

import (
	"strings"
	"unicode/utf8"
)

// view is a text as somebody else will read it, with the places in the first text that
// each of its bytes comes from. Without places it is the first text itself.
type view struct {
	text string
	at   []piece
}

// piece is a place in the first text.
type piece struct{ from, to int32 }

// span is where in the first text a part of the view stands.
func (v view) span(s Span) Span {
	if v.at == nil {
		return s
	}
	return Span{Start: int(v.at[s.Start].from), End: int(v.at[s.End-1].to), Kind: s.Kind}
}

// maxRounds is how often escapes may be wrapped in each other.
const maxRounds = 4

// hides reports whether a byte begins what stands for another character, or for none.
func hides(s string, i int) bool {
	switch c := s[i]; c {
	case '\\':
		return i+1 < len(s)
	case '%':
		return i+2 < len(s) && hex(s[i+1]) && hex(s[i+2])
	default:
		return c < 0x20 && !space(c) || c >= 0x80 && unseen(s[i:]) > 0
	}
}

// unseen is the length of the character that a text begins with if none would see it.
func unseen(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if r == 0xAD || r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF {
		return n
	}
	return 0
}

// builder makes a view out of another one.
type builder struct {
	of   view
	text []byte
	at   []piece
}

func newBuilder(of view) *builder {
	n := len(of.text)
	return &builder{of: of, text: make([]byte, 0, n), at: make([]piece, 0, n)}
}

// add takes over a byte that stands for those of the other view from i to end.
func (b *builder) add(i, end int, c byte) {
	p := piece{int32(i), int32(end)}
	if b.of.at != nil {
		p = piece{b.of.at[i].from, b.of.at[end-1].to}
	}
	b.text, b.at = append(b.text, c), append(b.at, p)
}

// letter takes over a character.
func (b *builder) letter(i, end int, r rune) {
	var buf [utf8.UTFMax]byte
	for _, c := range buf[:utf8.EncodeRune(buf[:], r)] {
		b.add(i, end, c)
	}
}

func (b *builder) view() view { return view{text: string(b.text), at: b.at} }

// decoded is a view without its outermost escapes: those of JSON, of programs' texts
// and shells, and without letters that cannot be seen; of URLs only if there are no
// others, since what stands for a # in a URL does not end its parameter.
func decoded(of view, all bool) view {
	s, b := of.text, newBuilder(of)
	all = all || strings.IndexByte(s, '\\') < 0
	for i := 0; i < len(s); {
		n, c := 1, s[i]
		switch {
		case c >= 0x20 && c < 0x80 && c != '\\' && c != '%':
		case c == '\\' && i+1 < len(s):
			i = b.escape(i)
			continue
		case all && c == '%' && hides(s, i):
			n, c = 3, hexValue(s[i+1:i+3])
		case c < 0x20 && !space(c):
			i++
			continue
		case c >= 0x80:
			if skip := unseen(s[i:]); skip > 0 {
				i += skip
				continue
			}
		}
		b.add(i, i+n, c)
		i += n
	}
	return b.view()
}

// escape takes what a backslash at i begins and says where to go on.
func (b *builder) escape(i int) int {
	s := b.of.text
	digits, code := 0, rune(0)
	switch c := s[i+1]; c {
	case 'n', 'r', 't':
		b.add(i, i+2, map3(c))
		return i + 2
	case '\n':
		return i + 2 // a line that goes on
	case 'u', 'x', 'U':
		digits = escapeDigits(c)
		if i+2 < len(s) && s[i+2] == '{' {
			return b.braced(i)
		}
	default:
		if end := run(s[:min(len(s), i+4)], i+1, func(c byte) bool { return c >= '0' && c <= '7' }); end == i+4 {
			b.add(i, end, (s[i+1]-'0')<<6|(s[i+2]-'0')<<3|s[i+3]-'0')
			return end
		}
		b.add(i, i+2, c)
		return i + 2
	}
	end := run(s[:min(len(s), i+2+digits)], i+2, hex)
	if end < i+2+digits {
		b.add(i, i+2, s[i+1])
		return i + 2
	}
	for _, c := range []byte(s[i+2 : end]) {
		code = code<<4 | rune(hexDigit(c))
	}
	b.letter(i, end, code)
	return end
}

func escapeDigits(c byte) int {
	switch c {
	case 'x':
		return 2
	case 'u':
		return 4
	}
	return 8
}

// braced is \u{41}.
func (b *builder) braced(i int) int {
	s := b.of.text
	end := run(s[:min(len(s), i+9)], i+3, hex)
	if end == i+3 || end >= len(s) || s[end] != '}' {
		b.add(i, i+2, s[i+1])
		return i + 2
	}
	code := rune(0)
	for _, c := range []byte(s[i+3 : end]) {
		code = code<<4 | rune(hexDigit(c))
	}
	b.letter(i, end+1, code)
	return end + 1
}

func map3(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	}
	return '\t'
}

func hexDigit(c byte) byte {
	if digit(c) {
		return c - '0'
	}
	return lower(c) - 'a' + 10
}

func hexValue(s string) byte { return hexDigit(s[0])<<4 | hexDigit(s[1]) }

// splits reports whether a quote stands within a word, as gh"p_…" has it and don't
// has not.
func splits(s string, i int) bool {
	if i+1 >= len(s) || i == 0 {
		return false
	}
	before, after := s[i-1], s[i+1]
	if !word(before) && !quote(before) && before != '\\' || !word(after) && !quote(after) && after != '$' && after != '.' {
		return false
	}
	end := run(s[:min(len(s), i+4)], i+1, letter)
	return s[i] != '\'' || end-i > 3 || end == i+1 || end < len(s) && word(s[end])
}

// bare is a view without quotes and backslashes, as a shell joins words.
func bare(of view) view {
	s, b := of.text, newBuilder(of)
	for i := range len(s) {
		if c := s[i]; c != '"' && c != '\'' && c != '\\' && (c != '$' || i+1 >= len(s) || !quote(s[i+1])) {
			b.add(i, i+1, c)
		}
	}
	return b.view()
}
