package speech

import (
	"strings"
	"unicode/utf8"
)

// tells reports whether a negation only says how something is. It is for languages in
// which what is ordered or forbidden has forms of its own, so that the negation of any
// other word describes.
func (r *reader) tells(c *clause, i int) bool {
	if !r.table.Traits.Inflected || !c.items[i].is(isNever|isNone|isNot) || c.items[i].is(isForbidden|isAvoid|isHalt) {
		return false
	}
	if c.index(isOther) >= 0 && c.index(isYou) < 0 {
		return true
	}
	f, all, _ := about(c.items)
	named := len(f.Targets)+len(f.Kinds) > 0 || all
	switch {
	case c.index(isDone|isAct) >= 0:
		return false
	case c.index(orders|isNoun) >= 0: // users may not edit posts
		return !named && len(f.Words) > 0 && c.index(isModal) >= 0 && c.index(isYou) < 0
	default:
		return len(f.Words) > 0 && !r.forbids(c, i)
	}
}

// forbids reports whether an unknown word beside a negation has the form of what is
// forbidden.
func (r *reader) forbids(c *clause, i int) bool {
	endings := r.table.Refusals.Endings
	fits := func(j int) bool {
		if j < 0 || j >= len(c.items) || c.items[j].roles != 0 || !c.items[j].words[0].plain() {
			return false
		}
		w := c.items[j].words[0].lower
		for ending := range strings.SplitSeq(endings, "|") {
			if stem, ok := strings.CutSuffix(w, ending); ok && ending != "" && utf8.RuneCountInString(stem) > 1 {
				return true
			}
		}
		return false
	}
	for j := i + 1; j < len(c.items); j++ {
		if !c.items[j].is(isLead) {
			return fits(j) || r.table.Traits.VerbLast && fits(len(c.items)-1)
		}
	}
	return false
}

// thereafter reports whether an action comes only behind what is to be shown first.
func (r *reader) thereafter() bool {
	shown := false
	for _, c := range r.clauses {
		if then := c.index(isThen); shown && then >= 0 && c.index(orders|isAct|isNoun) >= 0 {
			return true
		}
		shown = shown || c.index(shows) >= 0
	}
	return false
}

// exceptFirst puts a word for an exception before what is excepted, where it stands
// behind it.
func exceptFirst(items []item) {
	for i := 1; i < len(items); i++ {
		before := items[i-1]
		if items[i].is(isExcept) && (before.kind() == name || before.is(isKind)) && (i == 1 || !items[i-2].is(isExcept)) && (i+1 == len(items) || items[i+1].kind() != name && !items[i+1].is(isKind)) {
			items[i-1], items[i] = items[i], items[i-1]
		}
	}
}

// shaped reports whether an unknown word ends as the language's words do.
func (t *table) shaped(w string) bool {
	for ending := range strings.SplitSeq(t.Shapes, "|") {
		if stem, ok := strings.CutSuffix(w, ending); ok && ending != "" && utf8.RuneCountInString(stem) > 1 {
			return true
		}
	}
	return false
}

// plainly writes a word as people do whose keyboard lacks its letters. Words that would
// be too short to be told from others stay as they are.
func plainly(phrase string) string {
	if utf8.RuneCountInString(phrase) < 3 {
		return phrase
	}
	return unaccented.Replace(phrase)
}

var unaccented = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss",
	"à", "a", "á", "a", "â", "a", "ã", "a", "ç", "c", "è", "e", "é", "e", "ê", "e", "ë", "e", "ì", "i", "í", "i", "î", "i", "ï", "i",
	"ñ", "n", "ò", "o", "ó", "o", "ô", "o", "õ", "o", "ù", "u", "ú", "u", "û", "u", "œ", "oe")
