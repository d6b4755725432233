package speech

import (
	"strings"
	"sync"
)

// roles are what a phrase may be in a sentence, a bit each.
type roles uint64

// The roles in a refusal. Each is a list of [Refusals], or comes of an [Action].
const (
	isNever roles = 1 << iota
	isNot
	describes
	isNone
	isWithout
	isAvoid
	isForbidden
	isKeep
	isSpare
	isSame
	isStop
	isHalt
	consults
	shows
	isBefore
	isMode
	isOnly
	looks
	isExcept
	isYou
	isModal
	isLead
	isSub
	isBut
	isAnd
	isAll
	isAct
	isHarmless
	isMental
	isIdiom
	withdraws
	isSaid
	asksAbout
	orders // an action in the form of an order
	isDone // an action as what is done to something
	isNoun // an action's name
	isKind
	ensures
	isThan
	isShort // a frequent word
	isOther
	isThen
)

// The roles in an order, of the closed grammar.
const (
	oLead roles = 1 << iota
	oAsk
	oAskSoft
	oPolite
	oVerb
	oDone
	oTail
	oFiller
	oLink
	oThing
	oPronoun
	oAnd
	oMay
	oMayGo
	oUseless
	oUnneeded
	oBecause
	oRemark
	oWithdraw
	oTakes
	oMarks
	oWish
	oNever
	oKeep
	oUnchanged
	oActLink
	oCarries // a verb with the pronoun for what it is done to behind it
)

// table is a language's words, ready to be looked up.
type table struct {
	*Language
	refusing lexicon
	ordering lexicon
	common   lexicon
}

// tables are those of all languages. They are made once and never change.
var tables = sync.OnceValue(func() []*table {
	var out []*table
	for _, l := range languages() {
		t := &table{Language: l}
		t.refusals()
		t.orders()
		t.common.add(l.Frequent, meaning{roles: isShort})
		out = append(out, t)
	}
	return out
})

func (t *table) refusals() {
	r := t.Refusals
	for _, list := range []struct {
		words string
		role  roles
	}{
		{r.Never, isNever},
		{r.Not, isNot},
		{r.Describes, describes},
		{r.None, isNone},
		{r.Without, isWithout},
		{r.Avoid, isAvoid},
		{r.Forbidden, isForbidden},
		{r.Keep, isKeep},
		{r.Spare, isSpare},
		{r.Same, isSame},
		{r.Stops, isStop},
		{r.Halts, isHalt},
		{r.Consults, consults},
		{r.Shows, shows},
		{r.First, isBefore},
		{r.Modes, isMode},
		{r.Only, isOnly},
		{r.Looks, looks},
		{r.Except, isExcept},
		{r.You, isYou},
		{r.Modal, isModal},
		{r.Leads, isLead},
		{r.Sub, isSub},
		{r.But, isBut},
		{r.And, isAnd},
		{r.All, isAll},
		{r.Acts, isAct},
		{r.Harmless, isHarmless},
		{r.Mental, isMental},
		{r.Idioms, isIdiom},
		{r.Withdraws, withdraws},
		{r.Said, isSaid},
		{r.Ensures, ensures},
		{r.Than, isThan},
		{r.Questions, asksAbout},
		{r.Others, isOther},
		{r.Then, isThen},
	} {
		t.refusing.add(list.words, meaning{roles: list.role})
	}
	for name, a := range t.Actions {
		acts := Of(actNames[name])
		t.refusing.add(a.Orders, meaning{roles: orders, acts: acts})
		t.refusing.add(a.Wide, meaning{roles: orders, acts: acts})
		t.refusing.add(a.Done, meaning{roles: isDone, acts: acts})
		t.refusing.add(a.Names, meaning{roles: isNoun, acts: acts})
	}
	for name, list := range t.Kinds {
		t.refusing.add(list, meaning{roles: isKind, kind: kindNames[name]})
	}
}

