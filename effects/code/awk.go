package code

import "strings"

// awkFunctions only compute.
var awkFunctions = set(`length substr index split sub gsub match sprintf tolower toupper sin cos atan2 exp log sqrt int rand
	srand print printf getline gensub strftime systime mktime asort asorti strtonum and or xor lshift rshift compl
	patsplit isarray typeof close fflush toupper if while for switch return in delete exit else do function func BEGIN END
	next nextfile`)

// awk is the work on one program of awk.
type awk struct {
	lexer
	report  *Report
	defined map[string]bool
}

// scanAwk looks for what an awk program starts and writes: system, pipes and files.
func scanAwk(text string, r *Report, _ int) {
	a := awk{lexer: lexer{text: text, lang: Awk}, report: r, defined: map[string]bool{}}
	a.split()
	if a.wrong != "" {
		r.problem(Unparsable, a.wrong, Span{min(a.wrongAt, len(text)), len(text)})
	}
	for i, t := range a.toks {
		if t.kind == name && i > 0 && (a.toks[i-1].text == "function" || a.toks[i-1].text == "func") {
			a.defined[t.text] = true
		}
	}
	for i := range a.toks {
		a.token(i)
	}
}

// split reads the tokens. A string goes over no line, a pattern is one where no value
// stands in front of it.
func (a *awk) split() {
	for a.pos < len(a.text) {
		c := a.text[a.pos]
		switch {
		case c == '\n' || c == ';':
			a.line = true
			a.pos++
			if c == ';' {
				a.op(";")
			}
		case c <= ' ':
			if c == 0 {
				a.fail("a NUL byte")
			}
			a.space = true
			a.pos++
		case c == '\\' && a.at(1) == '\n':
			a.pos += 2
		case c == '#':
			a.skipLine()
		case c == '"':
			a.pos++
			a.body(quoteStyle{end: `"`})
		case c == '/' && !a.afterOperand():
			a.pos++
			a.regex('/', true)
		case c == '/' && a.last().kind == op:
			if a.last().text == ")" || a.last().text == "}" {
				a.fail("a slash that may begin a pattern")
			}
			a.operator()
		case isNameStart(c) || c >= 0x80:
			a.name()
		case isDigit(c):
			a.number()
		default:
			a.operator()
		}
	}
}

func (a *awk) tok(i int) token {
	if i < 0 || i >= len(a.toks) {
		return token{kind: op}
	}
	return a.toks[i]
}

func (a *awk) at2(i, j int) Span { return Span{a.tok(i).start, max(a.tok(j).end, a.tok(i).end)} }

// text is the string at a place, if it stands there alone: up to what ends an operand.
func (a *awk) textAt(i int) (string, bool) {
	t := a.tok(i)
	if t.kind != str {
		return "", false
	}
	next := a.tok(i + 1)
	alone := i+1 >= len(a.toks) || next.line || next.kind == op && strings.Contains(";})|,", next.text)
	return t.text, t.known && alone
}

func (a *awk) token(i int) {
	t, next := a.toks[i], a.tok(i+1)
	switch {
	case t.kind == name:
		a.word(i)
	case t.kind != op:
	case t.text == "@":
		a.report.problem(DynamicCode, "@"+next.text, a.at2(i, i+1))
	case t.text == ">" || t.text == ">>":
		a.redirect(i)
	case t.text == "|" && next.text == "getline" && next.kind == name:
		prev := a.tok(i - 1)
		c := Call{Kind: Executes, Name: "| getline", Shell: true, Span: a.at2(i-1, i+1)}
		if before := a.tok(i - 2); prev.kind == str && (before.kind == op && strings.Contains("{;(!&|", before.text[:1]) || before.line || i < 2) {
			c.Target, c.Known = prev.text, prev.known
		}
		a.report.call(c)
	case t.text == "|":
		from := i + 1
		if next.text == "&" { // |& of gawk
			from++
		}
		c := Call{Kind: Executes, Name: "|", Shell: true, Span: a.at2(i, from)}
		c.Target, c.Known = a.textAt(from)
		a.report.call(c)
	case t.text == "<":
		if prev := a.tok(i - 1); prev.text == "getline" || a.tok(i-2).text == "getline" {
			c := Call{Kind: Reads, Name: "getline", Span: a.at2(i-1, i+1)}
			c.Target, c.Known = a.textAt(i + 1)
			a.report.call(netFile(c))
		}
	}
}

// redirect is the > of print and printf; elsewhere it compares.
func (a *awk) redirect(i int) {
	depth := 0
	for j := i - 1; j >= 0 && j > i-400; j-- {
		t := a.toks[j]
		switch {
		case t.kind == op && t.text == ")":
			depth++
		case t.kind == op && t.text == "(":
			if depth--; depth < 0 {
				return // in brackets it compares
			}
		case t.kind == op && (t.text == ";" || t.text == "{" || t.text == "}"):
			return
		case t.kind == name && (t.text == "print" || t.text == "printf"):
			c := Call{Kind: Writes, Name: t.text + " >", Span: a.at2(j, i+1)}
			c.Target, c.Known = a.textAt(i + 1)
			a.report.call(netFile(c))
			return
		}
	}
}

// netFile is one of gawk's names for connections, and none for the usual streams.
func netFile(c Call) Call {
	if strings.HasPrefix(c.Target, "/inet") {
		c.Kind = Sends
	}
	return c
}

func (a *awk) word(i int) {
	t, next := a.toks[i], a.tok(i+1)
	switch {
	case t.text == "system":
		c := Call{Kind: Executes, Name: "system", Shell: true, Span: a.at2(i, i+2)}
		c.Target, c.Known = a.textAt(i + 2)
		a.report.call(c)
	case t.text == "ENVIRON":
		c := Call{Kind: Environment, Name: "ENVIRON", Span: a.at2(i, i+2)}
		if next.text == "[" && a.tok(i+2).kind == str && a.tok(i+3).text == "]" {
			c.Target, c.Known = a.tok(i+2).text, true
		}
		a.report.call(c)
	case t.text == "ARGV" || t.text == "ARGC":
		if next.text == "[" || next.text == "=" {
			a.report.problem(NotKnown, t.text, a.at2(i, i+1)) // files that are read may change
		}
	case next.kind == op && next.text == "(" && !next.space && !awkFunctions[t.text] && !a.defined[t.text]:
		a.report.problem(NotKnown, t.text, a.at2(i, i+1))
	}
}
