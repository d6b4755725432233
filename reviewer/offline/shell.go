package offline

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// What is parsed is bounded: nobody means a longer command to be judged by its
// words.
const (
	maxCommand = 16 << 10
	maxWordsOf = 64 // of all its commands together
)

// script is a command line of which every word is literal.
type script struct {
	commands []simple
}

// simple is one program with its words and redirections.
type simple struct {
	words  []word
	reads  []string // redirections' files
	writes []string
}

// word is a word's text after quotes are removed.
type word struct {
	text   string
	glob   bool // it holds an unquoted pattern
	quoted bool
}

func (c simple) program() string { return c.words[0].text }

// parseShell reads a command that is made of simple commands alone. Whatever
// could become other words than are there is refused with what it is.
func parseShell(command string) (script, error) {
	if len(command) > maxCommand {
		return script{}, fmt.Errorf("it is longer than %d bytes", maxCommand)
	}
	if !utf8.ValidString(command) || strings.ContainsFunc(command, strange) {
		return script{}, fmt.Errorf("it has control characters")
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return script{}, fmt.Errorf("it cannot be parsed")
	}
	var s script
	for _, stmt := range file.Stmts {
		if err := s.add(stmt); err != nil {
			return script{}, err
		}
	}
	words := 0
	for _, c := range s.commands {
		words += len(c.words) + len(c.reads) + len(c.writes)
	}
	if words == 0 || words > maxWordsOf {
		return script{}, fmt.Errorf("it has %d words", words)
	}
	return s, nil
}

// strange are characters that shells, terminals and people see differently.
func strange(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Cf, r) || unicode.IsSpace(r) && r > unicode.MaxASCII
}

func (s *script) add(stmt *syntax.Stmt) error {
	if stmt.Negated || stmt.Background || stmt.Coprocess || stmt.Disown {
		return fmt.Errorf("it uses !, & or |&")
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		return s.addCall(cmd, stmt.Redirs)
	case *syntax.BinaryCmd:
		if cmd.Op != syntax.AndStmt && cmd.Op != syntax.OrStmt && cmd.Op != syntax.Pipe || len(stmt.Redirs) > 0 {
			return fmt.Errorf("it uses %s", cmd.Op)
		}
		if err := s.add(cmd.X); err != nil {
			return err
		}
		return s.add(cmd.Y)
	default:
		return fmt.Errorf("it is more than simple commands")
	}
}

func (s *script) addCall(call *syntax.CallExpr, redirs []*syntax.Redirect) error {
	if len(call.Assigns) > 0 || len(call.Args) == 0 {
		return fmt.Errorf("it sets variables")
	}
	var c simple
	for _, arg := range call.Args {
		w, err := literal(arg)
		if err != nil {
			return err
		}
		c.words = append(c.words, w)
	}
	for _, r := range redirs {
		if err := c.redirect(r); err != nil {
			return err
		}
	}
	s.commands = append(s.commands, c)
	return nil
}

func (c *simple) redirect(r *syntax.Redirect) error {
	if r.N != nil && r.N.Value != "1" && r.N.Value != "2" {
		return fmt.Errorf("it redirects %s", r.N.Value)
	}
	w, err := literal(r.Word)
	if err != nil || w.glob {
		return fmt.Errorf("it redirects to what is not literal")
	}
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut:
		c.writes = append(c.writes, w.text)
	case syntax.RdrIn:
		c.reads = append(c.reads, w.text)
	case syntax.DplOut:
		if w.text != "1" && w.text != "2" {
			return fmt.Errorf("it redirects with %s", r.Op)
		}
	default:
		return fmt.Errorf("it redirects with %s", r.Op)
	}
	return nil
}

// literal gives the word that the shell would give to the program.
func literal(w *syntax.Word) (word, error) {
	var out word
	var text strings.Builder
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if err := checkBare(p.Value, i == 0); err != nil {
				return word{}, err
			}
			out.glob = out.glob || strings.ContainsAny(p.Value, "*?[") && p.Value != "["
			text.WriteString(p.Value)
		case *syntax.SglQuoted:
			if p.Dollar {
				return word{}, fmt.Errorf("it uses $'…'")
			}
			out.quoted = true
			text.WriteString(p.Value)
		case *syntax.DblQuoted:
			inner, err := doubleQuoted(p)
			if err != nil {
				return word{}, err
			}
			out.quoted = true
			text.WriteString(inner)
		default:
			return word{}, fmt.Errorf("it uses an expansion")
		}
	}
	out.text = text.String()
	return out, nil
}

