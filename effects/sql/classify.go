package sql

import "strings"

// heads are what the first word of a statement says.
var heads = map[string]Kinds{
	"select": Reads, "values": Reads, "table": Reads, "with": Reads, "show": Reads, "describe": Reads,
	"desc": Reads, "explain": Reads, "help": Reads,
	"insert": WritesRows, "replace": WritesRows, "merge": WritesRows, "upsert": WritesRows, "update": WritesRows,
	"delete": DeletesRows, "create": Schema, "alter": Schema, "rename": Schema, "comment": Schema, "security": Schema,
	"drop": Drops, "truncate": Drops, "grant": Privileges, "revoke": Privileges, "reassign": Privileges,
	"call": Executes | IsUnknown, "exec": Executes | IsUnknown, "execute": Executes | IsUnknown, "do": Executes | IsUnknown,
	"begin": Session, "commit": Session, "rollback": Session, "start": Session, "savepoint": Session, "release": Session,
	"end": Session, "abort": Session, "set": Session, "reset": Session, "use": Session, "listen": Session,
	"unlisten": Session, "declare": Session, "fetch": Reads, "close": Session, "deallocate": Session, "lock": Session,
	"unlock": Session, "discard": Session, "analyze": Session, "analyse": Session, "prepare": Session, "go": Session,
	"pragma": Session, "checkpoint": Administers, "vacuum": Administers, "reindex": Administers, "optimize": Administers,
	"cluster": Administers, "attach": Files, "detach": Session, "notify": WritesRows, "kill": Administers,
	"shutdown": Administers, "restore": Administers | Files, "backup": Administers | Files, "flush": Administers,
	"purge": Administers | Drops, "change": Administers, "stop": Administers, "install": Executes, "uninstall": Administers,
	"import": Files | WritesRows, "load": Executes, "copy": Reads, "refresh": WritesRows, "move": Session,
	"dbcc": Administers, "reconfigure": Administers, "bulk": Files | WritesRows, "waitfor": Session, "handler": IsUnknown,
	"writetext": WritesRows, "updatetext": WritesRows,
}

// inner are words that change something even if another word leads the statement.
var inner = map[string]Kinds{
	"insert": WritesRows, "update": WritesRows, "merge": WritesRows, "delete": DeletesRows, "drop": Drops,
	"truncate": Drops, "alter": Schema, "create": Schema, "grant": Privileges, "revoke": Privileges,
	"exec": Executes | IsUnknown, "execute": Executes | IsUnknown, "call": Executes | IsUnknown, "kill": Administers,
	"shutdown": Administers, "outfile": Files, "dumpfile": Files, "infile": Files, "bulk": Files | WritesRows,
	"restore": Administers, "backup": Administers, "dbcc": Administers, "reconfigure": Administers, "openquery": Executes,
	"declare": Session, "waitfor": Session, "writetext": WritesRows, "updatetext": WritesRows, "replace": WritesRows,
	"copy": IsUnknown, "attach": Files, "load": IsUnknown, "persist": Administers,
}

// stage is the work on one statement.
type stage struct {
	toks []token
	st   Statement
}

func (s *scanner) classify(toks []token) Statement {
	s.inside++
	defer func() { s.inside-- }()
	if s.inside > maxNested {
		return Statement{Kinds: IsUnknown}
	}
	for len(toks) > 0 && toks[0].key == "(" {
		toks = toks[1:]
	}
	if len(toks) == 0 {
		return Statement{Kinds: IsUnknown}
	}
	head := toks[0].key
	base, ok := heads[head]
	if toks[0].kind != word || !ok {
		return Statement{Kinds: IsUnknown | innerKinds(toks, 0)}
	}
	g := stage{toks: toks, st: Statement{Kinds: base, Verb: strings.ToUpper(head)}}
	switch head {
	case "explain", "describe", "desc", "analyze", "analyse":
		return s.explained(toks, head)
	case "select", "with", "values", "table", "fetch":
		g.read()
	case "insert", "replace", "merge", "upsert", "update", "delete":
		g.write()
	case "create", "alter", "drop", "truncate", "rename", "comment", "refresh":
		g.define(head)
	case "set", "reset", "start", "lock", "pragma", "vacuum", "show", "use":
		g.settings(head)
	case "copy", "load", "import", "bulk", "attach", "backup", "restore":
		g.files(head)
	case "call", "exec", "execute", "do", "prepare", "declare":
		s.code(&g, head)
	default:
		g.st.Kinds |= innerKinds(toks, 1)
	}
	return g.st
}

// explained is a statement behind EXPLAIN, which runs it only with ANALYZE. In MariaDB
// ANALYZE alone does so; on its own it renews statistics.
func (s *scanner) explained(toks []token, head string) Statement {
	runs := head == "analyze" || head == "analyse"
	for i := 1; i < len(toks); i++ {
		t := toks[i]
		runs = runs || t.key == "analyze" || t.key == "analyse"
		if t.kind != word || heads[t.key] == 0 || t.key == "analyze" || t.key == "analyse" || t.key == "table" {
			continue
		}
		st := s.classify(toks[i:])
		if !runs {
			st.Kinds = Reads
			if s.dialect == TSQL {
				st.Kinds |= IsUnknown // it has no EXPLAIN, so that something else is meant
			}
		}
		return st
	}
	kinds := heads[head]
	if runs && head == "explain" {
		kinds |= IsUnknown
	}
	return Statement{Kinds: kinds, Verb: strings.ToUpper(head)}
}

