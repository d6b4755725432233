package api

import "reflect"

// Endpoint is one command or query of one role.
type Endpoint struct {
	Role    Role
	Command string // the subject's last part: turn.start
	// Summary is a sentence for people, without a full stop.
	Summary string
	// Request and Reply are the types that go over the wire.
	Request, Reply reflect.Type
	// Writes says that it may append to a log, and so carries an id.
	Writes bool
	// Long says that several replies come; see [StateHeader].
	Long bool
}

// Name is the endpoint's as NATS micro services are named: agent-turn-start.
func (e Endpoint) Name() string {
	name := []byte(string(e.Role) + "-" + e.Command)
	for i, c := range name {
		if c == '.' {
			name[i] = '-'
		}
	}
	return string(name)
}

// does is an endpoint's part that does not depend on the role.
type does struct {
	command, summary string
	request, reply   reflect.Type
	writes, long     bool
}

func command[Request, Reply any](name, summary string) does {
	return does{command: name, summary: summary, request: reflect.TypeFor[Request](), reply: reflect.TypeFor[Reply](), writes: true}
}

func query[Request, Reply any](name, summary string) does {
	d := command[Request, Reply](name, summary)
	d.writes = false
	return d
}

func (d does) lasting() does {
	d.long = true
	return d
}

// loop is what records an agent's loop.
func loop() []does {
	return []does{
		command[TurnStart, Done]("turn.start", "open the next turn"),
		command[TurnEnd, Done]("turn.end", "close the open turn"),
		command[StepStart, Done]("step.start", "open the next step, and claim what waits in the inbox"),
		command[StepEnd, Done]("step.end", "close the open step"),
		command[RequestSet, Done]("request.set", "say what model requests are made with"),
		command[AssistantMessage, Done]("message.assistant", "record what the model said"),
		command[ContextMessage, Done]("message.context", "record a synthetic message, such as project instructions"),
		command[AttemptFailed, Done]("attempt.failed", "record a model request that failed"),
		command[Call, Answer]("call", "take a call through the gate: a permit, or a refusal").lasting(),
		query[CallAlive, UnderWay]("call.alive", "say that the caller of a call is there"),
		query[CallCancel, UnderWay]("call.cancel", "give up a call that has no answer yet"),
		command[Settle, Done]("settle", "record the result of a body that ran"),
		command[Return, Done]("return", "give a permit back unused"),
		command[Restart, Done]("restart", "repair and take up a session whose loop ended"),
		query[StateQuery, State]("state", "what the session is folded to"),
		query[Read, Page]("read", "a page of the session's log"),
		query[Tail, TailEnd]("tail", "follow the session's log").lasting(),
		query[TailAlive, UnderWay]("tail.alive", "say that the follower is there, and how far it has come"),
		query[TailStop, UnderWay]("tail.stop", "end a tail"),
		query[KeysQuery, Keys]("keys", "the key that permits are signed with"),
	}
}

func agent() []does {
	return append(loop(),
		command[Compact, Compacted]("compact", "put a checkpoint in the place of what the model has seen"),
		command[Spawn, Spawned]("spawn", "make a child, with a credential if one is asked for"),
		command[Send, Done]("send", "send a message to the parent or a child"),
		schema(),
	)
}

func human() []does {
	return []does{
		command[SessionCreate, Created]("session.create", "begin a session"),
		query[SessionList, Sessions]("session.list", "list the caller's sessions"),
		query[SessionShow, State]("session.show", "what a session is folded to"),
		command[SessionStop, Done]("session.stop", "stop what a session is doing"),
		command[SessionFork, Created]("session.fork", "begin a session as a copy of another one"),
		command[SessionAdopt, Created]("session.adopt", "take over an imported session"),
		command[SessionShare, Done]("session.share", "say who else may work with a session"),
		query[SessionCredential, Credential]("session.credential", "a credential that is good for one session's agent"),
		command[MessageSend, Done]("message.send", "say something in a session"),
		command[PresetSet, Done]("preset.set", "switch a session to a preset"),
		query[PresetCatalog, Catalog]("preset.catalog", "what sessions can be on"),
		command[PolicySet, Done]("policy.set", "say whether people are asked"),
		command[TierSet, Done]("tier.set", "say how readily the judge asks a person"),
		query[ApprovalsList, Approvals]("approvals.list", "list the questions that wait for a person"),
		command[ApprovalsAnswer, Answered]("approvals.answer", "answer questions"),
		command[RouteAllow, Done]("route.allow", "let a route serve a session's reviews, too"),
		query[Read, Page]("read", "a page of a session's log"),
		query[Tail, TailEnd]("tail", "follow a session's log").lasting(),
		query[TailAlive, UnderWay]("tail.alive", "say that the follower is there, and how far it has come"),
		query[TailStop, UnderWay]("tail.stop", "end a tail"),
		schema(),
	}
}

func spawner() []does {
	return []does{
		command[SessionCreate, Created]("session.create", "begin a session for its owner"),
		query[SessionCredential, Credential]("session.credential", "a credential that is good for one session's agent"),
		schema(),
	}
}

func host() []does {
	return append(loop(),
		command[SessionCreate, Created]("session.create", "begin a session, within the installation's ceiling"),
		command[SessionStop, Done]("session.stop", "stop what a session is doing"),
		command[MessageSend, Done]("message.send", "relay what the person at the host says"),
		schema(),
	)
}

func schema() does {
	return query[SchemaQuery, Schemas]("schema", "the JSON Schemas of a command")
}

// Endpoints are all commands and queries, role by role.
func Endpoints() []Endpoint {
	var all []Endpoint
	for _, r := range []struct {
		role Role
		does []does
	}{{RoleHuman, human()}, {RoleAgent, agent()}, {RoleHost, host()}, {RoleSpawner, spawner()}} {
		for _, d := range r.does {
			all = append(all, Endpoint{r.role, d.command, d.summary, d.request, d.reply, d.writes, d.long})
		}
	}
	return all
}
