package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const maxWrappers = 16 // in front of one command

// call runs a simple command.
func (r *reader) call(call *syntax.CallExpr, s *syntax.Stmt, f frame, sc *scope) result {
	c := Command{Span: r.spanOf(s, f)}
	if len(call.Args) > 0 {
		if al := sc.alias(call.Args[0]); al != nil {
			r.aliased(al, call, s, f, sc)
		}
		c.Args = r.fields(call.Args, f, sc)
	}
	for _, a := range call.Assigns {
		c.Env = append(c.Env, r.assign(a, f, sc))
	}
	prints := r.redirects(s.Redirs, &c, f, sc)
	if len(c.Args) == 0 {
		for i, a := range call.Assigns {
			if a.Array != nil {
				r.array(a, c.Env[i], f, sc)
				continue
			}
			r.keep(a, c.Env[i], sc)
			defer r.runsLater(c.Env[i], f, sc)
		}
		if len(c.Env) > 0 || len(c.Redirects) > 0 || len(call.Args) > 0 {
			r.add(c, f, sc)
		}
		res := sc.succeeds()
		if len(c.Redirects) > 0 || substituted(call) {
			res = sc.ends()
		}
		res.known = f.output
		return res
	}
	if c.Stdin.Kind == StdinNone {
		c.Stdin = f.stdin
	}
	wanted := f.output
	f.output = f.output && prints
	res := r.launch(c, f, sc)
	if wanted && !prints {
		res.out, res.known = "", true
	}
	return res
}

// substituted reports whether an assignment has a command in it, which may fail.
func substituted(call *syntax.CallExpr) bool {
	for _, a := range call.Assigns {
		if a.Value != nil && len(a.Value.Parts) > 0 {
			if _, ok := a.Value.Parts[0].(*syntax.Lit); !ok || len(a.Value.Parts) > 1 {
				return true
			}
		}
	}
	return false
}

// add lists a command as the frame has it.
func (r *reader) add(c Command, f frame, sc *scope) int {
	c.Certain, c.Nested, c.Background, c.Remote = f.certain, f.nested, f.background, f.remote
	if c.Via == nil {
		c.Via = f.via
	}
	if len(f.env) > 0 {
		c.Env = append(append([]Assign(nil), f.env...), c.Env...)
	}
	c.Dirs, c.DirUnknown = sc.dirs.list, sc.dirs.unknown
	return r.list(c)
}

// assign is a variable and its value.
func (r *reader) assign(a *syntax.Assign, f frame, sc *scope) Assign {
	out := Assign{Span: f.src.span(a)}
	if sc.vars != nil && sc.vars.depth > maxBindings {
		r.tooComplex(out.Span)
	}
	if a.Name != nil {
		out.Name = a.Name.Value
	}
	if a.Index != nil {
		r.inside(a.Index, f, sc)
	}
	if a.Array != nil {
		out.Value = Word{Parts: r.one(Part{Unknown, f.src.words(a.Array)}), Span: f.src.span(a.Array)}
		for _, e := range a.Array.Elems {
			if e.Index != nil {
				r.inside(e.Index, f, sc)
			}
		}
		return out
	}
	if a.Value != nil {
		out.Value = r.single(a.Value, f, sc)
	}
	return out
}

// keep sets a variable of the shell.
func (r *reader) keep(a *syntax.Assign, v Assign, sc *scope) {
	switch {
	case v.Name == "" || a.Naked:
		return
	case a.Index != nil:
		sc.set(v.Name, anything)
		return
	case a.Append:
		old, ok := sc.lookup(v.Name)
		if !ok || old.maybe || old.array || a.Array != nil {
			sc.set(v.Name, anything)
			return
		}
		parts := append(append([]Part(nil), old.parts...), v.Value.Parts...)
		sc.set(v.Name, value{parts: merged(parts)})
		return
	}
	sc.set(v.Name, value{parts: v.Value.Parts})
}

// merged are parts of which no two literal ones stand side by side.
func merged(parts []Part) []Part {
	out := parts[:0]
	for _, p := range parts {
		if n := len(out); n > 0 && out[n-1].Kind == Literal && p.Kind == Literal && len(out[n-1].Text)+len(p.Text) <= maxValue {
			out[n-1].Text += p.Text
			continue
		}
		out = append(out, p)
	}
	return out
}

