package client

import (
	"context"
	"iter"
	"sync"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

// Session is one session as its agent drives it: what the loop does goes on the
// record, and each call goes through [Session.Run]. Its methods are safe for
// concurrent use, in the order that the loop has.
//
// A command's own id, where its request has one, may be left empty: then it is made.
// One that is set makes the command repeatable beyond this call.
type Session struct {
	c  *Client
	id events.SessionID

	mu    sync.Mutex // guards lanes
	lanes map[string]*lane
}

// Session gives the session of an agent's credential; of a host's, one that the host
// created. An agent may leave the id out. Calls are ordered within one Session: take
// one for each session, and keep it.
func (c *Client) Session(id events.SessionID) (*Session, error) {
	if err := c.need(api.RoleAgent, api.RoleHost); err != nil {
		return nil, err
	}
	if c.caller.role == api.RoleAgent && id == "" {
		id = events.SessionID(c.caller.name)
	}
	if err := id.Check(); err != nil {
		return nil, err
	}
	return &Session{c: c, id: id, lanes: map[string]*lane{}}, nil
}

// ID is the session's.
func (s *Session) ID() events.SessionID { return s.id }

// on is a command about the session; its id is made unless it has one.
func (s *Session) on(c api.Command) api.Command {
	c.ID, c.Session = named(c.ID), s.id
	return c
}

func (s *Session) done(ctx context.Context, command string, request any) error {
	_, err := ask[api.Done](ctx, s.c, command, request)
	return err
}

// StartTurn opens the next turn.
func (s *Session) StartTurn(ctx context.Context) error {
	return s.done(ctx, "turn.start", api.TurnStart{Command: s.command("")})
}

// EndTurn closes the open turn as completed.
func (s *Session) EndTurn(ctx context.Context) error {
	return s.EndTurnFor(ctx, api.EndReason{Kind: events.EndCompleted})
}

// EndTurnFor closes the open turn for a reason.
func (s *Session) EndTurnFor(ctx context.Context, reason api.EndReason) error {
	return s.done(ctx, "turn.end", api.TurnEnd{Command: s.command(""), Reason: reason})
}

// StartStep opens the next step, which claims what waits in the inbox. system is its
// system prompt, nothing for none.
func (s *Session) StartStep(ctx context.Context, system ...events.Block) error {
	r := api.StepStart{Command: s.command(""), System: system}
	if len(system) > 0 {
		r.SystemID = newID()
	}
	return s.done(ctx, "step.start", r)
}

// EndStep closes the open step, all calls of which have ended.
func (s *Session) EndStep(ctx context.Context) error {
	return s.done(ctx, "step.end", api.StepEnd{Command: s.command("")})
}

// SetRequest says what model requests are made with from here on.
func (s *Session) SetRequest(ctx context.Context, r api.RequestSet) error {
	r.Command = s.on(r.Command)
	return s.done(ctx, "request.set", r)
}

// Say records what the model said in the open step, before its calls are made.
func (s *Session) Say(ctx context.Context, m api.AssistantMessage) error {
	m.Command, m.MessageID = s.on(m.Command), named(m.MessageID)
	return s.done(ctx, "message.assistant", m)
}

// Act records what the model said in the open step, runs the calls that it asks for
// with body, one after the other, and ends the step. The step stays open where a
// call has no answer, as after a crash; [Session.Restart] repairs that.
func (s *Session) Act(ctx context.Context, m api.AssistantMessage, body Body) ([]Ran, error) {
	if err := s.Say(ctx, m); err != nil {
		return nil, err
	}
	var calls []Call
	for _, b := range m.Content {
		if b.Type == "tool-call" {
			calls = append(calls, Call{ID: b.ID, Name: b.Name, Arguments: b.Arguments})
		}
	}
	ran, err := s.RunAll(ctx, calls, body)
	if err != nil {
		return ran, err
	}
	return ran, s.EndStep(context.WithoutCancel(ctx))
}

// Context records a synthetic message, such as project instructions.
func (s *Session) Context(ctx context.Context, m api.ContextMessage) error {
	m.Command, m.MessageID = s.on(m.Command), named(m.MessageID)
	return s.done(ctx, "message.context", m)
}

// FailAttempt records a model request that failed.
func (s *Session) FailAttempt(ctx context.Context, r api.AttemptFailed) error {
	r.Command = s.on(r.Command)
	return s.done(ctx, "attempt.failed", r)
}

// Compact puts a checkpoint in the place of the front of what the model sees. What
// people and the parent said there stays in it, whatever the summary says.
func (s *Session) Compact(ctx context.Context, r api.Compact) (api.Compacted, error) {
	if err := s.c.need(api.RoleAgent); err != nil {
		return api.Compacted{}, err
	}
	r.Command = s.on(r.Command)
	return ask[api.Compacted](ctx, s.c, "compact", r)
}

// Restart repairs what a loop that ended has left open, and takes the session up.
func (s *Session) Restart(ctx context.Context) error {
	return s.done(ctx, "restart", api.Restart{Command: s.command("")})
}

// State is what the session is folded to.
func (s *Session) State(ctx context.Context) (api.State, error) {
	return ask[api.State](ctx, s.c, "state", api.StateQuery{Query: api.Query{Session: s.id}})
}

// Spawn makes a child. With r.Credential it comes with a credential that is good for
// the child alone; a [Client] that is dialled with it drives the child. The same
// SpawnID again gives the same child. Under review r.CallID must name a dispatched call
// of the open step that starts an agent with just r.Prompt, and has started no other.
func (s *Session) Spawn(ctx context.Context, r api.Spawn) (api.Spawned, error) {
	if err := s.c.need(api.RoleAgent); err != nil {
		return api.Spawned{}, err
	}
	r.Command, r.SpawnID, r.PromptID = s.on(r.Command), named(r.SpawnID), named(r.PromptID)
	if r.Child == "" {
		r.Child = NewSessionID()
	}
	if len(r.System) > 0 {
		r.SystemID = named(r.SystemID)
	}
	return ask[api.Spawned](ctx, s.c, "spawn", r)
}

// Send sends a message to the parent or a child. callID is the dispatched call that
// tells an agent just this text, which makes it an instruction to a child, once; ""
// for none.
func (s *Session) Send(ctx context.Context, to events.SessionID, text, callID string) error {
	if err := s.c.need(api.RoleAgent); err != nil {
		return err
	}
	return s.done(ctx, "send", api.Send{Command: s.command(""), To: to, MessageID: newID(), Text: text, CallID: callID})
}

// Read yields the session's records from a seq on, those that are stored now. An
// error is the last that is yielded.
func (s *Session) Read(ctx context.Context, from events.Seq) iter.Seq2[events.Record, error] {
	return s.c.read(ctx, s.id, from)
}

// Tail yields the session's records from a seq on, those that are stored and then
// those that come, in order and without a gap, until ctx ends, which is not an error.
func (s *Session) Tail(ctx context.Context, from events.Seq) iter.Seq2[events.Record, error] {
	return s.c.tail(ctx, s.id, from)
}
