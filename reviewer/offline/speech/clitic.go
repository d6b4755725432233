package speech

import (
	"strings"
	"unicode/utf8"
)

// clitics puts verbs in that carry the pronoun for what they are done to: bórralo.
func (t *table) clitics(verbs string, acts Acts) {
	if t.Orders.Clitics == "" {
		return
	}
	for verb := range strings.SplitSeq(verbs, "|") {
		if strings.ContainsAny(verb, " -") || utf8.RuneCountInString(verb) < 3 {
			continue
		}
		for pronoun := range strings.SplitSeq(t.Orders.Clitics, "|") {
			for _, stem := range stressed(verb) {
				t.ordering.phrase(stem+pronoun, meaning{roles: oVerb | oCarries, acts: acts})
				t.refusing.phrase(stem+pronoun, meaning{roles: orders, acts: acts})
			}
		}
	}
}

// stressed are the spellings of a verb that gets longer: with no accent, and with one on
// each vowel.
func stressed(verb string) []string {
	plain := plainly(verb)
	out := []string{plain}
	for i, r := range plain {
		if at := strings.IndexRune("aeiou", r); at >= 0 {
			out = append(out, plain[:i]+string([]rune("áéíóú")[at])+plain[i+1:])
		}
	}
	return out
}

// carried takes the pronouns off the verbs that carry them.
func carried(items []item) []item {
	var out []item
	for i, it := range items {
		if !it.is(oCarries) {
			if out != nil {
				out = append(out, it)
			}
			continue
		}
		if out == nil {
			out = append(out, items[:i]...)
		}
		verb := it
		verb.roles &^= oCarries
		out = append(out, verb, item{meaning: meaning{roles: oPronoun}, words: it.words})
	}
	if out == nil {
		return items
	}
	return out
}
