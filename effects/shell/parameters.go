package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param adds the value of a parameter.
func (b *builder) param(p *syntax.ParamExp, quoted bool) {
	if p.Param == nil || p.Flags != nil || p.NestedParam != nil || p.Width || p.IsSet || p.Names != 0 || len(p.Modifiers) > 0 {
		b.inside(p, b.frame, b.scope)
		b.unknown(b.src.words(p), quoted)
		return
	}
	name := p.Param.Value
	if p.Index != nil {
		b.element(p, quoted)
		return
	}
	if (name == "@" || name == "*") && !p.Excl && !p.Length && p.Slice == nil && p.Repl == nil && p.Exp == nil {
		b.all(name == "*", p, quoted)
		return
	}
	v := b.value(name)
	if p.Excl {
		inner, ok := text(v)
		if !ok || !isName(inner) || p.Exp != nil || p.Repl != nil || p.Slice != nil {
			b.inside(p, b.frame, b.scope)
			b.unknown(b.src.words(p), quoted)
			return
		}
		v = b.value(inner)
	}
	if p.Length || p.Slice != nil || p.Repl != nil || p.Exp != nil {
		b.changed(p, v, quoted)
		return
	}
	b.emit(v, p, quoted)
}

// emit adds a value as it is.
func (b *builder) emit(v value, p syntax.Node, quoted bool) {
	if v.maybe {
		b.unknown(b.src.words(p), quoted)
		return
	}
	if v.array {
		if len(v.elems) == 0 {
			return
		}
		v.parts = v.elems[0]
	}
	for _, part := range v.parts {
		switch part.Kind {
		case Literal:
			b.text(part.Text, quoted)
		case Glob:
			b.add(Glob, part.Text)
		default:
			b.unknown(part.Text, quoted)
		}
	}
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !letter(s[i]) {
			return false
		}
	}
	return s != ""
}

// text is a value that is known letter by letter.
func text(v value) (string, bool) {
	switch {
	case v.maybe:
		return "", false
	case v.array:
		if len(v.elems) == 0 {
			return "", true
		}
		v.parts = v.elems[0]
	}
	switch {
	case len(v.parts) == 0:
		return "", true
	case len(v.parts) == 1:
		return v.parts[0].Text, v.parts[0].Kind == Literal
	}
	return "", false
}

