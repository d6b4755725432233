package offline

import (
	"github.com/docket-engine/docket/reviewer/offline/speech"
)

// heard is one text of somebody whose word counts, as it was read.
type heard struct {
	role role
	// list is the session that it was said in: "" for this one, and of a child's
	// ancestors their ids. What was said in one of them is lifted there alone.
	list string
	// entry is its place in the history, -1 for what stands among the instructions.
	entry int
	seq   int64 // of an ancestor's message
	time  int64 // of it, Unix ms
	// inherited says that the ancestor is a fork, and was not told it itself.
	inherited bool
	text      string
	message   speech.Message
}

// The roles of words that a request shows with another role: what people said in an
// ancestor of a child, and what a checkpoint keeps word for word. Nothing of either
// grants by itself.
const (
	roleAncestor   role = "ancestor"
	roleKept       role = "kept"
	roleKeptParent role = "kept-parent"
)

// listen reads the texts of everybody whose word counts, in order, each once: those of
// the project first, then the history.
func (r request) listen() []heard {
	var out []heard
	for _, e := range r.instructions {
		h := heard{role: e.Role, text: e.text(), entry: -1}
		if a, is := e.ofAncestor(); is {
			h.list, h.seq, h.time, h.inherited = a.SessionID, a.Seq, a.Time, a.Inherited
			if a.From == "person" {
				h.role = roleAncestor
				if kept := e.keptRole(); kept != roleCheckpoint {
					h.role = kept
				}
			}
		}
		out = append(out, h)
	}
	for i, e := range r.history {
		if e.Role == roleFact {
			continue
		}
		h := heard{role: e.Role, text: e.text(), entry: i}
		if e.Role == roleCheckpoint {
			h.role = e.keptRole()
		}
		out = append(out, h)
	}
	for i := range out {
		out[i].message = speech.Read(out[i].text)
	}
	return out
}

// lists are the sessions that something was said in, this one last.
func (r request) lists() []string {
	var out []string
	for _, h := range r.said {
		if h.list != "" && (len(out) == 0 || out[len(out)-1] != h.list) {
			out = append(out, h.list)
		}
	}
	return append(out, "")
}

// outranks reports whether the words of a role lift what somebody said: a person lifts
// what people, parents and checkpoints said, and a parent what a parent did. What a
// project says stays.
func (h heard) outranks(byHuman, byProject bool) bool {
	switch h.role {
	case roleHuman, roleAncestor, roleKept:
		return !byProject
	case roleParent, roleKeptParent:
		return !byHuman && !byProject
	default:
		return false
	}
}

// instructs reports whether a text may order anything, to whomever it was said.
func (h heard) instructs() bool {
	return h.role == roleHuman || h.role == roleParent || h.role == roleAncestor
}

// ofPerson reports whether a restriction counts as a person's: all do that are not an
// agent's.
func (h heard) ofPerson() bool { return h.role != roleParent && h.role != roleKeptParent }

// withdraws reports whether a text may lift what was said before it.
func (h heard) withdraws() bool {
	return h.instructs() || h.role == roleKept || h.role == roleKeptParent
}
