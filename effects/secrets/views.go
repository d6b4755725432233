package secrets

import "unicode/utf8"

// view is a text as somebody else will read it, with the places in the first text that
// each of its bytes comes from. Without places it is the first text itself.
type view struct {
	text     string
	from, to []int32
}

// span is where in the first text a part of the view stands.
func (v view) span(s Span) Span {
	if v.from == nil {
		return s
	}
	return Span{Start: int(v.from[s.Start]), End: int(v.to[s.End-1]), Kind: s.Kind}
}

// maxRounds is how often escapes may be wrapped in each other.
const maxRounds = 3

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
	of       view
	text     []byte
	from, to []int32
}

func newBuilder(of view) *builder {
	n := len(of.text)
	return &builder{of: of, text: make([]byte, 0, n), from: make([]int32, 0, n), to: make([]int32, 0, n)}
}

// add takes over bytes that stand for those of the other view from i to end.
func (b *builder) add(i, end int, bytes ...byte) {
	from, to := int32(i), int32(end)
	if b.of.from != nil {
		from, to = b.of.from[i], b.of.to[end-1]
	}
	for _, c := range bytes {
		b.text, b.from, b.to = append(b.text, c), append(b.from, from), append(b.to, to)
	}
}

func (b *builder) view() view { return view{text: string(b.text), from: b.from, to: b.to} }

// decoded is a view without its outermost escapes: those of JSON, of programs' texts
// and shells, of URLs, and without letters that cannot be seen.
func decoded(of view) view {
	s, b := of.text, newBuilder(of)
	for i := 0; i < len(s); {
		n, bytes := 1, s[i]
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i = b.escape(i)
			continue
		case c == '%' && hides(s, i):
			n, bytes = 3, hexValue(s[i+1:i+3])
		case c < 0x20 && !space(c):
			i++
			continue
		case c >= 0x80:
			if skip := unseen(s[i:]); skip > 0 {
				i += skip
				continue
			}
		}
		b.add(i, i+n, bytes)
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
		digits = map[byte]int{'u': 4, 'x': 2, 'U': 8}[c]
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
	b.add(i, end, utf8.AppendRune(nil, code)...)
	return end
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
	b.add(i, end+1, utf8.AppendRune(nil, code)...)
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
