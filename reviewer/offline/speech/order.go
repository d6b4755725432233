package speech

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ask is what somebody looks for in a message: an order of one of the actions, with
// marks for what it is done to.
type Ask struct {
	Acts Acts
	// Nouns are words by which a message may call the kind of what is marked, between
	// spaces.
	Nouns string
	// Also is how many further marks have to stand in the same order.
	Also int
	// Loose is an order of which the target need not be named: it counts if no other
	// name stands in it.
	Loose bool
	// Current says that what needs not be named is what goes without saying.
	Current bool
	// InOrder wants the further marks before the target.
	InOrder bool
}

// Heard is what a message says to an ask.
type Heard struct {
	// Orders reports for each sentence whether it orders what is asked for.
	Orders []bool
	// Understood is false if anything of the message is not.
	Understood bool
	// Withdraws reports that an earlier restriction is taken back.
	Withdraws bool
}

// Orders reads a message by the closed grammar.
func (m Message) Orders(a Ask) Heard {
	out := Heard{Orders: make([]bool, len(m.Sentences)), Understood: len(m.Sentences) > 0}
	var o orderer
	for i, s := range m.Sentences {
		o.ask, o.sentence = a, &m.Sentences[i]
		if !s.Block.Own() || s.Block == Heading || s.table == nil || s.open && i < len(m.Sentences)-1 || !o.readAny() {
			out.Understood = false
			return out
		}
		out.Orders[i] = o.found
		out.Withdraws = out.Withdraws || o.withdrawn
	}
	return out
}

// orderer reads the sentences of a message, one after the other. What a pronoun stands
// for is what was named last.
type orderer struct {
	ask              Ask
	sentence         *Sentence
	table            *table
	items            []item
	tags             string
	found, withdrawn bool
	called           *lexicon
	last             string // tags of the names that were said last
}

// The tags of the closed grammar: what each phrase of a sentence is.
//
//	V an action that is asked for   v another one   D done, of V   d of v
//	T the target   A a further mark   O another name   n a thing   i a pronoun
//	L lead   E tail   F filler   k link   C comma   & and   : colon
//	M may be   G may go   U useless   N not needed   B because   R remark   W withdrawal
//	w wish   b takes   m marks   x never   K keep   = unchanged
var (
	nameGroup  = `[FA]*[TAOni][FA]*(?:[C&k]+[FA]*[TAOni][FA]*)*`
	verbGroup  = `[Vv](?:[C&]+[Vv])*`
	tail       = `(?:[LE]|k[FA]+)*`
	clauseForm = regexp.MustCompile(`^(?:` +
		`[LE]*W(?:C|:|&)?` + `|` +
		`[LE]*(?:N` + nameGroup + `E*|` + nameGroup + `U|BF*(?:` + nameGroup + `U|N` + nameGroup + `E*|R)|R)` + `|` +
		`[LE]*x` + verbGroup + `k?` + nameGroup + `E*` + `|` +
		`[LE]*K` + nameGroup + `[=E]*` + `|` +
		`[LE]*w` + nameGroup + `[Dd]` + `|` +
		nameGroup + `M[LE]*[Dd](?:[C&]+[Dd])*(?:[k]+` + nameGroup + `)?` + `|` +
		`(?:` + nameGroup + `)?G` + `|` +
		`L*b` + nameGroup + `k?E*` + verbGroup + `(?:k*` + nameGroup + `)?` + `|` +
		`L*(?:` + nameGroup + `)?[mk]+E*` + verbGroup + tail + `|` +
		`[LE]*` + verbGroup + `[LE]*k*(?:` + nameGroup + `)?(?:E*q` + nameGroup + `)?` + `|` +
		`[LE]+C` +
		`)` + tail)
	frontForm = regexp.MustCompile(`^[LE]*k*` + nameGroup + `[kEL]*` + verbGroup + tail)
)

