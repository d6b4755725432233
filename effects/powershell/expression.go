package powershell

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// expression reads operands and operators up to the end of the pipeline's element. Its
// value is known if it is a text, or several joined by +.
func (r *reader) expression() (shell.Word, bool) {
	start := r.pos
	var b builder
	known, plus := true, true
	for {
		r.blank(false)
		c := r.cur()
		switch {
		case r.pos >= len(r.text) || c == '\n' || c == '\r' || c == ';' || c == ')' || c == '}' || c == '|' || c == '&':
			return b.word(r.span(start, r.pos)), known
		case c == '"' || c == '\'' || c == '$' || c == '@' && r.next() != '(' && r.next() != '{':
			w := r.operand()
			w, plain := r.members(w)
			known = known && plus && plain
			b.add(w)
			plus = false
		case c == '+':
			r.pos++
			plus = true
		case c == '[':
			known = false
			r.typed()
		case c == '(' || c == '{' || c == '@':
			known = false
			if c == '@' {
				r.pos++
			}
			r.group()
			r.members(shell.Word{})
		case c == '>' || c == '<':
			known = false
			if c == '<' {
				r.problem(shell.Unparsable, "<", r.pos)
				r.pos++
				continue
			}
			if rd, ok := r.redirect(); ok {
				r.add(shell.Command{Redirects: []shell.Redirect{rd}, Span: rd.Span})
			}
		default:
			known = false
			r.other()
		}
	}
}

// operand is one text or variable, without members.
func (r *reader) operand() shell.Word {
	start := r.pos
	var b builder
	switch c := r.cur(); {
	case c == '\'':
		r.single(&b)
	case c == '"':
		r.double(&b)
	case c == '@' && (r.next() == '"' || r.next() == '\''):
		r.hereString(&b)
	case c == '@':
		r.pos++
	default:
		r.variable(&b)
	}
	return b.word(r.span(start, r.pos))
}

// other skips operators, numbers and words.
func (r *reader) other() {
	start := r.pos
	if start >= len(r.text) {
		return
	}
	for r.pos < len(r.text) && (isWord(r.cur()) || r.pos == start) {
		r.pos++
	}
	if word := r.text[start:r.pos]; isLetter(word[0]) && word != "in" {
		r.problem(shell.Unparsable, word, start) // no shell takes a bare word for a value
	}
	if r.text[start] == '.' { // a member behind a line's end
		r.pos = start
		r.members(shell.Word{})
		r.pos = max(r.pos, start+1)
	}
}

// members reads what stands behind a value: .name, ::name, [index], (arguments). A
// method that is not known to be harmless is a command of its own.
func (r *reader) members(w shell.Word) (shell.Word, bool) {
	plain := true
	for {
		c := r.cur()
		switch {
		case c == '.' && (isWord(r.next()) || r.next() == '$' || r.next() == '"' || r.next() == '\'' || r.next() == '('):
			r.pos++
			r.method("")
		case c == '?' && r.next() == '.':
			r.pos += 2
			r.method("")
		case c == ':' && r.next() == ':':
			r.pos += 2
			r.method("")
		case c == '[':
			r.pos++
			r.statements()
			for r.pos < len(r.text) && r.cur() != ']' && r.cur() != '\n' {
				r.pos++
			}
			r.pos = min(r.pos+1, len(r.text))
		default:
			if plain {
				return w, true
			}
			return shell.Word{Parts: []shell.Part{{Kind: shell.Unknown}}}, false
		}
		plain = false
	}
}

// method reads a member's name, and the arguments of a call. class is "" for objects.
func (r *reader) method(class string) {
	start := r.pos
	from := r.pos
	for r.pos < len(r.text) && isWord(r.cur()) {
		r.pos++
	}
	name := strings.ToLower(r.since(from))
	if name == "" { // $x.$name, $x."name"
		w := r.operandOrGroup()
		t, ok := w.Value()
		if !ok || t == "" {
			r.problem(shell.DynamicProgram, r.since(start), start)
		}
		name = strings.ToLower(t)
	}
	if r.cur() != '(' {
		return
	}
	args := r.callArguments()
	full := class + "." + name
	if class != "" {
		full = class + "::" + name
	}
	if class == "" && harmlessMethods[name] || harmlessTypes[class] {
		return
	}
	if name == "invoke" || name == "invokescript" || name == "create" && strings.Contains(class, "scriptblock") || name == "newscriptblock" {
		r.dynamic(args, start)
		return
	}
	word := shell.Word{Parts: []shell.Part{{Text: full}}, Span: r.span(start, r.pos)}
	r.add(shell.Command{Args: append([]shell.Word{word}, args...), Span: r.span(start, r.pos)})
}

