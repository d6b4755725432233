package code

import "strings"

// language is what is known of one: closed lists of what is harmless, and what has which
// effect. Names have dots between their parts, however the language writes them.
type language struct {
	lang Language
	// table has functions, classes and members of modules; methods those of objects that
	// are not known, with a dot in front.
	table, methods map[string]action
	// pure are modules of which every function only computes. modules are all others that
	// are known, whose functions are in table.
	pure, modules map[string]bool
	// harmless are methods that only compute or act on what is open already.
	harmless map[string]bool
	// forbidden are members that lead to whatever there is.
	forbidden map[string]bool
	keywords  map[string]bool
	concat    string
	lines     bool // a line's end ends a statement
	commands  bool // calls need no brackets, and members are calls
	mutable   bool // strings can be changed in place
	loose     bool // a variable that is not set is an empty text
}

// walker follows the chains of names, members and calls of one text.
type walker struct {
	lang     *language
	toks     []token
	i        int
	text     string
	report   *Report
	nested   int
	assigned int // where the last assignment ended
	depth    int
	blocks   int
	levels   int
	vars     map[string]value
	bound    map[string]int  // how many values a name is given
	seen     map[string]int  // how often it stands there
	defined  map[string]bool // functions, classes and members of the text itself
	used     map[string]bool // names that were asked for before they were known
	volatile bool            // texts are changed in place: no variable's text is known
	star     bool            // all names of a harmless module are there
}

func (w *walker) cur() token { return w.tok(w.i) }

func (w *walker) done() bool { return w.i >= len(w.toks) }

func (w *walker) isOp(text string) bool {
	t := w.cur()
	return !w.done() && t.kind == op && t.text == text
}

func (w *walker) span(start int) Span {
	end := w.tok(w.i - 1).end
	return Span{w.tok(start).start, max(end, w.tok(start).end)}
}

func (w *walker) problem(k ProblemKind, words string, start int) {
	w.report.problem(k, words, w.span(start))
}

// isMember reports whether a member follows the operator.
func (w *walker) isMember(o string) bool {
	return isMember(o) && !(o == "." && w.lang.concat == ".")
}

func (w *walker) program() {
	for !w.done() {
		w.step()
	}
}

// step reads one statement, or as much of it as there is; at least one token.
func (w *walker) step() {
	before := w.i
	if w.cur().kind == name && w.statement() {
		return
	}
	if v := w.expr(); w.assigned != w.i {
		w.use(v)
	}
	if w.i == before {
		w.i++
	}
}

// deeper guards against texts that are nested without end.
func (w *walker) deeper() bool {
	w.depth++
	if w.depth > maxDepth {
		w.problem(TooComplex, "", w.i)
		w.i = len(w.toks)
		return false
	}
	return true
}

// stops reports whether an expression ends in front of the token.
func (w *walker) stops() bool {
	t := w.cur()
	if w.done() {
		return true
	}
	if t.line && w.lang.lines && w.depth == 0 && (t.kind != op || t.text != "." && t.text != "&.") {
		return true
	}
	if t.kind != op {
		return false
	}
	switch t.text {
	case ",", ")", "]", "}", ";", ":", "=>", "?":
		return true
	}
	return false
}

// expr reads operands and what joins them.
func (w *walker) expr() value {
	w.levels++
	if w.levels > maxLevels {
		w.problem(TooComplex, "", w.i)
		w.i = len(w.toks)
	}
	v := w.joined()
	w.levels--
	return v
}

func (w *walker) joined() value {
	start := w.i
	v := w.operand()
	for !w.stops() {
		t := w.cur()
		switch {
		case t.kind == op && (t.text == w.lang.concat || t.text == glue):
			w.i++
			v = w.sum(v, w.operand())
		case t.kind == op && t.text == "/" && v.kind == object && strings.HasSuffix(v.name, "Path"):
			w.i++
			v = joined(v, w.operand())
		case t.kind == op && isAssign(t.text):
			return w.assign(v, start, t.text)
		case t.kind == op && t.text != "{" && t.text != "(" && t.text != "[":
			w.i++
			w.use(v)
			w.use(w.operand())
			v = value{}
		case t.kind == name && w.lang.keywords[t.text]:
			if t.text == "as" && w.tok(w.i+1).kind == name && w.lang.lang == Python {
				w.i += 2
				w.bind(w.tok(w.i-1).text, v)
				return value{}
			}
			if !joins[t.text] || w.lang.lang != Python && lateJoins[t.text] {
				return v
			}
			w.i++
			w.use(v)
			w.use(w.operand())
			v = value{}
		default:
			return v
		}
	}
	return v
}

