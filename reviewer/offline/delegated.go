package offline

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer/offline/speech"
)

// maxDelegated bounds the orders of a prompt that are looked at: what a child does is
// judged call by call, whatever its prompt says.
const maxDelegated = 64

// delegated are what a call would have another agent do, as far as its prompt orders it
// in words that are understood: an order is judged as what it is, so that what a person
// forbade is not handed on (reference 8, item 13).
func (r request) delegated(d deed) []naming {
	var out []naming
	for _, f := range d.Findings {
		if f.Rule != "agent-started" {
			continue
		}
		for _, s := range speech.Read(r.argument(f.Span.Argument)).Sentences {
			out = append(out, r.ordersOf(s)...)
			if len(out) > maxDelegated {
				return out[:maxDelegated]
			}
		}
	}
	return out
}

// argument is a text that the call is given, "" where it is none.
func (r request) argument(name string) string {
	var given map[string]jsontext.Value
	var text string
	if json.Unmarshal(r.pending.Arguments, &given) != nil || json.Unmarshal(given[name], &text) != nil {
		return ""
	}
	return text
}

// ordersOf are the actions that a sentence orders, each with what it names.
func (r request) ordersOf(s speech.Sentence) []naming {
	acts := s.Works()
	var out []naming
	for _, c := range [...]class{changing, deleting, running, pushing, installing, publishing, sending, removing, killing, rewriting, operating, speech.Committing, speech.Deploying} {
		if !acts.Has(c) {
			continue
		}
		named := false
		s.Names(func(w string) bool {
			named = true
			if c == changing || c == deleting {
				out = append(out, pathNaming(r.cwd, resolve(r.cwd, w), c))
			} else {
				out = append(out, naming{class: c, names: []string{w}})
			}
			return len(out) >= maxDelegated
		})
		if !named {
			out = append(out, naming{class: c})
		}
	}
	return out
}
