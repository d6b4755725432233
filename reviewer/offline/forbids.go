package offline

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects"
)

// saying is a sentence that could be against something, or lift what was.
type saying struct {
	role        role
	text, lower string
	refuses     int // where the word that refuses ends; 0 for none
	refusesFrom int
	replaces    bool
	paths       []string // that it names, from the root; of one that refuses
}

// sayings are the sentences of everybody whose word restricts, in order, but for
// those that do not, and those that order what is named, or the whole of the call word
// for word: a command's own options are no refusals, and "stop" is none where it is
// what is asked for.
func (r request) sayings(d deed, named way) []saying {
	var whole naming
	if d.command.text != "" {
		whole, _ = r.whole(d)
	}
	var out []saying
	for _, e := range slices.Concat(r.instructions, r.history) {
		if e.Role == roleFact {
			continue
		}
		for _, s := range sentences(whole.mark(e.text())) {
			if strings.ContainsRune(s, markTarget) && whole.grants(s) {
				continue
			}
			s = unmark(s, whole)
			if slices.ContainsFunc(named, func(n naming) bool { return n.grants(n.mark(s)) }) {
				continue
			}
			lower := strings.ToLower(s)
			if !hinted(lower) {
				continue
			}
			said := saying{role: e.Role, text: s, lower: lower, replaces: replaces(s)}
			if at := refusing.FindStringIndex(s); at != nil {
				said.refusesFrom, said.refuses = at[0], at[1]
				for _, name := range aPath.FindAllString(s, maxAlso) {
					said.paths = append(said.paths, resolve(r.cwd, name))
				}
			}
			out = append(out, said)
		}
	}
	return out
}

// aPath is a word that may be the name of a file or folder.
var aPath = regexp.MustCompile(`/?[A-Za-z0-9_-]*[/.][A-Za-z0-9_./-]*[A-Za-z0-9_-]`)

// forbids reports whether an instruction is against what a call does by itself, but
// for what the namings of a way name, of which that is known already. It takes less for
// an objection than [naming.restricts]: people say much about what not to write, and
// mean the text.
func (r request) forbids(d deed, named way) (words string, against bool) {
	sayings := r.sayings(d, named)
	if len(sayings) == 0 {
		return "", false
	}
	for _, n := range joined(r.doings(d, sayings, named)) {
		if words := n.objection(sayings); words != "" {
			return words, true
		}
	}
	return "", false
}

// doings are what a call does, each as somebody could forbid it.
func (r request) doings(d deed, sayings []saying, named way) []naming {
	var out []naming
	type doing struct {
		class class
		path  string
	}
	seen, whole := map[doing]bool{}, false
	for _, n := range named { // authority has looked at these
		for _, c := range n.against {
			seen[doing{class: c}] = true
		}
		if len(n.folders) == 0 && n.class != reading && n.class != changing && n.class != deleting {
			whole = true
			continue
		}
		seen[doing{n.class, n.forms[0]}] = true
	}
	known, changes := map[string]bool{}, false
	for _, e := range d.Effects {
		c := classOf(e.Kind)
		device := strings.HasPrefix(e.Target, "/dev/")
		if c != reading && c != changing && c != deleting {
			changes = changes || c != running && c != fetching || e.Kind == effects.VCSLocal
			if at := (doing{class: c}); !seen[at] && c != running {
				seen[at] = true
				out = append(out, naming{class: c})
			}
			continue
		}
		known[e.Target] = true
		if at := (doing{c, e.Target}); e.Target != "" && !device && !seen[at] {
			seen[at] = true
			out = append(out, r.pathDoing(e.Target, c, sayings))
		}
	}
	if d.command.text != "" {
		for _, p := range d.command.named(r.cwd) {
			if at := (doing{running, p}); !known[p] && !seen[at] {
				seen[at] = true
				out = append(out, r.pathDoing(p, running, sayings))
			}
		}
		if !whole {
			names := slices.DeleteFunc(d.command.significant(), func(w string) bool { return known[resolve(r.cwd, w)] })
			out = append(out, naming{class: running, names: names})
		}
	}
	if changes && len(named) == 0 {
		out = append(out, naming{class: changing})
	}
	return out
}

// maxDoings bounds how many doings are held against what was said one by one.
const maxDoings = 128

// joined puts those that are too many together, one of each class: what is against one
// of the names is against all of them.
func joined(all []naming) []naming {
	if len(all) <= maxDoings {
		return all
	}
	rest := map[class]*naming{}
	out := all[:maxDoings:maxDoings]
	for _, n := range all[maxDoings:] {
		one := rest[n.class]
		if one == nil {
			one = &naming{class: n.class}
			rest[n.class] = one
		}
		one.names, one.folders = append(one.names, n.names...), append(one.folders, n.folders...)
	}
	for _, c := range slices.Sorted(maps.Keys(rest)) {
		one := rest[c]
		slices.Sort(one.folders)
		one.folders = slices.Compact(one.folders)
		out = append(out, *one)
	}
	return out
}

// pathDoing is what is done to a path. What is done to a folder may be done to
// whatever is in it.
func (r request) pathDoing(p string, c class, sayings []saying) naming {
	if p == r.cwd || within(p, r.cwd) {
		n := naming{class: c}
		return n.holding(p, sayings)
	}
	return pathNaming(r.cwd, p, c).holding(p, sayings)
}

func (n naming) holding(folder string, sayings []saying) naming {
	for _, s := range sayings {
		for _, p := range s.paths {
			if name := path.Base(p); within(folder, p) && !slices.Contains(n.names, name) {
				n.names = append(n.names, name)
			}
		}
	}
	return n
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
	case s.refuses > 0 && (n.namedByRefusal(s) || n.class.forbidsAll(s.lower) || n.verbRefused(s)):
		return true
	case !changes:
		return false
	}
	return inspectOnly(s.lower) || onlyWord.MatchString(s.text) && holdsStem(s.lower, n.class.stems()) && namesOther(s.text) && !n.called(s.lower)
}

// verbRefused reports whether a sentence refuses an action that is not done to files,
// by its verb: "never push", "do not use the network".
func (n naming) verbRefused(s saying) bool {
	switch n.class {
	case using, reading, changing, deleting, running:
		return false
	default:
		return holdsStem(s.lower[min(s.refuses, len(s.lower)):], n.class.stems())
	}
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