// joins are words between two operands.
var joins = set("and or not in is if else instanceof unless eq ne lt gt le ge cmp xor x of satisfies while until rescue")

// lateJoins bind so weakly that what stands before them is a whole argument.
var lateJoins = set("and or not if else unless while until rescue xor")

func isAssign(o string) bool {
	switch o {
	case "=", ":=", "+=", ".=", "||=", "??=", "-=", "*=", "|=", "&=", "/=", "%=", "**=", "//=", "&&=", "^=", "<<=", ">>=", "@=":
		return true
	}
	return false
}

func (w *walker) sum(v, r value) value {
	if v.kind == ref || v.kind == member {
		w.use(v)
		v = value{}
	}
	if r.kind == ref || r.kind == member {
		w.use(r)
		r = value{}
	}
	return concat(v, r)
}

// assign is an assignment to what was just read.
func (w *walker) assign(target value, start int, how string) value {
	w.i++
	for start < w.i-2 && w.tok(start).kind == name && w.lang.keywords[w.tok(start).text] {
		start++ // my, const
	}
	plain := w.i == start+2 && w.tok(start).kind == name
	if p := w.tok(start - 1); p.kind == op && (p.text == ":" || p.text == "->") && start > 0 {
		plain = false // a type in front of a value
	}
	right := w.expr()
	switch {
	case plain && (how == "=" || how == ":="):
		w.bind(w.tok(start).text, right)
	case plain:
		w.use(right)
	default:
		w.use(right)
		if target.kind == ref || target.name == "environ" {
			w.problem(NotKnown, target.name, start) // something of a module is replaced
		}
	}
	if plain {
		w.assigned = w.i
	}
	if how == ":=" || w.lang.lang != Python {
		return right
	}
	return value{}
}

// bind gives a name a value. A name of something with effects never loses it, and never
// hides that it had another one.
func (w *walker) bind(n string, v value) {
	if v.kind == member {
		w.use(v)
		v = value{}
	}
	old, had := w.vars[n]
	if v.kind == list {
		w.use(v)
	}
	if v.kind != ref {
		if had && old.kind == ref {
			return
		}
		w.vars[n] = v
		return
	}
	if w.used[n] || had && (old.kind != ref || old.name != v.name) || w.has(n) {
		w.use(v)
		if !w.isPure(v.name) {
			w.problem(NotKnown, n, max(w.i-1, 0))
		}
		return
	}
	w.vars[n] = v
}

func (w *walker) has(n string) bool {
	_, ok := w.lang.table[n]
	return ok
}

// resolve is what a name stands for.
func (w *walker) resolve(n string) value {
	if v, ok := w.vars[n]; ok {
		switch v.kind {
		case lit, part, object:
			if w.bound[n] > 1 || w.volatile {
				return value{name: v.name, kind: weaker(v.kind)}
			}
		case list:
			if w.seen[n] > 2 || w.bound[n] > 1 || w.volatile {
				return value{}
			}
		case data:
			if w.has(n) { // hidden in another place maybe, but not for certain
				return value{kind: ref, name: n}
			}
		case ref, member, truth:
		}
		return v
	}
	if w.has(n) || w.lang.modules[n] || w.lang.pure[n] && !w.defined[n] {
		return value{kind: ref, name: n}
	}
	if w.used == nil {
		w.used = map[string]bool{}
	}
	w.used[n] = true
	return value{}
}

// weaker keeps an object's class when what it is made with is not known.
func weaker(k valueKind) valueKind {
	if k == object {
		return object
	}
	return data
}

// isPure reports whether a module or one of its functions only computes.
func (w *walker) isPure(n string) bool {
	if a, ok := w.lang.table[n]; ok {
		return a.pure
	}
	for end := len(n); end > 0; end = strings.LastIndexByte(n[:end], '.') {
		if w.lang.modules[n[:end]] {
			return false
		}
		if w.lang.pure[n[:end]] {
			return w.plainMembers(n[end:])
		}
	}
	return false
}

// plainMembers reports whether members of a harmless module are its own, and not modules
// that it uses itself.
func (w *walker) plainMembers(path string) bool {
	for part := range strings.SplitSeq(path, ".") {
		if part != "" && part[0] == '_' || w.lang.forbidden[part] || w.lang.modules[part] || inside[part] {
			return false
		}
	}
	return true
}

// inside are modules by which harmless ones of Python reach others.
var inside = set(`bltns builtins codecs copyreg decoder encoder encodings gc inspect linecache os platform posixpath
	scanner stdlib_re sys types io subprocess shutil ctypes importlib`)
