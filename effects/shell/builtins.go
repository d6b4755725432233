package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// invoke runs a function.
func (r *reader) invoke(fn *function, c Command, f frame, sc *scope) result {
	for a := f.calls; a != nil; a = a.outer {
		if a.name == fn.name {
			r.tooComplex(c.Span) // one that calls itself
			return sc.ends()
		}
	}
	if f.depth++; f.depth > maxDepth {
		r.tooComplex(c.Span)
		return sc.ends()
	}
	if len(c.Redirects) > 0 {
		r.add(Command{Redirects: c.Redirects, Span: c.Span}, f, sc)
	}
	inner := *sc
	inner.params, inner.known = c.Args[1:], true
	for _, a := range c.Env {
		inner.set(a.Name, value{parts: a.Value.Parts})
	}
	f.env = append(append([]Assign(nil), f.env...), c.Env...)
	f.calls = &activation{fn.name, f.calls}
	f.src, f.stdin, f.nested = fn.src, c.Stdin, true
	res := r.stmt(fn.body, f, &inner)
	sc.vars, sc.funcs, sc.aliases, sc.stack = inner.vars, inner.funcs, inner.aliases, inner.stack
	if res.ok.none && res.fail.none { // it returned
		res.ok, res.fail = inner.dirs, inner.dirs
	}
	return res
}

// builtin runs what the shell does itself, if it matters for what is run later. done
// says that the command is listed.
func (r *reader) builtin(name string, c Command, f frame, sc *scope) (res result, done bool) {
	switch name {
	case "cd", "chdir", "pushd", "popd":
		r.add(c, f, sc)
		return r.changes(name, c.Args[1:], sc), true
	case "exit", "return", "break", "continue":
		r.add(c, f, sc)
		return result{ok: nowhere, fail: nowhere}, true
	case "eval":
		return r.eval(c, f, sc), true
	case "source", ".":
		r.add(c, f, sc)
		return r.sourced(c, f, sc), true
	case "trap":
		r.add(c, f, sc)
		r.trap(c.Args[1:], f, sc)
	case "alias":
		r.add(c, f, sc)
		r.alias(c.Args[1:], sc)
	case "set":
		r.add(c, f, sc)
		r.options(c.Args[1:], sc)
	case "shift":
		r.add(c, f, sc)
		r.shift(c.Args[1:], sc)
	case "read", "mapfile", "readarray", "getopts", "unset", "export", "readonly", "local", "declare", "typeset", "let", "test", "[", "printf":
		if name == "printf" && (len(c.Args) < 2 || !startsWith(c.Args[1], "-v")) {
			return res, false
		}
		r.add(c, f, sc)
		r.variables(name, c.Args[1:], f, sc)
	default:
		return res, false
	}
	return sc.ends(), true
}

func startsWith(w Word, prefix string) bool { return strings.HasPrefix(w.Prefix(), prefix) }

// changes is cd and its like.
func (r *reader) changes(name string, args []Word, sc *scope) result {
	before := sc.dirs
	res := result{ok: before, fail: before}
	for len(args) > 0 {
		if text, ok := args[0].Value(); !ok || len(text) < 2 || text[0] != '-' {
			break
		}
		args = args[1:]
	}
	switch {
	case name == "popd":
		if sc.stack != nil && len(args) == 0 {
			res.ok = *sc.stack
			sc.stack = nil
		} else {
			res.ok = dirset{unknown: true}
		}
		return res
	case len(args) == 0 && name != "pushd":
		b := builder{reader: r, scope: sc}
		if home, ok := b.home(); ok {
			res.ok = dirset{list: []string{home}}
		} else {
			res.ok = dirset{unknown: true}
		}
		return res
	case len(args) == 0:
		res.ok = dirset{unknown: true}
		return res
	}
	if name == "pushd" {
		sc.stack = &before
	}
	text, ok := args[0].Value()
	cdpath, set := sc.lookup("CDPATH")
	switch {
	case !ok || text == "-" || strings.HasPrefix(text, "+"),
		set && !cdpath.unset && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "."):
		res.ok = dirset{unknown: true}
	default:
		res.ok = before.to(text)
		if text == "." || text == "/" {
			res.fail = nowhere
		}
	}
	return res
}

