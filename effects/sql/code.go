package sql

import "strings"

// files are statements that move rows between tables and files.
func (g *stage) files(head string) {
	g.st.Kinds |= innerKinds(g.toks, 1) | calls(g.toks)&^IsUnknown
	if head == "load" { // LOAD DATA, LOAD XML, or LOAD 'library'
		if k := keyAt(g.toks, 1); k == "data" || k == "xml" {
			g.st.Kinds = Files | WritesRows
		} else {
			g.st.File = stringAt(g.toks, 1)
		}
	}
	depth := 0
	for i := 1; i < len(g.toks); i++ {
		switch g.toks[i].key {
		case "(":
			depth++
		case ")":
			depth--
		case "to", "from":
			if depth == 0 {
				g.direction(head, i)
			}
		case "infile":
			g.st.File = stringAt(g.toks, i+1)
		case "into":
			g.st.Object = g.objectFrom(i + 1)
		}
	}
	switch head {
	case "copy":
		if g.st.Object == "" {
			g.st.Object = nameAt(g.toks, 1)
		}
	case "attach":
		for _, t := range g.toks[1:] {
			if g.st.File == "" && (t.kind == text || t.kind == quoted) {
				g.st.File = t.text
			}
		}
	}
}

// direction is the TO or FROM of COPY and BACKUP.
func (g *stage) direction(head string, i int) {
	if head != "copy" {
		g.st.File = stringAt(g.toks, i+2)
		return
	}
	next := keyAt(g.toks, i+1)
	out := g.toks[i].key == "to"
	switch {
	case next == "program":
		g.st.Kinds |= Executes | unless(out, WritesRows)
		g.st.Program = stringAt(g.toks, i+2)
	case next == "stdin":
		g.st.Kinds |= WritesRows
	case next == "stdout":
		g.st.Kinds |= Reads
	case i+1 < len(g.toks) && g.toks[i+1].kind == text:
		g.st.Kinds |= Files | unless(out, WritesRows)
		g.st.File = g.toks[i+1].text
	default:
		g.st.Kinds |= IsUnknown
	}
}

// code is what runs procedures, blocks and prepared statements.
func (s *scanner) code(g *stage, head string) {
	g.st.Kinds |= innerKinds(g.toks, 1) | calls(g.toks)
	switch head {
	case "prepare":
		s.prepared(g)
		return
	case "do", "exec", "execute":
		for _, t := range g.toks[1:] {
			if t.kind == text {
				g.st.Kinds |= Summary(statements(t.text, s.dialect, s.depth+1)) &^ Session
			}
		}
	}
	if head == "declare" {
		return
	}
	g.st.Object = nameAt(g.toks, 1)
	base := strings.ToLower(g.st.Object)
	base = base[strings.LastIndexByte(base, '.')+1:]
	if act, ok := actions[base]; ok {
		g.st.Kinds |= act
	}
	if base == "xp_cmdshell" {
		g.st.Program = firstString(g.toks)
	}
}

func (s *scanner) prepared(g *stage) {
	for i, t := range g.toks {
		switch t.key {
		case "as":
			if i+1 < len(g.toks) {
				g.st.Kinds |= s.classify(g.toks[i+1:]).Kinds
				return
			}
		case "from":
			g.st.Kinds |= IsUnknown
			if t := stringAt(g.toks, i+1); t != "" {
				g.st.Kinds |= Summary(statements(t, s.dialect, s.depth+1))
			}
			return
		case "transaction":
			return
		}
	}
	g.st.Kinds |= IsUnknown
}

func firstString(toks []token) string {
	for _, t := range toks {
		if t.kind == text {
			return t.text
		}
	}
	return ""
}
