package speech

import (
	"slices"
	"strings"
)

// Refusal is what a sentence keeps an agent from.
type Refusal struct {
	Acts Acts
	// Targets are names as they stand, and Kinds kinds of files, that it is about.
	Targets []string
	Kinds   []Kind
	// Except are the names and kinds that it is not about.
	Except      []string
	ExceptKinds []Kind
	// Everything says that it names no target, so that it may be any.
	Everything bool
	// Words are other words for what it is about, in lower case.
	Words []string
	// Stop ends what goes on, and Foreign is a sentence of which the language is not
	// known. Consult lasts until its speaker has spoken.
	Stop, Foreign, Consult bool
}

// Changes are all kinds of actions but looking and trying out.
const Changes Acts = 1<<actCount - 1 - 1<<Reading - 1<<Running - 1<<Testing - 1<<Building - 1<<Using - 1<<Fetching

// Doings are all but looking.
const Doings Acts = 1<<actCount - 1 - 1<<Reading

// files are the actions on files.
const files = 1<<Changing | 1<<Creating | 1<<Deleting

// clause is a part of a sentence that says one thing.
type clause struct {
	items []item
	sub   bool // it speaks about something, and to nobody
	goes  bool // it goes on with the one before it
}

// reader reads the refusals of a sentence.
type reader struct {
	sentence *Sentence
	table    *table
	clauses  []clause
	out      []Refusal
}

// sentenceOf reads the words of a sentence.
func (r *reader) sentenceOf(ws []word) {
	items := r.table.refusing.items(ws, nil)
	for i := range items {
		if items[i].is(isIdiom) {
			items[i].meaning = meaning{roles: isLead}
		}
	}
	exceptFirst(items)
	r.clauses = clausesOf(items)
	if r.sentence.asked && !r.begs() {
		return
	}
	r.takesBack()
	r.ensured()
	if r.consulted() {
		return
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if n := i + 1; n < len(r.clauses) && r.clauses[n].sub && r.wishes(*c) { // I do not want that …
			r.clauses[n] = clause{items: append(slices.Clone(c.items), r.clauses[n].items...)}
			continue
		}
		if c.sub && (len(c.items) == 0 || !c.items[0].is(isYou)) {
			continue
		}
		r.clause(c, i)
	}
}

// wishes reports whether a clause negates what comes behind it.
func (r *reader) wishes(c clause) bool {
	return r.table.Traits.VerbLast && !c.sub && c.index(isNever|isNot) >= 0 && (c.index(isModal) >= 0 || len(c.items) <= 2) && c.index(orders|isDone|isNoun) < 0 && len(c.items) <= 6
}

// begs reports whether a question is a request: can you please …
func (r *reader) begs() bool {
	for _, c := range r.clauses {
		for i, it := range c.items {
			if it.is(isModal) && i+1 < len(c.items) && c.items[i+1].is(isYou) || it.is(isModal) && it.is(isYou) {
				return true
			}
		}
	}
	return false
}

// clausesOf cuts a sentence into its clauses.
func clausesOf(items []item) []clause {
	out := []clause{{}}
	last := func() *clause { return &out[len(out)-1] }
	begin := func(c clause) {
		if len(last().items) == 0 && !last().sub {
			out[len(out)-1] = c
			return
		}
		out = append(out, c)
	}
	for i, it := range items {
		switch {
		case it.kind() == stop:
		case it.kind() == punctuation:
			if strings.Contains(",;:—–-()，：；", it.words[0].text) {
				begin(clause{goes: strings.Contains(",，", it.words[0].text)})
			}
		case it.is(isBut):
			begin(clause{})
			if it.roles&^isBut != 0 {
				it.roles &^= isBut
				last().items = append(last().items, it)
			}
		case it.is(isSub):
			begin(clause{sub: true})
		case it.is(isAnd) && breaks(items[i+1:], *last()):
			begin(clause{})
		default:
			last().items = append(last().items, it)
		}
	}
	return out
}

// breaks reports whether what comes behind "and" is another clause.
func breaks(next []item, now clause) bool {
	for len(next) > 0 && next[0].is(isLead) && !next[0].is(orders) {
		next = next[1:]
	}
	if len(next) == 0 {
		return false
	}
	if next[0].is(isNever | isKeep | isSpare | isNone | isAvoid | isOnly | consults | shows | isHalt | isStop) {
		return true
	}
	return next[0].is(orders) && (now.objects() || len(next) > 1 && !now.refuses())
}