// checkBare refuses what a shell expands in a word without quotes.
func checkBare(text string, first bool) error {
	if strings.ContainsAny(text, "\\{}!^$`()") || first && strings.HasPrefix(text, "~") || strings.Contains(text, "=~") || strings.Contains(text, ":~") {
		return fmt.Errorf("it uses an escape or an expansion: %.40q", text)
	}
	return nil
}

func doubleQuoted(q *syntax.DblQuoted) (string, error) {
	var text strings.Builder
	for _, part := range q.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || q.Dollar || strings.ContainsAny(lit.Value, "$`!") || escapes.MatchString(lit.Value) {
			return "", fmt.Errorf("it uses an escape or an expansion between quotes")
		}
		text.WriteString(lit.Value)
	}
	return text.String(), nil
}

// escapes are backslashes that double quotes do not keep.
var escapes = regexp.MustCompile("\\\\[\"\\\\\n]")

// harmless checks that every command is of the closed list and stays within the
// project. The rule is empty where it is so.
func (s script) harmless(cwd string) (rule, detail string) {
	if systemFolder(cwd) {
		return "path-outside", cwd
	}
	bases := []string{cwd}
	for _, c := range s.commands {
		if c.program() == "cd" && len(c.reads)+len(c.writes) == 0 {
			base, ok := c.changeDir(cwd)
			if !ok {
				return "command-unlisted", "cd"
			}
			bases = append(bases, base) // or not, if it fails: both are looked at
			continue
		}
		if rule, detail := c.harmless(cwd, bases); rule != "" {
			return rule, detail
		}
	}
	return "", ""
}

// changeDir is where a cd goes. A bare name could be looked for elsewhere.
func (c simple) changeDir(cwd string) (string, bool) {
	if len(c.words) != 2 || c.words[1].glob {
		return "", false
	}
	to := c.words[1].text
	if !strings.HasPrefix(to, "/") && to != "." && !strings.HasPrefix(to, "./") {
		return "", false
	}
	base := resolve(cwd, to)
	return base, placeRule(cwd, base, false) == ""
}

func (c simple) harmless(cwd string, bases []string) (rule, detail string) {
	at := place{cwd: cwd, bases: bases}
	for _, name := range c.reads {
		if rule := at.rule(name, false); rule != "" {
			return rule, name
		}
	}
	for _, name := range c.writes {
		if rule := at.rule(name, true); rule != "" && name != "/dev/null" {
			return rule, name
		}
	}
	p, listed := programs(c.program())
	if !listed || c.words[0].glob {
		return "command-unlisted", c.program()
	}
	return p.check(at, c.words[1:])
}

// place is where relative paths of a command may begin.
type place struct {
	cwd   string
	bases []string
}

// rule is the first one that refuses a path, from whichever folder.
func (p place) rule(name string, changes bool) string {
	if name == "" || strings.HasPrefix(name, "-") && name != "-" {
		return "path-strange"
	}
	for _, base := range p.bases {
		if rule := placeRule(p.cwd, resolve(base, name), changes); rule != "" {
			return rule
		}
	}
	return ""
}

// changes reports whether a harmless script makes or changes files itself.
func (s script) changes() bool {
	return slices.ContainsFunc(s.commands, func(c simple) bool {
		second := ""
		if len(c.words) > 1 {
			second = c.words[1].text
		}
		written := slices.ContainsFunc(c.writes, func(name string) bool { return name != "/dev/null" })
		return written || slices.Contains([]string{"mkdir", "touch", "gofmt"}, c.program()) || c.program() == "git" && (second == "add" || second == "commit")
	})
}

// significant are the distinct words of a script that are neither options nor short:
// what a person would call it by.
func (s script) significant() []string {
	var out []string
	for _, c := range s.commands {
		for i, w := range c.words {
			if i > 3 || strings.HasPrefix(w.text, "-") || len(w.text) < 3 && i > 0 || slices.Contains(out, w.text) {
				continue
			}
			out = append(out, w.text)
		}
	}
	return out
}