func (t *table) orders() {
	o := t.Orders
	for _, list := range []struct {
		words string
		role  roles
	}{
		{o.Leads, oLead},
		{o.Asks, oAsk},
		{o.AsksSoft, oAskSoft},
		{o.Polite, oPolite},
		{o.Tails, oTail},
		{o.Fillers, oFiller},
		{o.Links, oLink},
		{o.Things, oThing},
		{o.Pronouns, oPronoun},
		{o.And, oAnd},
		{o.May, oMay},
		{o.MayGo, oMayGo},
		{o.Useless, oUseless},
		{o.Unneeded, oUnneeded},
		{o.Because, oBecause},
		{o.Remarks, oRemark},
		{o.Withdraw, oWithdraw},
		{o.Takes, oTakes},
		{o.Marks, oMarks},
		{o.Wishes, oWish},
		{o.Never, oNever},
		{o.KeepAsIs, oKeep},
		{o.Unchanged, oUnchanged},
	} {
		t.ordering.add(list.words, meaning{roles: list.role})
	}
	for name, a := range t.Actions {
		acts := Of(actNames[name])
		t.ordering.add(a.Orders, meaning{roles: oVerb, acts: acts})
		t.clitics(a.Orders, acts)
		t.ordering.add(a.Done, meaning{roles: oDone, acts: acts})
		t.ordering.add(a.Links, meaning{roles: oActLink, acts: acts})
	}
}

// knows reports whether a word in lower case is one of the language's.
func (t *table) knows(w string) bool {
	if t.common.holds(w) || t.refusing.holds(w) || t.ordering.holds(w) {
		return true
	}
	for suffix := range strings.SplitSeq(suffixes(t.Code), "|") {
		if stem, ok := strings.CutSuffix(w, suffix); ok && len(stem) > 2 && (t.common.holds(stem) || t.common.holds(stem+"e") || t.refusing.holds(stem)) {
			return true
		}
	}
	return false
}

// suffixes are what a frequent word may have behind it.
func suffixes(code string) string {
	switch code {
	case "en":
		return "s|es|ed|d|ing|er|ers|ly|'s|n't|'re|'ll|'ve|'d|able|ion|ions|ment|ness|less|al"
	case "de":
		return "e|en|em|er|es|n|s|t|st|te|ten|ung|ungen|lich"
	case "fr":
		return "s|e|es|x|er|ez|ons|ent|ait|ment|r|ions"
	case "es":
		return "s|es|a|o|os|as|r|mos|n|mente|lo|la|me"
	case "pt":
		return "s|es|a|o|os|as|r|mos|m|mente"
	case "ru":
		return "а|у|ы|и|е|о|ом|ой|ов|ам|ах|ая|ый|ое|ого|ему|ся|ть|л|ла|ли|ло|ет|ют|я|ю|ем|ей"
	default:
		return ""
	}
}

// item is a phrase of a sentence and what it may be.
type item struct {
	meaning
	words []word
}

func (i item) is(r roles) bool { return i.roles&r != 0 }

func (i item) kind() wordKind { return i.words[0].kind }

// items cuts a sentence into the longest phrases that a lexicon has, and single words.
// What a second lexicon has comes first, but for actions.
func (l *lexicon) items(ws []word, more *lexicon) []item {
	out := make([]item, 0, len(ws))
	for len(ws) > 0 {
		n, m := l.find(ws[:min(len(ws), maxPhrase)])
		if more != nil && m.roles&oVerb == 0 {
			if size, other := more.find(ws[:min(len(ws), maxPhrase)]); size >= n && size > 0 {
				n, m = size, other
			}
		}
		if n == 0 {
			n = 1
		}
		out = append(out, item{meaning: m, words: ws[:n]})
		ws = ws[n:]
	}
	return out
}

// maxPhrase bounds the words of a phrase: of a language without spaces, its letters.
const maxPhrase = 16

// Unnamed is the first language that has no verb for a kind of action, or "".
func Unnamed(a Act) string {
	for _, l := range languages() {
		said := false
		for name, action := range l.Actions {
			said = said || actNames[name] == a && action.Orders != ""
		}
		if !said {
			return l.Name
		}
	}
	return ""
}
