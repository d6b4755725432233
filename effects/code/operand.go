package code

import "strings"

// operand reads a value with all members, calls and subscripts behind it.
func (w *walker) operand() value {
	for !w.done() {
		t := w.cur()
		switch t.kind {
		case str:
			return w.postfix(w.strings(), w.i-1)
		case number, pattern:
			w.i++
			return w.postfix(value{}, w.i-1)
		case name:
			if w.lang.keywords[t.text] && !w.isMember(w.tok(w.i-1).text) && !w.importCall() {
				if w.lang.lines && w.depth == 0 && t.line && w.i > 0 {
					return value{}
				}
				w.i++
				if t.text == "True" || t.text == "true" {
					return value{kind: truth}
				}
				if t.text == "function" || t.text == "fn" {
					return value{name: "closure"}
				}
				continue
			}
			start := w.i
			w.i++
			if next := w.cur(); next.kind == op && isAssign(next.text) && !w.done() {
				return value{}
			}
			return w.postfix(w.named(t), start)
		case op:
			switch t.text {
			case "(":
				start := w.i
				return w.postfix(w.paren(), start)
			case "[":
				start := w.i
				return w.postfix(w.listOf(), start)
			case "{":
				start := w.i
				w.block()
				if w.lang.lang == JavaScript || w.lang.lang == Ruby {
					return value{}
				}
				return w.postfix(value{}, start)
			case "&":
				w.ampersand()
				continue
			case "-", "+", "!", "~", "*", "**", "...", "@", "++", "--", "\\", "->", "%":
				w.i++
				continue
			}
			return value{}
		}
	}
	return value{}
}

// importCall reports whether JavaScript's import(…) stands here.
func (w *walker) importCall() bool {
	return w.lang.lang == JavaScript && w.cur().text == "import" && w.tok(w.i+1).text == "("
}

// named is what a name stands for where it stands.
func (w *walker) named(t token) value {
	next := w.cur()
	switch {
	case w.lang.lang == PHP && t.text[0] != '$' && next.text == "(" && next.kind == op:
		if v := w.resolve(t.text); v.kind == ref {
			return v
		}
		return w.resolve(strings.ToLower(t.text))
	case next.kind == op && next.text == "::" && w.vars[t.text].kind != ref:
		return value{kind: ref, name: t.text}
	case w.lang.lang == Perl && next.kind == op && next.text == "->" && t.text[0] != '$' && t.text[0] != '@':
		return value{kind: ref, name: t.text}
	case w.lang.lang == Perl && next.kind == op && next.text == "{" && (t.text == "eval" || t.text == "do"):
		return value{}
	case next.kind == op && next.text == "=>" && (w.lang.lang == Perl):
		return literal(t.text)
	}
	v := w.resolve(t.text)
	if w.lang.commands && v.kind == data && w.bareword(t) {
		w.problem(NotKnown, t.text, w.i-1)
	}
	return v
}

// bareword reports whether a name that nothing defines is used as a function without
// arguments.
func (w *walker) bareword(t token) bool {
	c := t.text[0]
	if c == '$' || c == '@' || c == '%' || w.bound[t.text] > 0 || w.defined[t.text] || w.isMember(w.tok(w.i-2).text) {
		return false
	}
	if w.lang.lang == Perl && (len(t.text) == 1 && w.tok(w.i-2).text == "-" || c >= 'A' && c <= 'Z') {
		return false
	}
	next := w.cur()
	return !(next.kind == op && (next.text == ":" || next.text == "(" || next.text == "=>"))
}

// strings are literals that stand next to each other.
func (w *walker) strings() value {
	t := w.cur()
	v := value{kind: lit, text: t.text, known: true, start: t.start}
	if !t.known {
		v.kind, v.known = part, false
	}
	w.i++
	for w.cur().kind == str && !w.done() && w.lang.lang == Python && (!w.cur().line || w.depth > 0) {
		next := literal(w.cur().text)
		if !w.cur().known {
			next.kind = part
		}
		v = concat(v, next)
		w.i++
	}
	return v
}

