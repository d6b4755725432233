package effects

import (
	"path"
	"strings"

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
	inner := newAnalysis(a.facts, a.programs)
	inner.source = name
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

// tokenBeginnings are how the tokens of well-known services begin.
var tokenBeginnings = []string{"sk-", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "xoxb-", "xoxp-", "xoxa-", "glpat-", "AKIA", "ASIA", "AIza", "npm_", "sk_live_", "rk_live_", "hvs."}

// tokenShaped reports whether a text holds a private key or a token of a shape that
// is well known.
func tokenShaped(text string) bool {
	if strings.Contains(text, "PRIVATE KEY-----") {
		return true
	}
	for _, begin := range tokenBeginnings {
		for rest := text; ; {
			i := strings.Index(rest, begin)
			if i < 0 {
				break
			}
			fresh := i == 0 || !isWordByte(rest[i-1]) && rest[i-1] != '-'
			rest = rest[i+len(begin):]
			if fresh && tokenLength(rest) >= 12 {
				return true
			}
		}
	}
	return false
}

func tokenLength(text string) int {
	n := 0
	for n < len(text) && (isWordByte(text[n]) || text[n] == '-') {
		n++
	}
	return n
}

// sends reports whether a text holds what must not leave the machine (seed 004): a
// key, a token, a header that has one, a place of keys.
func sends(text string) bool {
	if tokenShaped(text) {
		return true
	}
	if i := indexFold(text, "bearer "); i >= 0 && tokenLength(text[i+len("bearer "):]) >= 8 {
		return true
	}
	return marked(shell.Word{Parts: []shell.Part{{Text: text}}}) && len(text) < 4096
}
