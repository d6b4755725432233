package effects

import (
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// spec says which options a program has. In short, a letter with a colon behind it
// takes a value, one with two may have one in the same word. In long, names are
// separated by blanks; "=" behind a name takes a value, "=?" may have one.
type spec struct {
	short, long string
	// oneDash is for programs whose long options have one dash (find, terraform, go).
	oneDash bool
	// first ends the options at the first operand, as POSIX has it.
	first bool
	// numbers takes -5 for an option.
	numbers bool
}

// option is one that a command has.
type option struct {
	name  string // without dashes
	value shell.Word
	given bool // has a value
	span  shell.Span
}

// options are a command's, told from its operands.
type options struct {
	list     []option
	operands []shell.Word
	// strange is a word that looks like an option and is none of the program's.
	strange *shell.Word
	// opaque says that a word which is not known may be an option, or several words.
	opaque bool
}

// has reports whether an option is there under one of its names.
func (o *options) has(names ...string) bool {
	_, ok := o.get(names...)
	return ok
}

// get finds an option by its names; the last one counts.
func (o *options) get(names ...string) (option, bool) {
	for i := len(o.list) - 1; i >= 0; i-- {
		if slices.Contains(names, o.list[i].name) {
			return o.list[i], true
		}
	}
	return option{}, false
}

// understood reports whether all words were told apart for certain.
func (o *options) understood() bool { return o.strange == nil && !o.opaque }

// read tells a command's options from its operands.
func (s spec) read(args []shell.Word) options {
	var o options
	for i := 0; i < len(args); i++ {
		w := args[i]
		text, known := w.Value()
		switch {
		case isSubstituted(w):
			o.operands = append(o.operands, w)
		case !known && (w.Many || !startsPlain(w)):
			o.opaque = o.opaque || w.Many || !w.HasGlob() // a pattern's file may be named like an option: see globs
			o.operands = append(o.operands, w)
		case !known && strings.HasPrefix(w.Prefix(), "-"):
			i = o.partly(s, args, i)
		case text == "--":
			o.operands = append(o.operands, args[i+1:]...)
			return o
		case len(text) < 2 || text[0] != '-':
			o.operands = append(o.operands, w)
			if s.first && known {
				o.operands = append(o.operands, args[i+1:]...)
				return o
			}
		case text[1] == '-' || s.oneDash:
			i = o.long(s, args, i, strings.TrimLeft(text, "-"))
		default:
			i = o.short(s, args, i, text)
		}
	}
	return o
}

// isSubstituted reports whether a word is a process substitution, which is a file's
// name whatever its command does.
func isSubstituted(w shell.Word) bool {
	return len(w.Parts) == 1 && w.Parts[0].Kind == shell.Unknown && (strings.HasPrefix(w.Parts[0].Text, "<(") || strings.HasPrefix(w.Parts[0].Text, ">(")) && strings.HasSuffix(w.Parts[0].Text, ")")
}

// startsPlain reports whether a word that is not known whole begins with text.
func startsPlain(w shell.Word) bool { return w.Prefix() != "" }

// partly reads an option of which a part is not known: "--output=$X".
func (o *options) partly(s spec, args []shell.Word, i int) int {
	w := args[i]
	name, _, cut := strings.Cut(strings.TrimLeft(w.Prefix(), "-"), "=")
	kind, ok := s.longKind(name)
	if !cut || !ok || kind == ' ' {
		o.opaque = true
		o.operands = append(o.operands, w)
		return i
	}
	value := w
	value.Parts = append([]shell.Part{{Text: w.Prefix()[strings.IndexByte(w.Prefix(), '=')+1:]}}, w.Parts[1:]...)
	o.list = append(o.list, option{name: name, value: value, given: true, span: w.Span})
	return i
}

// long reads one long option, and the word behind it where that is its value.
func (o *options) long(s spec, args []shell.Word, i int, text string) int {
	name, value, given := strings.Cut(text, "=")
	kind, ok := s.longKind(name)
	if !ok || given && kind == ' ' {
		if s.oneDash && !ok && !strings.HasPrefix(args[i].Prefix(), "--") {
			return o.short(s, args, i, args[i].Prefix())
		}
		o.unknown(args[i])
		return i
	}
	opt := option{name: name, span: args[i].Span, given: given, value: shell.Word{Parts: []shell.Part{{Text: value}}, Span: args[i].Span}}
	if kind == '=' && !given {
		if i++; i == len(args) {
			o.unknown(args[i-1])
			return i
		}
		opt.value, opt.given = args[i], true
	}
	o.list = append(o.list, opt)
	return i
}

// longKind is ' ' for an option without a value, '=' for one with, '?' for one that
// may have one.
func (s spec) longKind(name string) (kind byte, ok bool) {
	if name == "" {
		return 0, false
	}
	for rest := s.long; rest != ""; {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		switch n := strings.TrimPrefix(word, name); {
		case len(n) == len(word):
		case n == "":
			return ' ', true
		case n == "=":
			return '=', true
		case n == "=?":
			return '?', true
		}
	}
	return 0, false
}

// short reads a word of single letters: "-xzf", "file".
func (o *options) short(s spec, args []shell.Word, i int, text string) int {
	for j := 1; j < len(text); j++ {
		if s.numbers && text[j] >= '0' && text[j] <= '9' {
			continue
		}
		at := strings.IndexByte(s.short, text[j])
		if at < 0 || text[j] == ':' {
			o.unknown(args[i])
			return i
		}
		opt := option{name: text[j : j+1], span: args[i].Span}
		if at+1 == len(s.short) || s.short[at+1] != ':' {
			o.list = append(o.list, opt)
			continue
		}
		maybe := at+2 < len(s.short) && s.short[at+2] == ':'
		switch {
		case j+1 < len(text):
			opt.value, opt.given = shell.Word{Parts: []shell.Part{{Text: text[j+1:]}}, Span: args[i].Span}, true
		case !maybe:
			if i++; i == len(args) {
				o.unknown(args[i-1])
				return i
			}
			opt.value, opt.given = args[i], true
		}
		o.list = append(o.list, opt)
		return i
	}
	return i
}

func (o *options) unknown(w shell.Word) {
	if o.strange == nil {
		o.strange = &w
	}
}
