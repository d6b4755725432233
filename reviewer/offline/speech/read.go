package speech

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Message is a text as it was read.
type Message struct {
	Sentences []Sentence
}

// Sentence is one of a message.
type Sentence struct {
	Text  string
	Block Block
	// Language is its code, "" for prose in one without a table, and for what is no
	// prose.
	Language string
	// Foreign is prose in a language without a table.
	Foreign bool
	// Refusals are what it keeps the agent from.
	Refusals []Refusal
	// Withdraws takes back what was refused before; Resumes what was stopped.
	Withdraws bool
	// Revokes are the actions of which it takes an order back.
	Revokes *Acts

	words []word
	table *table
	ties  []*table // that know as many of its words
	open  bool     // it has no stop, so that what comes next may belong to it
	asked bool     // it ends with a question mark
}

// Read reads a message.
func Read(text string) Message {
	var m Message
	main := mainLanguage(text)
	last, intro := (*table)(nil), (*Sentence)(nil)
	for _, p := range parts(text) {
		sentences := cut(p)
		for i := range sentences {
			s := &sentences[i]
			s.tell(last, main)
			if s.table != nil && p.block.Own() {
				last = s.table
			}
			s.read()
			if p.block == ListItem && intro != nil && i == 0 {
				s.under(*intro)
			}
		}
		m.Sentences = append(m.Sentences, sentences...)
		if n := len(m.Sentences); p.block != ListItem && p.block.Own() && n > 0 {
			intro = nil
			if s := m.Sentences[n-1]; p.block == Heading || strings.HasSuffix(strings.TrimSpace(s.Text), ":") || strings.HasSuffix(s.Text, "：") {
				intro = &s
			}
		}
	}
	return m
}

// maxSentence bounds the words of what is read as one sentence: nobody says more in one
// breath, and the time that a sentence takes grows faster than its length.
const maxSentence = 160

// cut splits a block at its stops.
func cut(p part) []Sentence {
	var out []Sentence
	ws := words(p.text)
	begin := 0
	add := func(end int, open bool) {
		if end > begin {
			from, to := ws[begin].from, ws[end-1].to
			out = append(out, Sentence{
				Text: strings.Join(strings.Fields(p.text[from:to]), " "), Block: p.block, words: ws[begin:end], open: open,
				asked: strings.ContainsAny(p.text[ws[end-1].from:to], "?？"),
			})
		}
		begin = end
	}
	lines := !p.block.Own() // each line by itself
	for i, w := range ws {
		next := len(p.text)
		if i+1 < len(ws) {
			next = ws[i+1].from
		}
		switch {
		case w.kind == stop && (i+1 == len(ws) || next > w.to || ws[i+1].kind != stop || !ascii(w.text)):
			if i+1 < len(ws) && next == w.to && ascii(w.text) {
				continue // inside of something
			}
			if i+1 < len(ws) && ws[i+1].kind == stop {
				continue
			}
			add(i+1, false)
		case lines && strings.Contains(p.text[w.to:next], "\n"), i+1-begin >= maxSentence:
			add(i+1, true)
		}
	}
	add(len(ws), true)
	return out
}

func ascii(s string) bool { return s[0] < utf8.RuneSelf }

// tell finds out which language a sentence is in. One that does not show it is in that
// of the one before it.
func (s *Sentence) tell(before, main *table) {
	t, foreign := language(s.words)
	if foreign && main != nil && !s.strange(main) {
		t, foreign = main, false
	}
	if t == nil && !foreign {
		if t = before; t == nil {
			t = tables()[0]
		}
	}
	if t != nil {
		s.ties = ties(s.words, t)
	}
	s.table, s.Foreign = t, foreign && s.Block.Own()
	if t != nil {
		s.Language = t.Code
	}
}

// mainLanguage is the language of a whole message, if it is a known one and the message
// has more than a few words.
func mainLanguage(text string) *table {
	ws := words(text[:min(len(text), maxCensus)])
	t, foreign := language(ws)
	if foreign || t == nil {
		return nil
	}
	plain := census(ws).plain
	known := t.knowsOf(plain)
	if known < 8 || known*2 < len(plain) {
		return nil
	}
	return t
}

