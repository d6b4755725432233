package code

import "strings"

// memberOf reads .name; false if none follows.
func (w *walker) memberOf(v value, start int) (value, bool) {
	w.i++
	t := w.cur()
	switch {
	case t.kind == name && w.lang.lang != JavaScript && (t.text[0] == '$' || t.text[0] == '@'):
		w.problem(DynamicCode, t.text, start)
		w.i++
		w.use(v)
		return value{}, true
	case t.kind == name || t.kind == number: // x.0 of a number is none
		w.i++
		return w.member(v, t.text, start), true
	case t.kind == op && (t.text == "[" || t.text == "{" || t.text == "("):
		if t.text == "{" && w.lang.lang != Perl {
			if w.lang.lang == PHP {
				w.problem(DynamicCode, "->{", start)
			}
			return v, false
		}
		return v, true
	case t.kind == op && t.text == "*": // SELECT-like wild cards, Perl's ->@*
		w.i++
		return value{}, true
	}
	w.use(v)
	return value{}, false
}

// member is a name of a value.
func (w *walker) member(v value, n string, start int) value {
	if w.lang.forbidden[n] || w.lang.lang == Python && strings.HasPrefix(n, "__") && !plainDunder[n] {
		w.problem(DynamicCode, n, start)
	}
	switch v.kind {
	case ref:
		if a, ok := w.lang.table[v.name]; ok && a.special == "environ" {
			return w.environ(v, n, start)
		}
		if v.name == "globalThis" || v.name == "global" || v.name == "window" || v.name == "self" || v.name == "Kernel" || v.name == "Object" && w.lang.lang == Ruby {
			if w.has(n) || w.lang.modules[n] {
				return value{kind: ref, name: n}
			}
		}
		if len(v.name)+len(n) > maxWords {
			w.problem(TooComplex, n, start)
			return value{}
		}
		return value{kind: ref, name: v.name + "." + n}
	case object:
		full := v.name + "." + n
		if a, ok := w.lang.table[full]; ok && a.special == "same" {
			return value{kind: object, name: v.name, text: v.text}
		}
		return value{kind: member, name: full, text: v.text, known: v.known}
	case lit, part:
		return value{kind: member, name: "." + n, text: v.text, known: v.kind == lit, list: []value{v}}
	case list, data, member, truth:
	}
	if inside[n] && w.lang.lang == Python {
		w.problem(NotKnown, n, start)
	}
	return value{kind: member, name: "." + n}
}

var plainDunder = set("__name__ __doc__ __file__ __version__ __len__ __str__ __init__ __repr__ __annotations__ __eq__ __iter__ __enter__ __exit__ __next__ __post_init__ __contains__ __getitem__ __hash__")

// environ is a variable of the environment by its name.
func (w *walker) environ(v value, n string, start int) value {
	if full := v.name + "." + n; w.has(full) {
		return value{kind: ref, name: full}
	}
	w.report.call(Call{Kind: Environment, Name: v.name, Target: n, Known: true, Span: w.span(start)})
	return value{name: "environ"}
}

// index reads a subscript.
func (w *walker) index(v value, start int) value {
	opening, before := w.cur().text, w.i
	var key value
	if opening == "{" {
		if w.tok(w.i+1).kind == name && w.tok(w.i+2).text == "}" {
			key = literal(w.tok(w.i + 1).text)
			w.i += 3
		} else {
			w.block()
		}
	} else {
		l := w.listOf()
		if len(l.list) == 1 {
			key = l.list[0]
		}
	}
	if v.kind == ref {
		a, ok := w.lang.table[v.name]
		switch {
		case ok && a.special == "environ" && key.kind == lit:
			return w.environ(v, key.text, start)
		case key.kind == lit && w.lang.lang == JavaScript:
			return w.member(v, key.text, start)
		case w.lang.lang == JavaScript && w.tok(before+1).kind != number:
			w.problem(DynamicCode, v.name, start)
		}
		w.use(v)
		return value{}
	}
	if key.kind == lit && w.lang.lang == JavaScript && v.kind != list {
		return w.member(v, key.text, start)
	}
	if w.lang.lang == JavaScript && key.kind != lit && w.isOp("(") && w.tok(before+1).kind != number {
		w.problem(DynamicCode, "[…](", start)
	}
	if v.kind == member {
		w.use(v)
	}
	if key.kind == part && w.lang.lang == JavaScript {
		w.problem(DynamicCode, "[…]", start)
	}
	return value{}
}

