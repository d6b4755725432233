package code

// languages are those that are followed token by token.
var languages = map[Language]*language{
	Python: {
		lang: Python, table: actions(pythonTable), methods: actions(pythonMethods), pure: set(pythonPure),
		modules: set(pythonModules), harmless: set(pythonHarmless), forbidden: set(pythonForbidden),
		keywords: set(pythonKeywords), concat: "+", lines: true,
	},
	JavaScript: {
		lang: JavaScript, table: actions(scriptTable), methods: actions(scriptMethods), pure: set(scriptPure),
		modules: set(scriptModules), harmless: set(scriptHarmless), forbidden: set(scriptForbidden),
		keywords: set(scriptKeywords), concat: "+",
	},
	Ruby: {
		lang: Ruby, table: actions(rubyTable), methods: actions(rubyMethods), pure: set(rubyPure),
		modules: set(rubyModules), harmless: set(rubyHarmless), forbidden: set(rubyForbidden),
		keywords: set(rubyKeywords), concat: "+", lines: true, commands: true, mutable: true,
	},
	Perl: {
		lang: Perl, table: actions(perlTable), methods: actions(perlMethods), pure: set(perlPure),
		modules: set(perlModules), harmless: set(perlHarmless), forbidden: set(perlForbidden),
		keywords: set(perlKeywords), concat: ".", commands: true, mutable: true, loose: true,
	},
	PHP: {
		lang: PHP, table: actions(phpTable), methods: actions(phpMethods), pure: set(phpPure),
		modules: set(phpModules), harmless: set(phpHarmless), forbidden: set(phpForbidden),
		keywords: set(phpKeywords), concat: ".", mutable: true, loose: true,
	},
}

// imports handles the imports of a text, which hold wherever they stand.
func (w *walker) imports() {
	switch w.lang.lang {
	case Python:
		pythonImports(w)
	case JavaScript:
		scriptImports(w)
	case Ruby, Perl, PHP, Awk:
	}
}

// statement reads what only its language has; false for an expression.
func (w *walker) statement() bool {
	switch w.lang.lang {
	case Python:
		return pythonStatement(w)
	case JavaScript:
		return scriptStatement(w)
	case Perl:
		return perlStatement(w)
	case Ruby, PHP:
		return definition(w)
	case Awk:
	}
	return false
}

// definition skips the name of what is defined.
func definition(w *walker) bool {
	switch w.cur().text {
	case "def", "function", "class", "module", "interface", "trait", "namespace", "enum":
		next := w.tok(w.i + 1)
		if next.kind != name || next.line || w.isMember(w.tok(w.i-1).text) {
			return false
		}
		w.i += 2
		if w.lang.modules[next.text] || w.has(next.text) {
			w.problem(NotKnown, next.text, w.i-1) // something that is known is made anew
		}
		for w.isOp(".") && w.tok(w.i+1).kind == name { // def self.x
			w.i += 2
		}
		return true
	}
	return false
}

// perlStatement reads use, no, package and sub.
func perlStatement(w *walker) bool {
	t, next := w.cur(), w.tok(w.i+1)
	if w.isMember(w.tok(w.i - 1).text) {
		return false
	}
	switch t.text {
	case "use", "no", "require", "package":
		if next.kind == number {
			w.i += 2
			return true
		}
		if next.kind != name || next.text[0] == '$' {
			if t.text == "require" {
				return false
			}
			w.i++
			return true
		}
		n, i := next.text, w.i+2
		for w.tok(i).text == "::" && w.tok(i+1).kind == name {
			n += "." + w.tok(i+1).text
			i += 2
		}
		start := w.i
		w.i = i
		if t.text != "package" {
			w.module(n, start)
		}
		if n == "lib" {
			w.report.call(Call{Kind: Loads, Name: "use lib", Span: w.span(start)})
		}
		return true
	case "sub":
		w.i++
		if next.kind == name {
			w.i++
		}
		if w.isOp("(") { // a prototype or signature
			w.parameters()
		}
		return true
	case "eval", "do":
		if next.text == "{" && next.kind == op {
			w.i++
			return true
		}
	}
	return false
}
