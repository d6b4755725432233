package code

import "strings"

// getattr is a member by its name.
func (w *walker) getattr(a arguments, start int) value {
	of, _ := a.at(0)
	n, ok := a.at(1)
	if !ok || n.kind != lit {
		if of.kind == ref || of.kind == member {
			w.use(of)
		}
		w.problem(DynamicCode, "getattr", start)
		return value{}
	}
	return w.member(of, n.text, start)
}

// sent calls a method by its name, as Ruby's send does.
func (w *walker) sent(v value, a arguments, start int) value {
	n, ok := a.at(0)
	if !ok || n.kind != lit {
		w.problem(DynamicCode, v.name, start)
		return value{}
	}
	rest := a
	rest.all = a.all[1:]
	owner, _, found := cutLast(v.name)
	switch {
	case v.kind == member || owner == "Kernel" || owner == "Object" || !found:
		if w.has(n.text) {
			return w.call(value{kind: ref, name: n.text}, rest, start)
		}
		return w.call(value{kind: member, name: "." + n.text}, rest, start)
	default:
		return w.call(value{kind: ref, name: owner + "." + n.text}, rest, start)
	}
}

func cutLast(n string) (string, string, bool) {
	i := strings.LastIndexByte(n, '.')
	if i < 0 {
		return "", n, false
	}
	return n[:i], n[i+1:], true
}

// imported is a module by its name.
func (w *walker) imported(v value, a arguments, start int) value {
	n, ok := a.at(0)
	if !ok || n.kind != lit {
		w.problem(DynamicCode, v.name, start)
		return value{}
	}
	return w.module(n.text, start)
}

// module notes that a module is used, and gives it.
func (w *walker) module(n string, start int) value {
	if w.lang.lang == JavaScript {
		if strings.HasSuffix(n, ".json") { // is read, not run
			w.report.call(Call{Kind: Reads, Name: "require", Target: n, Known: true, Span: w.span(start)})
			return value{}
		}
		if strings.HasPrefix(n, ".") || strings.HasPrefix(n, "/") {
			w.report.call(Call{Kind: Loads, Name: "import", Target: n, Known: true, Span: w.span(start)})
			w.problem(NotKnown, n, start)
			return value{}
		}
		n = strings.TrimPrefix(strings.TrimPrefix(n, "node:"), "bun:")
		n = strings.ReplaceAll(n, "/", ".")
	}
	if w.lang.lang == Perl {
		n = strings.ReplaceAll(n, "::", ".")
	}
	w.report.Imports = append(w.report.Imports, n)
	root, _, _ := strings.Cut(n, ".")
	if w.lang.pure[n] || w.lang.modules[n] || w.lang.lang == Python && (w.lang.pure[root] || w.lang.modules[root]) {
		return value{kind: ref, name: n}
	}
	w.report.call(Call{Kind: Loads, Name: "import", Target: n, Known: true, Span: w.span(start)})
	w.problem(NotKnown, n, start)
	return value{}
}

// fetch asks a server; with a method or a body it may also tell it something.
func (w *walker) fetch(v value, act action, a arguments, start int) {
	c := Call{Kind: Receives, Name: v.name, Span: w.span(start)}
	if u, ok := a.at(int(max(act.arg, 0))); ok {
		c.Target, c.Known = u.beginning()
		if u.kind == object && u.text == "" {
			c.Known = false
		}
	}
	if len(a.all) > int(max(act.arg, 0))+1 && (w.lang.lang == JavaScript || w.mentions(a, "data", "json", "files", "body")) {
		c.Kind = Sends
	}
	w.report.call(c)
}

// path puts a path together.
func (w *walker) path(v value, act action, a arguments) value {
	made := value{kind: object, name: "Path", known: true}
	if act.makes != "" {
		made.name = act.makes
	}
	if v.kind == member { // joinpath: it begins with the object
		made.text, made.known = v.text, v.known
	}
	for i, arg := range a.all {
		if arg.key != "" {
			return value{kind: object, name: made.name}
		}
		if i == 0 && v.kind != member {
			made.text, made.known = arg.value.beginning()
			continue
		}
		made = joined(made, arg.value)
	}
	if act.makes == "" {
		switch {
		case made.known:
			return literal(made.text)
		case made.text != "":
			return value{kind: part, text: made.text}
		default:
			return value{}
		}
	}
	return made
}

// textOf is an argument as a text.
func (w *walker) textOf(a arguments, act action) value {
	v, ok := a.at(int(max(act.arg, 0)))
	if !ok {
		return value{}
	}
	t, known := v.beginning()
	switch {
	case known:
		return literal(t)
	case t != "":
		return value{kind: part, text: t}
	default:
		return value{}
	}
}

// callback calls a function by its name, as PHP's array_map does.
func (w *walker) callback(act action, a arguments, start int) {
	f, ok := a.at(int(max(act.arg, 0)))
	switch {
	case !ok || f.name == "closure":
	case f.kind == lit:
		if r := w.resolve(strings.ToLower(f.text)); r.kind == ref {
			rest := a
			rest.all = nil
			w.call(r, rest, start)
		} else if !w.defined[f.text] {
			w.problem(NotKnown, f.text, start)
		}
	default:
		w.problem(DynamicCode, "callback", start)
	}
}

// required is a library of Ruby by its name.
func (w *walker) required(v value, a arguments, start int) {
	n, ok := a.at(0)
	if !ok || n.kind != lit || v.name == "require_relative" {
		w.report.call(Call{Kind: Loads, Name: v.name, Target: n.text, Known: n.kind == lit, Span: w.span(start)})
		w.problem(NotKnown, n.text, start)
		return
	}
	w.module(strings.ReplaceAll(n.text, "/", "."), start)
}
