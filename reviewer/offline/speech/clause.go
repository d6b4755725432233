package speech

import (
	"slices"
	"strings"
)

// clause reads what one clause refuses, by the first form that it has.
func (r *reader) clause(c *clause, at int) {
	for _, form := range []func(*clause) bool{r.mode, r.stops, r.excepts, r.only, r.negated, r.without, r.keeps, r.spares} {
		if form(c) {
			return
		}
	}
	r.goesOn(c, at)
}

// ensured finds what a sentence wants to be left as it is: make sure that … is not changed.
func (r *reader) ensured() {
	wanted := slices.ContainsFunc(r.clauses, func(c clause) bool { return c.index(ensures) >= 0 })
	for _, c := range r.clauses {
		if f, _, _ := about(c.items); wanted && len(f.Targets)+len(f.Kinds) > 0 &&
			(c.index(describes|isNever|isNot) >= 0 && c.index(isDone) >= 0 || c.index(isSame|isSpare) >= 0 && c.index(describes|isNever) < 0) {
			f.Acts = Of(Changing)
			r.add(f)
		}
	}
}

// goesOn reads a clause that has no form of its own as the end of the refusal before
// it: "do not touch main.go, other.go or the tests".
func (r *reader) goesOn(c *clause, at int) {
	if !c.goes || at == 0 || len(r.out) == 0 || c.index(orders|isDone|looks|isModal|isYou|isBefore) >= 0 {
		return
	}
	f := &r.out[len(r.out)-1]
	more, _, ok := about(c.items)
	if !ok || f.Stop || f.Consult || len(more.Targets)+len(more.Kinds) == 0 || len(more.Words) > 1 {
		return
	}
	if !f.Everything {
		f.Targets, f.Kinds = append(f.Targets, more.Targets...), append(f.Kinds, more.Kinds...)
	} else if len(f.Except)+len(f.ExceptKinds) > 0 {
		f.Except, f.ExceptKinds = append(f.Except, more.Targets...), append(f.ExceptKinds, more.Kinds...)
	}
}

// mode finds words for a state in which nothing is changed: plan mode, dry run.
func (r *reader) mode(c *clause) bool {
	i := c.index(isMode)
	if i < 0 {
		return false
	}
	for _, it := range c.items[:i] {
		if it.is(isNever|isNot|isNone|describes) || it.is(orders) && it.acts.Meets(Of(Working, Changing, Creating, Deleting, Removing, Installing)) {
			return false
		}
	}
	strangers := 0
	for j, it := range c.items {
		if it.is(isHarmless) && j > i {
			return false
		}
		if it.roles == 0 && it.words[0].plain() {
			strangers++
		}
	}
	if !r.table.Traits.Joined && (strangers > maxStrangers || i+1 < len(c.items) && c.items[i+1].roles == 0 && c.items[i+1].words[0].plain() && !r.table.common.holds(c.items[i+1].words[0].lower)) {
		return false
	}
	r.add(Refusal{Everything: true})
	return true
}

// maxStrangers is how many words that are not known a clause may have that only names a
// mode.
const maxStrangers = 3

// stops finds a stop to all that goes on: the first words of a clause, and no object.
func (r *reader) stops(c *clause) bool {
	begin := c.start()
	if len(begin) == 0 || !begin[0].is(isStop) || !r.opens(c) || strings.HasSuffix(r.sentence.Text, ":") || strings.HasSuffix(r.sentence.Text, "：") {
		return false
	}
	if len(r.clauses) > 1 && listed("no|nope|nein|non|não|нет|不|いや|いいえ", begin[0].words[0].lower) && len(begin[0].words) == 1 {
		return false // an answer, and more behind it
	}
	for _, it := range begin[1:] {
		if it.is(isBefore | consults) {
			break
		}
		if it.roles&(isStop|isYou|isAll|isLead|isAct|isBefore|isHalt|isShort) == 0 && it.kind() != stop {
			return false
		}
	}
	r.add(Refusal{Acts: Doings, Everything: true, Stop: true})
	return true
}

// opens reports whether nothing but a lead stands before a clause, and nothing behind it
// says when.
func (r *reader) opens(c *clause) bool {
	for i := range r.clauses {
		other := &r.clauses[i]
		if other == c {
			return i+1 >= len(r.clauses) || !r.clauses[i+1].sub || r.clauses[i+1].index(consults|isYou) >= 0
		}
		if len(other.start()) > 0 {
			return other.sub || !c.goes
		}
	}
	return true
}

// start is a clause without what may stand before an order.
func (c clause) start() []item {
	items := c.items
	for len(items) > 0 && items[0].is(isLead) && !items[0].is(isStop|isNever|isOnly|looks|isKeep) {
		items = items[1:]
	}
	return items
}

