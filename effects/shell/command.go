package shell

// Span is a place in the text that was read: byte offsets, End exclusive. What a
// nested text holds (bash -c '…') has its own place in the outer one where that text
// stands there letter by letter, and otherwise the place of the word that it came in.
type Span struct {
	Start, End int
}

// Script is what a text would run.
type Script struct {
	// Commands are in the order in which they are met; each pipeline from left to right.
	Commands []Command
	// Problems are what could not be read. Any of them keeps the text from being
	// understood as a whole, so that nothing may be concluded from what is not listed.
	Problems []Problem
}

// Problem is a part of a text that is not understood.
type Problem struct {
	Kind  ProblemKind
	Words string // what it is about
	Span  Span
}

// ProblemKind tells problems apart.
type ProblemKind string

// The kinds of problems.
const (
	Unparsable     ProblemKind = "unparsable"      // no shell would take it, or one that this package does not know
	TooComplex     ProblemKind = "too-complex"     // longer, deeper or more than the bounds
	DynamicProgram ProblemKind = "dynamic-program" // the name of what is run is computed
	DynamicCode    ProblemKind = "dynamic-code"    // a text that is run is computed: eval "$X", sh < file is none of these
	ControlBytes   ProblemKind = "control-bytes"   // NUL, escape sequences and other control characters
	LookAlike      ProblemKind = "look-alike"      // letters of another script among those of a program or path, or invisible ones
)

// Command is one simple command as it would be started.
type Command struct {
	// Args are the program and its arguments, wrappers taken away: for "sudo -u x env
	// A=1 rm f" they are "rm", "f". A builtin is a command as well. Empty for
	// assignments and redirections that stand alone.
	Args []Word
	// Env are the assignments in front of it, also those that env and sudo make.
	Env []Assign
	// Via are the wrappers that were taken away, outermost first.
	Via []Wrapper
	// Redirects are those of files. Here-documents and here-strings are its Stdin.
	Redirects []Redirect
	Stdin     Stdin
	// Dirs are the folders that it may be started in: several where a cd before it may
	// have failed. Each is absolute, or relative to where the text starts if that is
	// not known.
	Dirs []string
	// DirUnknown says that it may be started in yet another folder.
	DirUnknown bool
	// Certain is false for what a condition, a loop or a failure decides about.
	Certain bool
	// Nested says that a substitution, a function, eval or another shell starts it.
	Nested bool
	// Background is for what is not waited for.
	Background bool
	// Remote is the host on which it would run (ssh host …), or the container, "" for
	// here. Its paths are that host's.
	Remote string
	Span   Span
}

// Word is a word of a command after all expansions.
type Word struct {
	// Parts are what it is made of, in order. A word that is known is one literal part.
	Parts []Part
	// Quoted says that at least a part of it stood in quotes, or behind a backslash.
	Quoted bool
	// Many says that it may become no word or several ones: an unquoted expansion.
	Many bool
	Span Span
}

// Part is a piece of a word.
type Part struct {
	Kind PartKind
	// Text is the value of a literal part, the pattern of a glob, and the source of
	// an unknown one ("$DIR", "$(date)").
	Text string
}

// PartKind says what is known of a part.
type PartKind int

// The kinds of parts.
const (
	Literal PartKind = iota // known letter by letter
	Glob                    // an unquoted pattern: * ? [a-z] or an extended one
	Unknown                 // any text
)

// Value is the word's text, if it is known whole.
func (w Word) Value() (string, bool) {
	switch {
	case w.Many:
		return "", false
	case len(w.Parts) == 0:
		return "", true
	case len(w.Parts) == 1 && w.Parts[0].Kind == Literal:
		return w.Parts[0].Text, true
	default:
		return "", false
	}
}

// Known reports whether the word's text is known whole.
func (w Word) Known() bool {
	_, ok := w.Value()
	return ok
}

// Prefix is how the word begins for certain.
func (w Word) Prefix() string {
	if len(w.Parts) == 0 || w.Parts[0].Kind != Literal {
		return ""
	}
	return w.Parts[0].Text
}

// HasGlob reports whether the word is, or has in it, a pattern for files.
func (w Word) HasGlob() bool {
	for _, p := range w.Parts {
		if p.Kind == Glob {
			return true
		}
	}
	return false
}

// Assign is a variable that a command is given.
type Assign struct {
	Name  string
	Value Word
	Span  Span
}

// Wrapper is a command that starts the one behind it.
type Wrapper struct {
	// Name is the program's, without its folder: "sudo", "xargs", "find", "ssh", "bash".
	Name string
	Span Span
}

// Redirect is of a file.
type Redirect struct {
	Op     RedirectOp
	Target Word
	Span   Span
}

// RedirectOp says what is done with the file.
type RedirectOp int

// The ways of a redirection.
const (
	ReadFrom  RedirectOp = iota // <
	WriteTo                     // > >| &> >&
	AppendTo                    // >> &>>
	ReadWrite                   // <>
)

// Stdin is what a command reads.
type Stdin struct {
	Kind StdinKind
	// Text is what it reads, of a literal one.
	Text string
	// From are the places in Script.Commands of the commands whose output it is. Where
	// that output is known (echo, printf, cat of a here-document, base64 -d of such),
	// the kind is StdinText and From is there all the same.
	From []int
	// File is the word behind <.
	File Word
	Span Span
}

// StdinKind says where the input comes from.
type StdinKind int

// The kinds of input.
const (
	StdinNone    StdinKind = iota // the caller's own
	StdinText                     // a here-document, a here-string, or output that is known
	StdinPipe                     // another command's output
	StdinFile                     // a file
	StdinUnknown                  // a here-document or string with unknown parts
)
