package offline

import (
	"github.com/docket-engine/docket/reviewer/offline/speech"
)

// place is where a sentence stands: which text, and which of its sentences.
type place struct{ text, sentence int }

// granted is what has been found out about one naming.
type granted struct {
	stands bool
	// against are the words of somebody who is against it.
	against string
	// by are the sentences that order it.
	by []place
}

// authority walks through what was said and reports whether the naming stands
// granted at its end.
//
//   - A person grants. A direct parent grants what a person has granted as well, in one
//     of the sessions that this one descends from, and where no person restricts.
//   - A restriction takes back every grant before it.
//   - After a person's restriction only a person grants, in a message that says
//     that it replaces what was said before.
//   - Project instructions and checkpoints only restrict, and the former for good. What
//     a checkpoint keeps word for word also lifts what stands before it.
//   - What was said in an ancestor is lifted there alone.
//
// What uses a grant up takes it back like a restriction does: at its place in the
// order, and for nothing that is said after it.
func (r request) authority(n naming) granted {
	var g granted
	family := false // whether a person of an ancestor grants it
	for _, list := range r.lists() {
		st := r.standing(n, list)
		g.by = append(g.by, st.by...)
		if g.against == "" {
			g.against = st.restricted
		}
		if list != "" {
			family = family || st.human
			continue
		}
		g.stands = st.human || st.parent && family
	}
	g.stands = g.stands && g.against == ""
	return g
}

// standing walks through what was said in one session.
func (r request) standing(n naming, list string) standing {
	var st standing
	for i, h := range r.said {
		switch {
		case h.list != list:
		case h.withdraws():
			before := r.expired(n, i, st)
			st = before
			st.message(r.cwd, n, h, i)
			st = r.kept(n, h, before, st)
		default:
			st.restrictions(r.cwd, n, h)
		}
		if st.byProject {
			break
		}
	}
	return st
}

// standing is what has been said about one naming so far.
type standing struct {
	human, parent bool   // who grants it
	restricted    string // a sentence that restricts it and has not been replaced
	byHuman       bool   // who said that
	byProject     bool
	by            []place
}

func (st *standing) message(cwd string, n naming, h heard, at int) {
	order := n.orderedBy(h.text)
	ordered := func(i int) bool {
		return order.Understood && len(order.Orders) == len(h.message.Sentences) && order.Orders[i]
	}
	for i, s := range h.message.Sentences {
		switch {
		case ordered(i) && h.instructs():
			st.grant(h.role != roleParent, order.Withdraws)
			st.by = append(st.by, place{at, i})
		case n.takenBack(cwd, s):
			st.restrict(s.Text, h)
		case s.Withdraws && *s.Revokes == 0 && h.outranks(st.byHuman, st.byProject):
			st.restricted, st.byHuman = "", false
		default:
			st.refusals(cwd, n, s, h)
		}
	}
}

// refusals counts those of a sentence that are against the naming. A stop, and one that
// waits for its speaker, only take back what was granted before.
func (st *standing) refusals(cwd string, n naming, s speech.Sentence, h heard) {
	for _, f := range s.Refusals {
		switch {
		case !n.refusedBy(cwd, f):
		case f.Stop || f.Consult && h.instructs() && !f.Everything:
			st.human, st.parent = false, false
		default:
			st.restrict(s.Text, h)
		}
	}
}

func (st *standing) restrict(words string, h heard) {
	*st = standing{restricted: words, byHuman: h.ofPerson() || st.byHuman, byProject: h.role == roleConstraint || st.byProject, by: st.by}
}

// grant counts unless a restriction stands that this one may not replace.
func (st *standing) grant(human, replaces bool) {
	if st.restricted != "" {
		if !replaces || st.byHuman && !human {
			return
		}
		*st = standing{by: st.by}
	}
	if human {
		st.human = true
	} else {
		st.parent = true
	}
}

// restrictions takes the words of a project or checkpoint for a person's, as far as
// they forbid.
func (st *standing) restrictions(cwd string, n naming, h heard) {
	for _, s := range h.message.Sentences {
		for _, f := range s.Refusals {
			if n.refusedBy(cwd, f) {
				st.restrict(s.Text, h)
			}
		}
	}
}

// takenBack reports whether a sentence withdraws what was said about the naming,
// which may well have been a grant: "I revoke my request to delete x".
func (n naming) takenBack(cwd string, s speech.Sentence) bool {
	return s.Revokes != nil && (s.Revokes.Meets(n.acts()) || s.Names(func(w string) bool { return n.target(cwd, w) }))
}