func (r *reader) operandOrGroup() shell.Word {
	if r.cur() == '(' {
		r.group()
		return shell.Word{Parts: []shell.Part{{Kind: shell.Unknown}}}
	}
	return r.operand()
}

// dynamic is a text that is run: read if it is known.
func (r *reader) dynamic(args []shell.Word, start int) {
	if len(args) > 0 {
		if t, ok := args[0].Value(); ok {
			r.nestedText(t, "invoke-expression", start)
			return
		}
	}
	r.problem(shell.DynamicCode, r.since(start), start)
}

// callArguments reads ( a, b ), each as a word; what is computed is not known.
func (r *reader) callArguments() []shell.Word {
	open := r.pos
	r.pos++
	var args []shell.Word
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		r.problem(shell.TooComplex, "", r.pos)
		r.pos = len(r.text)
		return nil
	}
	for r.blank(true); r.pos < len(r.text); r.blank(true) {
		c := r.cur()
		switch {
		case c == ')':
			r.pos++
			return args
		case c == ',':
			r.pos++
		case c == ';' || c == '}' || c == '|' || c == '&':
			r.problem(shell.Unparsable, "(", open)
			r.pos++
		default:
			before := r.pos
			args = append(args, r.callArgument())
			if r.pos == before {
				r.pos++
			}
		}
	}
	r.problem(shell.Unparsable, "(", open)
	return args
}

func (r *reader) callArgument() shell.Word {
	start := r.pos
	var b builder
	known, plus := true, true
	for r.blank(true); r.pos < len(r.text); r.blank(true) {
		switch c := r.cur(); {
		case c == ',' || c == ')' || c == ';' || c == '}' || c == '|' || c == '&':
			if !known {
				return shell.Word{Parts: []shell.Part{{Kind: shell.Unknown, Text: r.since(start)}}, Span: r.span(start, r.pos)}
			}
			return b.word(r.span(start, r.pos))
		case c == '"' || c == '\'' || c == '$':
			w, plain := r.members(r.operand())
			known = known && plain && plus
			b.add(w)
			plus = false
		case c == '+':
			r.pos++
			plus = true
		case c == '[':
			known = false
			r.typed()
		case c == '(' || c == '{':
			known = false
			r.group()
			r.members(shell.Word{})
		case c == '@' && (r.next() == '(' || r.next() == '{'):
			r.pos++
		default:
			known = known && (c >= '0' && c <= '9')
			from := r.pos
			r.other()
			b.literal(r.since(from))
		}
	}
	return shell.Word{Parts: []shell.Part{{Kind: shell.Unknown}}}
}

// typed reads [Type], and what is called of it.
func (r *reader) typed() {
	start := r.pos
	r.pos++
	nest := 1
	for r.pos < len(r.text) && nest > 0 {
		switch c := r.cur(); c {
		case '[':
			nest++
		case ']':
			nest--
		case '\n', ';', '|', '"', '\'', '$', '{', '}':
			r.problem(shell.Unparsable, r.since(start), start)
			r.pos++
			return
		}
		r.pos++
	}
	if nest > 0 {
		r.problem(shell.Unparsable, "[", start)
		return
	}
	class := strings.ToLower(strings.TrimSpace(r.text[start+1 : r.pos-1]))
	if i := strings.IndexByte(class, ','); i >= 0 {
		class = class[:i]
	}
	class = strings.TrimPrefix(class, "system.")
	if r.cur() == ':' && r.next() == ':' {
		r.pos += 2
		r.method("[" + class + "]")
		r.members(shell.Word{})
		return
	}
	if class == "scriptblock" || class == "ref" || class == "wmiclass" || class == "adsi" {
		r.problem(shell.DynamicCode, class, start)
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
