package offline

import (
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
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
	a, known := shippedArguments(e.Name, []byte(*e.Arguments))
	if known && a.Path != nil && resolve(r.cwd, *a.Path) == name {
		return made || e.Name == "write", made || e.Name == "write"
	}
	if !mentions(*e.Arguments, base) {
		return made, true
	}
	if !made || !known {
		return made, false
	}
	if a.Path != nil {
		return made, true // a file of the same name elsewhere, or a text about it
	}
	s, err := parseShell(*a.Command)
	if err != nil {
		return made, false
	}
	if _, recursive, removes := s.removal(); removes {
		return made, !recursive
	}
	rule, _ := s.harmless(r.cwd)
	return made, rule == ""
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