// paren is what stands in brackets: the last value of a list with commas.
func (w *walker) paren() value {
	var last value
	exprs := 0
	plain := true
	w.i++
	if !w.deeper() {
		return value{}
	}
	for !w.done() && !w.isOp(")") {
		before := w.i
		if exprs > 0 {
			w.use(last)
		}
		last = w.expr()
		exprs++
		if w.isOp(",") {
			w.i++
			continue
		}
		if !w.isOp(")") {
			plain = false
			if w.i == before {
				w.i++
			}
		}
	}
	w.i++
	w.depth--
	if plain && (exprs == 1 || w.lang.lang == JavaScript) {
		return last
	}
	w.use(last)
	return value{}
}

func (w *walker) listOf() value {
	v := value{kind: list}
	plain := true
	w.i++
	if !w.deeper() {
		return value{}
	}
	for !w.done() && !w.isOp("]") {
		before := w.i
		e := w.expr()
		w.use(e)
		v.list = append(v.list, e)
		if w.isOp(",") {
			w.i++
			continue
		}
		if !w.isOp("]") {
			plain = false
			if w.i == before {
				w.i++
			}
		}
	}
	w.i++
	w.depth--
	if !plain {
		return value{}
	}
	return v
}

// block is a body, a table of keys or a set.
func (w *walker) block() {
	w.i++
	depth := w.depth
	if !w.deeper() {
		return
	}
	if w.lang.lang == Ruby || w.lang.lang == Perl {
		w.depth = 0
	}
	nested := w.blocks
	w.blocks++
	if w.blocks > maxDepth {
		w.problem(TooComplex, "", w.i)
		w.i = len(w.toks)
	}
	for !w.done() && !w.isOp("}") {
		w.step()
	}
	w.blocks = nested
	w.i++
	w.depth = depth
}

// ampersand is a function that is handed on by its name, or an address.
func (w *walker) ampersand() {
	start := w.i
	w.i++
	next := w.cur()
	switch w.lang.lang {
	case Ruby:
		if next.kind == str { // &:name is a method of each element
			w.i++
			if w.methodKnown(next.text) {
				return
			}
			w.call(value{kind: member, name: "." + next.text}, arguments{}, start)
		} else if next.kind == name && next.text == "method" {
			return
		}
	case Perl:
		if next.kind == name && w.defined[next.text] {
			return
		}
		w.problem(DynamicCode, next.text, start)
	case Python, JavaScript, PHP, Awk:
	}
}

func (w *walker) methodKnown(n string) bool {
	_, acts := w.lang.methods["."+n]
	return !acts && (w.lang.harmless[n] || w.defined[n])
}

// postfix reads members, calls and subscripts.
func (w *walker) postfix(v value, start int) value {
	for !w.done() {
		t := w.cur()
		if t.line && w.lang.lines && w.depth == 0 && (t.kind != op || t.text != "." && t.text != "&.") {
			break
		}
		switch {
		case t.kind == op && w.isMember(t.text) || t.kind == op && t.text == "?->":
			var ok bool
			if v, ok = w.memberOf(v, start); !ok {
				return v
			}
		case t.kind == op && t.text == "(":
			switch {
			case w.takesCall(v, t):
				v = w.called(v, start)
			case t.start == t.end && w.lang.lang == Python: // "a" f"{b}"
				v = w.sum(v, w.paren())
			case w.commandFollows(v):
				return w.command(v, start)
			default:
				return w.settle(v, start)
			}
		case t.kind == op && t.text == "[" && !(w.lang.lang == Ruby && t.space && v.kind != data),
			t.kind == op && t.text == "{" && w.lang.lang == Perl && w.subscripted():
			v = w.index(v, start)
		case t.kind == op && t.text == "!" && w.lang.lang == JavaScript:
			w.i++
		case w.commandFollows(v):
			return w.command(v, start)
		default:
			return w.settle(v, start)
		}
	}
	return w.settle(v, start)
}

