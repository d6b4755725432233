package sql

import "strings"

// lineCommand is a client's command that takes the rest of the line.
func (s *scanner) lineCommand(verb string, argsAt int, kinds Kinds) {
	start := s.pos
	s.skipLine()
	args := strings.TrimSpace(s.text[min(argsAt, s.pos):s.pos])
	st := Statement{Kinds: kinds, Verb: verb, Start: start, End: s.pos}
	switch {
	case strings.HasPrefix(args, "|"):
		st.Kinds |= Executes
		st.Program = strings.TrimSpace(args[1:])
	case kinds&Executes != 0:
		st.Program = args
	case kinds&Files != 0:
		st.File = lastWord(args)
	}
	s.found = append(s.found, st)
}

func lastWord(args string) string {
	f := strings.Fields(strings.TrimRight(args, "; "))
	if len(f) == 0 {
		return ""
	}
	return strings.Trim(f[len(f)-1], `'"`)
}

// psql is what its commands do. Those that begin with d or l and are not here only tell.
var psql = map[string]Kinds{
	"!": Executes, "i": Files | IsUnknown, "ir": Files | IsUnknown, "include": Files | IsUnknown,
	"include_relative": Files | IsUnknown, "o": Files, "out": Files, "w": Files, "write": Files, "s": Files,
	"g": Files, "gx": Files, "gexec": Executes | IsUnknown, "e": Executes | IsUnknown, "edit": Executes | IsUnknown,
	"ef": Executes | IsUnknown, "ev": Executes | IsUnknown, "setenv": IsUnknown, "lo_export": Files,
	"lo_import": Files | WritesRows, "lo_unlink": DeletesRows, "password": Privileges, "gset": IsUnknown,
	"c": Session, "connect": Session, "conninfo": Reads, "q": Session, "x": Session, "timing": Session, "a": Session,
	"t": Session, "f": Session, "h": Reads, "?": Reads, "echo": Reads, "qecho": Reads, "warn": Reads, "pset": Session,
	"set": Session, "unset": Session, "l": Reads, "list": Reads, "d": Reads, "dt": Reads, "di": Reads, "ds": Reads, "dv": Reads,
	"dn": Reads, "df": Reads, "du": Reads, "dg": Reads, "dp": Reads, "dx": Reads, "dT": Reads, "dm": Reads, "z": Reads,
	"sf": Reads, "sv": Reads, "r": Session, "p": Session, "errverbose": Reads, "encoding": Session, "watch": IsUnknown,
	"if": IsUnknown, "elif": IsUnknown, "else": IsUnknown, "endif": Session, "crosstabview": Session, "bind": Session,
}

// mysql is what the short commands of its client do.
var mysql = map[string]Kinds{
	"!": Executes, ".": Files | IsUnknown, "T": Files, "P": Executes, "e": Executes | IsUnknown, "d": IsUnknown,
	"g": Session, "G": Session, "c": Session, "q": Session, "s": Reads, "u": Session, "h": Reads, "?": Reads, "t": Session,
	"n": Session, "r": Session, "p": Session, "w": Session, "W": Session, "x": Session, "R": Session, "C": Session,
}

// backslash is a command of psql or of the mysql client.
func (s *scanner) backslash() {
	start := s.pos
	s.pos++
	from := s.pos
	for s.pos < len(s.text) && (isLetter(s.text[s.pos]) || s.text[s.pos] == '+') {
		s.pos++
	}
	if s.pos == from && s.pos < len(s.text) {
		s.pos++
	}
	name := s.text[from:s.pos]
	switch {
	case s.dialect == MySQL:
		s.mysqlCommand(start, from)
	case name == "copy":
		s.copyCommand(start)
	case name == "\\": // \\ parts two commands of a line
	case name == ".": // the end of copied rows
		s.lineFrom(start, `\.`, IsUnknown)
	default:
		s.psqlCommand(start, name)
	}
}

