package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Env is what the shell that reads a text knows.
type Env struct {
	Home string
}

// Read finds the commands of a text.
func Read(text string, env Env) Script {
	var s Script
	f, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return Script{Problems: []Problem{{Kind: Unparsable, Words: err.Error(), Span: Span{End: len(text)}}}}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		st, ok := n.(*syntax.Stmt)
		if !ok {
			return true
		}
		call, ok := st.Cmd.(*syntax.CallExpr)
		if !ok {
			return true
		}
		c := Command{Certain: true, Span: Span{int(st.Pos().Offset()), int(st.End().Offset())}}
		for _, w := range call.Args {
			c.Args = append(c.Args, word(w, env))
		}
		for _, r := range st.Redirs {
			op := WriteTo
			if r.Op == syntax.RdrIn {
				op = ReadFrom
			}
			if r.Word != nil && r.Hdoc == nil {
				c.Redirects = append(c.Redirects, Redirect{Op: op, Target: word(r.Word, env)})
			}
		}
		s.Commands = append(s.Commands, c)
		return true
	})
	return s
}

func word(w *syntax.Word, env Env) Word {
	out := Word{Span: Span{int(w.Pos().Offset()), int(w.End().Offset())}}
	for i, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			v := p.Value
			if i == 0 && strings.HasPrefix(v, "~") {
				v = env.Home + v[1:]
			}
			if at := strings.IndexAny(v, "*?["); at >= 0 {
				out.Parts = append(out.Parts, Part{Text: v[:at]}, Part{Kind: Glob, Text: v[at:]})
				continue
			}
			out.Parts = append(out.Parts, Part{Text: v})
		case *syntax.SglQuoted:
			out.Parts = append(out.Parts, Part{Text: p.Value})
		default:
			out.Parts = append(out.Parts, Part{Kind: Unknown})
			out.Many = true
		}
	}
	if len(out.Parts) == 2 && out.Parts[0].Text == "" && out.Parts[0].Kind == Literal && out.Parts[1].Kind == Glob {
		out.Parts = out.Parts[1:]
	}
	return out
}