// called reads arguments in brackets and calls.
func (w *walker) called(v value, start int) value {
	a := w.arguments()
	return w.call(v, a, start)
}

func (w *walker) arguments() arguments {
	a := arguments{first: w.i + 1}
	w.i++
	if !w.deeper() {
		return a
	}
	for !w.done() && !w.isOp(")") {
		key := ""
		next := w.tok(w.i + 1)
		if w.cur().kind == name && next.kind == op && (next.text == "=" && w.lang.lang == Python || next.text == ":" && w.lang.lang != JavaScript) {
			key = w.cur().text
			w.i += 2
		}
		if w.isOp("*") || w.isOp("**") || w.isOp("...") {
			key = "*"
		}
		v := w.expr()
		for !w.done() && !w.isOp(",") && !w.isOp(")") {
			before := w.i
			w.use(v)
			if v.name != "closure" {
				v = value{}
			}
			if w.isOp("=>") && w.lang.lang != JavaScript {
				w.i++
				break
			}
			w.use(w.expr())
			if w.i == before {
				w.i++
			}
		}
		a.all = append(a.all, argument{key, v})
		if w.isOp(",") {
			w.i++
		}
	}
	a.behind = w.i
	w.i++
	w.depth--
	return a
}

// mentions reports whether a word stands among the arguments.
func (w *walker) mentions(a arguments, words ...string) bool {
	for i := a.first; i < a.behind && i < len(w.toks); i++ {
		for _, word := range words {
			if t := w.toks[i]; (t.kind == name || t.kind == str) && t.text == word {
				return true
			}
		}
		if i > a.first+400 {
			return true
		}
	}
	return false
}

// call is what a value does when it is called.
func (w *walker) call(v value, a arguments, start int) value {
	switch v.kind {
	case ref:
		if act, ok := w.lang.table[v.name]; ok {
			w.useArguments(a, act)
			return w.act(v, act, a, start)
		}
		w.useArguments(a, action{})
		if !w.isPure(v.name) && !w.isOwn(v.name) {
			w.problem(NotKnown, v.name, start)
		}
		return value{}
	case member:
		return w.callMember(v, a, start)
	case lit, part:
		w.useArguments(a, action{})
		if w.lang.lang == PHP || w.lang.lang == Perl {
			return w.callText(v, a, start)
		}
		w.problem(NotKnown, v.text, start)
	case data, list, object, truth:
		if act, ok := w.knownByName(start); ok {
			w.useArguments(a, act)
			return w.act(value{kind: member, name: "." + w.tok(start).text}, act, a, start)
		}
		w.useArguments(a, action{})
		w.callData(v, start)
	}
	return value{}
}

// knownByName is what a function of such a name does, if it is not one of the text. It
// came from somewhere that was not followed.
func (w *walker) knownByName(start int) (action, bool) {
	t := w.tok(start)
	if t.kind != name || w.tok(start+1).text != "(" || w.defined[t.text] && w.lang.lang != JavaScript {
		return action{}, false
	}
	act, ok := w.lang.methods["."+t.text]
	return act, ok && len(act.does) > 0
}

// isOwn reports whether a name belongs to a class of the text itself.
func (w *walker) isOwn(n string) bool {
	root, _, _ := strings.Cut(n, ".")
	return w.defined[root] && !w.lang.modules[root] && !w.lang.pure[root] && !w.has(root)
}

// callText calls the function that a text names.
func (w *walker) callText(v value, a arguments, start int) value {
	if r := w.resolve(strings.ToLower(v.text)); v.kind == lit && r.kind == ref {
		return w.call(r, a, start)
	}
	w.problem(DynamicCode, v.text, start)
	return value{}
}

// callData calls what is not known. Whatever has an effect was reported where it was
// mentioned, so that a name that the text gives a value to can be nothing else.
func (w *walker) callData(v value, start int) {
	t := w.tok(start)
	switch {
	case v.name == "closure" || t.kind == op && t.text == "(":
	case t.kind == name && w.i > start && (w.defined[t.text] || w.bound[t.text] > 0) && !(w.lang.lang == PHP && t.text[0] == '$'):
	case t.kind == name && w.star:
	case t.kind == name && t.text[0] == '$' && w.lang.lang == PHP:
		w.problem(DynamicCode, t.text, start)
	default:
		w.problem(NotKnown, t.text, start)
	}
}

