package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// number is the value of an expression of known numbers. It runs nothing: what an
// expression runs is found by inside.
func (r *reader) number(x syntax.ArithmExpr, f frame, sc *scope) (string, bool) {
	n, ok := r.evaluate(x, sc, 0)
	return strconv.Itoa(n), ok
}

const maxNumber = 1 << 31

func (r *reader) evaluate(x syntax.ArithmExpr, sc *scope, depth int) (int, bool) {
	if depth > 16 || !r.spend(1, Span{}) {
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.ParenArithm:
		return r.evaluate(x.X, sc, depth+1)
	case *syntax.UnaryArithm:
		n, ok := r.evaluate(x.X, sc, depth+1)
		return -n, ok && x.Op == syntax.Minus
	case *syntax.BinaryArithm:
		a, ok := r.evaluate(x.X, sc, depth+1)
		b, also := r.evaluate(x.Y, sc, depth+1)
		if !ok || !also {
			return 0, false
		}
		return calculate(x.Op, a, b)
	case *syntax.Word:
		return r.operand(x, sc, depth)
	}
	return 0, false
}

// calculate gives up on numbers that are so big that they might not fit.
func calculate(op syntax.BinAritOperator, a, b int) (int, bool) {
	n := 0
	switch op {
	case syntax.Add:
		n = a + b
	case syntax.Sub:
		n = a - b
	case syntax.Mul:
		n = a * b
	case syntax.Quo, syntax.Rem:
		if b == 0 {
			return 0, false
		}
		if n = a / b; op == syntax.Rem {
			n = a % b
		}
	default:
		return 0, false
	}
	return n, -maxNumber < n && n < maxNumber
}

func (r *reader) operand(w *syntax.Word, sc *scope, depth int) (int, bool) {
	if len(w.Parts) != 1 {
		return 0, false
	}
	name := ""
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		name = p.Value
	case *syntax.ParamExp:
		if p.Param == nil || !p.Short {
			return 0, false
		}
		name = p.Param.Value
	default:
		return 0, false
	}
	if n, ok := decimal(name); ok {
		return n, true
	}
	b := builder{reader: r, scope: sc}
	s, ok := text(b.value(name))
	if !ok {
		return 0, false
	}
	return decimal(s)
}

// decimal is a plain number: others have bases of their own.
func decimal(s string) (int, bool) {
	if s == "" || len(s) > 1 && s[0] == '0' || s[0] == '+' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && -maxNumber < n && n < maxNumber
}

// inside runs all substitutions in a part of the text whose value is not worked out,
// and forgets the variables that it sets.
func (r *reader) inside(n syntax.Node, f frame, sc *scope) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if r.full {
			return false
		}
		switch n := n.(type) {
		case *syntax.CmdSubst:
			r.substitution(n.Stmts, f, sc)
			return false
		case *syntax.ProcSubst:
			r.substitution(n.Stmts, f, sc)
			return false
		case *syntax.BinaryArithm:
			r.assignedIn(n.X, n.Op, sc)
		case *syntax.UnaryArithm:
			r.assignedIn(n.X, syntax.Assgn, sc)
		case *syntax.SglQuoted:
			r.suspect(n.Value, f.src.span(n), f, sc)
		case *syntax.Lit:
			r.variableCode(n.Value, f.src.span(n), f, sc)
		}
		return true
	})
}

func (r *reader) assignedIn(x syntax.ArithmExpr, op syntax.BinAritOperator, sc *scope) {
	if op < syntax.Assgn {
		return
	}
	if w, ok := x.(*syntax.Word); ok && isName(w.Lit()) {
		sc.set(w.Lit(), anything)
	}
}

// variableCode is for variables in an expression: their values are expressions too,
// and those may run commands, a[$(command)].
func (r *reader) variableCode(name string, at Span, f frame, sc *scope) {
	if strings.Contains(name, "`") || strings.Contains(name, "$(") {
		r.suspect(unbackslash(name, "$`\"\\'"), at, f, sc)
		return
	}
	if !isName(name) || '0' <= name[0] && name[0] <= '9' {
		return
	}
	if v, ok := sc.lookup(name); ok && !v.maybe {
		for _, p := range v.parts {
			if p.Kind == Literal {
				r.suspect(p.Text, at, f, sc)
			}
		}
	}
}

// suspect runs the substitutions of a text that may be an expression.
func (r *reader) suspect(text string, at Span, f frame, sc *scope) {
	if strings.IndexByte(text, '[') >= 0 && substitutesIn(text) {
		r.again(text, at, f, sc)
	}
}

// substitutesIn reports whether a text has a command in it if it is expanded.
func substitutesIn(text string) bool {
	return strings.Contains(text, "$(") || strings.IndexByte(text, '`') >= 0
}

// again runs what is in a text that a shell expands once more.
func (r *reader) again(text string, at Span, f frame, sc *scope) {
	if f.depth++; f.depth > maxDepth || tooDeep(text) {
		r.tooComplex(at)
		return
	}
	w := document(text)
	if w == nil {
		r.problem(Unparsable, text, at)
		return
	}
	f.src = r.locate(text, at)
	f.certain = false
	r.inside(w, f, sc)
}

// substitution runs statements in a shell of their own and gives what they print.
func (r *reader) substitution(list []*syntax.Stmt, f frame, sc *scope) (string, bool) {
	if f.depth++; f.depth > maxDepth {
		r.tooComplex(f.src.whole)
		return "", false
	}
	inner := *sc
	f.nested, f.output, f.via = true, true, nil
	f.stdin = Stdin{}
	res := r.stmts(list, f, &inner)
	return res.out, res.known
}
