package auto

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/docket-engine/docket/reviewer"
)

// withHalves writes each half of a surrogate pair that stands alone in an answer's text
// as the escape that JSON has for it. A denial's reason may hold such a half (reference
// 5.5), and there the escape is the same string; anywhere else it is a failure. So what
// has a half can only ever deny.
func withHalves(text string) (string, error) {
	if utf8.ValidString(text) {
		return text, nil
	}
	var b strings.Builder
	backslashes := 0 // directly before the next byte
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		half, isHalf := halfAt(text[i:])
		switch {
		case r != utf8.RuneError || size != 1:
			b.WriteString(text[i : i+size])
		case !isHalf || backslashes%2 == 1: // an escape would take the backslash for its own
			return "", errHalf()
		default:
			fmt.Fprintf(&b, `\u%04x`, half)
			size = halfSize
		}
		if r == '\\' {
			backslashes++
		} else {
			backslashes = 0
		}
		i += size
	}
	verdict, err := parseAnswer(b.String())
	if err != nil || verdict.Outcome != reviewer.Deny {
		return "", errHalf()
	}
	return b.String(), nil
}

// halfSize is how many bytes half a pair has where a text holds one: three, which are
// those of UTF-8 if it had any for it.
const halfSize = 3

func halfAt(text string) (rune, bool) {
	if len(text) < halfSize || text[0] != 0xED || text[1] < 0xA0 || text[1] > 0xBF || text[2] < 0x80 || text[2] > 0xBF {
		return 0, false
	}
	return 0xD000 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F), true
}

func errHalf() error {
	return ErrBlockBroken.With("half a surrogate pair stands alone in the answer, outside a denial's reason")
}