// readAny reports whether the sentence is understood in a language that it may be in.
func (o *orderer) readAny() bool {
	for _, t := range append([]*table{o.sentence.table}, o.sentence.ties...) {
		o.table = t
		if o.read() {
			return true
		}
	}
	return false
}

// read reports whether the sentence is understood.
func (o *orderer) read() bool {
	o.found, o.withdrawn = false, false
	t := o.table
	o.items = carried(t.ordering.items(o.sentence.words, o.nouns()))
	tags := make([]byte, 0, len(o.items))
	for i, it := range o.items {
		tag := o.tag(it, i)
		if tag == 0 {
			return false
		}
		if tag != ' ' {
			tags = append(tags, tag)
		} else {
			tags = append(tags, '.')
		}
	}
	for i := 1; i+2 < len(tags); i++ { // delete, please, x
		if tags[i] == 'C' && tags[i+2] == 'C' && (tags[i+1] == 'E' || tags[i+1] == 'L') && (tags[i-1] == 'V' || tags[i-1] == 'v') {
			tags[i], tags[i+2] = '.', '.'
		}
	}
	kept := o.items[:0:0]
	o.tags = ""
	for i, tag := range tags {
		if tag != '.' {
			kept, o.tags = append(kept, o.items[i]), o.tags+string(tag)
		}
	}
	o.items = kept
	if o.sentence.asked && (len(kept) == 0 || !o.asks()) {
		return false
	}
	return o.clauses()
}

// nouns are the words by which what is marked may be called.
func (o *orderer) nouns() *lexicon {
	if o.ask.Nouns == "" {
		return nil
	}
	if o.called == nil {
		o.called = &lexicon{}
		o.called.add(strings.Join(strings.Fields(o.ask.Nouns), "|"), meaning{roles: oFiller})
	}
	return o.called
}

// asks reports whether a question is an order in the form of one.
func (o *orderer) asks() bool {
	if o.table.Traits.Joined && slices.ContainsFunc(o.items, func(it item) bool { return it.is(oAsk) }) {
		return true
	}
	for _, it := range o.items {
		if it.is(oAsk) || it.is(oAskSoft) && o.polite() {
			return true
		}
		if !it.is(oLead | oFiller) {
			return false
		}
	}
	return false
}

// polite reports whether a word of politeness stands in the sentence.
func (o *orderer) polite() bool {
	return slices.ContainsFunc(o.items, func(it item) bool { return it.is(oPolite) })
}

// clauses reads the sentence clause by clause.
func (o *orderer) clauses() bool {
	for at := 0; at < len(o.tags); {
		rest := o.tags[at:]
		if n := len(rest) - len(strings.TrimLeft(rest, "C&")); n > 0 {
			at += n
			continue
		}
		if lead := len(rest) - len(strings.TrimLeft(rest, "LE")); lead > 0 && lead < len(rest) && rest[lead] == 'C' {
			at += lead // please, …
			continue
		}
		n := len(clauseForm.FindString(rest))
		if o.table.Traits.VerbLast {
			n = max(n, len(frontForm.FindString(rest)))
		}
		if n == 0 && strings.Trim(rest, "LEC&R") == "" {
			return true
		}
		if n == 0 {
			return false
		}
		if next := o.tags[at+n:]; next != "" && !strings.ContainsAny(next[:1], "C&BR") && o.tags[at+n-1] != ':' && !(o.table.Traits.Joined && o.tags[at+n-1] == 'U') && !strings.HasSuffix(o.tags[:at+n], "C") {
			return false
		}
		o.clause(at, at+n)
		at += n
	}
	return true
}

