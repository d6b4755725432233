package speech

import (
	"strings"
)

// lexicon finds phrases. Each has a value, the parts of which are joined where two
// lists have the same phrase.
type lexicon struct{ root node }

type node struct {
	next  map[string]*node
	stars map[string]*node // by the beginning of a word
	value meaning
	ends  bool
}

// meaning is what a phrase may be.
type meaning struct {
	roles roles
	acts  Acts // of actions
	kind  Kind
}

func (m meaning) with(o meaning) meaning {
	m.roles |= o.roles
	m.acts |= o.acts
	if o.kind != NoKind {
		m.kind = o.kind
	}
	return m
}

// add puts a list's phrases in.
func (l *lexicon) add(list string, m meaning) {
	for phrase := range strings.SplitSeq(list, "|") {
		l.phrase(phrase, m)
		if sloppy := plainly(phrase); sloppy != phrase {
			l.phrase(sloppy, m)
		}
	}
}

// phrase puts one phrase in.
func (l *lexicon) phrase(phrase string, m meaning) {
	n := &l.root
	parts := words(strings.TrimSpace(phrase))
	if len(parts) == 0 {
		return
	}
	if n := len(parts) - 1; n > 0 && parts[n].text == "'" { // what an apostrophe cuts off
		parts = parts[:n]
		parts[n-1].lower += "'"
	}
	for _, w := range parts {
		key := w.lower
		if key == "" {
			key = w.text
		}
		n = n.child(key)
	}
	n.value, n.ends = n.value.with(m), true
}

func (n *node) child(key string) *node {
	into := &n.next
	if stem, star := strings.CutSuffix(key, "*"); star && stem != "" {
		key, into = stem, &n.stars
	}
	if *into == nil {
		*into = map[string]*node{}
	}
	if (*into)[key] == nil {
		(*into)[key] = &node{}
	}
	return (*into)[key]
}

// find is the longest phrase that some words begin with: how many words it has, and
// what it may be.
func (l *lexicon) find(ws []word) (int, meaning) {
	return l.root.find(ws, 0)
}

func (n *node) find(ws []word, depth int) (int, meaning) {
	best, m := 0, meaning{}
	if n.ends {
		best, m = depth, n.value
	}
	if len(ws) == 0 || ws[0].shown {
		return best, m
	}
	key := ws[0].lower
	if key == "" {
		key = ws[0].text
	}
	if next := n.next[key]; next != nil {
		if size, found := next.find(ws[1:], depth+1); size > best {
			best, m = size, found
		} else if size == best && size > 0 {
			m = m.with(found)
		}
	}
	if len(n.stars) == 0 || ws[0].kind != plainWord && ws[0].kind != identifier {
		return best, m
	}
	for end := range key[:min(len(key), maxStem)] {
		if next := n.stars[key[:end]]; end > 0 && next != nil {
			if size, found := next.find(ws[1:], depth+1); size > best {
				best, m = size, found
			} else if size == best && size > 0 {
				m = m.with(found)
			}
		}
	}
	if next := n.stars[key]; next != nil {
		if size, found := next.find(ws[1:], depth+1); size > best {
			best, m = size, found
		} else if size == best && size > 0 {
			m = m.with(found)
		}
	}
	return best, m
}

// maxStem bounds the beginnings of words that are looked for, in bytes.
const maxStem = 32

// holds reports whether a single word is in the lexicon as one, or begins a phrase.
func (l *lexicon) holds(w string) bool {
	if l.root.next[w] != nil {
		return true
	}
	for end := range w[:min(len(w), maxStem)] {
		if end > 0 && l.root.stars[w[:end]] != nil {
			return true
		}
	}
	return l.root.stars[w] != nil
}
