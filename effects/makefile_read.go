package effects

import "strings"

// makefile is what was read of one, and of those that it includes.
type makefile struct {
	vars     map[string]string
	rules    map[string]makeRule
	patterns []string // those of them that have a %, in their order
	first    string   // the target that is made if none is named
	includes []string // files that it includes
	calls    []string // commands that run while it is read
	included int
	strange  bool // has parts that are not understood
}

type makeRule struct {
	needs  []string
	recipe string
}

// Bounds of the expansion of variables.
const (
	maxExpansion = 64 << 10
	maxExpanded  = 12 // levels
)

func readMakefile(text string) makefile {
	m := makefile{vars: map[string]string{}, rules: map[string]makeRule{}}
	m.add(text)
	return m
}

// add reads a text. Of conditions, both sides count.
func (m *makefile) add(text string) {
	var targets []string
	for len(text) > 0 {
		var line string
		line, text = logicalLine(text)
		if strings.HasPrefix(line, "\t") {
			for _, t := range targets {
				r := m.rules[t]
				r.recipe += line[1:] + "\n"
				m.rules[t] = r
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
	at := strings.IndexByte(line, '=')
	if at < 0 {
		return line == "export"
	}
	name := line[:at]
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
	value := strings.TrimSpace(line[at+1:])
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
	if len(value) > maxExpansion {
		m.strange = true
		value = ""
	}
	m.vars[name] = value
	return true
}

// notice keeps the commands that $(shell …) runs while a text is read.
func (m *makefile) notice(text string) {
	for {
		at := strings.Index(text, "$(shell ")
		if at < 0 {
			break
		}
		end := closing(text[at+1:])
		if end < 0 {
			m.strange = true
			return
		}
		m.calls = append(m.calls, text[at+len("$(shell "):at+1+end])
		text = text[at+1+end:]
	}
	if strings.Contains(text, "$(eval") || strings.Contains(text, "$(file") || strings.Contains(text, "$(guile") || strings.Contains(text, "${shell") {
		m.strange = true
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
func (m *makefile) rule(line string) []string {
	head, rest, ok := strings.Cut(line, ":")
	if !ok {
		m.notice(line)
		m.strange = m.strange || strings.HasPrefix(line, "$(") && !strings.HasPrefix(line, "$(info") && !strings.HasPrefix(line, "$(warning")
		return nil
	}
	m.notice(line)
	rest = strings.TrimPrefix(rest, ":")
	needs, recipe, _ := strings.Cut(rest, ";")
	needs = strings.ReplaceAll(m.expand(needs, "", nil), "|", " ")
	targets := strings.Fields(m.expand(head, "", nil))
	for _, t := range targets {
		r := m.rules[t]
		r.needs = append(r.needs, strings.Fields(needs)...)
		if recipe != "" {
			r.recipe += recipe + "\n"
		}
		if _, known := m.rules[t]; !known && strings.Contains(t, "%") {
			m.patterns = append(m.patterns, t)
		}
		m.rules[t] = r
		if m.first == "" && (t[0] != '.' || strings.Contains(t, "/")) && !strings.Contains(t, "%") {
			m.first = t
		}
	}
	return targets
}

// find gives the rule for a target, or the pattern that fits it.
func (m *makefile) find(name string) (makeRule, bool) {
	if r, ok := m.rules[name]; ok {
		return r, true
	}
	for _, t := range m.patterns {
		r := m.rules[t]
		before, after, _ := strings.Cut(t, "%")
		if len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			return r, true
		}
	}
	return makeRule{}, false
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
		if at < 0 || at+1 == len(text) || out.Len() > maxExpansion || depth > maxExpanded {
			if at >= 0 && (out.Len() > maxExpansion || depth > maxExpanded) {
				out.WriteString(unknownMake)
				return
			}
			out.WriteString(text)
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
		out.WriteString(unknownMake)
	}
}
