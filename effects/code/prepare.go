package code

import "strings"

// prepare goes over the tokens once: it counts how often each name is given a value, so
// that a name with several has none that is known, notes what the text defines itself,
// and finds the imports, which hold wherever they stand.
func (w *walker) prepare() {
	w.bound, w.seen = map[string]int{}, map[string]int{}
	w.defined = map[string]bool{}
	var open []int
	braces := 0
	for i := range w.toks {
		t := &w.toks[i]
		switch t.kind {
		case name:
			w.seen[t.text]++
			w.prepareName(i, braces)
		case op:
			switch t.text {
			case "(", "[", "{":
				open = append(open, i)
				if t.text == "{" {
					braces++
				}
			case ")", "]", "}":
				if t.text == "}" {
					braces--
				}
				if len(open) > 0 {
					w.prepareGroup(open[len(open)-1], i)
					open = open[:len(open)-1]
				}
			case "=", "+=", ".=", ":=", "||=", "??=", "<<", "&", "\\":
				w.prepareAssign(i, len(open) > 0 && w.toks[open[len(open)-1]].text == "(")
			}
		case pattern, number, str:
		}
	}
	w.imports()
}

// multiple says that a name has more than one value.
func (w *walker) multiple(n string) { w.bound[n] += 2 }

func (w *walker) tok(i int) token {
	if i < 0 || i >= len(w.toks) {
		return token{kind: op}
	}
	return w.toks[i]
}

func (w *walker) prepareName(i, braces int) {
	t, prev, next := w.toks[i], w.tok(i-1), w.tok(i+1)
	switch t.text {
	case "for", "def", "lambda", "case", "global", "nonlocal", "del", "foreach", "my", "our", "local", "static":
		w.prepareTargets(i, braces)
		return
	case "s", "tr", "substr", "chop", "chomp", "replace", "concat", "prepend", "insert", "setbyte":
		w.volatile = w.volatile || w.lang.mutable && (prev.kind == op)
	}
	if strings.HasSuffix(t.text, "!") && w.lang.mutable {
		w.volatile = true
	}
	switch prev.text {
	case "def", "function", "sub", "class", "fn", "func", "fun", "module", "interface", "type", "enum", "trait":
		if prev.kind == name {
			w.defined[t.text] = true
			w.bound[t.text]++
		}
	case "as", "::":
		w.bound[t.text]++
	case "++", "--":
		w.multiple(t.text)
	case "|", ",":
		if w.lang.mutable && (next.text == "|" || next.text == ",") && prev.kind == op {
			w.multiple(t.text) // |a, b| of a block
		}
	}
	switch next.text {
	case "=>", "++", "--", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "**=", "//=", ">>=", "<<=", "&&=", "=~":
		w.multiple(t.text)
	case "of", "in":
		if next.kind == name {
			w.multiple(t.text)
		}
	case ":", "=":
		w.defined[t.text] = true
	}
	if braces > 0 && next.text == "=" && w.lang.loose {
		w.multiple(t.text)
	}
}

// prepareTargets marks the names behind for, lambda and the like as having many values.
func (w *walker) prepareTargets(i, braces int) {
	word := w.toks[i].text
	declares := word == "my" || word == "our" || word == "local" || word == "static"
	if declares && braces == 0 && word != "local" {
		return
	}
	for j := i + 1; j < len(w.toks); j++ {
		t := w.toks[j]
		if j > i+64 {
			w.volatile = true
			return
		}
		if t.kind == op && (t.text == ":" || t.text == ";" || t.text == "{" || t.text == "=" && word != "def") || t.kind == name && t.text == "in" || j > i+1 && t.line {
			return
		}
		if t.kind == name {
			w.multiple(t.text)
		}
	}
}

// prepareGroup looks at a pair of brackets that is closed: parameters and patterns are
// names with many values.
func (w *walker) prepareGroup(from, to int) {
	before, after := w.tok(from-1), w.tok(to+1)
	named := before.kind == name && !controls[before.text]
	parameters := w.toks[from].text == "(" && (after.text == "=>" || after.text == "{" && (named || before.text == "catch") ||
		w.tok(from-2).text == "def" || w.tok(from-2).text == "sub" || w.tok(from-2).text == "function")
	patterned := after.text == "=" && after.kind == op && (w.toks[from].text != "[" || !named)
	if parameters && named && after.text == "{" {
		w.defined[before.text] = true // a method
	}
	if !parameters && !patterned {
		return
	}
	if to-from > 256 {
		w.volatile = true
		return
	}
	for _, t := range w.toks[from+1 : to] {
		if t.kind == name {
			w.multiple(t.text)
		}
	}
}

// prepareAssign is an assignment to the name in front of it, and to those in front of
// that behind commas.
func (w *walker) prepareAssign(i int, inCall bool) {
	t := w.toks[i]
	switch t.text {
	case "<<", "&", "\\":
		next := w.tok(i + 1)
		w.volatile = w.volatile || w.lang.mutable && (t.text != "&" || w.lang.loose && next.kind == name && next.text[0] == '$')
		return
	}
	prev := w.tok(i - 1)
	if prev.kind != name {
		if prev.text == "]" && w.lang.mutable {
			w.volatile = true
		}
		return
	}
	w.bound[prev.text]++
	if t.text != "=" && t.text != ":=" || inCall && t.text == "=" {
		w.bound[prev.text]++
	}
	for j := i - 2; j > 0 && w.tok(j).text == ","; j -= 2 {
		if j < i-64 {
			w.volatile = true
			return
		}
		w.multiple(prev.text)
		w.multiple(w.tok(j - 1).text)
	}
}