// maxCensus bounds how much of a message is looked at for its language.
const maxCensus = 8 << 10

// strange reports whether a sentence within a text of a known language is still of
// another one: frequent words of others stand in it, and hardly any of that language.
func (s *Sentence) strange(main *table) bool {
	c := census(s.words)
	if c.other > 0 || c.strange {
		return true
	}
	strangers, known := 0, 0
	for _, w := range c.plain {
		if main.knows(w) {
			known++
		} else if listed(foreignWords, w) {
			strangers++
		}
	}
	return strangers > 0 && known*3 <= len(c.plain)
}

// read finds what the sentence refuses.
func (s *Sentence) read() {
	switch {
	case s.Foreign:
		s.Refusals = []Refusal{{Acts: Changes, Everything: true, Foreign: true}}
	case s.table == nil:
	case s.Block.Own():
		for _, t := range append(s.ties, s.table) {
			r := reader{sentence: s, table: t}
			r.sentenceOf(s.words)
			s.Refusals = append(s.Refusals, r.out...)
		}
		s.shownInside()
	default:
		r := reader{sentence: s, table: s.table}
		r.sentenceOf(s.words)
		s.Refusals = named(r.out)
		s.Withdraws, s.Revokes = false, nil
	}
}

// shownInside reads the quotations of a sentence: they refuse what they name.
func (s *Sentence) shownInside() {
	for _, w := range s.words {
		if w.kind == quoted || w.kind == code {
			r := reader{sentence: &Sentence{}, table: s.table}
			r.sentenceOf(words(w.text))
			s.Refusals = append(s.Refusals, named(r.out)...)
		}
	}
}

// named are the refusals that name a target.
func named(all []Refusal) []Refusal {
	var out []Refusal
	for _, r := range all {
		if len(r.Targets) > 0 && !r.Everything {
			out = append(out, r)
		}
	}
	return out
}

// under reads an item of a list as the end of the sentence that introduces it.
func (s *Sentence) under(intro Sentence) {
	if intro.table == nil || intro.table != s.table && s.table != nil {
		return
	}
	lead := intro.words
	for len(lead) > 0 && (lead[len(lead)-1].kind == stop || lead[len(lead)-1].kind == punctuation) {
		lead = lead[:len(lead)-1]
	}
	r := reader{sentence: &Sentence{}, table: intro.table}
	if r.dangling(lead) {
		r.sentenceOf(append(append([]word{}, lead...), s.words...))
		s.Refusals = append(s.Refusals, r.out...)
	}
}

// Plain reports whether a word is one of speech: letters, of which no program has a
// use for capitals inside.
func (w word) plain() bool {
	return w.kind == plainWord && strings.IndexFunc(w.text, unicode.IsLetter) >= 0
}

// Restricts reports whether a text may keep an agent from anything, or lift what does:
// what is left of words that are too many to be kept whole is chosen by it.
func Restricts(text string) bool {
	return slices.ContainsFunc(Read(text).Sentences, func(s Sentence) bool {
		return len(s.Refusals) > 0 || s.Withdraws || s.Revokes != nil
	})
}

// Names reports whether a name of the sentence is one that is looked for.
func (s Sentence) Names(is func(string) bool) bool {
	for _, w := range s.words {
		if w.kind == name && is(w.text) {
			return true
		}
	}
	return false
}

// Works are the actions that a sentence orders, if it refuses nothing.
func (s Sentence) Works() Acts {
	if len(s.Refusals) > 0 || s.table == nil || s.asked || !s.Block.Own() {
		return 0
	}
	c := clause{items: s.table.refusing.items(s.words[:min(len(s.words), 2*maxPhrase)], nil)}
	begin := c.start()
	switch i := c.index(orders); {
	case len(begin) > 0 && begin[0].is(orders):
		return begin[0].acts
	case s.table.Traits.VerbLast && i >= 0:
		return c.items[i].acts
	default:
		return 0
	}
}
