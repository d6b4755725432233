package speech

import "slices"

// consulted finds what has to wait for its speaker: ask me first, show me the plan
// before you begin.
func (r *reader) consulted() bool {
	strong, weak, before := false, false, false
	acts, named := Acts(0), Refusal{}
	for _, c := range r.clauses {
		first := c.index(isBefore)
		if c.sub && c.index(consults|isBefore) < 0 {
			continue
		}
		if r.table.Traits.VerbLast && first >= 0 && c.index(shows) >= 0 && !slices.ContainsFunc(c.items, func(it item) bool { return it.is(orders) && !it.acts.Has(Reading) }) {
			before = true
		}
		strong = strong || c.index(consults) >= 0
		weak = weak || c.index(shows) >= 0 && c.addressed(c.index(shows))
		if first < 0 && c.index(consults) < 0 {
			continue
		}
		before = before || first == len(c.items)-1 && first >= 0
		late := c.items[max(first, 0):]
		if r.table.Traits.Joined {
			late = c.items
		}
		for _, it := range late {
			if it.is(orders|isNoun) && !it.is(shows) {
				acts, before = acts|it.acts, true
			}
			before = before || first >= 0 && it.is(isAct|isDone|consults)
		}
		f, _, _ := about(c.items[max(first, 0):])
		named.Targets, named.Kinds = append(named.Targets, f.Targets...), append(named.Kinds, f.Kinds...)
	}
	if !strong && !(weak && (before || r.thereafter())) {
		return false
	}
	if acts &^= Of(Reading); acts == 0 {
		acts = Changes
	}
	if acts.Meets(Of(Changing, Working)) && len(named.Targets)+len(named.Kinds) == 0 {
		acts |= Changes
	}
	named.Everything = len(named.Targets)+len(named.Kinds) == 0
	named.Acts, named.Consult = acts, true
	r.add(named)
	return true
}

// dangling reports whether some words refuse what comes behind them.
func (r *reader) dangling(ws []word) bool {
	r.clauses = clausesOf(r.table.refusing.items(ws, nil))
	c := r.clauses[len(r.clauses)-1]
	return c.refuses() && !c.objects() || c.index(isSpare|isKeep) >= 0
}
