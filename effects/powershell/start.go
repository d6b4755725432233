package powershell

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// startProcess is the program that it starts, with its arguments.
func (r *reader) startProcess(c shell.Command, start int) bool {
	args := c.Args[1:]
	program, ok := value(args, "FilePath")
	rest := positional(args, "wait nonewwindow passthru usenewenvironment loaduserprofile ")
	if !ok && len(rest) > 0 {
		program, rest, ok = rest[0], rest[1:], true
	}
	if !ok {
		return false
	}
	words := []shell.Word{program}
	for i, a := range args {
		if strings.EqualFold(a.Prefix(), "-ArgumentList") {
			for _, w := range args[i+1:] {
				if p := w.Prefix(); len(p) > 1 && p[0] == '-' && isParameter("Start-Process", p) && !w.Quoted {
					break
				}
				words = append(words, split(w)...)
			}
		}
	}
	if len(words) == 1 {
		for _, w := range rest {
			words = append(words, split(w)...)
		}
	}
	inner := *r
	inner.via = append(append([]shell.Wrapper(nil), r.via...), shell.Wrapper{Name: "start-process", Span: c.Span})
	if verb, has := value(args, "Verb"); has {
		v, _ := verb.Value()
		inner.via = append(inner.via, shell.Wrapper{Name: strings.ToLower(v), Span: c.Span})
		if v == "" {
			r.problem(shell.DynamicProgram, "-Verb", start)
		}
	}
	inner.rerun(words, shell.Command{Stdin: c.Stdin, Redirects: c.Redirects, Span: c.Span}, start)
	return true
}

// split parts a known text at its spaces, as the program will.
func split(w shell.Word) []shell.Word {
	t, ok := w.Value()
	if !ok || !strings.Contains(t, " ") || strings.Contains(t, `"`) {
		return []shell.Word{w}
	}
	var all []shell.Word
	for f := range strings.FieldsSeq(t) {
		all = append(all, text(f, w.Span))
	}
	return all
}

// each is ForEach-Object and Where-Object: their blocks were read where they stand, and
// a member's name is called on each object.
func (r *reader) each(args []shell.Word, start int) bool {
	for i, a := range args {
		t, ok := a.Value()
		switch {
		case !ok && len(a.Parts) > 0 && strings.HasPrefix(a.Parts[0].Text, "{"):
		case ok && len(t) > 1 && t[0] == '-' && !strings.EqualFold(t, "-MemberName"):
			return true // an operator of Where-Object, or an option
		case ok && i == 0 || i > 0 && strings.EqualFold(args[i-1].Prefix(), "-MemberName"):
			if low := strings.ToLower(t); !harmlessMethods[low] && (destructive[low] || len(args) > i+1) {
				words := append([]shell.Word{text("."+low, a.Span)}, args[i+1:]...)
				r.add(shell.Command{Args: words, Span: r.span(start, r.pos)})
			}
			return true
		case !ok:
			r.problem(shell.DynamicCode, a.Prefix(), start)
		}
	}
	return true
}

// destructive are members that do something when each object is asked for them.
var destructive = set("delete kill stop moveto copyto remove invoke close start terminate create replace")

func (r *reader) alias(args []shell.Word, start int) bool {
	rest := positional(args, "force passthru ")
	name, has := value(args, "Name")
	if !has && len(rest) > 0 {
		name, rest = rest[0], rest[1:]
	}
	to, has := value(args, "Value")
	if !has && len(rest) > 0 {
		to = rest[0]
	}
	n, ok := name.Value()
	v, known := to.Value()
	if !ok || !known || n == "" || v == "" {
		r.problem(shell.DynamicProgram, "Set-Alias", start)
		return false
	}
	if r.loose {
		r.problem(shell.DynamicProgram, n, start)
	}
	r.shared.aliases[strings.ToLower(n)] = strings.ToLower(v)
	return true
}

// changeDir notes that commands may stand in another folder from here on; it may fail.
func (r *reader) changeDir(args []shell.Word) {
	to, has := value(args, "Path")
	if !has {
		to, has = value(args, "LiteralPath")
	}
	if rest := positional(args, "passthru "); !has && len(rest) > 0 {
		to, has = rest[0], true
	}
	t, known := to.Value()
	if !has || !known || t == "-" || t == "+" || len(r.shared.dirs) >= 8 {
		r.shared.lost = true
		return
	}
	t = strings.ReplaceAll(t, `\`, "/")
	dirs := append([]string(nil), r.shared.dirs...)
	if strings.HasPrefix(t, "/") || len(t) > 1 && t[1] == ':' {
		r.shared.dirs = append(dirs, t)
		return
	}
	for _, d := range r.shared.dirs {
		if d == "" {
			dirs = append(dirs, t)
		} else {
			dirs = append(dirs, d+"/"+t)
		}
	}
	r.shared.dirs = dirs
}