func (w *walker) callMember(v value, a arguments, start int) value {
	n := v.name[strings.LastIndexByte(v.name, '.')+1:]
	act, ok := w.lang.table[v.name] // of an object that is known
	if !ok || v.name[0] == '.' {
		act, ok = w.lang.methods["."+n]
	}
	if !ok && strings.HasPrefix(v.name, "boto3.") {
		act, ok = cloudAction(n), true
	}
	w.useArguments(a, act)
	switch {
	case ok:
		return w.act(v, act, a, start)
	case w.lang.harmless[n] || w.defined[n]:
		return w.same(v, n, a)
	}
	w.problem(NotKnown, "."+n, start)
	return value{}
}

// cloudAction tells requests that only ask from others, by the verb of their name.
func cloudAction(n string) action {
	for _, verb := range [...]string{"list", "describe", "get_paginator", "head", "get_waiter", "paginate"} {
		if strings.HasPrefix(n, verb) {
			return action{does: []effect{{kind: Receives, arg: -1}}}
		}
	}
	return action{does: []effect{{kind: Cloud, arg: -1}}, makes: "boto3.object", makesWith: -1}
}

// same is the result of a method that changes nothing about what is known of a text.
func (w *walker) same(v value, n string, a arguments) value {
	if len(v.list) == 0 {
		return value{}
	}
	t := v.list[0]
	switch n {
	case "decode", "encode", "to_s", "to_str", "freeze", "toString", "to_sym", "dup":
		return t
	case "strip", "trim", "chomp":
		if t.kind == lit {
			return literal(strings.TrimSpace(t.text))
		}
	case "format":
		if i := strings.IndexByte(t.text, '{'); i >= 0 {
			return value{kind: part, text: t.text[:i]}
		}
	case "join":
		return joinedList(t, a)
	}
	return value{}
}

// joinedList is the text of a list's texts with another one between them.
func joinedList(sep value, a arguments) value {
	l, ok := a.at(0)
	if !ok || l.kind != list || sep.kind != lit {
		return value{}
	}
	v := literal("")
	for i, e := range l.list {
		if i > 0 {
			v = concat(v, sep)
		}
		if v = concat(v, e); v.kind == data {
			return v
		}
	}
	return v
}

// useArguments mentions all that is handed on, but for names that the action asks for.
func (w *walker) useArguments(a arguments, act action) {
	if act.special == "getattr" || act.special == "instance" {
		return
	}
	for _, arg := range a.all {
		if arg.value.kind == ref || arg.value.kind == member {
			w.use(arg.value)
		}
	}
}

// use is a value that goes where it is not followed. What it could do counts as done,
// with targets that are not known.
func (w *walker) use(v value) {
	at := max(w.i-1, 0)
	switch v.kind {
	case ref:
		act, ok := w.lang.table[v.name]
		switch {
		case ok && act.pure:
		case ok && len(act.does) > 0:
			w.mentioned(v.name, act, at)
		case ok:
			w.handedOn(v, act, at)
		case !w.isPure(v.name) && !w.isOwn(v.name):
			w.problem(NotKnown, v.name, at)
		}
	case member:
		act, ok := w.lang.methods["."+v.name[strings.LastIndexByte(v.name, '.')+1:]]
		if known, is := w.lang.table[v.name]; is && v.name[0] != '.' {
			act, ok = known, true
		}
		if ok && len(act.does) > 0 {
			w.mentioned(v.name, act, at)
		} else if ok && !act.pure && act.special != "same" {
			w.handedOn(v, act, at)
		}
	case data, lit, part, list, object, truth:
	}
}

// handedOn is something special that is not called here.
func (w *walker) handedOn(v value, act action, at int) {
	switch act.special {
	case "open":
		w.report.call(Call{Kind: Reads, Name: v.name, Span: w.span(at)})
		w.report.call(Call{Kind: Writes, Name: v.name, Span: w.span(at)})
	case "shell", "argv", "popen":
		w.report.call(Call{Kind: Executes, Name: v.name, Span: w.span(at)})
	case "environ":
		w.report.call(Call{Kind: Environment, Name: v.name, Span: w.span(at)})
	case "path", "text", "same", "exists", "timer":
	case "fetch":
		w.report.call(Call{Kind: Sends, Name: v.name, Span: w.span(at)})
	default:
		w.problem(DynamicCode, v.name, at)
	}
}
