package shell

import (
	"unicode"
	"unicode/utf8"
)

// strange finds what a reader of a text cannot see, or takes for something else:
// control characters, letters of two alphabets in one word, characters without
// width, and blanks that no shell takes for one. offset is where the text stands in
// the outermost one. Text in one foreign alphabet is nothing strange.
func strange(text string, offset int) []Problem {
	for i := 0; ; i++ {
		if i == len(text) {
			return nil // nothing but printable ASCII, as nearly always
		}
		if c := text[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			break
		}
	}
	var s strangeness
	for i, r := range text {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			size = 1
		}
		s.rune(r, i+offset, size)
		if len(s.problems) >= maxStrange {
			break
		}
	}
	s.word(len(text) + offset)
	return s.problems
}

// maxStrange is how many strange places of a text are named.
const maxStrange = 8

// strangeness is what was found, and the word that is being read.
type strangeness struct {
	problems               []Problem
	begin                  int
	inWord, latin, foreign bool
}

func (s *strangeness) rune(r rune, at, size int) {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		s.word(at)
	case r == utf8.RuneError && size == 1, unicode.Is(unicode.Cc, r):
		s.add(ControlBytes, r, at, size)
	case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co), r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0:
		if r != 0x200D && r != 0xFE0F { // parts of pictures
			s.add(LookAlike, r, at, size)
		}
	case r != ' ' && unicode.Is(unicode.Zs, r):
		if r != 0x3000 { // between Chinese sentences
			s.add(LookAlike, r, at, size)
		}
	case r >= 0xFF01 && r <= 0xFF5E: // full-width forms of ASCII
		if r >= 0xFF21 && r <= 0xFF3A || r >= 0xFF41 && r <= 0xFF5A || r == 0xFF0F || r == 0xFF0E {
			s.add(LookAlike, r, at, size)
		}
	case r == 0x2044 || r == 0x2215 || r == 0x29F8: // slashes that are none
		s.add(LookAlike, r, at, size)
	default:
		s.letter(r, at)
	}
}

// letter notes which alphabets a word has. Alphabets with letters that look like
// Latin ones are the ones that deceive.
func (s *strangeness) letter(r rune, at int) {
	switch {
	case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
		s.start(at)
		s.latin = true
	case unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic), r >= 0x1D400 && r <= 0x1D7FF:
		s.start(at)
		s.foreign = true
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '_', unicode.IsMark(r):
		s.start(at)
	default:
		s.word(at)
	}
}

func (s *strangeness) start(at int) {
	if !s.inWord {
		s.inWord, s.begin = true, at
	}
}

// word ends a word.
func (s *strangeness) word(end int) {
	if s.inWord && s.latin && s.foreign {
		s.problems = append(s.problems, Problem{Kind: LookAlike, Words: "letters of two alphabets in one word", Span: Span{s.begin, end}})
	}
	s.inWord, s.latin, s.foreign = false, false, false
}

func (s *strangeness) add(k ProblemKind, r rune, at, size int) {
	s.word(at)
	s.problems = append(s.problems, Problem{Kind: k, Words: nameOf(r), Span: Span{at, at + size}})
}

// nameOf spells a character that cannot be shown.
func nameOf(r rune) string {
	const digits = "0123456789ABCDEF"
	out := []byte("U+0000")
	if r > 0xFFFF {
		out = []byte("U+000000")
	}
	for i := len(out) - 1; r > 0 && i > 1; i-- {
		out[i] = digits[r&15]
		r >>= 4
	}
	return string(out)
}
