package effects

import "strings"

// makefile is what was read of one, and of those that it includes.
type makefile struct {
	vars     map[string]string
	rules    map[string]*makeRule
	patterns []string // those of them that have a %, in their order
	first    string   // the target that is made if none is named
	includes []string // files that it includes
	calls    []string // commands that run while it is read
	included int
	recipes  int  // lines of recipes that were analysed
	work     int  // bytes that were gone through so far
	strange  bool // has parts that are not understood
}

type makeRule struct {
	needs  []string
	recipe []string // lines
}

// Bounds of the expansion of variables.
const (
	maxExpansion = 16 << 10
	maxExpanded  = 12 // levels
	maxMakeWork  = 1 << 20
	maxMakeWords = 4096 // targets, or what they need
)

// spend reports whether there is work left to be done; without, the file counts as
// one that is not understood.
func (m *makefile) spend(bytes int) bool {
	m.work += bytes + 16
	if m.work > maxMakeWork {
		m.strange = true
		return false
	}
	return true
}

func readMakefile(text string) makefile {
	m := makefile{vars: map[string]string{}, rules: map[string]*makeRule{}}
	m.add(text)
	return m
}

// add reads a text. Of conditions, both sides count.
func (m *makefile) add(text string) {
	var targets []*makeRule
	for len(text) > 0 {
		var line string
		line, text = logicalLine(text)
		if !m.spend(len(line) + len(targets)) {
			return
		}
		if strings.HasPrefix(line, "\t") {
			for _, r := range targets {
				r.recipe = append(r.recipe, line[1:])
			}
			continue
		}
		if at := strings.IndexByte(line, '#'); at >= 0 && (at == 0 || line[at-1] != '\\') {
			line = line[:at]
		}
		line = strings.TrimSpace(strings.ReplaceAll(line, "\\\n", " "))
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "":
		case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "vpath", "unexport":
			m.notice(rest)
		case "include", "-include", "sinclude":
			m.includes = append(m.includes, strings.Fields(rest)...)
		case "define", "undefine", "load":
			m.strange = true
		default:
			line = strings.TrimPrefix(strings.TrimPrefix(line, "export "), "override ")
			if !m.assignment(line) {
				targets = m.rule(line)
			}
		}
	}
}

// logicalLine takes a line, with those that go on behind a backslash.
func logicalLine(text string) (line, rest string) {
	from := 0
	for {
		at := strings.IndexByte(text[from:], '\n')
		if at < 0 {
			return text, ""
		}
		at += from
		if at == 0 || text[at-1] != '\\' {
			return text[:at], text[at+1:]
		}
		from = at + 1
	}
}

// assignment reads a variable's.
func (m *makefile) assignment(line string) bool {
	before, after, ok := strings.Cut(line, "=")
	if !ok {
		return line == "export"
	}
	name := before
	if colon := strings.IndexByte(name, ':'); colon >= 0 && strings.Trim(name[colon:], ":") != "" {
		return false // target: VAR = value is read as a rule
	}
	appended := strings.HasSuffix(name, "+")
	runs := strings.HasSuffix(name, "!")
	name = strings.TrimSpace(strings.TrimRight(name, "+?:!"))
	if strings.ContainsAny(name, " \t$(") || name == "" {
		m.strange = m.strange || strings.Contains(name, "$")
		return !strings.Contains(name, " ")
	}
	value := strings.TrimSpace(after)
	if runs {
		m.calls = append(m.calls, value)
		value = unknownMake
	}
	m.notice(value)
	if name == "SHELL" && value != "/bin/bash" && value != "/bin/sh" && value != "bash" && value != "/usr/bin/env bash" || name == ".SHELLFLAGS" && strings.Contains(value, "/") {
		m.strange = true
	}
	if appended && m.vars[name] != "" {
		value = m.vars[name] + " " + value
	}
	if len(value) > maxExpansion || !m.spend(len(value)) {
		m.strange = true
		value = unknownMake
	}
	m.vars[name] = value
	return true
}

// notice keeps the commands that $(shell …) runs while a text is read.
func (m *makefile) notice(text string) {
	for m.spend(len(text)) {
		at := strings.Index(text, "shell ")
		if at < 0 {
			break
		}
		if at < 2 || text[at-2] != '$' || text[at-1] != '(' && text[at-1] != '{' {
			text = text[at+1:]
			continue
		}
		end := closing(text[at-1:])
		if end < 0 {
			m.strange = true
			return
		}
		inner := text[at+len("shell ") : at-1+end]
		m.calls = append(m.calls, inner)
		m.notice(inner)
		text = text[at-1+end:]
	}
	for _, function := range []string{"$(eval", "${eval", "$(file", "${file", "$(guile", "${guile", "$(call", "${call"} {
		m.strange = m.strange || strings.Contains(text, function)
	}
}

