package program

import "unicode/utf8"

// console sends what the program prints, up to a limit, and counts the rest.
type console struct {
	answers *Writer[FromProgram]
	left    int
	dropped int64
}

func (c *console) write(text string) error {
	kept := validPrefix(text, c.left)
	c.dropped += int64(len(text) - len(kept))
	if len(kept) < len(text) {
		c.left = 0 // nothing after a gap
	} else {
		c.left -= len(kept)
	}
	if kept == "" {
		return nil
	}
	return c.answers.Write(FromProgram{Output: &Output{Text: kept}})
}

// validPrefix is the longest prefix of at most n bytes that ends between runes.
func validPrefix(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
