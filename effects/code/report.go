package code

// Language is one that this package reads.
type Language string

// The languages.
const (
	Python     Language = "python"
	JavaScript Language = "javascript" // node, deno and bun, also TypeScript
	Ruby       Language = "ruby"
	Perl       Language = "perl"
	PHP        Language = "php"
	Awk        Language = "awk"
)

// Kind says what a call does.
type Kind string

// The kinds of calls.
const (
	Reads       Kind = "reads" // a file or folder
	Writes      Kind = "writes"
	Creates     Kind = "creates"
	Deletes     Kind = "deletes"
	Executes    Kind = "executes"
	Sends       Kind = "sends"    // data leaves, or a connection that may carry it
	Receives    Kind = "receives" // a request that only fetches
	Kills       Kind = "kills"    // other processes are signalled
	Privilege   Kind = "privilege"
	Evaluates   Kind = "evaluates" // text or bytes as code
	Database    Kind = "database"  // Target is the statement
	Environment Kind = "environment"
	Loads       Kind = "loads"        // code of another file or package
	LoadsNative Kind = "loads-native" // a shared library
	Cloud       Kind = "cloud"
)

// Span is a place in the text: byte offsets, End exclusive. What nested code holds has
// the place of the literal that it came in.
type Span struct {
	Start, End int
}

// Call is one thing that the code would do.
type Call struct {
	Kind Kind
	// Name is the function's, with its module: "os.remove", ".unlink" where the object
	// is not known.
	Name string
	// Target is a path, a URL, a statement, a variable's name, a module, or a program's
	// text for a shell; how it begins if Known is false, and "" if nothing is known.
	Target string
	Known  bool
	// Shell says that Target is read by a shell. Otherwise a program is started with
	// Argv, as far as that is known, and not more than that if Known.
	Shell bool
	Argv  []string
	// Recursive is for what takes a whole tree.
	Recursive bool
	Span      Span
}

// Problem is a part of the text that is not understood.
type Problem struct {
	Kind  ProblemKind
	Words string
	Span  Span
}

// ProblemKind tells problems apart.
type ProblemKind string

// The kinds of problems.
const (
	Unparsable  ProblemKind = "unparsable"   // its strings, comments or brackets cannot be told for certain
	TooComplex  ProblemKind = "too-complex"  // longer, deeper or more than the bounds
	DynamicCode ProblemKind = "dynamic-code" // the code, or the name of what is called, is computed
	NotKnown    ProblemKind = "not-known"    // a module, function or method that is on no list
)

// Report is what a text would do.
type Report struct {
	Calls    []Call
	Problems []Problem
	// Imports are the modules that it names, in the order in which they are met. One
	// that is harmless here is not if a file of that name lies beside the script.
	Imports []string
	// Unknown says that there are problems, so that more may happen than Calls tell.
	Unknown bool
	// Harmless says that nothing happens but computing, printing, and reading files
	// whose names are all known; whether those may be read is for the caller to say.
	Harmless bool

	inner int // the bytes of nested code so far
}

// The bounds; what is beyond them is too complex.
const (
	maxText     = 128 << 10
	maxDepth    = 100
	maxNested   = 4
	maxCalls    = 1000
	maxProblems = 100
	maxWords    = 200
	maxFolded   = 4096 // of a text that is put together
	maxList     = 64   // of a list
	maxLevels   = 500  // of expressions in expressions
)

// Scan says what a text would do.
func Scan(lang Language, text string) Report {
	var r Report
	scan(lang, text, &r, 0)
	r.Unknown = len(r.Problems) > 0
	r.Harmless = !r.Unknown
	for _, c := range r.Calls {
		if c.Kind != Reads || !c.Known || c.Recursive {
			r.Harmless = false
		}
	}
	return r
}

func scan(lang Language, text string, r *Report, nested int) {
	whole := Span{0, len(text)}
	if nested > 0 {
		r.inner += len(text)
	}
	if len(text) > maxText || nested > maxNested || r.inner > maxText {
		r.problem(TooComplex, "", whole)
		return
	}
	if lang == Awk {
		scanAwk(text, r, nested)
		return
	}
	l := languages[lang]
	if l == nil {
		r.problem(Unparsable, string(lang), whole)
		return
	}
	x := lexer{text: text, lang: lang, toks: make([]token, 0, len(text)/4+8)}
	x.run(lang)
	if x.wrong != "" {
		r.problem(Unparsable, x.wrong, Span{min(x.wrongAt, len(text)), len(text)})
	}
	w := walker{lang: l, toks: x.toks, text: text, report: r, nested: nested, vars: map[string]value{}}
	w.prepare()
	w.program()
}

func (r *Report) problem(k ProblemKind, words string, at Span) {
	if len(r.Problems) >= maxProblems {
		return
	}
	r.Problems = append(r.Problems, Problem{k, words[:min(len(words), maxWords)], at})
}

func (r *Report) call(c Call) {
	if len(r.Calls) >= maxCalls {
		if len(r.Calls) == maxCalls && len(r.Problems) < maxProblems {
			r.problem(TooComplex, c.Name, c.Span)
		}
		return
	}
	r.Calls = append(r.Calls, c)
}
