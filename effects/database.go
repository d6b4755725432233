package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
	"github.com/docket-engine/docket/effects/sql"
)

// reader splits a text into the statements that a client would be told.
type reader func(string) []sql.Statement

func sqlReader(d sql.Dialect) reader {
	return func(text string) []sql.Statement { return sql.Statements(text, d) }
}

var (
	anyStatements      = sqlReader(sql.Any)
	postgresStatements = sqlReader(sql.Postgres)
	mysqlStatements    = sqlReader(sql.MySQL)
	sqliteStatements   = sqlReader(sql.SQLite)
	serverStatements   = sqlReader(sql.TSQL)
)

const (
	harmlessKinds = sql.Session | sql.Reads
	losingKinds   = sql.Drops
	maxChanges    = 64 // of one text, that are effects of their own
)

// statements judges what a word has a database do.
func (in *invocation) statements(w shell.Word, read reader) {
	text, known := w.Value()
	if !known {
		in.say("statements-unknown", in.span(w.Span), wordText(w))
		return
	}
	in.told(read(text), w.Span)
}

// statementsFromInput judges what a client reads; false if that is a person.
func (in *invocation) statementsFromInput(read reader) bool {
	switch in.Stdin.Kind {
	case shell.StdinText:
		in.told(read(in.Stdin.Text), in.Stdin.Span)
	case shell.StdinFile:
		in.statementsFile(in.Stdin.File, read)
	case shell.StdinNone:
		return false
	default:
		in.say("statements-unknown", in.span(in.Span), in.name)
	}
	return true
}

// statementsFile judges what a file has a database do.
func (in *invocation) statementsFile(w shell.Word, read reader) {
	in.touches(Read, w)
	for _, p := range in.places(w) {
		text, ok := in.statementText(p)
		if !ok {
			in.say("statements-unknown", in.span(w.Span), wordText(w))
			continue
		}
		in.told(read(text), w.Span)
	}
}

// statementText reads a file of statements, and notes that it was read.
func (in *invocation) statementText(p place) (string, bool) {
	if !p.whole {
		return "", false
	}
	return in.load(p.path)
}

// told notes what statements do.
func (in *invocation) told(list []sql.Statement, at shell.Span) {
	changed := 0
	for i := range list {
		st := &list[i]
		if st.Kinds.Only(harmlessKinds) {
			in.say("database-asked", in.span(at), st.Verb)
			continue
		}
		if changed++; changed > maxChanges {
			in.full = true
			return
		}
		in.tells(st, at)
	}
}

// tells notes what one statement does that does not only ask.
func (in *invocation) tells(st *sql.Statement, at shell.Span) {
	object := describe(st)
	if st.Kinds&sql.IsUnknown != 0 {
		in.say("statements-unknown", in.span(at), object)
	}
	if st.Kinds&sql.Executes != 0 {
		in.say("database-runs", in.span(at), object)
		if st.Program != "" {
			in.nested(st.Program, at)
		}
	}
	if st.File != "" && writesFile(st.Verb) {
		in.touches(Write, shell.Word{Parts: []shell.Part{{Text: st.File}}, Quoted: true, Span: at})
		if st.Kinds.Only(harmlessKinds | sql.Files) {
			return
		}
	}
	if st.Kinds&^(harmlessKinds|sql.IsUnknown|sql.Executes) == 0 {
		return
	}
	in.does(Database, object, at)
	if st.Kinds&losingKinds != 0 || st.Kinds&sql.DeletesRows != 0 && !st.Where {
		in.say("database-destroys", in.span(at), object)
	}
}

// describe is a statement in a few words.
func describe(st *sql.Statement) string {
	text := st.Verb
	for _, part := range [...]string{st.Class, st.Object} {
		if part != "" {
			text = joinVerb(text, part)
		}
	}
	return text
}

// writesFile reports whether a client's command writes the file that it names.
func writesFile(verb string) bool {
	return listed(`\o \out \w \write \s .output .once .save .backup .log .clone`, verb)
}

// nested analyses a command that another program's text has in it. All of it is at
// the place of that text.
func (in *invocation) nested(text string, at shell.Span) {
	if in.nesting >= maxNested {
		in.full = true
		return
	}
	in.nesting++
	from, first := len(in.effects), len(in.findings)
	in.command(text)
	in.nesting--
	for i := from; i < len(in.effects); i++ {
		in.effects[i].Span, in.effects[i].nested = in.span(at), true
	}
	for i := first; i < len(in.findings); i++ {
		in.findings[i].Span = in.span(at)
	}
}

const maxNested = 4

// client is a program that is told statements.
type client struct {
	spec
	read reader
	// told are options whose value is a statement, files those whose value is a file of
	// them, written those whose value is a file that is written, asks those that only
	// ask, run those that start programs or are not looked into.
	told, files, written, asks, run string
	// words is how many operands come before statements; -1 if no operand is one.
	words int
	// data says that the first operand is a file that holds the data.
	data bool
}

func (c *client) program() program { return program{c.explain} }

func (c *client) explain(in *invocation) bool {
	o := c.spec.read(in.args)
	given := false
	for i := range o.list {
		given = c.option(in, &o.list[i]) || given
	}
	for i, w := range o.operands {
		switch {
		case i == 0 && c.data:
			if text, _ := w.Value(); text != ":memory:" && text != "" {
				in.touches(Read, w)
			}
		case c.words >= 0 && i >= c.words:
			in.statements(w, c.read)
			given = true
		}
	}
	if !given && !in.statementsFromInput(c.read) {
		return false
	}
	return o.strange == nil && !manyComputed(in.args)
}

// option judges one option, and reports whether it gives the client something to do.
func (c *client) option(in *invocation, opt *option) bool {
	switch {
	case listed(c.told, opt.name):
		in.statements(opt.value, c.read)
		return true
	case listed(c.files, opt.name):
		in.statementsFile(opt.value, c.read)
		return true
	case listed(c.asks, opt.name):
		in.say("database-asked", in.span(opt.span), opt.name)
		return true
	case listed(c.written, opt.name):
		if strings.HasPrefix(opt.value.Prefix(), "|") {
			in.say("database-runs", in.span(opt.span), opt.name)
		} else {
			in.writesUnlessDash(opt.value)
		}
	case listed(c.run, opt.name):
		in.say("database-runs", in.span(opt.span), opt.name)
	}
	return false
}
