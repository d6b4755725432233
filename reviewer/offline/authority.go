package offline

import (
	"path"
	"slices"
	"strings"
)

// naming is one thing that an instruction has to name: a path, a command word for
// word, a tool with its arguments.
type naming struct {
	class class
	forms []string // the spellings that count, each exact
	also  []string // what has to stand in the same sentence
	// names and folders are what a restriction may call it by.
	names   []string
	folders []string
	// against are further classes of actions that it is made of: a restriction of one
	// of them is one of this.
	against []class
	// nouns are words by which a sentence may call what is named.
	nouns string
}

// stemmed reports whether a sentence in lower case has a verb by which what is named
// could be forbidden.
func (n naming) stemmed(lower string) bool {
	return holdsStem(lower, n.class.stems()) || slices.ContainsFunc(n.against, func(c class) bool { return holdsStem(lower, c.stems()) })
}

// pathNaming asks for a path in one of its spellings.
func pathNaming(cwd, p string, c class) naming {
	n := naming{class: c, forms: []string{p, p + "/"}, names: []string{path.Base(p)}}
	if within(cwd, p) {
		rel := strings.TrimPrefix(p, strings.TrimSuffix(cwd, "/")+"/")
		n.forms = append(n.forms, rel, "./"+rel, rel+"/")
		for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
			n.folders = append(n.folders, dir+"/", path.Base(dir)+"/")
		}
	}
	return n
}

// authority walks through the history and reports whether the naming stands
// granted at its end. Where it does not because somebody said so, words are
// theirs.
//
//   - A person grants, and so does a direct parent where no person restricts.
//   - A restriction takes back every grant before it.
//   - After a person's restriction only a person grants, in a message that says
//     that it replaces what was said before.
//   - Project instructions and checkpoints only restrict, and the former for good.
func (r request) authority(n naming) (granted bool, words string) {
	for _, e := range r.instructions {
		for _, s := range sentences(n.mark(e.text())) {
			if n.restricts(s) {
				return false, unmark(s, n)
			}
		}
	}
	var st standing
	for i, e := range r.history {
		switch e.Role {
		case roleHuman, roleParent:
			before := r.expired(n, i, st)
			st = before
			st.message(n, e)
			st = r.kept(n, i, before, st)
		case roleCheckpoint:
			st.restrictions(n, e)
		}
	}
	return st.human || st.parent && st.restricted == "", st.restricted
}

// standing is what has been said about one naming so far.
type standing struct {
	human, parent bool   // who grants it
	restricted    string // a sentence that restricts it and has not been replaced
	byHuman       bool   // who said that
}

func (st *standing) message(n naming, e entry) {
	m := readMessage(n.mark(e.text()))
	for _, s := range m.sentences {
		switch {
		case !strings.ContainsRune(s, markTarget) && !hinted(strings.ToLower(s)):
		case n.grants(s) && m.plain():
			st.grant(e.Role == roleHuman, m.replaces)
		case !n.restricts(s) && !n.takenBack(s) && stops(s):
			st.human, st.parent = false, false
		case n.restricts(s), n.takenBack(s):
			*st = standing{restricted: unmark(s, n), byHuman: e.Role == roleHuman || st.byHuman}
		}
	}
}

// grant counts unless a restriction stands that this one may not replace.
func (st *standing) grant(human, replaces bool) {
	if st.restricted != "" {
		if !replaces || st.byHuman && !human {
			return
		}
		*st = standing{}
	}
	if human {
		st.human = true
	} else {
		st.parent = true
	}
}

// restrictions takes a checkpoint's words for a person's, as far as they forbid.
func (st *standing) restrictions(n naming, e entry) {
	for _, s := range sentences(n.mark(e.text())) {
		if n.restricts(s) {
			*st = standing{restricted: unmark(s, n), byHuman: true}
		}
	}
}

// restricts reports whether a sentence is against the naming: it negates, and
// names it, or its class of actions without saying of what else.
func (n naming) restricts(s string) bool {
	lower := strings.ToLower(s)
	if !hinted(lower) {
		return false
	}
	if n.class != reading && inspectOnly(lower) {
		return true
	}
	if !negated(s) {
		return false
	}
	return strings.ContainsRune(s, markTarget) || n.called(lower) || n.stemmed(lower) && !namesOther(s)
}

// takenBack reports whether a sentence withdraws what was said about the naming,
// which may well have been a grant: "I revoke my request to delete x".
func (n naming) takenBack(s string) bool {
	return hinted(strings.ToLower(s)) && replacing.MatchString(s) && (strings.ContainsRune(s, markTarget) || n.stemmed(strings.ToLower(s)))
}

// called reports whether a sentence in lower case has one of the naming's names.
func (n naming) called(lower string) bool {
	has := func(name string) bool { return holdsName(lower, strings.ToLower(name)) }
	return slices.ContainsFunc(n.names, has) || slices.ContainsFunc(n.folders, has)
}

// unmark puts the name back that a mark stands for.
func unmark(s string, n naming) string {
	name := "it"
	if len(n.forms) > 0 {
		name = n.forms[0]
	}
	return strings.TrimSpace(strings.ReplaceAll(s, string(markTarget), name))
}
