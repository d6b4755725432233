package shell

import "strings"

// wrapperKind says whether a command starts another one.
type wrapperKind int

const (
	notWrapper wrapperKind = iota
	isWrapper
	// strangeWrapper starts another command, but with an option that is not known, so
	// that where that command begins cannot be told.
	strangeWrapper
)

// unwrapped is what a wrapper starts.
type unwrapped struct {
	name string   // of the wrapper, without its folder
	args []Word   // the command behind it; nil if there is none
	env  []Assign // variables that it sets
	dir  *Word    // the folder that it changes to first, nil for none
	text *Word    // a text that a shell runs instead of args
	// params are $0, $1 … of text, or $1 … of a text from standard input.
	params []Word
	// stdinText is for a shell that runs what it reads.
	stdinText bool
	// script is a file that a shell would run.
	script *Word
	// fromStdin says that words which are read become arguments: behind args, or in
	// the place of placeholder.
	fromStdin   bool
	placeholder string
	remote      string // the host or container where it runs, "?" if that is not known
	// keeps says that the wrapper does something of its own as well.
	keeps bool
}

// wrap is how a wrapper's words are read.
type wrap struct {
	// flags are single letters; one with a colon behind it takes a value. long are
	// names separated by blanks, "=" behind one takes a value, "=?" may have one in
	// the same word.
	flags, long string
	// skip is how many operands stand before the command (timeout's duration).
	skip int
	// assigns takes A=b in front of the command for variables.
	assigns bool
	// then looks at options and operands, where there is more to a wrapper than a
	// command behind its options.
	then func(*unwrapped, wrapOptions) wrapperKind
	// raw looks at all words, where the wrapper's own options stand in several places.
	raw func(*unwrapped, []Word) wrapperKind
}

// unwrap looks what a command starts, if it is a wrapper.
func unwrap(args []Word) (unwrapped, wrapperKind) {
	if len(args) == 0 {
		return unwrapped{}, notWrapper
	}
	program, ok := args[0].Value()
	if !ok {
		return unwrapped{}, notWrapper
	}
	u := unwrapped{name: program[strings.LastIndexByte(program, '/')+1:]}
	w, ok := wrappers[u.name]
	if !ok {
		return unwrapped{}, notWrapper
	}
	if w.raw != nil {
		kind := w.raw(&u, args[1:])
		return u, kind
	}
	o := w.read(args[1:])
	switch {
	case o.strange:
		return u, strangeWrapper
	case w.then == nil:
		kind := u.take(w, o)
		return u, kind
	default:
		kind := w.then(&u, o)
		return u, kind
	}
}

// take is for wrappers that start what stands behind their options.
func (u *unwrapped) take(w wrap, o wrapOptions) wrapperKind {
	rest := o.operands
	if len(rest) < w.skip {
		return strangeWrapper
	}
	rest = rest[w.skip:]
	if w.assigns {
		rest = u.assignments(rest)
	}
	if len(rest) == 0 {
		return notWrapper // "env", "nice" alone
	}
	u.args = rest
	return isWrapper
}

// assignments takes A=b off the front of a command.
func (u *unwrapped) assignments(words []Word) []Word {
	for len(words) > 0 {
		a, ok := assignment(words[0])
		if !ok {
			break
		}
		u.env = append(u.env, a)
		words = words[1:]
	}
	return words
}

// assignment reads a word as a variable and its value.
func assignment(w Word) (Assign, bool) {
	name, value, ok := strings.Cut(w.Prefix(), "=")
	if !ok || name == "" || strings.ContainsAny(name, "/ ") {
		return Assign{}, false
	}
	v := w
	v.Parts = append([]Part{{Text: value}}, w.Parts[1:]...)
	return Assign{Name: name, Value: v, Span: w.Span}, true
}

// wrapOptions are a wrapper's options and what stands behind them.
type wrapOptions struct {
	set      map[string]Word
	operands []Word
	strange  bool
}

func (o *wrapOptions) note(name string, value Word) {
	if o.set == nil {
		o.set = map[string]Word{}
	}
	o.set[name] = value
}

func (o wrapOptions) has(names ...string) bool {
	for _, n := range names {
		if _, ok := o.set[n]; ok {
			return true
		}
	}
	return false
}

func (o wrapOptions) get(names ...string) (Word, bool) {
	for _, n := range names {
		if w, ok := o.set[n]; ok {
			return w, true
		}
	}
	return Word{}, false
}

// read reads options up to the first operand. A word that is not known there could
// be an option, so that nothing can be told.
func (w wrap) read(args []Word) wrapOptions {
	var o wrapOptions
	for i := 0; i < len(args); i++ {
		text, known := args[i].Value()
		switch {
		case !known && (args[i].Prefix() == "" || args[i].Prefix()[0] == '-'):
			o.strange = true
			return o
		case !known || len(text) < 2 || text[0] != '-':
			o.operands = args[i:]
			return o
		case text == "--":
			o.operands = args[i+1:]
			return o
		case text[1] == '-':
			i = w.readLong(&o, args, i, text[2:])
		default:
			i = w.readShort(&o, args, i, text)
		}
		if o.strange {
			return o
		}
	}
	return o
}

func (w wrap) readLong(o *wrapOptions, args []Word, i int, text string) int {
	name, value, given := strings.Cut(text, "=")
	for known := range strings.FieldsSeq(w.long) {
		bare := strings.TrimRight(known, "=?")
		if bare != name {
			continue
		}
		switch {
		case given && bare == known:
			o.strange = true
		case given:
			o.note(name, Word{Parts: []Part{{Text: value}}, Span: args[i].Span})
		case strings.HasSuffix(known, "=") && i+1 < len(args):
			i++
			o.note(name, args[i])
		case strings.HasSuffix(known, "="):
			o.strange = true
		default:
			o.note(name, Word{})
		}
		return i
	}
	o.strange = true
	return i
}

func (w wrap) readShort(o *wrapOptions, args []Word, i int, text string) int {
	for j := 1; j < len(text); j++ {
		at := strings.IndexByte(w.flags, text[j])
		if at < 0 || text[j] == ':' {
			o.strange = true
			return i
		}
		name := text[j : j+1]
		if at+1 == len(w.flags) || w.flags[at+1] != ':' {
			o.note(name, Word{})
			continue
		}
		maybe := at+2 < len(w.flags) && w.flags[at+2] == ':'
		switch {
		case j+1 < len(text):
			o.note(name, Word{Parts: []Part{{Text: text[j+1:]}}, Span: args[i].Span})
		case maybe:
			o.note(name, Word{})
		case i+1 < len(args):
			i++
			o.note(name, args[i])
		default:
			o.strange = true
		}
		return i
	}
	return i
}
