package sql

import "strings"

// Dialect is how a text is read.
type Dialect int

// The dialects. Where they differ, Any takes the text for unknown.
const (
	Any      Dialect = iota
	Postgres         // and what psql makes of it
	MySQL            // and MariaDB, with the commands of their client
	SQLite           // with the dot commands of its shell
	TSQL             // SQL Server
)

// Kinds are the things that a statement does.
type Kinds uint16

// What a statement does, from the weakest to the strictest.
const (
	Session     Kinds = 1 << iota // transactions and settings of this connection
	Reads                         // rows and catalogues
	WritesRows                    // inserts and updates
	Schema                        // creates or changes objects
	Files                         // reads or writes files of the server or the client
	Privileges                    // users, roles, grants
	Administers                   // the server itself: settings, other sessions, replication
	DeletesRows
	Drops     // drops or empties whole objects
	Executes  // programs, loaded libraries, or code that runs later
	IsUnknown // something that is not known; other kinds may be set as well
)

// Has reports whether all of the given kinds are there.
func (k Kinds) Has(all Kinds) bool { return k&all == all }

// Only reports whether nothing but the given kinds is there.
func (k Kinds) Only(allowed Kinds) bool { return k != 0 && k&^allowed == 0 }

func (k Kinds) String() string {
	names := [...]string{
		"session", "reads", "writes-rows", "schema", "files", "privileges",
		"administers", "deletes-rows", "drops", "executes", "unknown",
	}
	var set []string
	for i, name := range names {
		if k&(1<<i) != 0 {
			set = append(set, name)
		}
	}
	return strings.Join(set, "+")
}

// Statement is one statement or client command of a text.
type Statement struct {
	Kinds Kinds
	// Verb is its first word in upper case ("DROP", "\copy", ".shell"), "" if it is not known.
	Verb string
	// Class is the kind of object behind DROP, CREATE and ALTER: "TABLE", "DATABASE".
	Class string
	// Object is the name of what it acts on, as written; "" if it has none or several.
	Object string
	// Where is set for UPDATE and DELETE with a condition that is not plainly true.
	Where bool
	// Program is the command that it would start, File what it would read or write,
	// where they are written out.
	Program, File string
	// Start and End are its place in the text, End exclusive.
	Start, End int
}

const (
	maxText       = 128 << 10
	maxStatements = 4096
	maxNested     = 3
	maxName       = 1024 // in brackets
)

// Statements splits a text and says of each statement what it does. What it cannot
// split, and what is beyond the bounds, ends in a statement that is unknown.
func Statements(text string, dialect Dialect) []Statement {
	return statements(text, dialect, 0)
}

func statements(text string, dialect Dialect, depth int) []Statement {
	if len(text) > maxText || depth > maxNested {
		return []Statement{{Kinds: IsUnknown, End: len(text)}}
	}
	s := scanner{text: text, dialect: dialect, depth: depth}
	for s.pos < len(text) && len(s.found) < maxStatements {
		s.statement()
	}
	if s.pos < len(text) {
		s.found = append(s.found, Statement{Kinds: IsUnknown, Start: s.pos, End: len(text)})
	}
	return s.found
}

// Summary is what all of the statements do together.
func Summary(all []Statement) Kinds {
	var k Kinds
	for _, s := range all {
		k |= s.Kinds
	}
	return k
}
