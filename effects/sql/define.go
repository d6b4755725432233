package sql

import "strings"

// classes are the objects of CREATE, ALTER and DROP, and what more is done by it.
var classes = map[string]Kinds{
	"table": 0, "index": 0, "view": 0, "database": 0, "schema": 0, "user": Privileges, "role": Privileges,
	"login": Privileges, "policy": Privileges, "function": Executes, "procedure": Executes, "trigger": Executes,
	"rule": Executes, "event": Executes, "language": Executes, "server": Executes, "extension": Executes,
	"foreign": Executes, "subscription": Executes, "publication": 0, "aggregate": Executes, "operator": Executes,
	"cast": Executes, "tablespace": Files, "system": Administers, "sequence": 0, "type": 0, "column": 0, "keyspace": 0,
	"collection": 0, "default": Privileges, "service": Administers, "external": Executes, "warehouse": 0, "stage": Files,
	"task": Executes, "pipe": Executes, "share": Privileges, "group": Privileges, "master": Privileges,
}

// define is CREATE, ALTER, DROP, TRUNCATE and the like.
func (g *stage) define(head string) {
	i := 1
	for ; i < len(g.toks); i++ {
		t := g.toks[i]
		if more, ok := classes[strings.ToLower(t.text)]; ok && t.kind == word {
			g.st.Class = strings.ToUpper(t.text)
			if head != "comment" && head != "truncate" && (head != "drop" || more == Privileges) {
				g.st.Kinds |= more
			}
			break
		}
		if t.kind != word || t.key == "" {
			break
		}
	}
	if g.st.Class == "" {
		i = 0
		g.st.Kinds |= unless(head == "truncate" || head == "comment" || head == "refresh", IsUnknown)
	}
	g.st.Object = g.objectFrom(i + 1)
	g.parts(head, i)
}

func unless(no bool, k Kinds) Kinds {
	if no {
		return 0
	}
	return k
}

// objectFrom is the name from a place on, IF EXISTS and the like left out.
func (g *stage) objectFrom(i int) string {
	for i < len(g.toks) {
		switch g.toks[i].key {
		case "if", "not", "exists", "concurrently", "only", "materialized", "table", "on":
			i++
			continue
		}
		break
	}
	return nameAt(g.toks, i)
}

// parts looks at what follows the object's class.
func (g *stage) parts(head string, from int) {
	for i := from + 1; i < len(g.toks); i++ {
		t := g.toks[i]
		if t.kind != word || t.key == "" {
			continue
		}
		switch {
		case t.key == "drop" && head == "alter":
			switch keyAt(g.toks, i+1) {
			case "default", "not", "constraint", "identity":
			default:
				g.st.Kinds |= Drops
			}
		case t.key == "program":
			g.st.Kinds |= Executes
			g.st.Program = stringAt(g.toks, i+1)
		case t.key == "select":
			g.st.Kinds |= calls(g.toks[i:]) | unless(g.st.Class == "VIEW", WritesRows)
		case t.key == "update" || t.key == "delete" || t.key == "insert" || t.key == "truncate":
			if b := keyAt(g.toks, i-1); b != "on" && head != "create" {
				g.st.Kinds |= innerKind(g.toks, i)
			}
		case head == "alter" || head == "create" && t.key == "create":
			g.st.Kinds |= innerKind(g.toks, i)
		}
	}
	if head == "alter" && g.st.Class == "DATABASE" {
		g.st.Kinds |= Administers
	}
}

// settings are statements about this connection, unless they say otherwise.
func (g *stage) settings(head string) {
	g.st.Kinds |= unless(head == "show", innerKinds(g.toks, 1)) // SHOW CREATE TABLE
	for i := 1; i < len(g.toks); i++ {
		switch g.toks[i].key {
		case "global", "persist_only", "persist":
			g.st.Kinds |= unless(head != "set", Administers)
		case "role", "password", "authorization":
			g.st.Kinds |= unless(head == "show", Privileges)
		case "sql_mode", "standard_conforming_strings":
			g.st.Kinds |= unless(head == "show", IsUnknown) // it changes how what follows is read
		case "slave", "replica", "master", "binary", "logs":
			g.st.Kinds |= unless(head == "show", Administers)
		}
		if strings.HasPrefix(strings.ToLower(g.toks[i].text), "@@global") && head == "set" {
			g.st.Kinds |= Administers
		}
	}
	switch head {
	case "pragma":
		g.pragma()
	case "vacuum":
		for i := range g.toks {
			if g.toks[i].key == "into" {
				g.st.Kinds |= Files
				g.st.File = stringAt(g.toks, i+1)
			}
		}
	case "set":
		g.st.Kinds |= calls(g.toks) // SET @x = f()
	}
}

// pragma is SQLite's; what it only tells begins like one of these.
func (g *stage) pragma() {
	name := strings.ToLower(textAt(g.toks, 1))
	g.st.Object = name
	plain := len(g.toks) <= 2
	for _, known := range [...]string{
		"table_", "index_", "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check",
		"database_list", "collation_list", "function_list", "compile_options",
	} {
		if strings.HasPrefix(name, known) {
			plain = true
		}
	}
	if plain {
		g.st.Kinds = Reads
		return
	}
	switch name {
	case "foreign_keys", "cache_size", "case_sensitive_like", "busy_timeout", "temp_store", "synchronous":
	default:
		g.st.Kinds |= IsUnknown
	}
}

// nameAt is a dotted name as written, its quotes left out.
func nameAt(toks []token, i int) string {
	name := textAt(toks, i)
	if name == "" || keyAt(toks, i+1) != "." {
		return name
	}
	for i+2 < len(toks) && toks[i+1].key == "." {
		name += "." + toks[i+2].text
		i += 2
	}
	return name
}

// textAt is a name's or word's text, "" for anything else.
func textAt(toks []token, i int) string {
	if i < 0 || i >= len(toks) || toks[i].kind != word && toks[i].kind != quoted {
		return ""
	}
	return toks[i].text
}

// stringAt is the text of a string, "" for anything else.
func stringAt(toks []token, i int) string {
	if i < 0 || i >= len(toks) || toks[i].kind != text && toks[i].kind != quoted {
		return ""
	}
	return toks[i].text
}
