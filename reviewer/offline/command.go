package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/effects/shell"
	"github.com/docket-engine/docket/reviewer/offline/speech"
)

// maxWordsOf bounds the words of a command that an instruction may name: nobody means
// a longer one to be judged by its words.
const maxWordsOf = 64

// command is what a call gives a shell to run.
type command struct {
	text     string // "" for a call that runs none
	argument string // the member that it stands in
	script   shell.Script
}

// commandOf is the command of the pending call, if the analysis read one in it.
func (r request) commandOf(a effects.Answer) command {
	for _, name := range []string{"command", "cmd", "CommandLine"} {
		read := func(s effects.Span) bool { return s.Argument == name }
		if !slices.ContainsFunc(a.Findings, func(f effects.Finding) bool { return read(f.Span) }) &&
			!slices.ContainsFunc(a.Effects, func(e effects.Effect) bool { return read(e.Span) }) {
			continue
		}
		var given map[string]jsontext.Value
		var text string
		if json.Unmarshal(r.pending.Arguments, &given) != nil || json.Unmarshal(given[name], &text) != nil {
			continue
		}
		return command{text: text, argument: name, script: shell.Read(text, shell.Env{Home: r.facts.Home, Dir: r.cwd})}
	}
	return command{}
}

// open reports whether a command shows all that it runs: literal words and patterns,
// nothing that is expanded, decoded or started by another text.
func (c command) open() bool {
	if c.text == "" || len(c.script.Problems) > 0 || len(c.script.Commands) == 0 || expands(c.text) {
		return false
	}
	words := 0
	for _, cmd := range c.script.Commands {
		words += len(cmd.Args) + len(cmd.Env) + len(cmd.Redirects)
		if cmd.Nested || cmd.Remote != "" || cmd.Stdin.Kind == shell.StdinUnknown || slices.ContainsFunc(cmd.Args, hidden) {
			return false
		}
		for _, a := range cmd.Env {
			if hidden(a.Value) {
				return false
			}
		}
		for _, to := range cmd.Redirects {
			if hidden(to.Target) {
				return false
			}
		}
	}
	return words <= maxWordsOf
}

// literal reports whether a command shows all that it runs, and no pattern: what of it may
// not happen is only what waits for another command.
func (c command) literal() bool { return c.open() && !strings.ContainsAny(c.text, "*?[{") }

// hidden reports whether a part of a word is not what stands there.
func hidden(w shell.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p shell.Part) bool { return p.Kind == shell.Unknown })
}

// expands reports whether a text has a dollar or a backquote that its shell could
// expand: one outside of single quotes.
func expands(text string) bool {
	single, double := false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' && !double:
			single = !single
		case single:
		case c == '"':
			double = !double
		case c == '$' || c == '`':
			return true
		case c == '\\':
			return true // hides a quote, or a letter
		case c == '<' || c == '>':
			if i+1 < len(text) && text[i+1] == '(' {
				return true
			}
		}
	}
	return false
}

// alone is the one command that a text is made of, by itself: no wrapper, variable,
// redirection or input, and words that are known letter by letter.
func (c command) alone() ([]string, bool) {
	if !c.open() || len(c.script.Commands) != 1 {
		return nil, false
	}
	cmd := c.script.Commands[0]
	if len(cmd.Via)+len(cmd.Env)+len(cmd.Redirects) > 0 || cmd.Stdin.Kind != shell.StdinNone || cmd.Background || !cmd.Certain || len(cmd.Args) == 0 {
		return nil, false
	}
	words := make([]string, 0, len(cmd.Args))
	for _, w := range cmd.Args {
		text, known := w.Value()
		if !known || text == "" {
			return nil, false
		}
		words = append(words, text)
	}
	return words, true
}

// removesOneFile reports whether a command is a removal that takes no folder: rm
// without -r, or unlink, of one name.
func (c command) removesOneFile() bool {
	words, ok := c.alone()
	if !ok {
		return false
	}
	rest := slices.DeleteFunc(words[1:], func(w string) bool { return w == "-f" || w == "-v" || w == "--force" || w == "--" })
	return (words[0] == "rm" || words[0] == "unlink") && len(rest) == 1 && !strings.HasPrefix(rest[0], "-")
}

// significant are the distinct words of a command that are neither options nor short:
// what a person would call it by, in their language.
func (c command) significant() []string {
	var out []string
	add := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	for _, cmd := range c.script.Commands[:min(len(c.script.Commands), maxWordsOf)] {
		for i, w := range cmd.Args[:min(len(cmd.Args), 4)] {
			text := w.Prefix()
			if i == 0 {
				text = path.Base(text)
			}
			if text == "" || text == "." || strings.HasPrefix(text, "-") || len(text) < 3 && i > 0 {
				continue
			}
			add(text)
		}
		for _, via := range cmd.Via {
			add(via.Name)
		}
	}
	return out
}

// kinds are the actions that a command is by the names of its program and operation.
func (c command) kinds() []class {
	var out []class
	for _, cmd := range c.script.Commands[:min(len(c.script.Commands), maxWordsOf)] {
		for i, w := range cmd.Args[:min(len(cmd.Args), 4)] {
			text := w.Prefix()
			if i == 0 {
				text = path.Base(text)
			}
			if k, ok := kindOfWord(text); ok && !(k == installing && cmd.Args[0].Prefix() == "git") && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// kindOfWord is the action that a word of a command stands for.
func kindOfWord(w string) (class, bool) {
	switch w {
	case "commit", "stash", "tag", "cherry-pick", "revert":
		return committing, true
	case "checkout", "switch", "branch", "worktree":
		return speech.Branching, true
	case "push":
		return pushing, true
	case "merge":
		return merging, true
	case "rebase":
		return rebasing, true
	case "install", "add", "i":
		return installing, true
	case "test", "pytest", "jest", "vitest", "unittest", "tests", "tox", "rspec", "check", "vet":
		return speech.Testing, true
	case "build", "make", "tsc", "compile":
		return speech.Building, true
	case "deploy":
		return speech.Deploying, true
	case "publish":
		return publishing, true
	case "migrate":
		return operating, true
	default:
		return 0, false
	}
}

// named are the files that the words of a command may stand for, from the root.
func (c command) named(cwd string) []string {
	var out []string
	for _, cmd := range c.script.Commands[:min(len(c.script.Commands), maxWordsOf)] {
		for _, w := range cmd.Args[min(len(cmd.Args), 1):] {
			text, known := w.Value()
			if known && text != "" && !strings.HasPrefix(text, "-") && path.Ext(text)+path.Base(text) != text && len(out) < maxWordsOf {
				out = append(out, resolve(cwd, text))
			}
		}
	}
	return out
}
