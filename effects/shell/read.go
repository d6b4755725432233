package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of one reading. What goes beyond them is a problem, [TooComplex].
const (
	maxText     = 1 << 20
	maxDepth    = 8    // of texts, functions and substitutions in each other
	maxCommands = 512  // in a script
	maxWords    = 4096 // of a command
	maxProblems = 64
	maxRounds   = 16      // of a loop whose words are known
	maxWork     = 1 << 20 // words and bytes that expansions make, in all
	maxValue    = 1 << 16 // bytes of a variable, and of output that is worked out
)

// Env is what the shell that reads a text knows.
type Env struct {
	// Home is the user's folder, "" if it is not known.
	Home string
	// Dir is the folder that the text starts in, "" if it is not known: then the
	// folders of commands are relative to it.
	Dir string
	// Vars are further variables that are known.
	Vars map[string]string
	// Params are $1 and so on, if ParamsKnown.
	Params      []string
	ParamsKnown bool
}

// Read finds the commands that a shell would run for a text.
func Read(text string, env Env) Script {
	r := reader{env: env, outer: text, work: maxWork}
	if len(text) > maxText {
		r.problem(TooComplex, "", Span{0, len(text)})
		return r.script
	}
	r.script.Problems = strange(text, 0)
	dir := env.Dir
	if dir == "" {
		dir = "."
	}
	sc := scope{dirs: dirset{list: []string{dir}}, known: env.ParamsKnown}
	for _, p := range env.Params {
		sc.params = append(sc.params, Word{Parts: []Part{{Text: p}}, Quoted: true})
	}
	src := source{text: text, whole: Span{0, len(text)}, exact: true}
	r.source(&src, frame{certain: true}, &sc)
	return r.script
}

// reader reads one outermost text.
type reader struct {
	env    Env
	outer  string
	script Script
	work   int
	full   bool   // a bound was met: nothing more is listed
	parts  []Part // room for words of one part
	// produced are the texts of process substitutions, where they are known.
	produced []produced
}

// source is a text that is read: the outermost one, or one that stands in it.
type source struct {
	text string
	// exact says that the text stands letter by letter in the outermost one, where
	// whole starts. Otherwise all of it has whole as its place.
	exact bool
	whole Span
}

// at is the place of a part of the source in the outermost text.
func (s *source) at(start, end int) Span {
	if !s.exact {
		return s.whole
	}
	end = min(end, len(s.text))
	return Span{s.whole.Start + min(start, end), s.whole.Start + end}
}

func (s *source) span(n syntax.Node) Span {
	return s.at(int(n.Pos().Offset()), int(n.End().Offset()))
}

// words are the source of a node, cut at a length that nobody would read on from.
func (s *source) words(n syntax.Node) string {
	start, end := int(n.Pos().Offset()), int(n.End().Offset())
	if start > end || end > len(s.text) {
		return ""
	}
	return s.text[start:min(end, start+512)]
}

// frame is how a statement is run.
type frame struct {
	src        *source
	certain    bool
	nested     bool
	background bool
	output     bool // what it prints is wanted
	depth      int
	remote     string
	via        []Wrapper
	stdin      Stdin
	env        []Assign    // that wrappers around a text have set
	calls      *activation // functions that are being run
}

// activation is a function that is being run, and those that called it.
type activation struct {
	name  string
	outer *activation
}

// problem notes a part of the text that is not understood.
func (r *reader) problem(kind ProblemKind, words string, at Span) {
	for _, p := range r.script.Problems {
		if p.Kind == kind && p.Span == at {
			return
		}
	}
	if len(r.script.Problems) < maxProblems {
		r.script.Problems = append(r.script.Problems, Problem{Kind: kind, Words: words, Span: at})
	}
}

// tooComplex stops the reading.
func (r *reader) tooComplex(at Span) {
	if !r.full {
		r.full = true
		if len(r.script.Problems) == maxProblems {
			r.script.Problems = r.script.Problems[:maxProblems-1]
		}
		r.problem(TooComplex, "", at)
	}
}

// spend takes a piece of work off the bound.
func (r *reader) spend(n int, at Span) bool {
	r.work -= n
	if r.work < 0 {
		r.tooComplex(at)
	}
	return !r.full
}

// list notes a command and returns its place.
func (r *reader) list(c Command) int {
	if len(r.script.Commands) >= maxCommands {
		r.tooComplex(c.Span)
		return len(r.script.Commands) - 1
	}
	r.script.Commands = append(r.script.Commands, c)
	return len(r.script.Commands) - 1
}

// one makes the parts of a word that has a single one, without room of its own.
func (r *reader) one(p Part) []Part {
	if len(r.parts) == cap(r.parts) {
		r.parts = make([]Part, 0, 8)
	}
	r.parts = append(r.parts, p)
	n := len(r.parts)
	return r.parts[n-1 : n : n]
}

// source reads a text and runs it.
func (r *reader) source(src *source, f frame, sc *scope) result {
	if f.depth > maxDepth {
		r.tooComplex(src.whole)
	}
	if r.full || !r.spend(len(src.text)/16, src.whole) {
		return sc.ends()
	}
	f.src = src
	if sc.aliases == nil {
		if words := r.simple(src); words != nil {
			return r.plainCommand(words, f, sc)
		}
	}
	if tooDeep(src.text) {
		r.tooComplex(src.whole)
		return sc.ends()
	}
	file, problem := parse(src.text)
	if file == nil {
		r.problem(Unparsable, problem, src.whole)
		return sc.ends()
	}
	return r.stmts(file.Stmts, f, sc)
}

// locate makes a source of a text that came in a word at a place of the outermost
// text: where it stands there letter by letter, or else the place.
func (r *reader) locate(text string, at Span) *source {
	src := &source{text: text, whole: at}
	if at.Start < 0 || at.End > len(r.outer) || at.Start > at.End || len(text) == 0 {
		return src
	}
	if i := strings.Index(r.outer[at.Start:at.End], text); i >= 0 {
		src.exact = true
		src.whole = Span{at.Start + i, at.Start + i + len(text)}
	}
	return src
}
