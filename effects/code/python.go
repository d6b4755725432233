package code

import "strings"

// pythonImports handles all import statements; what they name is known everywhere.
func pythonImports(w *walker) {
	for i := 0; i < len(w.toks); i++ {
		t := w.toks[i]
		if t.kind != name || w.isMember(w.tok(i-1).text) {
			continue
		}
		switch {
		case t.text == "import" && w.tok(i-1).text != "from":
			i = w.pythonImport(i) - 1
		case t.text == "from" && (w.toks[i].line || i == 0 || isStatementEnd(w.tok(i-1))):
			i = w.pythonFrom(i) - 1
		}
	}
}

func isStatementEnd(t token) bool { return t.kind == op && (t.text == ";" || t.text == ":") }

// dotted is a module's name from a place on.
func (w *walker) dotted(i int) (string, int) {
	var n strings.Builder
	for w.tok(i).text == "." || w.tok(i).text == "..." || w.tok(i).text == ".." {
		n.WriteString(".") // of the package that the file is in
		i++
	}
	for w.tok(i).kind == name {
		n.WriteString(w.tok(i).text)
		i++
		if w.tok(i).text != "." || w.tok(i).line {
			break
		}
		n.WriteString(".")
		i++
	}
	return n.String(), i
}

// pythonImport is import a.b as c, d.
func (w *walker) pythonImport(i int) int {
	for {
		start := i + 1
		n, next := w.dotted(start)
		if n == "" {
			return next
		}
		w.i = next
		v := w.module(n, start)
		if w.tok(next).text == "as" && w.tok(next).kind == name {
			w.importAs(w.tok(next+1).text, v)
			next += 2
		} else {
			w.importAs(w.tok(start).text, value{kind: ref, name: w.tok(start).text})
		}
		if i = next; w.tok(i).text != "," || w.tok(i).line {
			w.i = 0
			return i
		}
	}
}

// importAs binds a name to what is imported; a second one is not hidden by the first.
func (w *walker) importAs(n string, v value) {
	if old, had := w.vars[n]; had && (old.kind != v.kind || old.name != v.name) && !(w.isPure(old.name) && w.isPure(v.name)) {
		w.report.problem(NotKnown, n, Span{})
		if v.kind == ref && w.isPure(v.name) {
			return
		}
	}
	if v.kind == ref && w.has(n) && v.name != n && !w.isPure(v.name) && w.lang.lang == Python {
		w.report.problem(NotKnown, n, Span{})
	}
	w.vars[n] = v
}

// pythonFrom is from a import b as c, d, also in brackets.
func (w *walker) pythonFrom(i int) int {
	n, next := w.dotted(i + 1)
	if n == "" || w.tok(next).text != "import" {
		return i + 1 // yield from, raise … from
	}
	w.i = next
	v := w.module(n, i)
	i = next + 1
	brackets := w.tok(i).text == "("
	if brackets {
		i++
	}
	for w.tok(i).kind == name || w.tok(i).text == "*" {
		what := w.tok(i).text
		if what == "*" {
			w.starImport(v, i)
			i++
			break
		}
		as := what
		i++
		if w.tok(i).text == "as" {
			as = w.tok(i + 1).text
			i += 2
		}
		m := value{}
		if v.kind == ref {
			m = value{kind: ref, name: v.name + "." + what}
			if w.lang.forbidden[what] {
				w.report.problem(DynamicCode, what, Span{w.tok(i - 1).start, w.tok(i - 1).end})
			}
		}
		w.importAs(as, m)
		if w.tok(i).text != "," || w.tok(i).line && !brackets {
			break
		}
		i++
	}
	if brackets && w.tok(i).text == ")" {
		i++
	}
	w.i = 0
	return i
}

func (w *walker) starImport(v value, at int) {
	if v.kind == ref && w.lang.pure[v.name] {
		w.star = true
		return
	}
	w.report.problem(NotKnown, "import *", Span{w.tok(at).start, w.tok(at).end})
}

// pythonStatement skips what was read by pythonImports, and names that are defined.
func pythonStatement(w *walker) bool {
	t := w.cur()
	if w.isMember(w.tok(w.i - 1).text) {
		return false
	}
	switch t.text {
	case "import":
		for w.i++; !w.done() && (w.cur().kind == name || w.isOp(".") || w.isOp(",")) && !w.cur().line; w.i++ {
		}
		return true
	case "from":
		_, next := w.dotted(w.i + 1)
		if w.tok(next).text != "import" {
			w.i++
			return true
		}
		w.i = next + 1
		brackets := w.isOp("(")
		for ; !w.done() && (brackets || !w.cur().line); w.i++ {
			if end := w.isOp(")"); end || w.isOp(";") {
				if end {
					w.i++
				}
				break
			}
		}
		return true
	case "def", "class":
		w.i++
		if w.cur().kind == name && !w.cur().line {
			w.i++
		}
		if t.text == "def" && w.isOp("(") {
			w.parameters()
		}
		return true
	}
	if w.lang.keywords[t.text] && t.text != "lambda" && t.text != "not" && t.text != "await" {
		w.i++
		return true
	}
	return false
}

// parameters are skipped but for what they are by default.
func (w *walker) parameters() {
	w.i++
	if !w.deeper() {
		return
	}
	for !w.done() && !w.isOp(")") {
		before := w.i
		if w.isOp("=") || w.isOp(":") {
			w.i++
			w.use(w.expr())
		}
		if w.i == before {
			w.i++
		}
	}
	w.i++
	w.depth--
}