func (s *scanner) psqlCommand(start int, name string) {
	kinds, ok := psql[strings.TrimRight(name, "+S")]
	if !ok {
		kinds = IsUnknown
		if s.dialect == Any { // it may be one of the other client
			kinds |= mysql[name[:min(1, len(name))]]
		}
	}
	line := s.text[start:]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if name != "!" && strings.IndexByte(line, '`') >= 0 {
		kinds |= Executes | IsUnknown // `…` in arguments is run by a shell
	}
	if i := strings.IndexByte(line[1:], '\\'); i >= 0 && name != "!" {
		kinds |= IsUnknown // another command on the same line
	}
	bare := strings.TrimSpace(line[min(1+len(name), len(line)):]) == ""
	if bare && (name == "g" || name == "gx" || name == "o") {
		kinds = Session
	}
	s.lineFrom(start, `\`+name, kinds)
}

func (s *scanner) lineFrom(start int, verb string, kinds Kinds) {
	s.pos = start
	s.lineCommand(verb, start+len(verb), kinds)
}

func (s *scanner) mysqlCommand(start, from int) {
	s.pos = min(from+1, len(s.text)) // they are one letter long
	name := s.text[from:s.pos]
	kinds, ok := mysql[name]
	switch {
	case !ok:
		kinds = IsUnknown
	case name == "g" || name == "G" || name == "c":
		s.found = append(s.found, Statement{Kinds: kinds, Verb: `\` + name, Start: start, End: s.pos})
		return
	}
	s.lineFrom(start, `\`+name, kinds)
}

// copyCommand is psql's \copy: COPY with files and programs of the client.
func (s *scanner) copyCommand(start int) {
	s.skipLine()
	inside := scanner{text: s.text[start+1 : s.pos], dialect: Postgres, depth: s.depth}
	for inside.pos < len(inside.text) {
		c := inside.text[inside.pos]
		if c == '\\' || c == ';' {
			inside.pos++
			continue
		}
		inside.token(c)
	}
	inside.finish()
	for _, st := range inside.found {
		st.Verb, st.Start, st.End = `\copy`, start, s.pos
		s.found = append(s.found, st)
	}
}

// dotCommands are those of SQLite's shell that are known letter by letter.
var dotCommands = map[string]Kinds{
	"shell": Executes, "system": Executes, "sh": Executes, "sys": Executes, "read": Files | IsUnknown, "load": Executes,
	"import": Files | WritesRows, "output": Files, "once": Files, "excel": Files | Executes, "open": Files, "save": Files,
	"backup": Files, "restore": Files | Drops, "clone": Files, "log": Files, "archive": Files, "ar": Files,
	"tables": Reads, "schema": Reads, "indexes": Reads, "indices": Reads, "databases": Reads, "dump": Reads,
	"fullschema": Reads, "dbinfo": Reads, "show": Reads, "help": Reads, "print": Reads, "stats": Session,
	"headers": Session, "header": Session, "mode": Session, "width": Session, "timer": Session, "echo": Session,
	"nullvalue": Session, "separator": Session, "bail": Session, "changes": Session, "quit": Session, "exit": Session,
	"timeout": Session, "explain": Session, "eqp": Session, "cd": IsUnknown,
}

func (s *scanner) dotCommand() {
	end := s.pos + 1
	for end < len(s.text) && isLetter(s.text[end]) {
		end++
	}
	verb := s.text[s.pos:end]
	kinds, ok := dotCommands[verb[1:]]
	if !ok {
		kinds = IsUnknown // also a shortened name
	}
	line := s.text[s.pos:]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if (verb == ".output" || verb == ".once") && strings.TrimSpace(line[len(verb):]) == "" {
		kinds = Session
	}
	if i := strings.IndexByte(line, '|'); i >= 0 && kinds&Executes == 0 && kinds&Files != 0 {
		s.found = append(s.found, Statement{
			Kinds: kinds | Executes, Verb: verb, Program: strings.Trim(line[i+1:], " '\""), Start: s.pos, End: s.pos + len(line),
		})
		s.skipLine()
		return
	}
	s.lineCommand(verb, end, kinds)
}

// clientWords are commands of the mysql client, and what is none of them.
var clientWords = map[string]Kinds{
	"system": Executes, "source": Files | IsUnknown, "tee": Files, "pager": Executes, "edit": Executes | IsUnknown,
	"delimiter": IsUnknown, "notee": Session, "nopager": Session, "status": Reads, "exit": Session, "quit": Session,
}

// clientWord reads a command that is a plain word at the start of a statement.
func (s *scanner) clientWord() bool {
	if s.dialect != MySQL && s.dialect != Any {
		return false
	}
	end := s.pos
	for end < len(s.text) && isWordByte(s.text[end]) {
		end++
	}
	kinds, ok := lowered(clientWords, s.text[s.pos:end])
	if !ok {
		return false
	}
	s.lineCommand(s.text[s.pos:end], end, kinds)
	return true
}
