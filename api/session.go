package api

import "github.com/docket-engine/docket/events"

// SessionCreate begins a session. Its id is the caller's to choose, so that the
// command can be repeated.
type SessionCreate struct {
	Command
	CWD string `json:"cwd" jsonschema:"the session's folder, absolute"`
	// Preset is what the session begins on; "" for the default. A spawner's and a
	// host's is never above the ceiling of its credential.
	Preset string `json:"preset,omitzero" jsonschema:"what the session begins on; default the catalogue's, within the caller's ceiling"`
	// Headless says that no person is in front of the session.
	Headless    bool   `json:"headless,omitzero" jsonschema:"no person is in front of the session"`
	AgentPreset string `json:"agentPreset,omitzero" jsonschema:"the harness's name for the kind of agent"`
	// Owner is for a spawner alone: a person owns what they create.
	Owner string `json:"owner,omitzero" jsonschema:"the person whom the session belongs to; a spawner must name one, nobody else may"`
}

func (r SessionCreate) check() *Error {
	err := firstOf(r.Command.check(), nonEmpty("session", string(r.Session)), nonEmpty("cwd", r.CWD))
	if err == nil && r.Owner != "" && CheckIdentity(r.Owner) != nil {
		return invalid("owner", "must be 1 to 128 of A-Z, a-z, 0-9, _ and -")
	}
	return err
}

// Created is the reply to SessionCreate, SessionFork and SessionAdopt.
type Created struct {
	Session events.SessionID `json:"session" jsonschema:"the session"`
	Owner   string           `json:"owner,omitzero" jsonschema:"the person whom it belongs to"`
	Preset  string           `json:"preset" jsonschema:"what it is on"`
	Next    events.Seq       `json:"next" jsonschema:"the seq of its next event"`
	Already bool             `json:"already,omitzero" jsonschema:"it was there before"`
}

// SessionList lists the caller's sessions, a page at a time, in the order of their
// ids.
type SessionList struct {
	After events.SessionID `json:"after,omitzero" jsonschema:"list what comes after this id"`
	Limit int              `json:"limit,omitzero" jsonschema:"at most so many, 1 to 1000; default 100"`
}

func (r SessionList) check() *Error {
	if r.Limit < 0 || r.Limit > 1000 {
		return invalid("limit", "must be from 1 to 1000")
	}
	return checkSession("after", r.After)
}

// Sessions is a page of sessions.
type Sessions struct {
	Sessions []Listed `json:"sessions" jsonschema:"in the order of their ids"`
	// More says that there may be others behind the last one.
	More events.SessionID `json:"more,omitzero" jsonschema:"ask again after this id; absent at the end"`
}

// Listed is a session in a list.
type Listed struct {
	Session   events.SessionID `json:"session" jsonschema:"its id"`
	Owner     string           `json:"owner,omitzero" jsonschema:"the person whom it belongs to"`
	Parent    events.SessionID `json:"parent,omitzero" jsonschema:"the session that it descends from"`
	CreatedAt int64            `json:"createdAt" jsonschema:"Unix ms"`
	CWD       string           `json:"cwd,omitzero" jsonschema:"its folder"`
	Next      events.Seq       `json:"next" jsonschema:"the seq of its next event"`
	// Problem says why the session cannot be used, "" if it can.
	Problem string `json:"problem,omitzero" jsonschema:"why it cannot be used: incomplete or corrupt"`
}

// SessionShow shows what a session is folded to.
type SessionShow struct{ Query }

// StateQuery asks an agent's or a host's own session's state.
type StateQuery struct{ Query }

// SessionStop stops what a session is doing: open questions are cancelled, calls
// without a result, the step and the turn are ended. It may be opened again.
type SessionStop struct{ Command }

// SessionFork begins a session as a copy of another one, which the caller then
// owns.
type SessionFork struct {
	Command
	Child events.SessionID `json:"child" jsonschema:"the new session's id, fresh"`
	At    *events.Seq      `json:"at,omitzero" jsonschema:"the last event to copy; default the last one that there is"`
}

func (r SessionFork) check() *Error {
	return firstOf(r.Command.check(), nonEmpty("child", string(r.Child)), checkSession("child", r.Child))
}

// SessionAdopt makes an imported session the caller's: until then it can be read and
// nothing else. Only who imported it, or the owner that an adoption named, may.
type SessionAdopt struct{ Command }

// SessionShare says who beside the owner may work with the session and its
// children. Only the owner may.
type SessionShare struct {
	Command
	Members []string `json:"members" jsonschema:"names of people; replaces the ones before"`
}

// maxMembers bounds a session's members.
const maxMembers = 64

func (r SessionShare) check() *Error {
	if err := r.Command.check(); err != nil {
		return err
	}
	if len(r.Members) > maxMembers {
		return invalid("members", "must be at most %d", maxMembers)
	}
	for _, m := range r.Members {
		if CheckIdentity(m) != nil {
			return invalid("members", "must each be 1 to 128 of A-Z, a-z, 0-9, _ and -")
		}
	}
	return nil
}

// SessionCredential asks for a credential that is good for one session's agent.
type SessionCredential struct{ Query }

// State is what a session is folded to, as far as a caller asks.
type State struct {
	Session   events.SessionID `json:"session" jsonschema:"its id"`
	Owner     string           `json:"owner,omitzero" jsonschema:"the person whom it belongs to"`
	Members   []string         `json:"members,omitzero" jsonschema:"who else may work with it"`
	Parent    events.SessionID `json:"parent,omitzero" jsonschema:"the session that it descends from"`
	CreatedAt int64            `json:"createdAt" jsonschema:"Unix ms"`
	CWD       string           `json:"cwd,omitzero" jsonschema:"its folder"`
	Next      events.Seq       `json:"next" jsonschema:"the seq of its next event"`
	// ReplayOnly says that the session was imported and that nobody has adopted it.
	ReplayOnly bool     `json:"replayOnly,omitzero" jsonschema:"it was imported and nobody has adopted it"`
	Preset     string   `json:"preset" jsonschema:"what it is on, or custom"`
	Sandbox    string   `json:"sandbox" jsonschema:"the mode that holds"`
	Approval   string   `json:"approval" jsonschema:"ask or never"`
	Tier       string   `json:"tier,omitzero" jsonschema:"how readily the judge asks a person"`
	Headless   bool     `json:"headless,omitzero" jsonschema:"no person is in front of it"`
	Provider   string   `json:"provider,omitzero" jsonschema:"of the latest request"`
	Model      string   `json:"model,omitzero" jsonschema:"of the latest request"`
	Turn       int      `json:"turn,omitzero" jsonschema:"the open turn; absent for none"`
	Step       int      `json:"step,omitzero" jsonschema:"the open step; absent for none"`
	Calls      []string `json:"calls" jsonschema:"calls of the open step that have no result"`
	Questions  []string `json:"questions" jsonschema:"questions that wait for a person"`
	Waiting    int      `json:"waiting" jsonschema:"messages in the inbox"`
	Tokens     int64    `json:"tokens" jsonschema:"what the model sees, in tokens, by estimate"`
}
