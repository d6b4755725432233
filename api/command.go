package api

import "github.com/docket-engine/docket/events"

// MaxID is the longest id of a command, in characters: the engine makes the ids of
// its appends of it.
const MaxID = 64

// Command is what every command carries.
type Command struct {
	// ID makes the command repeatable: the same request with the same id is done once.
	ID string `json:"id" jsonschema:"makes the command repeatable: the same request with the same id is done once; 1 to 64 of A-Z, a-z, 0-9, _ and -"`
	// Session is the one that the command is about. An agent may leave its own out;
	// all others name it.
	Session events.SessionID `json:"session,omitzero" jsonschema:"the session that the command is about; an agent may leave its own out"`
	// Expect refuses the command where the session has gone on since.
	Expect *events.Seq `json:"expect,omitzero" jsonschema:"refuse the command unless this is the seq of the session's next event"`
}

// About is the session that the request names, "" for none.
func (c Command) About() events.SessionID { return c.Session }

// CommandID is the command's id.
func (c Command) CommandID() string { return c.ID }

func (c Command) check() *Error {
	if len(c.ID) == 0 || len(c.ID) > MaxID || CheckIdentity(c.ID) != nil {
		return invalid("id", "must be 1 to %d of A-Z, a-z, 0-9, _ and -", MaxID)
	}
	return checkSession("session", c.Session)
}

// Query is what every query about a session carries.
type Query struct {
	Session events.SessionID `json:"session,omitzero" jsonschema:"the session that the query is about; an agent may leave its own out"`
}

// About is the session that the request names, "" for none.
func (q Query) About() events.SessionID { return q.Session }

func (q Query) check() *Error { return checkSession("session", q.Session) }

// checkSession refuses what no session can be named. "" names none.
func checkSession(field string, id events.SessionID) *Error {
	if id != "" && id.Check() != nil {
		return invalid(field, "must be 1 to 128 of A-Z, a-z, 0-9, _ and -")
	}
	return nil
}

// firstOf gives the first error.
func firstOf(errs ...*Error) *Error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// nonEmpty refuses an empty member.
func nonEmpty(field, value string) *Error {
	if value == "" {
		return invalid(field, "must not be empty")
	}
	return nil
}

// Done is the reply to a command that was done.
type Done struct {
	Session events.SessionID `json:"session" jsonschema:"the session that was changed"`
	// Next is the seq of the session's next event: how many events it has.
	Next events.Seq `json:"next" jsonschema:"the seq of the session's next event"`
	// Events is how many events the command wrote; 0 if there was nothing to do.
	Events int `json:"events" jsonschema:"how many events the command wrote; they end before next"`
	// Already says that the command was done before; Events is 0 then.
	Already bool `json:"already,omitzero" jsonschema:"the command of this id was done before"`
}
