package powershell

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// pipeline reads commands and expressions with | between them.
func (r *reader) pipeline() { r.pipelineValue() }

// pipelineValue is a pipeline; if it is one plain expression, with its value.
func (r *reader) pipelineValue() (shell.Word, bool) {
	var in shell.Stdin
	var value shell.Word
	simple := true
	for elements := 0; ; elements++ {
		r.blank(false)
		first := len(r.script.Commands)
		var known bool
		value, known = r.element(in)
		simple = simple && elements == 0 && known
		in = shell.Stdin{Kind: shell.StdinPipe}
		if known {
			if t, ok := value.Value(); ok {
				in = shell.Stdin{Kind: shell.StdinText, Text: t}
			}
		}
		if last := len(r.script.Commands) - 1; last >= first {
			in.From = []int{last}
		}
		r.blank(false)
		switch {
		case r.cur() == '|' && r.next() != '|':
			r.pos++
			r.blank(true)
			if r.pos >= len(r.text) {
				r.problem(shell.Unparsable, "|", r.pos)
				return shell.Word{}, false
			}
		case r.cur() == '&' && r.next() != '&': // in the background
			r.pos++
			return shell.Word{}, false
		default:
			return value, simple
		}
	}
}

// element reads one part of a pipeline, with the value of an expression.
func (r *reader) element(in shell.Stdin) (shell.Word, bool) {
	c := r.cur()
	switch {
	case c == '&' || c == '.' && (r.next() == ' ' || r.next() == '\t' || r.next() == '{' || r.next() == '$' || r.next() == '(' || r.next() == '"' || r.next() == '\''):
		start := r.pos
		r.pos++
		r.blank(false)
		r.invoked(start, in)
		return shell.Word{}, false
	case strings.IndexByte(`"'$([{@+-!,`, c) >= 0 || c >= '0' && c <= '9' && !r.programFollows():
		return r.expression()
	}
	if strings.IndexByte("<>)}", c) >= 0 {
		return shell.Word{}, false
	}
	start := r.pos
	name := r.word()
	if r.pos == start {
		return shell.Word{}, false
	}
	r.command(name, start, in)
	return shell.Word{}, false
}

// programFollows tells 7z from 7.
func (r *reader) programFollows() bool {
	i := r.pos
	for i < len(r.text) && r.text[i] >= '0' && r.text[i] <= '9' {
		i++
	}
	return i < len(r.text) && (isWord(r.text[i]) && strings.IndexByte("kmgtpxld", r.text[i]|0x20) < 0)
}

// invoked is what & and . run: a name, or a block.
func (r *reader) invoked(start int, in shell.Stdin) {
	if r.cur() == '{' {
		r.group()
		r.arguments() // those of the block
		return
	}
	name := r.word()
	if !name.Known() {
		r.problem(shell.DynamicProgram, r.since(start), start)
	}
	r.command(name, start, in)
}

// arguments reads words up to the command's end, and its redirections.
func (r *reader) arguments() (args []shell.Word, redirects []shell.Redirect) {
	for {
		r.blank(false)
		c := r.cur()
		switch {
		case r.pos >= len(r.text) || c == '\n' || c == '\r' || c == ';' || c == '|' || c == '&' || c == ')' || c == '}':
			return args, redirects
		case c == ',':
			r.pos++
			r.blank(true)
		case c == '>' || (c >= '1' && c <= '6' || c == '*') && r.next() == '>':
			if rd, ok := r.redirect(); ok {
				redirects = append(redirects, rd)
			}
		case c == '<':
			r.problem(shell.Unparsable, "<", r.pos)
			r.pos++
		case strings.HasPrefix(r.text[r.pos:], "--%"):
			return append(args, r.verbatim()...), redirects
		default:
			before := r.pos
			args = append(args, r.parameter(r.word())...)
			if r.pos == before {
				r.problem(shell.Unparsable, r.text[r.pos:r.pos+1], r.pos)
				r.pos++
			}
		}
	}
}

// verbatim are the words behind --%, which are read by nobody but the program.
func (r *reader) verbatim() []shell.Word {
	r.pos += 3
	start := r.pos
	for r.pos < len(r.text) && r.cur() != '\n' && r.cur() != '|' && r.cur() != '\r' {
		r.pos++
	}
	var args []shell.Word
	for f := range strings.FieldsSeq(r.since(start)) {
		p := shell.Part{Text: strings.Trim(f, `"`)}
		if strings.Contains(f, "%") {
			p = shell.Part{Kind: shell.Unknown, Text: f}
		}
		args = append(args, shell.Word{Parts: []shell.Part{p}, Span: r.span(start, r.pos)})
	}
	return args
}

// parameter parts -Name:value.
func (r *reader) parameter(w shell.Word) []shell.Word {
	p := w.Prefix()
	i := strings.IndexByte(p, ':')
	if i < 2 || p[0] != '-' || w.Quoted && len(w.Parts) == 1 && strings.IndexByte(p[:i], ' ') >= 0 {
		return []shell.Word{w}
	}
	name := shell.Word{Parts: []shell.Part{{Text: p[:i]}}, Span: w.Span}
	rest := w
	rest.Parts = append([]shell.Part(nil), w.Parts...)
	rest.Parts[0].Text = p[i+1:]
	if rest.Parts[0].Text == "" {
		rest.Parts = rest.Parts[1:]
	}
	return []shell.Word{name, rest}
}

// redirect reads > file; none for 2>&1 and $null.
func (r *reader) redirect() (shell.Redirect, bool) {
	start := r.pos
	for r.cur() != '>' {
		r.pos++
	}
	rd := shell.Redirect{Op: shell.WriteTo}
	r.pos++
	if r.cur() == '>' {
		rd.Op = shell.AppendTo
		r.pos++
	}
	if r.cur() == '&' {
		r.pos = min(r.pos+2, len(r.text))
		return rd, false
	}
	r.blank(false)
	null := strings.HasPrefix(strings.ToLower(r.text[r.pos:min(len(r.text), r.pos+5)]), "$null")
	rd.Target = r.word()
	rd.Span = r.span(start, r.pos)
	return rd, !null
}
