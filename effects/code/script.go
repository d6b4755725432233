package code

// scriptImports handles import statements, which hold wherever they stand.
func scriptImports(w *walker) {
	for i := 0; i < len(w.toks); i++ {
		if t := w.toks[i]; t.kind == name && t.text == "import" && !w.isMember(w.tok(i-1).text) && w.tok(i+1).text != "(" && w.tok(i+1).text != "." {
			w.scriptImport(i)
		}
	}
	w.i = 0
}

// scriptImport is import a, {b as c} from "m"; import * as d from "m"; import "m".
func (w *walker) scriptImport(i int) {
	from := i + 1
	for from < len(w.toks) && w.toks[from].kind != str && w.toks[from].text != ";" && from < i+400 {
		from++
	}
	if w.tok(from).kind != str {
		return
	}
	w.i = from + 1
	v := w.module(w.tok(from).text, from)
	inside := false
	for j := i + 1; j < from; j++ {
		t := w.toks[j]
		switch {
		case t.text == "{":
			inside = true
		case t.text == "}":
			inside = false
		case t.kind != name || t.text == "from" || t.text == "type" || t.text == "as":
		case w.tok(j+1).text == "as" && w.tok(j+1).kind == name:
			if inside {
				w.importAs(w.tok(j+2).text, w.exported(v, t.text))
			}
			j += 2
		case inside:
			w.importAs(t.text, w.exported(v, t.text))
		default: // the default, or all of it
			if w.tok(j-1).text == "as" {
				w.importAs(t.text, v)
				continue
			}
			w.importAs(t.text, v)
		}
	}
}

// exported is a member of a module.
func (w *walker) exported(v value, n string) value {
	if v.kind != ref {
		return value{}
	}
	if n == "default" {
		return v
	}
	if w.lang.forbidden[n] {
		w.report.problem(DynamicCode, n, Span{})
	}
	return value{kind: ref, name: v.name + "." + n}
}

// scriptStatement reads declarations.
func scriptStatement(w *walker) bool {
	t := w.cur()
	if w.isMember(w.tok(w.i - 1).text) {
		return false
	}
	switch t.text {
	case "import":
		if next := w.tok(w.i + 1).text; next == "(" || next == "." {
			return false
		}
		for i := w.i; i < len(w.toks) && i < w.i+400; i++ {
			if w.toks[i].kind == str {
				w.i = i + 1
				return true
			}
		}
	case "const", "let", "var", "using":
		if w.tok(w.i+1).text == "{" && w.tok(w.i+1).kind == op {
			return w.destructure()
		}
	case "function", "class", "interface", "enum", "type":
		if w.tok(w.i+1).kind == name && !(t.text == "type" && w.tok(w.i+2).text != "=") {
			w.i += 2
			return true
		}
	}
	if w.lang.keywords[t.text] && !valueWords[t.text] {
		w.i++
		return true
	}
	return false
}

// valueWords are keywords that a value may begin with.
var valueWords = set("new await typeof void delete async function yield this null undefined true false super import")

// destructure is const {a: b, c} = v.
func (w *walker) destructure() bool {
	open := w.i + 1
	end := open
	for end < len(w.toks) && w.toks[end].text != "}" {
		end++
		if end > open+200 || w.tok(end).text == "{" || w.tok(end).text == "[" {
			w.i++ // nested: what it takes apart counts as mentioned
			return true
		}
	}
	if w.tok(end+1).text != "=" {
		w.i++
		return true
	}
	w.i = end + 2
	v := w.expr()
	if v.kind != ref {
		w.use(v)
		return true
	}
	for j := open + 1; j < end; j++ {
		t := w.toks[j]
		switch {
		case t.text == "..." || t.text == "=":
			w.use(v)
		case t.kind != name && t.kind != str:
		case w.tok(j+1).text == ":":
			w.bind(w.tok(j+2).text, w.exported(v, t.text))
			j += 2
		case w.tok(j-1).text != "=":
			w.bind(t.text, w.exported(v, t.text))
		}
	}
	return true
}