// eval runs its words as a text, in this shell.
func (r *reader) eval(c Command, f frame, sc *scope) result {
	if len(c.Redirects) > 0 {
		r.add(Command{Redirects: c.Redirects, Span: c.Span}, f, sc)
	}
	args := c.Args[1:]
	if len(args) > 0 && isText(args[0], "--") {
		args = args[1:]
	}
	if len(args) == 0 {
		return sc.succeeds()
	}
	w := args[0]
	if len(args) > 1 {
		w = joined(args)
		w.Span = Span{args[0].Span.Start, args[len(args)-1].Span.End}
	}
	outer, before := c, f
	f.via = append(append([]Wrapper(nil), orOuter(c.Via, f.via)...), Wrapper{"eval", c.Args[0].Span})
	f.stdin = c.Stdin
	f.depth++
	f.nested = true
	text, known := w.Value()
	if !known {
		r.problem(DynamicCode, rough(w), w.Span)
		r.attemptWord(w, f, sc)
		r.add(outer, before, sc)
		r.forget(sc)
		return sc.ends()
	}
	return r.source(r.locate(text, w.Span), f, sc)
}

// forget is for a text that was run without being known: it may have set variables,
// defined functions, and changed the folder.
func (r *reader) forget(sc *scope) {
	sc.dirs.unknown = true
	seen := 0
	for b := sc.vars; b != nil && seen < 1024; b = b.next {
		seen++
		if v, _ := sc.lookup(b.name); !v.maybe {
			sc.set(b.name, anything)
		}
	}
	sc.params, sc.known = nil, false
}

// sourced is for a file that is run in this shell.
func (r *reader) sourced(c Command, f frame, sc *scope) result {
	if len(c.Args) > 1 {
		if w := c.Args[1]; len(w.Parts) == 1 && strings.HasPrefix(w.Parts[0].Text, "<(") {
			r.printed(w, f, sc)
		} else if isDevice(w) {
			switch c.Stdin.Kind {
			case StdinText:
				f.depth++
				f.nested = true
				r.source(r.locate(c.Stdin.Text, c.Stdin.Span), f, sc)
			case StdinUnknown:
				r.problem(DynamicCode, c.Stdin.Text, c.Stdin.Span)
			}
		}
	}
	if len(c.Args) < 2 || !activates(c.Args[1]) {
		r.forget(sc)
	}
	return sc.ends()
}

// activates reports whether a file is the one by which a Python environment is
// entered: it changes where programs are looked for, and no folder. Whether the file
// is what its name says is for the rules to judge.
func activates(w Word) bool {
	text, ok := w.Value()
	return ok && (strings.HasSuffix(text, "venv/bin/activate") || strings.HasSuffix(text, "/env/bin/activate"))
}

// trap runs a text later.
func (r *reader) trap(args []Word, f frame, sc *scope) {
	for len(args) > 0 && isText(args[0], "--") {
		args = args[1:]
	}
	if len(args) < 2 || isText(args[0], "-") || isText(args[0], "-p") || isText(args[0], "-l") {
		return
	}
	if name, ok := args[0].Value(); ok && name == "" {
		return
	}
	inner := *sc
	inner.dirs.unknown = true
	f.certain = false
	f.stdin = Stdin{}
	f.via = append(append([]Wrapper(nil), f.via...), Wrapper{"trap", args[0].Span})
	r.text(args[0], f, &inner)
}

// alias defines names for texts.
func (r *reader) alias(args []Word, sc *scope) {
	for _, w := range args {
		if a, ok := assignment(w); ok {
			sc.aliases = &alias{a.Name, a.Value, sc.aliases}
		}
	}
}

// alias is the one that a command's first word is, if it is unquoted.
func (sc *scope) alias(w *syntax.Word) *alias {
	if sc.aliases == nil {
		return nil
	}
	name := w.Lit()
	for a := sc.aliases; a != nil; a = a.next {
		if a.name == name && name != "" {
			return a
		}
	}
	return nil
}

// aliased runs what an alias stands for. Not every shell takes it in the text that
// defines it, so that the word itself is run as well.
func (r *reader) aliased(al *alias, call *syntax.CallExpr, s *syntax.Stmt, f frame, sc *scope) {
	text, known := al.text.Value()
	if !known {
		r.problem(DynamicCode, rough(al.text), al.text.Span)
		return
	}
	inner := *sc
	inner.aliases = nil
	f.certain, f.nested, f.output = false, true, false
	if f.depth++; f.depth > maxDepth || tooDeep(text) {
		r.tooComplex(f.src.whole)
		return
	}
	rest := ""
	if len(call.Args) > 1 {
		start, end := int(call.Args[1].Pos().Offset()), int(s.End().Offset())
		if start <= end && end <= len(f.src.text) {
			rest = " " + strings.TrimRight(f.src.text[start:end], ";&")
		}
	}
	if len(text)+len(rest) > maxValue {
		r.tooComplex(f.src.whole)
		return
	}
	at := r.spanOf(s, f)
	r.source(&source{text: text + rest, whole: at}, f, &inner)
}
