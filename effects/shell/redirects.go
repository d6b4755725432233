package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirects gives a command its files and what it reads, and says whether what it
// prints still goes where the shell's output does.
func (r *reader) redirects(list []*syntax.Redirect, c *Command, f frame, sc *scope) bool {
	prints := true
	for _, rd := range list {
		number := ""
		if rd.N != nil {
			number = rd.N.Value
		}
		in := number == "" || number == "0"
		switch rd.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			s := r.document(rd, f, sc)
			if in {
				c.Stdin = s
			}
		case syntax.WordHdoc:
			s := stdinOf(r.single(rd.Word, f, sc), "\n")
			if in {
				c.Stdin = s
			}
		case syntax.RdrIn, syntax.RdrInOut:
			r.input(rd, in, c, f, sc)
		case syntax.DplIn:
			if w := r.target(rd.Word, f, sc); in {
				c.Stdin = Stdin{Kind: StdinUnknown, Span: w.Span}
			}
		default:
			prints = r.written(rd, number, c, f, sc) && prints
		}
	}
	return prints
}

// written is a redirection of output.
func (r *reader) written(rd *syntax.Redirect, number string, c *Command, f frame, sc *scope) bool {
	start := len(r.script.Commands)
	w := r.target(rd.Word, f, sc)
	if rd.Op == syntax.DplOut {
		text, known := w.Value()
		if known && (text == "-" || strings.Trim(strings.TrimSuffix(text, "-"), "0123456789") == "") {
			return number != "" && number != "1"
		}
	}
	op := WriteTo
	if rd.Op == syntax.AppOut || rd.Op == syntax.AppAll || rd.Op == syntax.AppClob || rd.Op == syntax.AppAllClob {
		op = AppendTo
	}
	if substitutes(rd.Word) != nil {
		_ = start // >(command): what that command reads is this one's output
		return false
	}
	c.Redirects = append(c.Redirects, Redirect{Op: op, Target: w, Span: f.src.span(rd)})
	return number != "" && number != "1"
}

// substitutes is the <(…) or >(…) that a word is.
func substitutes(w *syntax.Word) *syntax.ProcSubst {
	if len(w.Parts) != 1 {
		return nil
	}
	p, _ := w.Parts[0].(*syntax.ProcSubst)
	return p
}

// input is < and <>.
func (r *reader) input(rd *syntax.Redirect, in bool, c *Command, f frame, sc *scope) {
	if p := substitutes(rd.Word); p != nil {
		start := len(r.script.Commands)
		out, known := r.substitution(p.Stmts, f, sc)
		if !in {
			return
		}
		nested := f
		nested.nested = true
		c.Stdin = Stdin{Kind: StdinPipe, From: r.writers(start, nested), Span: f.src.span(p)}
		if known {
			c.Stdin.Kind, c.Stdin.Text = StdinText, out
		}
		return
	}
	w := r.target(rd.Word, f, sc)
	op := ReadFrom
	if rd.Op == syntax.RdrInOut {
		op = ReadWrite
	}
	c.Redirects = append(c.Redirects, Redirect{Op: op, Target: w, Span: f.src.span(rd)})
	if in {
		c.Stdin = Stdin{Kind: StdinFile, File: w, Span: w.Span}
	}
}

// document is the input of a here-document.
func (r *reader) document(rd *syntax.Redirect, f frame, sc *scope) Stdin {
	if rd.Hdoc == nil || len(rd.Hdoc.Parts) == 0 {
		return Stdin{Kind: StdinText, Span: f.src.span(rd.Word)}
	}
	b := builder{reader: r, frame: f, scope: sc, span: f.src.span(rd.Hdoc), whole: true}
	if quotedWord(rd.Word) {
		for _, p := range rd.Hdoc.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				b.add(Literal, lit.Value)
			}
		}
	} else {
		for _, p := range rd.Hdoc.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				b.add(Literal, unbackslash(lit.Value, "$`\\"))
			} else {
				b.part(p, true)
			}
		}
	}
	b.open = true
	b.end()
	s := stdinOf(b.out[0], "")
	if rd.Op == syntax.DashHdoc {
		s.Text = untabbed(s.Text)
	}
	return s
}

// quotedWord reports whether the word that ends a here-document is quoted, so that
// nothing in the document is expanded.
func quotedWord(w *syntax.Word) bool {
	for _, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok || strings.IndexByte(lit.Value, '\\') >= 0 {
			return true
		}
	}
	return false
}

// untabbed is a text without the tabs in front of its lines.
func untabbed(s string) string {
	if !strings.Contains(s, "\n\t") && !strings.HasPrefix(s, "\t") {
		return s
	}
	lines := strings.SplitAfter(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "")
}

// stdinOf is a text that a command reads. Of one that is not known whole, Text is
// how it would be with the source of what is not known in its place.
func stdinOf(w Word, end string) Stdin {
	if text, ok := w.Value(); ok {
		return Stdin{Kind: StdinText, Text: text + end, Span: w.Span}
	}
	return Stdin{Kind: StdinUnknown, Text: rough(w) + end, Span: w.Span}
}

// rough is a word with the source of what is not known in its place.
func rough(w Word) string {
	if len(w.Parts) == 1 {
		return w.Parts[0].Text
	}
	var b strings.Builder
	for _, p := range w.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}
