package offline

import (
	"path"
	"regexp"
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
	for _, e := range r.history {
		switch e.Role {
		case roleHuman, roleParent:
			st.message(n, e)
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
	return strings.ContainsRune(s, markTarget) || n.called(lower) || holdsStem(lower, n.class.stems()) && !namesOther(s)
}

// takenBack reports whether a sentence withdraws what was said about the naming,
// which may well have been a grant: "I revoke my request to delete x".
func (n naming) takenBack(s string) bool {
	return hinted(strings.ToLower(s)) && replacing.MatchString(s) && (strings.ContainsRune(s, markTarget) || holdsStem(strings.ToLower(s), n.class.stems()))
}

// called reports whether a sentence in lower case has one of the naming's names.
func (n naming) called(lower string) bool {
	has := func(name string) bool { return holdsName(lower, strings.ToLower(name)) }
	return slices.ContainsFunc(n.names, has) || slices.ContainsFunc(n.folders, has)
}

// saying is a sentence that could be against something, or lift what was.
type saying struct {
	role        role
	text, lower string
	refuses     int // where the word that refuses ends; 0 for none
	refusesFrom int
	replaces    bool
}

// sayings are the sentences of everybody whose word restricts, in order, but for
// those that do not.
func (r request) sayings() []saying {
	var out []saying
	for _, e := range slices.Concat(r.instructions, r.history) {
		if e.Role == roleFact {
			continue
		}
		for _, s := range sentences(e.text()) {
			lower := strings.ToLower(s)
			if !hinted(lower) {
				continue
			}
			said := saying{role: e.Role, text: s, lower: lower, replaces: replaces(s)}
			if at := refusing.FindStringIndex(s); at != nil {
				said.refusesFrom, said.refuses = at[0], at[1]
			}
			out = append(out, said)
		}
	}
	return out
}

// restrictsProven reports whether an instruction is against what is harmless by
// itself. It takes less for an objection than [naming.restricts]: people say much
// about what not to write, and mean the text.
func (r request) restrictsProven(d deed) (words string, against bool) {
	sayings := r.sayings()
	if len(sayings) == 0 {
		return "", false
	}
	paths := slices.Clone(d.paths)
	slices.Sort(paths)
	var namings []naming
	for _, p := range slices.Compact(paths) {
		namings = append(namings, pathNaming(r.cwd, p, d.class))
	}
	if d.class == running {
		namings = append(namings, naming{class: running, names: d.names})
	}
	if d.changes {
		namings = append(namings, naming{class: changing})
	}
	for _, n := range namings {
		if words := n.objection(sayings); words != "" {
			return words, true
		}
	}
	return "", false
}

// objection is the sentence that stands against a naming at the end. A project's
// stays; a person lifts all others, and a parent those of a parent.
func (n naming) objection(sayings []saying) string {
	standing, byHuman := "", false
	for _, s := range sayings {
		switch {
		case n.objects(s) && s.role == roleConstraint:
			return s.text
		case n.objects(s):
			standing, byHuman = s.text, byHuman || s.role != roleParent
		case s.replaces && (s.role == roleHuman || s.role == roleParent && !byHuman) && (restriction.MatchString(s.text) || n.called(s.lower)):
			standing, byHuman = "", false
		}
	}
	return standing
}

var restriction = regexp.MustCompile(`(?i)\brestrictions?\b|限制`)

func (n naming) objects(s saying) bool {
	changes := n.class == changing || n.class == deleting
	switch {
	case n.called(s.lower) && n.grants(n.mark(s.text)):
		return false
	case s.refuses > 0 && (n.namedByRefusal(s) || n.class.forbidsAll(s.lower)):
		return true
	case !changes:
		return false
	}
	return inspectOnly(s.lower) || onlyWord.MatchString(s.text) && holdsStem(s.lower, n.class.stems()) && namesOther(s.text) && !n.called(s.lower)
}

// namedByRefusal reports whether a sentence refuses what it names: behind the
// word that refuses, or before it in the same clause. What is refused to be
// changed may still be read.
func (n naming) namedByRefusal(s saying) bool {
	if !n.called(s.lower) {
		return false
	}
	if n.class == reading && !holdsStem(s.lower, reading.stems()) && (holdsStem(s.lower, changing.stems()) || holdsStem(s.lower, deleting.stems())) {
		return false
	}
	before := s.text[:s.refusesFrom]
	if ends := clauseEnd.FindAllStringIndex(before, -1); len(ends) > 0 {
		before = before[ends[len(ends)-1][1]:]
	}
	return n.called(strings.ToLower(before)) || n.called(strings.ToLower(s.text[s.refuses:]))
}

// unmark puts the name back that a mark stands for.
func unmark(s string, n naming) string {
	name := "it"
	if len(n.forms) > 0 {
		name = n.forms[0]
	}
	return strings.TrimSpace(strings.ReplaceAll(s, string(markTarget), name))
}
