package approvals

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes a text safe to show in a line: whatever is not seen as itself —
// controls, new lines, characters that change the direction of others, that have
// no width, that look like a space — becomes <U+202E>. Two texts are never shown
// alike: a text that spells an escape is escaped itself.
func Escape(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd"):
			fmt.Fprintf(&b, "<0x%02X>", text[i])
		case r == '<' && spellsEscape(text[i+1:]), !visible(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func spellsEscape(rest string) bool {
	return strings.HasPrefix(rest, "U+") || strings.HasPrefix(rest, "0x")
}

// visible reports whether a character is seen as itself. Among the printable ones
// that are not are fillers and the selectors of variants.
func visible(r rune) bool {
	return unicode.IsPrint(r) && r != '\u2800' &&
		!unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// lines escapes a text of many lines, line by line.
func lines(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, Escape(line))
	}
	return out
}
