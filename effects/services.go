package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// service is a program that is told by verbs what to do with something elsewhere.
type service struct {
	// kind is that of the effects of a change.
	kind Kind
	// spec are the options that may stand in front of a verb or between its words.
	spec
	verbs func() verbs
	// colons separate the words of a verb as well: heroku apps:destroy.
	colons bool
	// dry are options, separated by blanks, with which a change is only rehearsed. They
	// are of programs that refuse them where they do not know them.
	dry string
	// quiet are options that look as if they changed what a verb does, and do not.
	quiet string
	// written are options whose value is a file that is written, run those that have a
	// program started or do more than the verb says.
	written, run string
	// helps says that --help behind any verb has the program explain it, and do nothing.
	helps bool
	// bare is what the program does without any word; noAct if that is not known.
	bare act
	// specials are verbs with a function of their own.
	specials map[string]func(*request) bool
	// refine looks at a verb that the table knows.
	refine func(*request) act
}

// request is what a service is told.
type request struct {
	*invocation
	service *service
	verb    string
	act     act
	at      shell.Span   // of the verb
	rest    []shell.Word // what stands behind it
}

// program is a recogniser for the service.
func (s *service) program() program { return program{s.explain} }

func (s *service) explain(in *invocation) bool {
	r := request{invocation: in, service: s}
	if !r.read() {
		return false
	}
	if asksForHelp(in.args) && (s.helps && r.act != runs && r.act != special || r.act == asks) {
		in.say("service-asked", r.point(), in.name)
		return true
	}
	if r.act == special {
		f, ok := s.specials[r.verb]
		return ok && f(&r)
	}
	if s.refine != nil {
		r.act = s.refine(&r)
	}
	return r.perform(r.act)
}

// read finds the verb; false if there is none that is known.
func (r *request) read() bool {
	t := trail{table: r.service.verbs()}
	i := 0
	for ; i < len(r.args); i++ {
		text, known := r.args[i].Value()
		if !known || text == "--" {
			break
		}
		if len(text) > 1 && text[0] == '-' {
			next, ok := r.service.skip(r.args, i)
			if !ok {
				break
			}
			if next > i && t.table.moves(r.args[next]) {
				return false // not every version of a program takes a value there
			}
			i = next
			continue
		}
		if !r.service.word(&t, text) {
			break
		}
		if t.words == 1 {
			r.at = r.args[i].Span
		}
		r.at.End = r.args[i].Span.End
		if t.act&branch == 0 {
			i++
			break
		}
	}
	r.rest = r.args[min(i, len(r.args)):]
	r.act, r.verb = t.act&actMask, t.verb()
	if t.words == 0 {
		r.act = r.service.bareAct(r.args)
		return r.act != noAct
	}
	if strings.IndexByte(r.verb, '*') >= 0 && r.act == asks {
		for _, w := range r.rest {
			if w.Prefix() != "" && w.Prefix()[0] == '-' {
				break
			}
			if t.table.moves(w) {
				return false // it may be the verb, and the one before it a noun
			}
		}
	}
	return r.act != noAct && (t.act&branch == 0 || !hasOperand(r.rest))
}

// word takes a word of the verb, or several that colons join.
func (s *service) word(t *trail, text string) bool {
	if !s.colons || strings.IndexByte(text, ':') < 0 {
		return t.step(text)
	}
	for w := range strings.SplitSeq(text, ":") {
		if !t.step(w) {
			t.act = noAct
			return false
		}
	}
	return true
}

// bareAct is what the program does if no word is a verb.
func (s *service) bareAct(args []shell.Word) act {
	if len(args) == 0 || asksForHelp(args) {
		return max(s.bare, asks)
	}
	for _, w := range args {
		if text, known := w.Value(); !known || text == "" || text[0] != '-' {
			return noAct
		}
	}
	return s.bare
}

// hasOperand reports whether a word follows that may be a part of a verb that the
// table does not know.
func hasOperand(rest []shell.Word) bool {
	if len(rest) == 0 {
		return false
	}
	text, known := rest[0].Value()
	return !known || text == "" || text[0] != '-'
}

// skip reads an option that may stand in front of a verb, and gives the place of its
// last word.
func (s *service) skip(args []shell.Word, i int) (last int, ok bool) {
	text, _ := args[i].Value()
	if strings.HasPrefix(text, "--") && strings.IndexByte(text, '=') > 0 {
		return i, true
	}
	var o options
	if text[1] == '-' || s.oneDash {
		last = o.long(s.spec, args, i, strings.TrimLeft(text, "-"))
	} else {
		last = o.short(s.spec, args, i, text)
	}
	return last, o.strange == nil
}

// asksForHelp reports whether a command only has a program explain itself: its last
// word is --help, and those before it are plain.
func asksForHelp(args []shell.Word) bool {
	if len(args) == 0 {
		return false
	}
	if last, _ := args[len(args)-1].Value(); last != "--help" && last != "--version" && last != "-help" {
		return false
	}
	for _, w := range args[:len(args)-1] {
		if text, known := w.Value(); !known || text == "" || !isPlainWord(text) {
			return false
		}
	}
	return true
}

// isPlainWord reports whether a word is letters, digits and single dashes inside.
func isPlainWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || i > 0 && (c == '-' || c == '_' || c == ':') {
			continue
		}
		return false
	}
	return s != ""
}

// point is the place of the verb.
func (r *request) point() Span {
	if r.at.End == 0 {
		return r.span(r.Span)
	}
	return r.span(r.at)
}
