package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// commandLine is a line of this program for a person to paste into a shell, with what
// leads to the store that is in use. Every word is one word to the shell, whatever is
// in it, and no word behind the flags is taken for one.
func (a *app) commandLine(command, flags []string, words ...string) string {
	line := append([]string{"engine"}, command...)
	for _, w := range slices.Concat(a.place(), flags) {
		line = append(line, shellWord(w))
	}
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }) {
		line = append(line, "--")
	}
	for _, w := range words {
		line = append(line, shellWord(w))
	}
	return strings.Join(line, " ")
}

// place are the flags that lead to the store in use; none where that is the one that
// is found without any.
func (a *app) place() []string {
	var flags []string
	if a.dir != "" && a.dir != a.stateDir() {
		dir := a.dir
		if whole, err := filepath.Abs(dir); err == nil {
			dir = whole
		}
		flags = append(flags, "--dir", dir)
	}
	for _, f := range []struct{ name, value string }{{"--nats", a.nats}, {"--creds", a.creds}, {"--context", a.context}} {
		if f.value != "" {
			flags = append(flags, f.name, f.value)
		}
	}
	return flags
}

// plainWord are the characters that no shell gives a meaning, in a word that begins
// with none of its own.
const plainWord = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+,"

// shellWord writes a text as one word of a POSIX shell.
func shellWord(text string) string {
	if text != "" && strings.Trim(text, plainWord) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