// only finds what confines the agent: to looking, or to what is named.
func (r *reader) only(c *clause) bool {
	i := c.index(isOnly)
	if n, than := c.index(isNever), c.index(isThan); n >= 0 && than > n && c.index(orders) > n && c.index(orders) < than {
		if f, _, _ := about(c.items[than:]); len(f.Targets)+len(f.Kinds) > 0 {
			r.add(Refusal{Acts: Of(Changing), Everything: true, Except: f.Targets, ExceptKinds: f.Kinds})
			return true
		}
	}
	if i < 0 || c.index(isNever|isNot) >= 0 {
		return false
	}
	for j, it := range c.items {
		if it.is(looks) && (j == i+1 || j == i+2 && c.items[i+1].is(isLead|isShort) || j == i-1 || r.table.Traits.VerbLast && len(c.items) <= maxConfined) && c.addressed(min(i, j)) {
			r.add(Refusal{Everything: true})
			return true
		}
	}
	f, _, _ := about(c.items)
	if len(f.Targets)+len(f.Kinds) == 0 || c.index(isHarmless) >= 0 || !c.addressed(min(i, c.index(orders|isOnly))) {
		return false
	}
	acts := Acts(0)
	for _, it := range c.items {
		if it.is(orders | isDone | isNoun) {
			acts |= it.acts
		}
	}
	if c.items[i].is(isSpare) || c.items[i].is(isKeep) { // stay in, stick to
		acts |= Of(Changing)
	}
	if !acts.Meets(files|Of(Working)) && !(acts == 0 && len(c.items) <= 4) || c.refuses() && c.index(isNever|isNone) < i && c.index(isNever|isNone) >= 0 {
		return false
	}
	r.add(Refusal{Acts: Of(Changing), Everything: true, Except: f.Targets, ExceptKinds: f.Kinds})
	return true
}

// excepts finds an order of whatever there is but for what is named: that is left.
func (r *reader) excepts(c *clause) bool {
	i := c.index(isExcept)
	if i < 0 || c.index(isNever|isNone|isOnly|isForbidden|isAvoid|isWithout|isKeep) >= 0 {
		return false
	}
	f, _, _ := about(c.items[i:])
	f.Targets, f.Kinds = f.Except, f.ExceptKinds
	if len(f.Targets)+len(f.Kinds) == 0 {
		f, _, _ = about(c.items[:i])
	}
	ordered := slices.ContainsFunc(r.clauses, func(o clause) bool {
		return !o.sub && (o.index(orders|isDone) >= 0 || o.index(isAll) >= 0 && o.index(isModal) >= 0)
	})
	if len(f.Targets)+len(f.Kinds) == 0 || !ordered || slices.ContainsFunc(r.clauses, clause.refuses) {
		return false
	}
	r.add(Refusal{Acts: Of(Changing), Targets: f.Targets, Kinds: f.Kinds})
	return true
}

// maxConfined is how many phrases a clause has that confines to looking in any order.
const maxConfined = 7

// addressed reports whether a clause speaks to the agent up to an item: nothing stands
// there that could be the subject of something else.
func (c clause) addressed(end int) bool {
	for _, it := range c.items[:max(end, 0)] {
		if it.roles&(isLead|isYou|isModal|isAnd|isOnly|orders|isNoun|isShort|isBefore|isAll|isNone|consults|isNot|isAct|looks|ensures) == 0 && it.words[0].plain() {
			return false
		}
	}
	return true
}

// negated finds a negation of an action.
func (r *reader) negated(c *clause) bool {
	i := c.index(isNever | isNone | isForbidden | isAvoid | isHalt)
	if j := c.index(isNot); i < 0 && j >= 0 && (r.table.Traits.VerbLast && c.addressed(j) || !r.table.Traits.VerbLast && (c.index(isModal) >= 0 && c.index(isModal) <= j+1 || j == 0)) {
		i = j
	}
	if i < 0 {
		return false
	}
	it := c.items[i]
	if it.is(isHalt) && (i > len(c.items)-len(c.start()) || !slices.ContainsFunc(c.items[i+1:min(i+4, len(c.items))], func(it item) bool { return it.is(isNoun | orders | isAll | isAct) })) && !it.is(isNever|isNone|isForbidden|isAvoid) {
		return false
	}
	if r.tells(c, i) {
		return false
	}
	passive := c.index(isDone) >= 0 || it.is(isForbidden) || r.table.Traits.VerbLast
	if r.table.Traits.SubjectFirst && it.is(isNever|isNot) && !r.directed(c, i) {
		return false
	}
	scope := c.items[i+1:]
	if passive || it.is(isNone) && c.index(orders|isNoun) < i {
		scope = c.items
	}
	return r.refused(c, i, scope)
}

