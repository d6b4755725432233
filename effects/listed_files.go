package effects

import (
	"path"
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// listedFiles are what a word stands for that xargs puts in: the files which another
// command lists, as far as it is known where it looks for them. A word that is none of
// these stands for itself.
func (in *invocation) listedFiles(w shell.Word) []shell.Word {
	if len(w.Parts) != 1 || w.Parts[0].Kind != shell.Unknown || in.script == nil {
		return []shell.Word{w}
	}
	var lister *shell.Command
	switch text := w.Parts[0].Text; {
	case text == "{}" && in.piped():
		lister = in.lister(in.Stdin)
	case strings.HasPrefix(text, "$(") && w.Many && !strings.ContainsAny(text[2:], "$`;&<>\n"):
		lister = in.listerIn(w.Span)
	}
	if lister == nil || len(lister.Dirs) > 1 || lister.DirUnknown || !slices.Equal(lister.Dirs, in.Dirs) {
		return []shell.Word{w}
	}
	other := invocation{analysis: in.analysis, script: in.script, Command: lister, args: lister.Args[1:]}
	roots, name, ok := other.lists()
	if !ok {
		return []shell.Word{w}
	}
	words := make([]shell.Word, 0, len(roots))
	for _, root := range roots {
		text, known := root.Value()
		if !known {
			return []shell.Word{w}
		}
		w.Parts, w.Many = []shell.Part{{Text: path.Clean(text) + "/"}, {Kind: shell.Glob, Text: "*" + name}}, false
		words = append(words, w)
	}
	return words
}

// listerIn is the command that the names come from in a substitution.
func (in *invocation) listerIn(at shell.Span) *shell.Command {
	last := -1
	for i := range in.script.Commands {
		if c := &in.script.Commands[i]; c.Nested && c.Span.Start > at.Start && c.Span.End < at.End {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	return in.lister(shell.Stdin{Kind: shell.StdinPipe, From: []int{last}})
}

// lister is the command that the names come from, through such as only leave some of
// them out.
func (in *invocation) lister(s shell.Stdin) *shell.Command {
	for range 8 {
		if s.Kind != shell.StdinPipe || len(s.From) != 1 || s.From[0] < 0 || s.From[0] >= len(in.script.Commands) {
			return nil
		}
		c := &in.script.Commands[s.From[0]]
		if len(c.Args) == 0 || len(c.Via) > 0 {
			return nil
		}
		program, _ := c.Args[0].Value()
		if !passes(base(program), c.Args[1:]) {
			return c
		}
		s = c.Stdin
	}
	return nil
}

// passes reports whether a program gives some of the lines that it gets, as they are.
func passes(program string, args []shell.Word) bool {
	switch program {
	case "grep", "egrep", "fgrep":
		o := spec{short: "vEFPiwxe:m:", numbers: true}.read(args)
		return o.strange == nil && len(o.operands) <= 1
	case "sort", "head", "tail", "uniq":
		o := spec{short: "urnVzif:", long: "unique reverse", numbers: true}.read(args)
		return o.strange == nil && len(o.operands) == 0 || program != "sort" && len(args) == 2 && !strings.Contains(args[1].Prefix(), "/")
	}
	return false
}

// lists says in which folders a command looks for files to list, and how their names
// end.
func (in *invocation) lists() (roots []shell.Word, name string, ok bool) {
	here := []shell.Word{{Parts: []shell.Part{{Text: "."}}}}
	switch program := in.program(); program {
	case "find":
		return in.findLists(here)
	case "git":
		switch verb, _ := first(in.args); verb {
		case "ls-files", "diff", "grep", "show":
			for _, w := range in.args[1:] {
				if text, known := w.Value(); !known || strings.HasPrefix(text, "--format") || strings.HasPrefix(text, "--pretty") || strings.HasPrefix(text, "..") || strings.HasPrefix(text, "/") {
					return nil, "", false
				}
			}
			return here, ending(in.args), true
		}
	case "rg", "grep", "egrep", "fgrep", "fd", "ls":
		o := spec{short: "rRlniEFwsve:g:t:HP0a1S", long: "files files-with-matches include= exclude-dir= exclude= glob= type= hidden recursive null ignore-case"}.read(in.args)
		if !o.understood() || program != "ls" && program != "fd" && !o.has("l", "files-with-matches", "files") {
			return nil, "", false
		}
		words := o.operands
		if program != "ls" && !o.has("files", "e") && len(words) > 0 {
			words = words[1:]
		}
		if len(words) == 0 {
			words = here
		}
		return words, ending(in.args), true
	}
	return nil, "", false
}

func (in *invocation) findLists(roots []shell.Word) ([]shell.Word, string, bool) {
	var named []shell.Word
	names, name := 0, ""
	begun := false
	for i, w := range in.args {
		text, ok := w.Value()
		begun = begun || strings.HasPrefix(w.Prefix(), "-") || text == "(" || text == "!"
		switch {
		case !ok:
			return nil, "", false
		case !begun:
			named = append(named, w)
		case text == "-printf", text == "-exec", text == "-execdir", text == "-fprintf", text == "-ls", text == "-ok":
			return nil, "", false
		case text == "-o", text == "-or", text == "!", text == "-not":
			names += 2
		case text == "-name" && i+1 < len(in.args):
			names++
			name, _ = in.args[i+1].Value()
		}
	}
	if names != 1 {
		name = ""
	}
	if len(named) > 0 {
		roots = named
	}
	return roots, strings.TrimLeft(name, "*"), true
}

// ending is how all the names end that a pattern among words stands for: "*.go".
func ending(words []shell.Word) string {
	found := ""
	for _, w := range words {
		text, _ := w.Value()
		text = strings.TrimPrefix(text, "--include=")
		if rest, ok := strings.CutPrefix(text, "*"); ok && rest != "" && !strings.ContainsAny(rest, "*?[/") {
			if found != "" && found != rest {
				return ""
			}
			found = rest
		}
	}
	return found
}
