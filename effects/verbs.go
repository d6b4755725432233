package effects

import (
	"strings"
	"sync"

	"github.com/docket-engine/docket/effects/shell"
)

// act is what a verb of a service does.
type act uint8

const (
	noAct     act = iota
	asks          // only gives out what is there
	shares        // gives out secrets
	changes       // changes something that can be set right
	destroys      // what is lost is lost
	prepares      // works on files of the project, and on what this machine keeps of them
	runs          // starts a program elsewhere, or opens a way to one
	uploads       // sends what this machine has
	fetches       // gets what everybody may have
	installs      // adds to the program itself
	arranges      // has something run later
	speaksFor     // signs in or out, or works on accounts of this machine
	special       // has a function of its own
	actMask   act = 0x0f
	branch    act = 0x80 // more words may belong to the verb
)

// acts are the names of acts in tables of verbs.
var acts = map[string]act{
	"asks": asks, "shares": shares, "changes": changes, "destroys": destroys, "prepares": prepares, "runs": runs,
	"uploads": uploads, "fetches": fetches, "installs": installs, "arranges": arranges, "account": speaksFor, "special": special,
}

// verbs finds an act by the words of a verb, separated by blanks: "container rm". A
// star stands for any word.
type verbs map[string]act

// verbsOf reads a table when it is first asked for. A line is an act, the words in
// front if there are any, a colon, and words that each end a verb:
//
//	destroys container: rm prune
//
// "a|b" among the words in front is either of them. Later lines count.
func verbsOf(text string) func() verbs {
	return sync.OnceValue(func() verbs {
		v := verbs{}
		for line := range strings.Lines(text) {
			head, words, ok := strings.Cut(line, ":")
			fields := strings.Fields(head)
			if !ok || len(fields) == 0 {
				continue
			}
			v.line(acts[fields[0]], "", fields[1:], strings.Fields(words))
		}
		return v
	})
}

// line enters the verbs of a line, for each choice of the words in front.
func (v verbs) line(a act, path string, front, last []string) {
	if len(front) == 0 {
		for _, w := range last {
			key := joinVerb(path, w)
			v[key] = v[key]&branch | a
		}
		return
	}
	for w := range strings.SplitSeq(front[0], "|") {
		key := joinVerb(path, w)
		v[key] |= branch
		v.line(a, key, front[1:], last)
	}
}

func joinVerb(path, word string) string {
	if path == "" {
		return word
	}
	return path + " " + word
}

// deeper repeats the lines of a table for verbs that stand behind one, two, … words.
func deeper(depth int, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		head, words, ok := strings.Cut(line, ":")
		for range depth {
			if head += " *"; ok {
				b.WriteString(head + ":" + words)
			}
		}
	}
	return b.String()
}

// moves reports whether a word is a verb that does more than ask, at the front of the
// table or behind any word.
func (v verbs) moves(w shell.Word) bool {
	text, _ := w.Value()
	if text == "" || len(text) > 32 {
		return false
	}
	var buf [40]byte
	a, ok := v[text]
	if !ok {
		n := copy(buf[:], "* ")
		n += copy(buf[n:], text)
		a = v[string(buf[:n])]
	}
	switch a & actMask {
	case noAct, asks, fetches, prepares:
		return loud(text)
	default:
		return true
	}
}

// trail is a verb that is being read, without allocating for each word.
type trail struct {
	table verbs
	text  [96]byte
	n     int
	act   act // of the words until now
	words int
}

// step takes one more word, unless no verb goes on with it.
func (t *trail) step(word string) bool {
	if t.words > 0 && t.act&branch == 0 {
		return false
	}
	if t.match(word) {
		return true
	}
	// What goes on with the words themselves does not: with any words, perhaps.
	n := t.n
	t.n = copy(t.text[:], stars[:max(0, 2*t.words-1)])
	if t.match(word) {
		return true
	}
	t.n = n
	return false
}

// stars stand for the words of a verb that may be any.
const stars = "* * * * * * * *"

func (t *trail) match(word string) bool {
	if t.try(word) {
		return true
	}
	if i := strings.IndexByte(word, '-'); i > 0 && t.tryStart(word[:i+1]) {
		return true
	}
	return !loud(word) && t.try("*")
}

// tryStart takes a word of which the table has the beginning: "list-*".
func (t *trail) tryStart(start string) bool {
	var buf [32]byte
	if len(start) >= len(buf) {
		return false
	}
	n := copy(buf[:], start)
	buf[n] = '*'
	return t.try(string(buf[:n+1]))
}

func (t *trail) try(word string) bool {
	n := t.n
	if n > 0 {
		n++
	}
	if n+len(word) > len(t.text) {
		return false
	}
	if n > 0 {
		t.text[n-1] = ' '
	}
	copy(t.text[n:], word)
	a, ok := t.table[string(t.text[:n+len(word)])]
	if ok {
		t.n, t.act = n+len(word), a
		t.words++
	}
	return ok
}

// verb is what was read.
func (t *trail) verb() string { return string(t.text[:t.n]) }
