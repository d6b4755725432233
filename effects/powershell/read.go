package powershell

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

const (
	maxText     = 128 << 10
	maxDepth    = 40
	maxNested   = 4
	maxCommands = 2000
	maxValue    = 4096 // of a variable that is followed
)

// reader reads one text; nested ones have readers of their own with the same script.
type reader struct {
	text   string
	pos    int
	depth  int
	nested int
	home   string
	script *shell.Script
	shared *shared
	// at is the place of a nested text in the outer one, for all that it holds.
	at  *shell.Span
	via []shell.Wrapper
	// loose is set where it is not certain that something is run.
	loose  bool
	remote string
}

// shared is what all readers of a text know.
type shared struct {
	vars      map[string]shell.Word
	assigned  map[string]int
	volatile  bool // variables are set in ways that are not followed
	aliases   map[string]string
	functions map[string]bool
	dirs      []string
	lost      bool // the folder is not known
	expanded  int  // the bytes that variables and nested texts have added
}

// Read finds the commands of a PowerShell text. home is what ~ and $HOME stand for; ""
// leaves them as they are.
func Read(text, home string) shell.Script {
	var s shell.Script
	r := newReader(text, home, &s)
	if len(text) > maxText {
		r.problem(shell.TooComplex, "", 0)
		return s
	}
	r.check()
	r.countAssignments()
	r.all()
	return s
}

func newReader(text, home string, s *shell.Script) *reader {
	return &reader{text: text, home: home, script: s, shared: &shared{
		vars: map[string]shell.Word{}, assigned: map[string]int{}, aliases: map[string]string{},
		functions: map[string]bool{}, dirs: []string{""},
	}}
}

// all reads the whole text.
func (r *reader) all() {
	if r.nested > 0 {
		r.shared.expanded += len(r.text)
	}
	if len(r.text) > maxText || r.nested > maxNested || r.shared.expanded > maxText {
		r.problem(shell.TooComplex, "", 0)
		return
	}
	for r.pos < len(r.text) {
		before := r.pos
		r.statements()
		if r.pos < len(r.text) { // a bracket that closes nothing
			r.problem(shell.Unparsable, r.text[r.pos:r.pos+1], r.pos)
			r.pos++
		}
		if r.pos == before {
			r.pos++
		}
	}
}

func (r *reader) problem(kind shell.ProblemKind, words string, start int) {
	if len(r.script.Problems) > 100 {
		return
	}
	r.script.Problems = append(r.script.Problems, shell.Problem{Kind: kind, Words: words[:min(len(words), 200)], Span: r.span(start, r.pos)})
}

func (r *reader) span(start, end int) shell.Span {
	if r.at != nil {
		return *r.at
	}
	end = min(end, len(r.text))
	return shell.Span{Start: min(start, end), End: end}
}

// check doubts letters that PowerShell takes for others, and control characters.
func (r *reader) check() {
	for i, c := range r.text {
		switch {
		case c >= 0x2013 && c <= 0x201e, c >= 0x200b && c <= 0x200f, c >= 0x202a && c <= 0x202e, c == 0xfeff, c == 0xfffd, c == 0x85, c == 0xa0:
			r.pos = i
			r.problem(shell.LookAlike, string(c), i)
		case c < ' ' && c != '\n' && c != '\r' && c != '\t', c == 0x7f:
			r.pos = i
			r.problem(shell.ControlBytes, "", i)
		default:
			continue
		}
		break
	}
	r.pos = 0
}

// countAssignments counts how often each variable is given a value.
func (r *reader) countAssignments() {
	t := r.text
	for i := 0; i < len(t); i++ {
		if t[i] != '$' {
			continue
		}
		end := i + 1
		for end < len(t) && (isWord(t[end]) || t[end] == ':') {
			end++
		}
		name := strings.ToLower(t[i+1 : end])
		rest := strings.TrimLeft(t[end:], " \t`")
		switch {
		case strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="):
			r.shared.assigned[name]++
		case len(rest) > 1 && (rest[1] == '=' || rest[:2] == "++" || rest[:2] == "--") && strings.IndexByte("+-*/%?", rest[0]) >= 0,
			strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, ")") && strings.HasPrefix(strings.TrimLeft(rest[1:], " \t"), "="),
			len(rest) > 3 && strings.EqualFold(rest[:3], "in "):
			r.shared.assigned[name] += 2
		}
		i = max(i, end-1)
	}
	low := strings.ToLower(t)
	for _, w := range [...]string{"set-variable", "new-variable", "variable:", "outvariable", "pipelinevariable", "set-item", "[ref]", "param", "sv ", "nv ", "-ov ", "-pv ", "function", "switch"} {
		if strings.Contains(low, w) {
			r.shared.volatile = true
		}
	}
}

// statements reads up to the end or a bracket that was not opened here.
func (r *reader) statements() {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		r.problem(shell.TooComplex, "", r.pos)
		r.pos = len(r.text)
	}
	for {
		r.blank(true)
		c := r.cur()
		switch {
		case r.pos >= len(r.text) || c == ')' || c == '}':
			return
		case c == ';' || c == '&' && r.next() == '&':
			r.pos++
		case c == '|' && r.next() == '|':
			r.pos += 2
		default:
			before := r.pos
			r.statement()
			if r.pos == before {
				r.problem(shell.Unparsable, r.text[r.pos:r.pos+1], r.pos)
				r.pos++
			}
		}
	}
}

// since is the text from a place up to here.
func (r *reader) since(start int) string {
	end := min(r.pos, len(r.text))
	return r.text[min(start, end):end]
}

func (r *reader) cur() byte { return r.peek(0) }

func (r *reader) next() byte { return r.peek(1) }

