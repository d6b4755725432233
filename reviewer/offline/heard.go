package offline

import (
	"slices"

	"github.com/docket-engine/docket/reviewer/offline/speech"
)

// heard is one text of somebody whose word counts, as it was read.
type heard struct {
	role    role
	text    string
	message speech.Message
}

// listen reads the texts of everybody whose word counts, in order, each once: those of
// the project first, then the history.
func (r request) listen() []heard {
	var out []heard
	for _, e := range slices.Concat(r.instructions, r.history) {
		if e.Role == roleFact {
			continue
		}
		text := e.text()
		out = append(out, heard{role: e.Role, text: text, message: speech.Read(text)})
	}
	return out
}

// outranks reports whether the words of a role lift what somebody said: a person lifts
// what people, parents and checkpoints said, and a parent what a parent did. What a
// project says stays.
func (h heard) outranks(byHuman, byProject bool) bool {
	switch h.role {
	case roleHuman:
		return !byProject
	case roleParent:
		return !byHuman && !byProject
	default:
		return false
	}
}

// instructs reports whether a text may order anything.
func (h heard) instructs() bool { return h.role == roleHuman || h.role == roleParent }