// objects reports whether a clause has what its verb is about.
func (c clause) objects() bool {
	verb := false
	for _, it := range c.items {
		switch {
		case it.is(orders | isDone | isNoun | isAct | isKeep | isSpare):
			verb = true
		case verb && (it.kind() == name || it.is(isAll|isKind|isHarmless) || it.roles == 0 && (it.words[0].plain() || it.kind() == identifier)):
			return true
		}
	}
	return false
}

func (c clause) refuses() bool {
	return c.index(isNever|isNone|isAvoid|isWithout|isForbidden|isNot) >= 0
}

// index finds the first item with one of the roles.
func (c clause) index(role roles) int {
	return slices.IndexFunc(c.items, func(it item) bool { return it.is(role) })
}

// takesBack looks for what withdraws.
func (r *reader) takesBack() {
	for _, c := range r.clauses {
		i := c.index(withdraws)
		if i < 0 || c.sub || slices.ContainsFunc(c.items[:i], func(it item) bool { return it.is(isNever | isNot | isNone | describes) }) {
			continue
		}
		acts := Acts(0)
		for _, it := range c.items[i+1:] {
			if it.is(orders | isNoun | isDone) {
				acts |= it.acts
			}
		}
		r.sentence.Revokes = &acts
		r.sentence.Withdraws = r.sentence.Withdraws || c.index(isSaid) >= 0
	}
}

// add keeps what was found.
func (r *reader) add(f Refusal) {
	if f.Acts == 0 {
		f.Acts = Changes
	}
	if f.Acts.Has(Working) || f.Acts.Has(Changing) {
		f.Acts |= files
	}
	if f.Acts.Has(Running) {
		f.Acts |= Of(Testing, Building)
		if len(f.Targets) == 0 && slices.Equal(f.Kinds, []Kind{Tests}) {
			f.Acts, f.Kinds, f.Everything = Of(Testing), nil, true
		}
	}
	if f.Acts.Has(Deleting) {
		f.Acts |= Of(Removing, Truncating)
	}
	r.out = append(r.out, f)
}

// about finds what a refusal is about. ok is false where that is neither a file nor
// an action.
func about(items []item) (f Refusal, all, ok bool) {
	except, harmless := false, false
	for i, it := range items {
		w := it.words[0]
		switch {
		case it.is(isExcept):
			except = true
		case w.kind == name && strings.HasPrefix(w.text, "-"), w.kind == number:
			f.Words = append(f.Words, strings.ToLower(w.text))
		case w.kind == name:
			if except {
				f.Except = append(f.Except, w.text)
			} else if !harmless {
				f.Targets = append(f.Targets, w.text)
			}
		case it.is(isKind) && !it.is(isHarmless):
			if except {
				f.ExceptKinds = append(f.ExceptKinds, it.sort())
			} else if !harmless {
				f.Kinds = append(f.Kinds, it.sort())
			}
		case written(w.lower) != "" && (beside(items, i, 1) || beside(items, i, -1)):
			if ext := "*" + written(w.lower); except {
				f.Except = append(f.Except, ext)
			} else {
				f.Targets = append(f.Targets, ext)
			}
		case written(w.lower) != "" && slices.ContainsFunc(items, func(o item) bool { return o.is(isDone) }):
			f.Targets = append(f.Targets, "*"+written(w.lower))
		case it.is(isHarmless) && !except:
			harmless = true
		case it.is(isAll) && !except:
			all = true
		case it.roles&^(isLead|orders|isNoun) == 0 && (w.plain() || w.kind == identifier) && !it.is(orders|isNoun|isLead):
			if except && !wide([]rune(w.text)[0]) {
				f.Except = append(f.Except, w.text)
			} else if !except {
				f.Words = append(f.Words, w.lower)
			}
		}
	}
	if len(f.Targets)+len(f.Kinds) > 0 {
		return f, all, true
	}
	f.Everything = true
	return f, all, !harmless
}

// sort is the kind of files of an item.
func (i item) sort() Kind { return i.meaning.kind }

// beside reports whether a word for all stands next to an item.
func beside(items []item, i, step int) bool {
	for range 2 {
		i += step
		if i < 0 || i >= len(items) {
			return false
		}
		if items[i].is(isAll) {
			return true
		}
	}
	return false
}

// written is what the files of a language for programs end in.
func written(w string) string {
	for pair := range strings.SplitSeq("go:.go|golang:.go|python:.py|typescript:.ts|javascript:.js|css:.css|html:.html|yaml:.yaml|json:.json|markdown:.md|rust:.rs|java:.java|sql:.sql|toml:.toml|ruby:.rb|php:.php", "|") {
		if name, ext, _ := strings.Cut(pair, ":"); name == w {
			return ext
		}
	}
	return ""
}