func (r *reader) peek(n int) byte {
	if r.pos+n < len(r.text) {
		return r.text[r.pos+n]
	}
	return 0
}

// blank skips spaces, comments and continued lines, and line ends as well if asked to.
func (r *reader) blank(lines bool) {
	for r.pos < len(r.text) {
		switch c := r.cur(); {
		case c == ' ' || c == '\t' || c == '\r' && r.next() == '\n' && lines:
			r.pos++
		case c == '\n' || c == '\r':
			if !lines {
				return
			}
			r.pos++
		case c == '`' && (r.next() == '\n' || r.next() == '\r' && r.peek(2) == '\n'):
			r.pos += 2
		case c == '#':
			for r.pos < len(r.text) && r.cur() != '\n' && r.cur() != '\r' {
				r.pos++
			}
		case c == '<' && r.next() == '#':
			end := strings.Index(r.text[r.pos:], "#>")
			if end < 0 {
				r.problem(shell.Unparsable, "a comment has no end", r.pos)
				r.pos = len(r.text)
				return
			}
			r.pos += end + 2
		default:
			return
		}
	}
}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// statement reads a keyword's construct, an assignment or a pipeline.
func (r *reader) statement() {
	if w := r.keyword(); w != "" {
		r.construct(w)
		return
	}
	if r.assignment() {
		return
	}
	r.pipeline()
}

// keyword is the keyword that stands here, in lower case.
func (r *reader) keyword() string {
	end := r.pos
	for end < len(r.text) && isWord(r.text[end]) && end < r.pos+12 {
		end++
	}
	if end < len(r.text) && (isWord(r.text[end]) || r.text[end] == '-' || r.text[end] == '.' || r.text[end] == '\\' || r.text[end] == ':') {
		return ""
	}
	var buf [12]byte
	for i := r.pos; i < end; i++ {
		buf[i-r.pos] = r.text[i]
		if r.text[i] >= 'A' && r.text[i] <= 'Z' {
			buf[i-r.pos] |= 0x20
		}
	}
	return keywords[string(buf[:end-r.pos])]
}

// construct reads what follows a keyword: conditions and bodies hold statements.
func (r *reader) construct(w string) {
	start := r.pos
	r.pos += len(w)
	switch w {
	case "return", "throw", "exit":
		r.blank(false)
		if c := r.cur(); c != 0 && c != ';' && c != '\n' && c != '}' && c != ')' && c != '\r' {
			r.statement()
		}
		return
	case "break", "continue":
		return
	case "class", "enum", "using", "configuration", "workflow", "data":
		r.problem(shell.Unparsable, w, start)
		return
	case "function", "filter":
		r.blank(true)
		from := r.pos
		for r.pos < len(r.text) && r.cur() > ' ' && r.cur() != '{' && r.cur() != '(' {
			r.pos++
		}
		r.shared.functions[strings.ToLower(r.since(from))] = true
	}
	loose := r.loose
	r.loose = true
	for {
		r.blank(true)
		switch {
		case r.cur() == '(' || r.cur() == '{':
			r.group()
		case r.cur() == '-' || r.cur() == '[' || w == "switch" && r.cur() == '$': // switch -regex, catch [x]
			r.word()
		default:
			r.loose = loose
			return
		}
	}
}

// group reads ( … ) or { … } as statements.
func (r *reader) group() {
	open := r.pos
	r.pos++
	r.statements()
	closing := byte(')')
	if r.text[open] == '{' {
		closing = '}'
	}
	if r.cur() != closing || r.pos >= len(r.text) {
		r.problem(shell.Unparsable, "a bracket has no end", open)
		return
	}
	r.pos++
}

// assignment reads $x = …; false if there is none.
func (r *reader) assignment() bool {
	if r.cur() != '$' {
		return false
	}
	end := r.pos + 1
	for end < len(r.text) && (isWord(r.text[end]) || r.text[end] == ':') {
		end++
	}
	name := strings.ToLower(r.text[r.pos+1 : end])
	at := end
	for at < len(r.text) && (r.text[at] == ' ' || r.text[at] == '\t') {
		at++
	}
	how := ""
	for _, o := range [...]string{"??=", "+=", "-=", "*=", "/=", "%=", "="} {
		if strings.HasPrefix(r.text[at:], o) {
			how = o
			break
		}
	}
	if how == "" || name == "" {
		return false
	}
	start := r.pos
	r.pos = at + len(how)
	r.blank(true)
	commands := len(r.script.Commands)
	value, simple := r.pipelineValue()
	if strings.HasPrefix(name, "env:") {
		r.add(shell.Command{Env: []shell.Assign{{Name: r.text[start+5 : end], Value: value, Span: r.span(start, r.pos)}}, Span: r.span(start, r.pos)})
		return true
	}
	if simple && how == "=" && r.shared.assigned[name] == 1 && !r.shared.volatile && len(r.script.Commands) == commands {
		if t, known := value.Value(); known && len(t) <= maxValue {
			r.shared.vars[name] = value
		}
	}
	return true
}

// add takes a command in.
func (r *reader) add(c shell.Command) {
	if len(r.script.Commands) >= maxCommands {
		r.pos = len(r.text)
		r.problem(shell.TooComplex, "", r.pos)
		return
	}
	c.Via = append(append([]shell.Wrapper(nil), r.via...), c.Via...)
	c.Certain = !r.loose
	c.Nested = c.Nested || r.nested > 0 || r.depth > 1
	c.Dirs = r.shared.dirs
	c.DirUnknown = r.shared.lost
	if c.Remote == "" {
		c.Remote = r.remote
	}
	r.script.Commands = append(r.script.Commands, c)
}