// takesCall reports whether a bracket begins the arguments of a call. The brackets
// around a text with expressions in it have no width; for JavaScript they are a call.
func (w *walker) takesCall(v value, t token) bool {
	switch {
	case t.start == t.end:
		return w.lang.lang == JavaScript || v.name == backtick
	case v.name == backtick:
		return true
	case w.lang.lang == Ruby:
		return !t.space
	case w.lang.lang == PHP:
		return !phpWords[w.tok(w.i-1).text]
	case w.lang.lang == Perl:
		prev := w.tok(w.i - 1)
		if prev.kind == name && (prev.text[0] == '$' || prev.text[0] == '@' || prev.text[0] == '%') {
			return false
		}
		return !t.space || prev.kind == name
	}
	return true
}

// phpWords are functions of PHP whose argument goes on behind its brackets.
var phpWords = set("echo print include include_once require require_once exit die return")

// subscripted reports whether a brace follows a variable or subscript at once.
func (w *walker) subscripted() bool {
	t, prev := w.cur(), w.tok(w.i-1)
	return !t.space && (prev.kind == name && (prev.text[0] == '$' || prev.text[0] == '@') || prev.text == "}" || prev.text == "]" || prev.text == "->")
}

// settle calls what is called without brackets in the languages that do so.
func (w *walker) settle(v value, start int) value {
	if !w.lang.commands {
		return v
	}
	if v.kind == member || v.kind == ref && w.isFunction(v.name) {
		return w.call(v, arguments{}, start)
	}
	return v
}

// isFunction tells functions from classes, whose names begin with capitals.
func (w *walker) isFunction(n string) bool {
	last := n
	for i := len(n) - 1; i >= 0; i-- {
		if n[i] == '.' {
			last = n[i+1:]
			break
		}
	}
	if last == "" || last[0] >= 'A' && last[0] <= 'Z' || w.lang.modules[n] || w.lang.pure[n] {
		return false
	}
	return last[0] != '$' && last[0] != '@'
}

// commandFollows reports whether arguments without brackets follow.
func (w *walker) commandFollows(v value) bool {
	t, prev := w.cur(), w.tok(w.i-1)
	if !w.lang.commands && !(w.lang.lang == PHP && phpWords[prev.text]) {
		return false
	}
	if t.line && w.lang.lines || !t.space && t.kind != str && t.start != t.end || prev.kind != name {
		return false
	}
	if v.kind != member && !(v.kind == ref && w.isFunction(v.name)) && !w.unknownCommand(prev) {
		return false
	}
	switch t.kind {
	case str, number, pattern:
		return true
	case name:
		return !w.lang.keywords[t.text] || operandWords[t.text]
	case op:
		next := w.tok(w.i + 1)
		switch t.text {
		case "[", "(":
			return t.space || t.start == t.end
		case "\\", "!", "->", "{":
			return w.lang.lang == Perl && t.text != "{"
		case "*", "&", "-", "**", "::":
			return !next.space
		}
	}
	return false
}

// operandWords are keywords that a value begins with.
var operandWords = set("true false nil not new self my lambda proc null this undef True __FILE__ __dir__")

// unknownCommand reports whether a name that is nothing else is used as a function.
func (w *walker) unknownCommand(t token) bool {
	return t.text[0] != '$' && t.text[0] != '@' && w.bound[t.text] == 0
}

// command is a call whose arguments go on to the end of the statement.
func (w *walker) command(v value, start int) value {
	a := arguments{first: w.i}
	for !w.done() {
		before := w.i
		key := ""
		if w.cur().kind == name && w.tok(w.i+1).text == ":" && w.lang.lang == Ruby {
			key = w.cur().text
			w.i += 2
		}
		e := w.expr()
		a.all = append(a.all, argument{key, e})
		if w.i == before || !w.isOp(",") && !w.isOp("=>") {
			break
		}
		w.i++
	}
	a.behind = w.i
	return w.call(v, a, start)
}
