package effects

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// asciiFold gives a name in small letters, with each letter that file systems without
// case take for an ASCII one (the long s, the Kelvin sign) as that one.
func asciiFold(name string) string {
	i := 0
	for i < len(name) && name[i] < utf8.RuneSelf && (name[i] < 'A' || name[i] > 'Z') {
		i++
	}
	if i == len(name) {
		return name
	}
	return strings.Map(foldRune, name)
}

func foldRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	default:
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if f < utf8.RuneSelf {
				return unicode.ToLower(f)
			}
		}
		return unicode.ToLower(r)
	}
}

// unseen reports whether a name has letters that are not seen or not read as they
// stand: control characters, marks of direction, joiners, blanks other than the
// plain one, bytes that are no text.
func unseen(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < ' ' || c >= 0x7f {
			return unseenRunes(name[i:])
		}
	}
	return false
}

func unseenRunes(name string) bool {
	for i, r := range name {
		switch {
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector):
			return true
		case r != ' ' && unicode.Is(unicode.Zs, r):
			return true
		case r == utf8.RuneError && !strings.HasPrefix(name[i:], "\uFFFD"):
			return true
		}
	}
	return false
}
