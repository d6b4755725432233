package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

// stmts runs statements one after the other.
func (r *reader) stmts(list []*syntax.Stmt, f frame, sc *scope) result {
	res := sc.succeeds()
	res.known = true
	out, known := "", true
	for i, s := range list {
		if r.full {
			break
		}
		if i > 0 {
			next := res.ok.or(res.fail)
			if sc.errexit {
				next = res.ok
				f.certain = f.certain && res.fail.none
			}
			if next.none {
				f.certain = false // it is not reached, as far as is known
			} else {
				sc.dirs = next
			}
		}
		res = r.stmt(s, f, sc)
		if f.output {
			known = known && res.known && len(out)+len(res.out) <= maxValue
			if known {
				out += res.out
			}
		}
	}
	res.out, res.known = out, known && f.output
	return res
}

// branch runs statements that may not be run.
func (r *reader) branch(list []*syntax.Stmt, f frame, sc *scope) result {
	f.certain = false
	f.output = false
	return r.stmts(list, f, sc)
}

func (r *reader) stmt(s *syntax.Stmt, f frame, sc *scope) result {
	if r.full {
		return sc.ends()
	}
	if s.Background || s.Coprocess {
		inner := *sc
		f.background, f.output = true, false
		plain := *s
		plain.Background, plain.Coprocess = false, false
		r.stmt(&plain, f, &inner)
		return sc.succeeds()
	}
	var res result
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		res = r.call(call, s, f, sc)
	} else {
		res = r.compound(s, f, sc)
	}
	if s.Negated {
		res.ok, res.fail = res.fail, res.ok
	}
	return res
}

// compound runs what is not a simple command. Its redirections are those of a command
// without words in front of what is in it.
func (r *reader) compound(s *syntax.Stmt, f frame, sc *scope) result {
	if decl, ok := s.Cmd.(*syntax.DeclClause); ok {
		return r.declare(decl, s, f, sc)
	}
	if len(s.Redirs) > 0 || s.Cmd == nil {
		c := Command{Span: r.spanOf(s, f)}
		prints := r.redirects(s.Redirs, &c, f, sc)
		if c.Stdin.Kind != StdinNone {
			f.stdin = c.Stdin
		}
		if len(c.Redirects) > 0 {
			r.add(c, f, sc)
		}
		f.output = f.output && prints
	}
	switch c := s.Cmd.(type) {
	case nil:
		return sc.ends()
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return r.pipeline(c, f, sc)
		}
		return r.chain(c, f, sc)
	case *syntax.Subshell:
		inner := *sc
		res := r.stmts(c.Stmts, f, &inner)
		return sc.outside(res)
	case *syntax.Block:
		return r.stmts(c.Stmts, f, sc)
	case *syntax.FuncDecl:
		if c.Name == nil {
			r.problem(Unparsable, f.src.words(c), f.src.span(c)) // other shells run it at once
			return r.stmt(c.Body, f, sc)
		}
		sc.funcs = &function{c.Name.Value, c.Body, f.src, sc.funcs}
		return sc.succeeds()
	case *syntax.TimeClause:
		if c.Stmt == nil {
			return sc.succeeds()
		}
		return r.stmt(c.Stmt, f, sc)
	default:
		return r.control(s.Cmd, f, sc)
	}
}

// outside is how a subshell ends for the shell that started it.
func (sc *scope) outside(inner result) result {
	res := sc.ends()
	if inner.fail.none && !inner.ok.none {
		res.fail = nowhere
	}
	res.out, res.known = inner.out, inner.known
	return res
}

// spanOf is the place of a statement, without the sign that ends it.
func (r *reader) spanOf(s *syntax.Stmt, f frame) Span {
	end := s.Position.Offset()
	if s.Cmd != nil {
		end = s.Cmd.End().Offset()
	}
	for _, rd := range s.Redirs {
		if rd.Word != nil {
			end = max(end, rd.Word.End().Offset())
		}
	}
	return f.src.at(int(s.Position.Offset()), int(end))
}

// chain runs commands with && and || between them. They lean to the left, so that a
// long chain is taken apart without going down.
func (r *reader) chain(b *syntax.BinaryCmd, f frame, sc *scope) result {
	links := []*syntax.BinaryCmd{b}
	first := b.X
	for {
		x, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || x.Op == syntax.Pipe || x.Op == syntax.PipeAll || first.Negated || first.Background || len(first.Redirs) > 0 {
			break
		}
		links = append(links, x)
		first = x.X
	}
	res := r.stmt(first, f, sc)
	var before *binding
	marked := false
	for i := len(links) - 1; i >= 0 && !r.full; i-- {
		and := links[i].Op == syntax.AndStmt
		start, other := res.ok, res.fail
		if !and {
			start, other = other, start
		}
		if !other.none && !marked {
			before, marked = sc.vars, true
		}
		if !and && marked {
			sc.since(before)
			before = sc.vars
		}
		f.certain = f.certain && other.none && !start.none
		if !start.none {
			sc.dirs = start
		}
		next := r.stmt(links[i].Y, f, sc)
		out, known := res.out+next.out, and && res.known && next.known
		if and {
			res.ok, res.fail = next.ok, next.fail.or(other)
		} else {
			res.ok, res.fail = next.ok.or(other), next.fail
		}
		res.out, res.known = out, known && len(out) <= maxValue
	}
	if marked {
		sc.since(before)
	}
	return res
}

// pipeline runs commands of which each reads what the one before it prints.
func (r *reader) pipeline(b *syntax.BinaryCmd, f frame, sc *scope) result {
	stages := []*syntax.Stmt{b.Y}
	first := b.X
	for {
		x, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || x.Op != syntax.Pipe && x.Op != syntax.PipeAll || first.Negated || len(first.Redirs) > 0 {
			break
		}
		stages = append(stages, x.Y)
		first = x.X
	}
	stages = append(stages, first)
	wanted := f.output
	var res result
	for i := len(stages) - 1; i >= 0; i-- {
		f.output = wanted || i > 0
		inner := *sc
		start := len(r.script.Commands)
		res = r.stmt(stages[i], f, &inner)
		f.stdin = Stdin{Kind: StdinPipe, From: r.writers(start, f), Span: r.spanOf(stages[i], f)}
		if res.known {
			f.stdin.Kind, f.stdin.Text = StdinText, res.out
		}
	}
	return sc.outside(res)
}

// writers are the commands since a place in the list whose output goes into a pipe:
// not those of substitutions.
func (r *reader) writers(start int, f frame) []int {
	var from []int
	for i := start; i < len(r.script.Commands); i++ {
		if c := &r.script.Commands[i]; c.Nested == f.nested && len(c.Args) > 0 {
			from = append(from, i)
		}
	}
	if from == nil {
		for i := start; i < len(r.script.Commands); i++ {
			from = append(from, i)
		}
	}
	return from
}