// launch runs a command, wrappers taken away.
func (r *reader) launch(c Command, f frame, sc *scope) result {
	shell := true // it is this shell that runs it, and no program that it starts
	for level := 0; !r.full; level++ {
		if level > maxWrappers {
			r.tooComplex(c.Span)
			break
		}
		if len(c.Args) > 1 && isText(c.Args[0], "!") && !c.Args[0].Quoted {
			c.Args = c.Args[1:] // behind time, where the parser takes it for a word
		}
		name, known := c.Args[0].Value()
		if !known {
			r.problem(DynamicProgram, rough(c.Args[0]), c.Args[0].Span)
			r.add(c, f, sc)
			return sc.ends()
		}
		if shell {
			if fn := sc.function(name); fn != nil && (len(c.Via) == 0 || c.Via[len(c.Via)-1].Name != "command") {
				return r.invoke(fn, c, f, sc)
			}
			if res, done := r.builtin(name, c, f, sc); done {
				return res
			}
		}
		if _, ok := wrappers[baseName(name)]; !ok {
			break
		}
		u, kind := unwrap(c.Args)
		if kind == strangeWrapper && isPrinted(c.Args) {
			u.script, kind = &c.Args[1], isWrapper
		}
		if kind != isWrapper {
			break
		}
		if done := r.unwrapped(&u, &c, &f, &sc); done {
			return sc.ends()
		}
		shell = shell && (u.name == "command" || u.name == "builtin" || u.name == "time")
		if len(c.Args) == 0 {
			break
		}
	}
	r.add(c, f, sc)
	res := sc.ends()
	if f.output && !r.full {
		res.out, res.known = r.prints(c, sc)
	}
	if r.cannotFail(c) {
		res.fail = nowhere
	}
	return res
}

// prints is what a command is known to print.
func (r *reader) prints(c Command, sc *scope) (string, bool) {
	if name, _ := c.Args[0].Value(); name == "pwd" {
		dir, ok := sc.here()
		return dir + "\n", ok && len(c.Args) == 1
	}
	name := baseName(rough(c.Args[0]))
	if name == "tee" && c.Stdin.Kind == StdinText {
		return c.Stdin.Text, true
	}
	if printers[name] == nil && (filters[name] == nil || c.Stdin.Kind != StdinText) {
		return "", false
	}
	out, known := output(c.Args, c.Stdin)
	return out, known && r.spend(len(out)/16, c.Span)
}

func (r *reader) cannotFail(c Command) bool {
	if len(c.Args) == 0 || len(c.Redirects) > 0 || len(c.Via) > 0 {
		return false
	}
	switch name, _ := c.Args[0].Value(); name {
	case "echo", "printf", "true", ":", "pwd":
		return true
	}
	return false
}

// unwrapped goes on from a wrapper to what it starts. It reports whether that is done
// with already, because it is a text.
func (r *reader) unwrapped(u *unwrapped, c *Command, f *frame, sc **scope) bool {
	if u.keeps {
		r.add(*c, *f, *sc)
	}
	outer := *c
	c.Via = append(append([]Wrapper(nil), orOuter(c.Via, f.via)...), Wrapper{u.name, c.Args[0].Span})
	c.Env = append(c.Env, u.env...)
	if u.remote != "" {
		f.remote = u.remote
	}
	if u.name == "find" || u.name == "fd" {
		f.certain = false
	}
	inner := **sc
	if u.dir != nil {
		inner.changeTo(*u.dir)
		*sc = &inner
	}
	if u.remote != "" {
		inner.dirs = dirset{unknown: true}
		*sc = &inner
	}
	switch {
	case u.text != nil:
		r.shellText(u, outer, *c, *f, *sc)
		return true
	case u.stdinText:
		r.shellInput(u, outer, *c, *f, *sc)
		return true
	case u.script != nil:
		r.scriptFile(u, outer, *f, *sc)
		return true
	case u.name == "find":
		r.foundBy(outer.Args, u, *c, *f, *sc)
		return true
	}
	c.Args = u.args
	if u.fromStdin || u.placeholder != "" {
		c.Args = r.given(u, c.Stdin)
	}
	return false
}

// baseName is a program's name without its folder.
func baseName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func orOuter(via, outer []Wrapper) []Wrapper {
	if via == nil {
		return outer
	}
	return via
}

// changeTo changes the folder to where a word leads.
func (sc *scope) changeTo(w Word) {
	if name, ok := w.Value(); ok {
		sc.dirs = sc.dirs.to(name)
	} else {
		sc.dirs.unknown = true
		sc.dirs.list = nil
	}
}