// value is what is known of a variable or a parameter.
func (b *builder) value(name string) value {
	sc := b.scope
	if v, ok := sc.lookup(name); ok {
		return v
	}
	switch name {
	case "HOME":
		if b.reader.env.Home != "" {
			return value{parts: b.one(Part{Text: b.reader.env.Home})}
		}
	case "PWD":
		if dir, ok := sc.here(); ok {
			return value{parts: b.one(Part{Text: dir})}
		}
	case "IFS":
		return value{parts: b.one(Part{Text: " \t\n"})}
	case "#":
		if sc.known {
			return value{parts: b.one(Part{Text: strconv.Itoa(len(sc.params))})}
		}
	case "0":
		if sc.name != "" {
			return value{parts: b.one(Part{Text: sc.name})}
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n > 0 {
		if n <= len(sc.params) && !some(sc.params[:n]) {
			return value{parts: sc.params[n-1].Parts}
		}
		if sc.known && !some(sc.params) {
			return value{unset: true}
		}
	}
	if v, ok := b.reader.env.Vars[name]; ok {
		return value{parts: b.one(Part{Text: v})}
	}
	return anything
}

// some reports whether it is not known how many words a list has.
func some(words []Word) bool {
	for _, w := range words {
		if w.Many {
			return true
		}
	}
	return false
}

// all adds $@ or $*.
func (b *builder) all(joined bool, p *syntax.ParamExp, quoted bool) {
	if !b.scope.known {
		b.unknown(b.src.words(p), quoted)
		b.many = true
		return
	}
	var list [][]Part
	for _, w := range b.scope.params {
		list = append(list, w.Parts)
		b.many = b.many || w.Many
	}
	b.list(list, joined, quoted)
}

// list adds the values of an array or of the parameters.
func (b *builder) list(list [][]Part, joined, quoted bool) {
	if len(list) == 0 && quoted && !joined && len(b.parts) == 0 && b.first == "" && len(b.rest) == 0 {
		b.open = false // "$@" of none is no word
	}
	for i, parts := range list {
		if i > 0 {
			if joined && quoted || b.whole {
				b.add(Literal, " ")
			} else {
				q, many := b.quoted, b.many
				b.end()
				b.quoted, b.many = q, many
			}
		}
		if quoted {
			b.open = true
		}
		b.emit(value{parts: parts}, nil, quoted)
	}
}

// element adds ${a[i]}, ${a[@]}.
func (b *builder) element(p *syntax.ParamExp, quoted bool) {
	v := b.value(p.Param.Value)
	index, ok := p.Index.(*syntax.Word)
	literal := ""
	if ok {
		literal = index.Lit()
	}
	if !ok || v.maybe || p.Excl || p.Length || p.Slice != nil || p.Repl != nil || p.Exp != nil {
		b.inside(p, b.frame, b.scope)
		b.unknown(b.src.words(p), quoted)
		b.many = b.many || (literal == "@" || literal == "*") && !b.whole
		return
	}
	if !v.array {
		v.elems = [][]Part{v.parts}
		if v.unset {
			v.elems = nil
		}
	}
	if literal == "@" || literal == "*" {
		b.list(v.elems, literal == "*", quoted)
		return
	}
	text, known := b.number(p.Index, b.frame, b.scope)
	i, err := strconv.Atoi(text)
	if !known || err != nil {
		b.inside(p, b.frame, b.scope)
		b.unknown(b.src.words(p), quoted)
		return
	}
	if i < 0 {
		i += len(v.elems)
	}
	if i >= 0 && i < len(v.elems) {
		b.emit(value{parts: v.elems[i]}, p, quoted)
	}
}

// changed adds a value that is changed on the way: ${x:-y} ${x#y} ${x/y/z} ${#x}.
func (b *builder) changed(p *syntax.ParamExp, v value, quoted bool) {
	s, known := text(v)
	switch {
	case p.Exp != nil && p.Exp.Op <= syntax.AssignUnsetOrNull && p.Exp.Op >= syntax.AlternateUnset:
		b.fallback(p, v, quoted)
		return
	case !known:
	case p.Length:
		b.text(strconv.Itoa(len([]rune(s))), quoted)
		return
	case p.Slice != nil:
		if out, ok := b.slice(p.Slice, s); ok {
			b.text(out, quoted)
			return
		}
	case p.Repl != nil:
		if out, ok := b.replaced(p.Repl, s); ok {
			b.text(out, quoted)
			return
		}
	case p.Exp != nil:
		if out, ok := b.trimmed(p.Exp, s); ok {
			b.text(out, quoted)
			return
		}
	}
	if p.Exp != nil && p.Exp.Op == syntax.OtherParamOps && known && substitutesIn(s) {
		b.unsafe(s) // ${x@P}
	}
	b.inside(p, b.frame, b.scope)
	b.unknown(b.src.words(p), quoted)
}

// fallback adds ${x:-y} and its like.
func (b *builder) fallback(p *syntax.ParamExp, v value, quoted bool) {
	op := p.Exp.Op
	s, known := text(v)
	null := op == syntax.AlternateUnsetOrNull || op == syntax.DefaultUnsetOrNull || op == syntax.ErrorUnsetOrNull || op == syntax.AssignUnsetOrNull
	decided := !v.maybe && (known || !null)
	missing := v.unset || null && known && s == ""
	if !decided {
		b.inside(p, b.frame, b.scope)
		if op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull {
			b.scope.set(p.Param.Value, anything)
		}
		b.unknown(b.src.words(p), quoted)
		return
	}
	alternate := op == syntax.AlternateUnset || op == syntax.AlternateUnsetOrNull
	switch {
	case alternate == missing && !missing: // ${x:-y} of a value
		b.emit(v, p, quoted)
	case alternate && missing:
	case op == syntax.ErrorUnset || op == syntax.ErrorUnsetOrNull:
		b.inside(p, b.frame, b.scope)
	default:
		w := b.single(p.Exp.Word, b.frame, b.scope)
		if op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull {
			b.scope.set(p.Param.Value, value{parts: w.Parts})
		}
		b.emit(value{parts: w.Parts}, p, quoted || w.Quoted)
	}
}

func (b *builder) slice(s *syntax.Slice, text string) (string, bool) {
	from, ok := b.number(s.Offset, b.frame, b.scope)
	start, err := strconv.Atoi(from)
	if !ok || err != nil {
		return "", false
	}
	end := len(text)
	if start < 0 {
		start += len(text)
	}
	if start < 0 || start > len(text) {
		return "", true
	}
	if s.Length != nil {
		count, ok := b.number(s.Length, b.frame, b.scope)
		n, err := strconv.Atoi(count)
		if !ok || err != nil {
			return "", false
		}
		if n < 0 {
			end += n
		} else {
			end = min(end, start+n)
		}
	}
	if end < start {
		return "", true
	}
	return text[start:end], true
}

// replaced is ${x/y/z}, if y is no pattern.
func (b *builder) replaced(p *syntax.Replace, s string) (string, bool) {
	from, ok := b.fixed(p.Orig)
	with, also := "", true
	if p.With != nil {
		with, also = b.fixed(p.With)
	}
	if !ok || !also || from == "" || from[0] == '#' || from[0] == '%' {
		return "", false
	}
	n := 1
	if p.All {
		n = -1
	}
	if len(s)*(1+len(with)) > maxValue*4 {
		return "", false
	}
	return strings.Replace(s, from, with, n), true
}

// fixed is a word that is known and holds no pattern.
func (b *builder) fixed(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", true
	}
	fb := builder{reader: b.reader, frame: b.frame, scope: b.scope, span: b.span}
	fb.word(w)
	fb.open = true
	fb.end()
	if len(fb.out) != 1 {
		return "", false
	}
	return fb.out[0].Value()
}
