package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/reviewer/offline/speech"
)

// maxProposal bounds the message that a denial proposes.
const maxProposal = 160

// withdrawal is a sentence that takes back what people restricted before.
const withdrawal = "I withdraw my earlier restriction."

// proposal is a message after which the call would be allowed, if a person sent it by
// itself: made of what the ways name, and tried. It is "" where no message does that.
func (r request) proposal(d deed) string {
	for _, order := range r.orders(d) {
		for _, message := range []string{order, strings.TrimSpace(withdrawal + " " + order)} {
			if message == "" || clip(message) != message || len(message) > maxProposal {
				continue
			}
			after := r
			after.said = append(slices.Clone(r.said), heard{role: roleHuman, entry: len(r.history), text: message, message: speech.Read(message)})
			if after.decide(d).decision == allow {
				return message
			}
		}
	}
	return ""
}

// orders are what a person could say to have the call, the shortest way first, and
// nothing for a call that only a restriction is against.
func (r request) orders(d deed) []string {
	var out []string
	ways := r.ways(d)
	if d.strictest().Decision == effects.Allow && d.shaped {
		ways = nil // only a restriction is against it
	}
	for _, w := range ways {
		var all []string
		for _, n := range w {
			if o := n.order(r.cwd); !slices.Contains(all, o) || o == "" {
				all = append(all, o)
			}
		}
		if !slices.Contains(all, "") {
			out = append(out, strings.Join(all, " "))
		}
	}
	var changed []string
	for _, n := range r.doings(d, nil) {
		if o := n.order(r.cwd); o != "" && n.path != "" && n.class != reading {
			changed = append(changed, o)
		}
	}
	if len(changed) > 0 && len(changed) <= 4 {
		out = append(out, strings.Join(changed, " "))
	}
	return append(out, "")
}

// order says that what is named may be done, as a person would.
func (n naming) order(cwd string) string {
	switch {
	case n.path != "":
		verb, ok := map[class]string{reading: "Read", changing: "Change", deleting: "Delete"}[n.class]
		if !ok || n.path == cwd {
			return ""
		}
		return verb + " " + spelled(strings.TrimPrefix(n.path, strings.TrimSuffix(cwd, "/")+"/")) + "."
	case n.loose && len(n.forms) == 1:
		return "Push " + n.forms[0] + " to origin."
	case n.class == running && len(n.forms) == 1 && !strings.ContainsAny(n.forms[0], "`\n"):
		return "Run `" + n.forms[0] + "`."
	case n.class == using && len(n.also) == 0:
		return "Call the tool " + spelled(n.forms[0]) + "."
	case n.class == using:
		words := make([]string, len(n.also))
		for i, w := range n.also {
			words[i] = spelled(w)
		}
		return "Use " + spelled(n.forms[0]) + " with " + strings.Join(words, " and ") + "."
	default:
		return ""
	}
}

// spelled puts quotes around what is no single word.
func spelled(w string) string {
	if strings.ContainsAny(w, " ,;:()'") || path.Base(w) == "." {
		return `"` + w + `"`
	}
	return w
}