// innerKinds are those of the words from a place on that change something.
func innerKinds(toks []token, from int) Kinds {
	var k Kinds
	for i := from; i < len(toks); i++ {
		if toks[i].kind == word && toks[i].key != "" {
			k |= innerKind(toks, i)
		}
	}
	return k
}

func innerKind(toks []token, i int) Kinds {
	k := inner[toks[i].key]
	if k == 0 {
		return 0
	}
	before, after := keyAt(toks, i-1), keyAt(toks, i+1)
	switch {
	case before == "." || before == "as": // a column's name, or an alias
		return 0
	case toks[i].key == "update" && (before == "for" || before == "key"): // FOR NO KEY UPDATE
		return Session
	case after == "(" && (toks[i].key == "replace" || toks[i].key == "insert" || toks[i].key == "truncate"):
		return 0 // functions of strings and numbers
	case toks[i].key == "replace" && before == "or":
		return 0 // CREATE OR REPLACE
	}
	return k
}

func keyAt(toks []token, i int) string {
	if i < 0 || i >= len(toks) {
		return ""
	}
	return toks[i].key
}

// calls are the kinds of what is called as a function.
func calls(toks []token) Kinds {
	var k Kinds
	for i := 0; i+1 < len(toks); i++ {
		t := toks[i]
		if toks[i+1].key != "(" || t.kind != word && t.kind != quoted {
			continue
		}
		before := keyAt(toks, i-1)
		if before == "as" || before == "with" || before == "recursive" || before == "into" {
			continue // a list of columns, or a type
		}
		if act, ok := lowered(actions, t.text); ok {
			k |= act
		} else if _, pure := lowered(functions, t.text); !pure && (t.kind == quoted || !groups[t.key]) {
			k |= IsUnknown
		}
	}
	return k
}

func (g *stage) read() {
	g.st.Kinds |= calls(g.toks)
	for i := 1; i < len(g.toks); i++ {
		t := g.toks[i]
		if t.kind != word || t.key == "" {
			continue
		}
		k := innerKind(g.toks, i)
		g.st.Kinds |= k
		switch {
		case k&Files != 0:
			g.st.File = stringAt(g.toks, i+1)
		case t.key == "into" && strings.HasPrefix(textAt(g.toks, i+1), "@"):
			g.st.Kinds |= Session
		case t.key == "into" && inner[keyAt(g.toks, i+1)] == 0 && !previousWrites(g.toks, i):
			g.st.Kinds |= Schema | WritesRows // SELECT INTO makes a table
			g.st.Object = nameAt(g.toks, i+1)
		case t.key == "from" && g.st.Object == "":
			g.st.Object = nameAt(g.toks, i+1)
		}
	}
	if g.st.Kinds&DeletesRows != 0 || g.st.Kinds&WritesRows != 0 {
		g.st.Where = condition(g.toks)
	}
}

func previousWrites(toks []token, i int) bool {
	switch keyAt(toks, i-1) {
	case "insert", "replace", "merge", "ignore", "low_priority":
		return true
	}
	return false
}

func (g *stage) write() {
	g.st.Kinds |= calls(g.toks[1:]) &^ IsUnknown
	g.st.Kinds |= innerKinds(g.toks, 1)
	g.st.Where = condition(g.toks)
	for i := 1; i < len(g.toks); i++ {
		switch g.toks[i].key {
		case "into", "from", "only", "low_priority", "ignore", "quick", "or", "abort", "rollback", "replace", "top":
			continue
		}
		g.st.Object = nameAt(g.toks, i)
		return
	}
}

// condition reports whether there is a WHERE, or the ON of a MERGE, that is not
// plainly true.
func condition(toks []token) bool {
	for i, t := range toks {
		if t.kind == word && t.key == "where" {
			return !plainlyTrue(toks[i+1:])
		}
	}
	return len(toks) > 0 && toks[0].key == "merge"
}

func plainlyTrue(cond []token) bool {
	for len(cond) > 1 && cond[0].key == "(" && cond[len(cond)-1].key == ")" {
		cond = cond[1 : len(cond)-1]
	}
	for i, t := range cond {
		if t.key == "or" { // any of its sides may be true
			return plainlyTrue(cond[:i]) || plainlyTrue(cond[i+1:])
		}
		if t.key == "returning" || t.key == "limit" || t.key == "order" || t.key == ")" {
			cond = cond[:i]
			break
		}
	}
	switch len(cond) {
	case 0:
		return true
	case 1:
		return cond[0].key == "true" || cond[0].kind == number && cond[0].text != "0"
	case 3:
		same := cond[0].text == cond[2].text && cond[0].kind == cond[2].kind
		constant := cond[0].kind != word && cond[2].kind != word && cond[0].kind != quoted
		return cond[1].key == "=" && same || constant && cond[1].key != "=" && cond[0].kind != punct
	}
	return false
}
