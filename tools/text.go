package tools

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// textLimit is how long a result's text may be, in bytes, beside the note that
// says what was cut.
const textLimit = 64 << 10

// bounded cuts the middle out of a text that is too long, and says so in its
// place. What is no UTF-8 becomes U+FFFD.
func bounded(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit {
		return text
	}
	head, tail := text[:limit/2], text[len(text)-limit/2:]
	for len(head) > 0 && !utf8.ValidString(head) {
		head = head[:len(head)-1]
	}
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return head + cutNote(int64(len(text)-len(head)-len(tail))) + tail
}

// cutNote stands in the place of what was cut.
func cutNote(n int64) string { return fmt.Sprintf("\n[… %d bytes cut here …]\n", n) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// middleless keeps the beginning and the end of what is written to it, half of the
// limit each. It belongs to one goroutine at a time.
type middleless struct {
	limit      int
	head, tail []byte // tail is a ring once it is full
	next       int    // where the ring goes on
	written    int64
}

func (m *middleless) Write(p []byte) (int, error) {
	n := len(p)
	m.written += int64(n)
	half := m.limit / 2
	take := min(n, half-len(m.head))
	m.head, p = append(m.head, p[:take]...), p[take:]
	if len(p) > half {
		p = p[len(p)-half:]
	}
	grow := min(len(p), half-len(m.tail))
	m.tail, p = append(m.tail, p[:grow]...), p[grow:]
	for len(p) > 0 {
		copied := copy(m.tail[m.next:], p)
		m.next, p = (m.next+copied)%half, p[copied:]
	}
	return n, nil
}

// String is all that is kept, with a note where something was cut.
func (m *middleless) String() string {
	tail := slices.Concat(m.tail[m.next:], m.tail[:m.next])
	cut := m.written - int64(len(m.head)+len(tail))
	if cut == 0 {
		return strings.ToValidUTF8(string(m.head)+string(tail), "\uFFFD")
	}
	return strings.ToValidUTF8(string(m.head), "\uFFFD") + cutNote(cut) + strings.ToValidUTF8(string(tail), "\uFFFD")
}
