package effects

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// Bounds of what is read of the files that a call would execute.
const (
	maxScriptSize  = 256 << 10
	maxScripts     = 32
	maxScriptDepth = 4
	maxScriptBytes = 1 << 20
)

// language is what a file or text is written in that is run.
type language int

const (
	shellCode language = iota
	pythonCode
	javaScript
	rubyCode
	perlCode
	phpCode
	awkCode
	otherCode // nobody here reads it
)

// reading is how much of other files was read so far.
type reading struct {
	bytes, depth int
	seen         []string
	looked       int // words that were compared with the names of files
}

// runs is a file that the command executes: it is read, and counts as if it stood in
// the call.
func (in *invocation) runs(w shell.Word, lang language) {
	in.touches(Execute, w)
	places := in.places(w)
	if in.DirUnknown && !path.IsAbs(w.Prefix()) {
		in.say("script-unknown", in.span(w.Span), wordText(w))
		return
	}
	for _, p := range places {
		if !p.whole {
			in.say("script-unknown", in.span(w.Span), wordText(w))
			return
		}
		origin, text := in.origin(p.path)
		switch origin {
		case downloaded:
			in.say("runs-download", in.span(w.Span), p.path)
			return
		case untouched:
			var ok bool
			if text, ok = in.load(p.path); !ok {
				in.say("script-unknown", in.span(w.Span), p.path)
				return
			}
		case unknownText:
			in.say("script-unknown", in.span(w.Span), p.path)
			return
		}
		for _, dir := range in.startDirs() {
			in.inside(p.path, dir, w.Span, func() { in.scriptText(p.path, text, lang) })
		}
	}
}

// startDirs are the folders that the command may be started in.
func (in *invocation) startDirs() []string {
	if len(in.Dirs) == 0 {
		return []string{""}
	}
	return in.Dirs
}

// ranFile is a program that is run by its path.
func (in *invocation) ranFile(string) {
	w := in.Args[0]
	for _, p := range in.places(w) {
		if known, ok := in.ofProject(p.path); ok {
			in.touches(Execute, w)
			in.explain(known)
			return
		}
	}
	in.runs(w, otherCode)
}

// toolFolders are folders of a project that its package programs fill.
var toolFolders = []string{"/node_modules/.bin/", "/.venv/bin/", "/venv/bin/", "/env/bin/", "/vendor/bin/", "/.tox/"}

// ofProject finds the program that a file of the project stands for: one of its own
// packages' programs, or the script that brings a build program along.
func (in *invocation) ofProject(name string) (program, bool) {
	if in.paths.area(name) != inWorkspace {
		return program{}, false
	}
	if how, _ := in.origin(name); how != untouched {
		return program{}, false
	}
	switch path.Base(name) {
	case "gradlew":
		return in.programs["gradle"], true
	case "mvnw":
		return in.programs["mvn"], true
	}
	for _, folder := range toolFolders {
		if strings.Contains(name, folder) {
			p, ok := in.programs[path.Base(name)]
			return p, ok
		}
	}
	return program{}, false
}

// scriptText analyses a script's text in its language.
func (in *invocation) scriptText(name, text string, lang language) {
	if lang == otherCode {
		lang = languageOf(name, text)
	}
	switch lang {
	case shellCode:
		in.command(text)
	case otherCode:
		in.say("script-not-understood", in.span(shell.Span{}), name)
	default:
		in.code(lang, text, shell.Span{End: len(text)}, true)
	}
}

// inside has f work in a file that the command runs in a folder: its spans are in the
// file.
func (in *invocation) inside(name, dir string, at shell.Span, f func()) {
	a := in.analysis
	dir = in.absolute(dir)
	key := name + "\x00" + dir
	if slices.Contains(a.reading.seen, key) {
		return
	}
	if a.reading.depth >= maxScriptDepth || len(a.reading.seen) >= maxScripts {
		a.say("too-complex", in.span(at), name)
		return
	}
	source, within, start := a.source, a.within, a.facts.Dir
	if a.source == "" {
		a.within = in.span(at)
	}
	a.reading.depth++
	a.reading.seen = append(a.reading.seen, key)
	a.source, a.facts.Dir = name, dir
	f()
	a.reading.depth--
	a.source, a.within, a.facts.Dir = source, within, start
}

// load reads a file that would be executed, and notes what was read of it.
func (a *analysis) load(name string) (string, bool) {
	if a.facts.Files == nil || len(a.files) >= maxScripts {
		return "", false
	}
	limit := min(maxScriptSize, maxScriptBytes-a.reading.bytes)
	if limit <= 0 {
		return "", false
	}
	if stat, err := a.facts.Files.Lstat(name); err != nil || !stat.Mode().IsRegular() {
		return "", false
	}
	text, err := a.facts.Files.ReadFile(name, int64(limit))
	if err != nil {
		return "", false
	}
	for _, f := range a.files {
		if f.Path == name {
			return string(text), true
		}
	}
	a.reading.bytes += len(text)
	sum := sha256.Sum256(text)
	a.files = append(a.files, File{Path: name, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(text))})
	return string(text), true
}

// languageOf tells a script's by its first line, or by its name's ending.
func languageOf(name, text string) language {
	if strings.IndexByte(text, 0) >= 0 {
		return otherCode
	}
	if line, ok := strings.CutPrefix(text, "#!"); ok {
		line, _, _ = strings.Cut(line, "\n")
		for w := range strings.FieldsSeq(line) {
			b := path.Base(w)
			if b == "env" || strings.HasPrefix(b, "-") {
				continue
			}
			return interpreterLanguage(b)
		}
		return otherCode
	}
	switch path.Ext(name) {
	case ".py":
		return pythonCode
	case ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx":
		return javaScript
	case ".rb":
		return rubyCode
	case ".pl", ".pm":
		return perlCode
	case ".php":
		return phpCode
	case ".awk":
		return awkCode
	default:
		return shellCode // as a shell does
	}
}

func interpreterLanguage(program string) language {
	program = strings.TrimRight(program, "0123456789.")
	switch program {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "mksh":
		return shellCode
	case "python", "pypy":
		return pythonCode
	case "node", "nodejs", "deno", "bun", "tsx", "ts-node":
		return javaScript
	case "ruby":
		return rubyCode
	case "perl":
		return perlCode
	case "php":
		return phpCode
	case "awk", "gawk", "mawk", "nawk":
		return awkCode
	}
	return otherCode
}
