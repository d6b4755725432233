package effects

import (
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/secrets"
	"github.com/docket-engine/docket/effects/shell"
)

// content judges what is written into a file: a shell script that would do what no
// command may, and the secrets in it.
func (a *analysis) content(name, argument, text string) {
	at := Span{Argument: argument, End: len(text)}
	if tokenShaped(text) {
		a.say("write-secret-text", at, "")
	}
	if !isShellScript(name, text) {
		return
	}
	if a.reading.depth >= maxScriptDepth {
		a.say("too-complex", at, name)
		return
	}
	facts := a.facts
	facts.Files = nil // what the script itself would run is looked at when it runs
	inner := newAnalysis(facts, a.programs)
	inner.source, inner.reading.depth = name, a.reading.depth+1
	inner.command(text)
	for _, f := range inner.answer().Findings {
		if ruleNamed(f.Rule).Guard {
			a.say("script-denied", at, f.Rule+" "+f.Words)
		}
	}
}

// isShellScript reports whether a file is one by its ending or its first line.
func isShellScript(name, text string) bool {
	switch path.Ext(asciiFold(name)) {
	case ".sh", ".bash", ".zsh", ".ksh":
		return true
	}
	first, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(first, "#!") && strings.HasSuffix(strings.TrimRight(first, " \r-eux"), "sh")
}

// tokenShaped reports whether a text holds a key or a token that is told by its shape.
// What only stands where a password would is none: source code is full of it.
func tokenShaped(text string) bool {
	spans, ok := secrets.Find(text)
	for i := range spans {
		switch spans[i].Kind {
		case secrets.Password, secrets.Credential, secrets.Cookie, secrets.Authorization:
		default:
			return true
		}
	}
	return !ok
}

// sends reports whether a text holds what must not leave the machine (seed 004): a
// key, a token, a header that has one, a place of keys.
func sends(text string) bool {
	if spans, ok := secrets.Find(text); len(spans) > 0 || !ok {
		return true
	}
	return len(text) < 4096 && marked(shell.Word{Parts: []shell.Part{{Text: text}}})
}