// closing is the place of the bracket that closes the one a text begins with.
func closing(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// rule reads the head of one, and gives its targets.
func (m *makefile) rule(line string) []*makeRule {
	head, rest, ok := strings.Cut(line, ":")
	m.notice(line)
	if !ok {
		m.strange = m.strange || strings.HasPrefix(line, "$(") && !strings.HasPrefix(line, "$(info") && !strings.HasPrefix(line, "$(warning")
		return nil
	}
	needs, recipe, _ := strings.Cut(strings.TrimPrefix(rest, ":"), ";")
	words := strings.Fields(strings.ReplaceAll(m.expand(needs, "", nil), "|", " "))
	targets := strings.Fields(m.expand(head, "", nil))
	if len(targets)*len(words) > maxMakeWords || len(targets) > maxMakeWords || len(words) > 0 && words[0] == "SHELL" {
		m.strange = true
		return nil
	}
	rules := make([]*makeRule, 0, len(targets))
	for _, t := range targets {
		r, known := m.rules[t]
		if !known {
			r = &makeRule{}
			m.rules[t] = r
			if strings.Contains(t, "%") {
				m.patterns = append(m.patterns, t)
			}
		}
		r.needs = append(r.needs, words...)
		if recipe != "" {
			r.recipe = append(r.recipe, recipe)
		}
		rules = append(rules, r)
		if m.first == "" && (t[0] != '.' || strings.Contains(t, "/")) && !strings.Contains(t, "%") {
			m.first = t
		}
	}
	return rules
}

// find gives the rule for a target, or the pattern that fits it.
func (m *makefile) find(name string) (*makeRule, bool) {
	r, ok := m.rules[name]
	if ok && len(r.recipe) > 0 {
		return r, true
	}
	for _, t := range m.patterns {
		before, after, _ := strings.Cut(t, "%")
		if len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) && m.spend(len(t)) {
			return m.rules[t], true
		}
	}
	return r, ok
}

// unknownMake stands for what make would know and nobody here does: for a shell it
// is a variable that is not set.
const unknownMake = "$MAKE_UNKNOWN"

// expand puts the values of variables into a text.
func (m *makefile) expand(text, target string, needs []string) string {
	var out strings.Builder
	m.expandInto(&out, text, target, needs, 0)
	return out.String()
}

func (m *makefile) expandInto(out *strings.Builder, text, target string, needs []string, depth int) {
	for text != "" {
		at := strings.IndexByte(text, '$')
		if at < 0 || at+1 == len(text) {
			out.WriteString(text)
			return
		}
		if out.Len() > maxExpansion || depth > maxExpanded || !m.spend(len(text)) {
			out.WriteString(unknownMake)
			return
		}
		out.WriteString(text[:at])
		text = text[at+1:]
		switch c := text[0]; c {
		case '$':
			out.WriteByte('$')
			text = text[1:]
		case '(', '{':
			end := closing(text)
			if end < 0 {
				out.WriteString(unknownMake)
				return
			}
			m.reference(out, text[1:end], target, needs, depth)
			text = text[end+1:]
		default:
			m.reference(out, text[:1], target, needs, depth)
			text = text[1:]
		}
	}
}

// reference puts in what a variable or function stands for.
func (m *makefile) reference(out *strings.Builder, name, target string, needs []string, depth int) {
	switch value, ok := m.vars[name]; {
	case ok:
		m.expandInto(out, value, target, needs, depth+1)
	case name == "@" && target != "":
		out.WriteString(target)
	case name == "<" && len(needs) > 0:
		out.WriteString(needs[0])
	case name == "^" && len(needs) > 0:
		out.WriteString(strings.Join(needs, " "))
	case name == "MAKE":
		out.WriteString("make")
	case name == "CURDIR":
		out.WriteString(".")
	case name == "RM":
		out.WriteString("rm -f")
	case name == "CC" || name == "CXX":
		out.WriteString("cc")
	default:
		if strings.ContainsAny(name, " $") {
			m.notice("$(" + name + ")")
		}
		out.WriteString(unknownMake)
	}
}
