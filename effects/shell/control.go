package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

// control runs what decides about what is run.
func (r *reader) control(cmd syntax.Command, f frame, sc *scope) result {
	f.output = false
	switch c := cmd.(type) {
	case *syntax.IfClause:
		return r.choice(c, f, sc)
	case *syntax.WhileClause:
		return r.while(c, f, sc)
	case *syntax.ForClause:
		return r.loop(c, f, sc)
	case *syntax.CaseClause:
		return r.cases(c, f, sc)
	case *syntax.CoprocClause:
		inner := *sc
		f.background = true
		r.stmt(c.Stmt, f, &inner)
		return sc.succeeds()
	case *syntax.ArithmCmd:
		r.inside(c, f, sc)
		return sc.ends()
	case *syntax.LetClause:
		r.inside(c, f, sc)
		return sc.ends()
	case *syntax.TestClause:
		r.inside(c, f, sc)
		return sc.ends()
	default:
		r.problem(Unparsable, f.src.words(cmd), f.src.span(cmd))
		return sc.ends()
	}
}

// choice is if, with all that follows it.
func (r *reader) choice(c *syntax.IfClause, f frame, sc *scope) result {
	before := sc.vars
	var ok, fail dirset
	ok, fail = nowhere, nowhere
	end := false // whether there is an else
	for first := true; c != nil && !r.full; c, first = c.Else, false {
		if len(c.Cond) == 0 { // else
			res := r.branch(c.Then, f, sc)
			ok, fail = ok.or(res.ok), fail.or(res.fail)
			end = true
			break
		}
		cond := f
		cond.certain = f.certain && first
		tested := r.stmts(c.Cond, cond, sc)
		if first {
			before = sc.vars
		}
		if !tested.ok.none {
			sc.dirs = tested.ok
		}
		res := r.branch(c.Then, f, sc)
		ok, fail = ok.or(res.ok), fail.or(res.fail)
		sc.since(before)
		if !tested.fail.none {
			sc.dirs = tested.fail
		}
	}
	if !end {
		ok = ok.or(sc.dirs)
	}
	sc.since(before)
	return result{ok: ok, fail: fail}
}

// assigned makes all variables that a loop sets ones that may be anything: what it
// sets in one round is there in the next.
func (r *reader) assigned(n syntax.Node, sc *scope) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if !r.spend(4, Span{0, len(r.outer)}) {
			return false
		}
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				sc.set(n.Name.Value, anything)
			}
		case *syntax.WordIter:
			sc.set(n.Name.Value, anything)
		case *syntax.CallExpr:
			for i, w := range n.Args {
				if i > 0 && readsVariables(n.Args[0].Lit()) {
					sc.set(w.Lit(), anything)
				}
			}
		case *syntax.BinaryArithm:
			if w, ok := n.X.(*syntax.Word); ok {
				sc.set(w.Lit(), anything)
			}
		case *syntax.UnaryArithm:
			if w, ok := n.X.(*syntax.Word); ok {
				sc.set(w.Lit(), anything)
			}
		}
		return true
	})
}

func readsVariables(name string) bool {
	switch name {
	case "read", "mapfile", "readarray", "getopts", "unset", "printf", "let":
		return true
	}
	return false
}

func (r *reader) while(c *syntax.WhileClause, f frame, sc *scope) result {
	r.assigned(c, sc)
	before := sc.vars
	moved := r.moves(c)
	if moved {
		sc.dirs.unknown = true
	}
	tested := r.stmts(c.Cond, f, sc)
	if !tested.ok.none {
		sc.dirs = tested.ok
	}
	res := r.branch(c.Do, f, sc)
	sc.since(before)
	out := tested.ok.or(tested.fail).or(res.ok).or(res.fail)
	return result{ok: out, fail: out}
}

// moves reports whether a loop changes its folder, so that a later round starts
// elsewhere than the first.
func (r *reader) moves(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if !r.spend(4, Span{0, len(r.outer)}) {
			return false
		}
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst:
			return false
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				switch n.Args[0].Lit() {
				case "cd", "pushd", "popd", "eval", "source", ".":
					found = true
				}
			}
		}
		return !found
	})
	return found
}

func (r *reader) loop(c *syntax.ForClause, f frame, sc *scope) result {
	start := sc.dirs
	rounds := 1
	var words []Word
	name := ""
	if iter, ok := c.Loop.(*syntax.WordIter); ok {
		name = iter.Name.Value
		if iter.InPos.IsValid() {
			words = r.fields(iter.Items, f, sc)
		} else if words = sc.params; !sc.known {
			words = []Word{{Parts: r.one(Part{Unknown, `"$@"`}), Many: true}}
		}
		rounds = len(words)
	} else {
		r.assigned(c, sc)
		r.inside(c.Loop, f, sc)
	}
	if c.Select || rounds > maxRounds && !r.small(c, rounds) {
		words, rounds = []Word{{Parts: r.one(Part{Unknown, "$" + name})}}, 1
	}
	before := sc.vars
	out := sc.dirs
	moved := r.moves(c)
	if rounds > 0 {
		r.assigned(c, sc)
	}
	sc.dirs.unknown = sc.dirs.unknown || moved && rounds > 1
	body := sc.vars
	for i := 0; i < rounds && !r.full; i++ {
		sc.vars = body
		if name != "" {
			sc.set(name, r.turn(words[i], name))
		}
		res := r.branch(c.Do, f, sc)
		out = out.or(res.ok).or(res.fail)
		sc.dirs = start
		sc.dirs.unknown = sc.dirs.unknown || moved
	}
	sc.since(before)
	return result{ok: out, fail: out}
}

// small reports whether a loop with many words has a body so short that it can be run
// for each.
func (r *reader) small(c *syntax.ForClause, rounds int) bool {
	return len(c.Do) <= 2 && rounds <= 8*maxRounds && len(r.script.Commands)+rounds*2*len(c.Do) < maxCommands/2
}

// turn is the value of a loop's variable for one of its words.
func (r *reader) turn(w Word, name string) value {
	if text, ok := w.Value(); ok {
		return value{parts: r.one(Part{Text: text})}
	}
	if w.Many {
		return value{parts: r.one(Part{Unknown, "$" + name})}
	}
	// What a pattern stands for is a file's name, and no pattern any more: it is split
	// if it is used without quotes, and keeps its kind for whoever looks at it.
	return value{parts: w.Parts}
}

func (r *reader) cases(c *syntax.CaseClause, f frame, sc *scope) result {
	r.single(c.Word, f, sc)
	before := sc.vars
	start := sc.dirs
	ok := start
	for _, item := range c.Items {
		sc.dirs = start
		for _, p := range item.Patterns {
			r.inside(p, f, sc)
		}
		res := r.branch(item.Stmts, f, sc)
		ok = ok.or(res.ok).or(res.fail)
		sc.since(before)
	}
	sc.dirs = start
	return result{ok: ok, fail: ok}
}