// directed reports whether a negation is said to the agent: no subject of its own
// stands before it, or what is said of the subject is what should be.
func (r *reader) directed(c *clause, i int) bool {
	if c.addressed(i) {
		return true
	}
	modal := c.index(isModal)
	return modal >= 0 && modal <= i+1 && c.index(isDone|isSame|isSpare) >= 0
}

// refused reads what a negation is about.
func (r *reader) refused(c *clause, i int, scope []item) bool {
	acts, acted, doing, none := Acts(0), false, false, c.items[i].is(isNone) && !c.items[i].is(isNever)
	for _, it := range scope {
		switch {
		case it.is(isMental) && !acted && !it.is(orders|isNoun|isModal):
			return false
		case it.is(isNoun | isDone), it.is(orders) && (!none || r.table.Traits.VerbLast || c.index(orders) < i || c.index(isModal) >= 0):
			acts, acted = acts|it.acts, true
		case it.is(isAct):
			doing = true
		}
	}
	f, all, ok := about(scope)
	switch {
	case !ok:
		return false
	case !acted && doing && f.Everything:
		acts = Doings
	case !acted && none && len(c.items) == 1 && c.items[0].is(isStop):
		return false
	case !acted && (none || c.items[i].is(isForbidden|isAvoid|isHalt)) && !(c.items[i].is(isForbidden|isAvoid) && (len(f.Targets)+len(f.Kinds) > 0 || all)):
		return false
	case !acted && f.Everything && !all:
		return false
	case !acted:
		acts = Of(Changing)
	}
	if acts.Meets(Of(Changing, Working, Creating)) && f.Everything && (all || len(f.Words) == 0) && !acts.Has(Creating) {
		acts |= Changes
	}
	if acts == Of(Using) && f.Everything && len(f.Words) == 0 {
		return false
	}
	f.Acts = acts
	r.add(f)
	return true
}

// without finds "without changing …".
func (r *reader) without(c *clause) bool {
	i := c.index(isWithout)
	if i < 0 {
		return false
	}
	rest := c.items[i+1:]
	if n := slices.IndexFunc(rest, func(it item) bool { return it.is(isNever | isNot | describes | isModal) }); n >= 0 && !r.table.Traits.Joined {
		rest = rest[:n] // who has no rights may not edit
	}
	acts := Acts(0)
	for _, it := range rest {
		if it.is(orders | isNoun | isDone) {
			acts |= it.acts
		}
	}
	f, all, ok := about(rest)
	if acts == 0 || !ok || acts == Of(Using) {
		return false
	}
	if acts.Meets(Of(Changing)) && f.Everything && (all || len(f.Words) == 0) {
		acts |= Changes
	}
	f.Acts = acts
	r.add(f)
	return true
}

// keeps finds "leave … alone", and "keep" before a name at the end.
func (r *reader) keeps(c *clause) bool {
	i := c.index(isKeep)
	if i < 0 || !c.addressed(i) {
		return false
	}
	same := c.index(isSame)
	f, all, ok := about(c.items)
	switch {
	case !ok:
		return false
	case same >= 0:
		if f.Everything && (all || len(f.Words) == 0) {
			f.Acts = Changes
		} else {
			f.Acts = Of(Changing)
		}
	case len(f.Targets) > 0 && len(f.Words) == 0 && c.index(orders|isDone) < 0:
		f.Acts = Of(Changing)
	default:
		return false
	}
	r.add(f)
	return true
}

// spares finds what is said to be left as it is: off limits, must stay unchanged.
func (r *reader) spares(c *clause) bool {
	i := c.index(isSpare)
	if i < 0 {
		if i = c.index(isSame); i < 0 {
			return false
		}
		f, all, _ := about(c.items)
		if f.Everything && !all && !c.ought() {
			return false
		}
	}
	if c.index(isNever|isNot|describes) >= 0 {
		return false
	}
	f, all, ok := about(c.items)
	if !ok {
		return false
	}
	f.Acts = Of(Changing)
	if f.Everything && (all || len(f.Words) == 0) {
		f.Acts = Changes
	}
	r.add(f)
	return true
}

// ought reports whether a clause says how something has to be, and not how it is.
func (c clause) ought() bool {
	for _, it := range c.items {
		if it.is(isModal) && !listed("is|are|be|stay|stays|remain|remains|get|gets|sein|ist|sind|wird|werden|est|sont|être|sera|seront|es|son|está|están|ser|é|são|estão|быть|будет|будут|は|を|に|も|て|会|要", it.words[0].lower) {
			return true
		}
	}
	return false
}