// clause notes what one clause orders.
func (o *orderer) clause(from, to int) {
	tags := o.tags[from:to]
	o.withdrawn = o.withdrawn || strings.Contains(tags, "W")
	names := strings.Map(func(r rune) rune {
		if strings.ContainsRune("TAOni", r) {
			return r
		}
		return -1
	}, tags)
	if names == "" && from > 0 && (o.table.Traits.Joined || strings.ContainsAny(o.tags[:from], "UN") && !strings.ContainsAny(o.tags[:from], "VvDdxK")) { // x is not needed, delete
		names = o.last
	}
	if strings.Contains(names, "i") && !strings.ContainsAny(names, "TO") {
		names = strings.ReplaceAll(names, "i", o.last)
	} else if names != "" && strings.ContainsAny(names, "TO") {
		o.last = names
		if o.makes(from, to) {
			o.last = "" // what is made first is not what was there
		}
	}
	if strings.Contains(tags, "q") && strings.ContainsAny(tags, "VDG") {
		return
	}
	ordered := strings.ContainsAny(tags, "VD") || strings.Contains(tags, "G") && o.ask.Acts.Meets(Of(Deleting))
	if !ordered || strings.ContainsAny(tags, "xK") {
		return
	}
	o.found = o.found || o.names(names, from, to)
}

// makes reports whether a clause orders something else that writes what it names.
func (o *orderer) makes(from, to int) bool {
	for i, it := range o.items[from:to] {
		if o.tags[from+i] == 'v' && it.acts.Meets(Of(Changing, Creating)) {
			return true
		}
	}
	return false
}

// names reports whether a clause that orders the action names all that is asked for.
func (o *orderer) names(names string, from, to int) bool {
	if o.ask.Loose {
		tags := o.tags[from:to]
		far := strings.Contains(names, "T") && strings.ContainsAny(tags, "kA")
		if i := strings.IndexByte(tags, 'k'); i >= 0 && !(o.table.Traits.VerbLast && strings.ContainsAny(tags, "TA")) && !strings.ContainsAny(tags[i:], "TA") {
			return false // to something that is not known
		}
		return !strings.Contains(names, "O") && (far || o.ask.Current)
	}
	if !strings.Contains(names, "T") || o.ask.InOrder && !o.ordered(from, to) {
		return false
	}
	for i := range o.ask.Also {
		if !slices.ContainsFunc(o.items[from:to], func(it item) bool { return it.words[0].text == string(rune(MarkAlso+i)) }) {
			return false
		}
	}
	return o.ask.Also == 0 && !o.linked() || !strings.Contains(names, "O")
}

// linked reports whether what is asked for goes somewhere, so that another name is
// another place.
func (o *orderer) linked() bool {
	return o.ask.Acts.Meets(Of(Pushing, Sending, Installing, Rebasing, Removing, Halting, Starting, Restarting, Killing, Merging, Closing, Truncating))
}

// ordered reports whether the further marks stand before the target.
func (o *orderer) ordered(from, to int) bool {
	target := strings.LastIndex(o.tags[from:to], "T")
	return strings.LastIndex(o.tags[from:to], "A") <= target
}

// tag is what a phrase is. It is 0 for one that is in no list, and ' ' for what counts
// for nothing.
func (o *orderer) tag(it item, at int) byte {
	w := it.words[0]
	switch w.kind {
	case mark:
		if w.text == string(MarkTarget) {
			return 'T'
		}
		return 'A'
	case stop:
		return ' '
	case punctuation:
		switch w.text {
		case ",", "，", "、", ";", "—", "–":
			return 'C'
		case ":", "：":
			if at > 0 && o.items[at-1].is(oThing|oFiller) && o.named(at) {
				return 'F'
			}
			return ':'
		case "-":
			return 'C'
		case "!", "¡", "¿":
			return ' '
		}
		if r, _ := utf8.DecodeRuneInString(w.text); unicode.In(r, unicode.So, unicode.Sk, unicode.Mn, unicode.Cf) && r > 0x2000 {
			return ' ' // a picture
		}
		return 0
	case name:
		if strings.HasPrefix(w.text, "-") {
			return 0
		}
		return 'O'
	case quoted, code, number:
		return 0
	}
	return o.word(it, at)
}
