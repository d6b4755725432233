package offline

import (
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/reviewer/offline/speech"
)

// saying is a sentence that could be against something, or lift what was.
type saying struct {
	heard    heard
	sentence speech.Sentence
}

// sayings are the sentences of everybody whose word restricts, in order, but for those
// that order what is named, or the whole of the call word for word: a command's own
// options are no refusals, and "stop" is none where it is what is asked for.
func (r request) sayings(d deed, by []place) []saying {
	if d.command.text != "" {
		if whole, ok := r.whole(d); ok {
			by = append(slices.Clone(by), r.authority(whole).by...)
		}
	}
	var out []saying
	for i, h := range r.said {
		for j, s := range h.message.Sentences {
			if len(s.Refusals) == 0 && s.Revokes == nil && !(h.instructs() && s.Works() != 0) || slices.Contains(by, place{i, j}) {
				continue
			}
			out = append(out, saying{h, s})
		}
	}
	return out
}

// forbids reports whether an instruction is against what a call does by itself, but
// for what the namings of a way name, of which that is known already.
func (r request) forbids(d deed, named way, by []place) (words string, against bool) {
	sayings := r.sayings(d, by)
	if !slices.ContainsFunc(sayings, func(s saying) bool { return len(s.sentence.Refusals) > 0 }) {
		return "", false
	}
	for _, n := range r.doings(d, named) {
		if words := r.objection(n, sayings); words != "" {
			return words, true
		}
	}
	return "", false
}

// doings are what a call does, each as somebody could forbid it.
func (r request) doings(d deed, named way) []naming {
	g := gathering{request: r, deed: d, seen: map[doing]bool{}, known: map[string]bool{}}
	whole := false
	for _, n := range named { // authority has looked at these
		for _, c := range n.against {
			g.seen[doing{class: c}] = true
		}
		if n.path == "" {
			whole = true
			continue
		}
		g.seen[doing{n.class, n.path}] = true
	}
	changes := false
	for _, e := range d.Effects {
		c := classOf(e.Kind)
		changes = changes || !slices.Contains([]class{reading, changing, deleting, running, fetching}, c) || e.Kind == effects.VCSLocal
		g.effect(e, c)
	}
	if d.command.text != "" {
		g.words()
		if !whole {
			g.out = append(g.out, r.commandDoing(d, g.known))
		}
	}
	if changes && len(named) == 0 {
		g.out = append(g.out, naming{class: changing})
	}
	return append(g.out, r.delegated(d)...)
}

type doing struct {
	class class
	path  string
}

// gathering collects the doings of a call, each once.
type gathering struct {
	request request
	deed    deed
	seen    map[doing]bool
	known   map[string]bool // paths that an effect is on
	out     []naming
}

func (g *gathering) effect(e effects.Effect, c class) {
	if c != reading && c != changing && c != deleting {
		if at := (doing{class: c}); !g.seen[at] && c != running {
			g.seen[at] = true
			g.out = append(g.out, naming{class: c})
		}
		return
	}
	g.known[e.Target] = true
	if at := (doing{c, e.Target}); e.Target != "" && !strings.HasPrefix(e.Target, "/dev/") && !g.seen[at] {
		g.seen[at] = true
		n := g.request.pathDoing(e.Target, c)
		n.made = e.Kind == effects.Create || g.request.absent(e.Target)
		g.out = append(g.out, n)
	}
}

// words adds the names of files in a command of which no effect is known.
func (g *gathering) words() {
	for _, p := range g.deed.command.named(g.request.cwd) {
		if at := (doing{running, p}); !g.known[p] && !g.seen[at] {
			g.seen[at] = true
			g.out = append(g.out, g.request.pathDoing(p, running))
		}
	}
}

// commandDoing is a command as a whole, by its words.
func (r request) commandDoing(d deed, known map[string]bool) naming {
	names := slices.DeleteFunc(d.command.significant(), func(w string) bool { return known[resolve(r.cwd, w)] })
	looks := !slices.ContainsFunc(d.Effects, func(e effects.Effect) bool { return classOf(e.Kind) != reading }) && d.Decision == effects.Allow
	return naming{class: running, names: names, against: d.command.kinds(), looks: looks}
}

// absent reports whether nothing is at a path, or nobody can see what is.
func (r request) absent(p string) bool {
	if r.facts.Files == nil {
		return true
	}
	_, err := r.facts.Files.Lstat(p)
	return err != nil
}

// pathDoing is what is done to a path. What is done to a folder may be done to
// whatever is in it.
func (r request) pathDoing(p string, c class) naming { return pathNaming(r.cwd, p, c) }

// objection is the sentence that stands against a naming at the end. A project's
// stays; a person lifts all others, and a parent those of a parent.
func (r request) objection(n naming, sayings []saying) string {
	for _, list := range r.lists() {
		if words := r.objectionIn(n, sayings, list); words != "" {
			return words
		}
	}
	return ""
}

// objectionIn is the sentence that stands against a naming of what was said in one
// session.
func (r request) objectionIn(n naming, sayings []saying, list string) string {
	standing, byHuman, waits := "", false, none
	for _, s := range sayings {
		if s.heard.list != list {
			continue
		}
		weight := n.objects(r.cwd, s.sentence)
		switch {
		case weight != none && s.heard.role == roleConstraint:
			return s.sentence.Text
		case weight != none:
			waits = max(waits*min(1, weightOf(standing)), weight)
			standing, byHuman = s.sentence.Text, byHuman || s.heard.ofPerson()
		case standing == "" || !s.heard.outranks(byHuman, false):
		case s.sentence.Withdraws && n.withdrawn(r.cwd, s.sentence), n.goesOn(r.cwd, waits, s.sentence):
			standing, byHuman, waits = "", false, none
		}
	}
	return standing
}

// weight says what it takes to lift a refusal.
type weight int

const (
	none    weight = iota
	halted         // a stop: any order to go on
	consult        // until its speaker orders the very thing
	hard           // a withdrawal
)

// weightOf is 0 where nothing stands.
func weightOf(standing string) weight {
	if standing == "" {
		return none
	}
	return halted
}

// objects is how much a sentence is against a naming.
func (n naming) objects(cwd string, s speech.Sentence) weight {
	out := none
	for _, f := range s.Refusals {
		switch {
		case !n.refusedBy(cwd, f):
		case f.Stop:
			out = max(out, halted)
		case f.Consult:
			out = max(out, consult)
		default:
			out = hard
		}
	}
	return out
}

// withdrawn reports whether a sentence that takes back what was said takes back what
// was said of the naming.
func (n naming) withdrawn(cwd string, s speech.Sentence) bool {
	return *s.Revokes == 0 && !s.Names(func(string) bool { return true }) || s.Names(func(w string) bool { return n.target(cwd, w) })
}

// goesOn reports whether a sentence is the word that a stop, or a question first, was
// waiting for: an order that names it, or after a stop one that names nothing else.
func (n naming) goesOn(cwd string, waits weight, s speech.Sentence) bool {
	works := s.Works()
	switch {
	case works == 0 || waits == hard:
		return false
	case s.Names(func(w string) bool { return n.path != "" && n.target(cwd, w) }):
		return works.Meets(n.acts() | speech.Of(speech.Working))
	default:
		return waits == halted && !s.Names(func(string) bool { return true })
	}
}
