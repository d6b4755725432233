package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// declare is export, declare, local and readonly with the variables behind them, which
// a shell reads as assignments.
func (r *reader) declare(d *syntax.DeclClause, s *syntax.Stmt, f frame, sc *scope) result {
	c := Command{Span: r.spanOf(s, f)}
	name := d.Variant.Value
	c.Args = append(c.Args, Word{Parts: r.one(Part{Text: name}), Span: f.src.span(d.Variant)})
	exports, integer, reference := name == "export", false, false
	for _, a := range d.Args {
		if r.full || len(c.Args) > maxWords {
			r.tooComplex(c.Span)
			break
		}
		if a.Name == nil || a.Naked && a.Value != nil {
			w := r.single(a.Value, f, sc)
			c.Args = append(c.Args, w)
			if text, _ := w.Value(); strings.HasPrefix(text, "-") {
				exports = exports || strings.Contains(text, "x")
				integer = integer || strings.Contains(text, "i")
				reference = reference || strings.Contains(text, "n")
			}
			continue
		}
		v := r.assign(a, f, sc)
		switch {
		case a.Naked:
		case integer:
			r.variableCode(rough(v.Value), v.Span, f, sc)
			sc.set(v.Name, anything)
		case a.Array != nil:
			r.array(a, v, f, sc)
		default:
			r.keep(a, v, sc)
			r.runsLater(v, f, sc)
		}
		if reference {
			sc.set(v.Name, anything)
		}
		if exports {
			sc.exportName(v.Name)
		}
		c.Args = append(c.Args, declared(r, a, v))
	}
	prints := r.redirects(s.Redirs, &c, f, sc)
	r.add(c, f, sc)
	res := sc.ends()
	res.known = f.output && prints && len(d.Args) > 0
	return res
}

// runsLater runs what a variable has the shell run by itself.
func (r *reader) runsLater(v Assign, f frame, sc *scope) {
	inner := *sc
	f.certain, f.stdin = false, Stdin{}
	switch v.Name {
	case "PROMPT_COMMAND":
		f.via = append(append([]Wrapper(nil), f.via...), Wrapper{v.Name, v.Span})
		r.text(v.Value, f, &inner)
	case "PS0", "PS1", "PS2", "PS4":
		if text := rough(v.Value); substitutesIn(text) {
			r.again(text, v.Span, f, &inner)
		}
	}
}

// declared is the word that an assignment is for a command.
func declared(r *reader, a *syntax.Assign, v Assign) Word {
	if a.Naked {
		return Word{Parts: r.one(Part{Text: v.Name}), Span: v.Span}
	}
	parts := append([]Part{{Text: v.Name + "="}}, v.Value.Parts...)
	return Word{Parts: merged(parts), Quoted: v.Value.Quoted, Span: v.Span}
}

// array sets a variable to several values.
func (r *reader) array(a *syntax.Assign, v Assign, f frame, sc *scope) {
	out := value{array: true}
	var words []*syntax.Word
	for _, e := range a.Array.Elems {
		if e.Index != nil || e.Value == nil {
			out = anything
			if e.Value != nil {
				r.inside(e.Value, f, sc)
			}
			continue
		}
		words = append(words, e.Value)
	}
	list := r.fields(words, f, sc)
	if a.Append || some(list) {
		out = anything
	}
	if !out.maybe {
		for _, w := range list {
			out.elems = append(out.elems, w.Parts)
		}
	}
	sc.set(v.Name, out)
}

// variables forgets what a builtin sets.
func (r *reader) variables(name string, args []Word, f frame, sc *scope) {
	for _, w := range args {
		text, known := w.Value()
		if !known {
			text = w.Prefix()
		}
		r.suspect(rough(w), w.Span, f, sc) // read 'a[$(command)]'
		switch {
		case name == "test" || name == "[":
			continue
		case strings.HasPrefix(text, "-"):
			continue
		}
		a, assigned := assignment(w)
		switch {
		case name == "let":
			r.variableCode(text, w.Span, f, sc)
			sc.set(strings.TrimRight(strings.SplitN(text, "=", 2)[0], "+-*/%&|^<>"), anything)
		case assigned:
			sc.set(a.Name, value{parts: a.Value.Parts})
			text = a.Name
		case name == "unset" && isName(text) && known:
			sc.set(text, value{unset: true})
			if fn := sc.function(text); fn != nil {
				// It may be the variable that is unset, so that the function stays.
				continue
			}
		case name != "export" && name != "readonly" && name != "declare" && name != "typeset" && name != "local":
			sc.set(text, anything)
		}
		if name == "export" {
			sc.exportName(text)
		}
	}
	if name == "read" {
		sc.set("REPLY", anything)
	}
}

// options is set: its options, and the parameters behind them.
func (r *reader) options(args []Word, sc *scope) {
	for i, w := range args {
		text, known := w.Value()
		switch {
		case !known, text == "--" || text == "" || text[0] != '-' && text[0] != '+':
			if text == "--" {
				args = args[i+1:]
			} else {
				args = args[i:]
			}
			sc.params, sc.known = args, true
			return
		case text[0] == '-' && strings.Contains(text, "e") && !strings.HasPrefix(text, "--"):
			sc.errexit = true
		case text[0] == '+' && strings.Contains(text, "e"):
			sc.errexit = false
		}
		if strings.HasSuffix(text, "o") && len(text) > 1 {
			if i+1 < len(args) {
				sc.errexit = sc.errexit || isText(args[i+1], "errexit") && text[0] == '-'
			}
			if i+2 >= len(args) {
				return
			}
			r.options(args[i+2:], sc)
			return
		}
	}
}

// shift takes parameters away.
func (r *reader) shift(args []Word, sc *scope) {
	n, ok := 1, true
	if len(args) > 0 {
		text, known := args[0].Value()
		m, err := strconv.Atoi(text)
		n, ok = m, known && err == nil
	}
	if !ok || n < 0 || n > len(sc.params) || some(sc.params) {
		sc.params, sc.known = nil, false
		return
	}
	sc.params = sc.params[n:]
}
