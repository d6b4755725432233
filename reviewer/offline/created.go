package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

// created reports whether the visible history shows that a file was made in this
// session: the first call that mentions it writes it, nothing before it speaks of
// it but as of something to be made, and nothing later puts another file in its
// place or says that the writing went wrong. A checkpoint hides what came before
// it, so that nothing is proven behind one.
func (r request) created(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, e := range r.instructions {
		if strings.Contains(strings.ToLower(e.text()), base) {
			return false
		}
	}
	made := false
	for _, e := range r.history {
		var ok bool
		switch {
		case e.Role == roleCheckpoint:
			return false
		case e.Kind == kindCall:
			made, ok = r.callKeeps(e, name, base, made)
		default:
			ok = textKeeps(e, base, made)
		}
		if !ok {
			return false
		}
	}
	return made
}

// callKeeps looks at one call. ok is false where it leaves a doubt.
func (r request) callKeeps(e entry, name, base string, made bool) (nowMade, ok bool) {
	if !mentions(*e.Arguments, base) {
		return made, true
	}
	past := r
	past.pending = action{Name: e.Name, Arguments: jsontext.Value(*e.Arguments)}
	past.facts.Created = nil
	a := effects.Analyze(effects.Call{Tool: e.Name, Arguments: past.pending.Arguments}, past.facts)
	run := past.commandOf(a)
	if !made {
		written := a.Decision == effects.Allow && e.Name == "write" && past.pending.given() && writesOnly(a, name)
		return written, written
	}
	if removes(a, name) {
		return made, run.text == "" || run.removesOneFile()
	}
	return made, a.Decision == effects.Allow && !slices.ContainsFunc(a.Effects, func(e effects.Effect) bool { return replacesFile(e, name, run.text != "") })
}

// writesOnly reports whether a call writes one file and does nothing else.
func writesOnly(a effects.Answer, name string) bool {
	return len(a.Effects) == 1 && a.Effects[0].Target == name && a.Effects[0].Kind == effects.Write
}

// removes reports whether a call deletes one file and does nothing else.
func removes(a effects.Answer, name string) bool {
	return len(a.Effects) == 1 && a.Effects[0].Target == name && a.Effects[0].Kind == effects.Delete
}

// replacesFile reports whether an effect may put another file in a file's place: a
// move, a change of the repository, whatever a program does that is run. To write
// into the file leaves it what it is.
func replacesFile(e effects.Effect, name string, command bool) bool {
	switch e.Kind {
	case effects.Read, effects.SecretRead:
		return false
	case effects.Write, effects.Create:
		return command && e.Target != name && !strings.HasPrefix(e.Target, "/dev/")
	default:
		return true
	}
}

// mentions looks for a name in arguments, in whichever spelling JSON has for it.
func mentions(arguments, base string) bool {
	texts, plain := leaves(jsontext.Value(arguments))
	if !plain {
		texts = append(texts, arguments)
	}
	for _, t := range texts {
		if strings.Contains(strings.ToLower(t), base) {
			return true
		}
	}
	return false
}

// textKeeps looks at one text that may speak of the file.
func textKeeps(e entry, base string, made bool) bool {
	text := strings.ToLower(e.text())
	if !strings.Contains(text, base) {
		return true
	}
	instructs := e.Role == roleHuman || e.Role == roleParent
	for _, s := range sentences(strings.ReplaceAll(text, base, string(markTarget))) {
		if !strings.ContainsRune(s, markTarget) {
			continue
		}
		switch {
		case holdsWord(s, wentWrong) || negated(s):
			return false
		case !made && !(instructs && holdsWord(s, toBeMade)):
			return false
		}
	}
	return true
}
