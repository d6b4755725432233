package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/tools"
)

// ExecutorName is the executor whose outer calls of run_code are programs.
const ExecutorName = "docket-agent"

// Program is the shipped program runner, as a gate has to know it.
func Program(set tools.Set) (engine.Program, error) {
	t, ok := set.Tool(tools.RunCodeName)
	if !ok {
		return engine.Program{}, errors.New("agent: the set of tools has no run_code")
	}
	d, err := definition(t)
	return engine.Program{Executor: ExecutorName, Tool: t.Name, SchemaHash: engine.SchemaHash(d)}, err
}

// Config says what an [Agent] works with. All but the last four are required.
type Config struct {
	Engine   *engine.Engine
	Gate     *engine.Gate
	Executor *permit.Executor // see [engine.Gate.Executor]
	Tools    tools.Set
	// Route is what the agent's model is asked by.
	Route reviewer.RouteName
	// ContextWindow is the route's, in tokens, nil where it is not known.
	ContextWindow *int64
	// Starting, unless it is nil, is told of every body right before it starts, also
	// while others run.
	Starting func(permit.Permit)
	// Delegate, unless it is nil, offers the tool task. It drives the child that a
	// call has made to the end of its turn, and gives what the child says to its
	// parent. A child whose Delegate fails is ended.
	Delegate func(ctx context.Context, c Child) (string, error)
	// Pace, unless it is nil, is waited for before each call, a program's too: when
	// what the call has to wait for is on the log, and before it is there itself.
	Pace func(ctx context.Context, session events.SessionID)
}

// Agent drives one session. It is for one goroutine at a time.
type Agent struct {
	cfg     Config
	session events.SessionID
	cwd     string
	request events.RequestConfiguration
	opened  bool // the first step is open already, as a child's is
}

// New makes the agent of a session that is stored and published.
func New(cfg Config, session events.Header) (*Agent, error) {
	if cfg.Engine == nil || cfg.Gate == nil || cfg.Executor == nil {
		return nil, errors.New("agent: Config lacks its engine, its gate or its executor")
	}
	a := &Agent{cfg: cfg, session: session.ID, cwd: session.CWD}
	a.request.Config = events.RequestConfig{Provider: cfg.Route.Provider, Model: cfg.Route.Model}
	offered := cfg.Tools.All()
	if cfg.Delegate != nil {
		offered = append(offered, taskTool())
	}
	for _, t := range offered {
		d, err := definition(t)
		if err != nil {
			return nil, err
		}
		a.request.Tools = append(a.request.Tools, d)
	}
	return a, nil
}

// definition is a tool as a request header has it.
func definition(t tools.Tool) (events.ToolDefinition, error) {
	description, err := json.Marshal(t.Description)
	if err != nil {
		return events.ToolDefinition{}, fmt.Errorf("agent: describe tool %s: %w", t.Name, err)
	}
	return events.ToolDefinition{Name: t.Name, Description: jsontext.Value(description), Parameters: t.Parameters}, nil
}

// Session is the one that the agent drives.
func (a *Agent) Session() events.SessionID { return a.session }

// Hear puts a person's message into the session. by is who they are.
func (a *Agent) Hear(ctx context.Context, by events.Actor, text string) error {
	id, err := newID()
	if err != nil {
		return err
	}
	return a.do(ctx, by, engine.UserMessage{MessageID: id, Content: []events.Block{events.TextBlock(text)}})
}

// StartTurn begins a turn.
func (a *Agent) StartTurn(ctx context.Context) error { return a.do(ctx, a.actor(), engine.StartTurn{}) }

// EndTurn ends it.
func (a *Agent) EndTurn(ctx context.Context) error {
	return a.do(ctx, a.actor(), engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
}

// FailTurn ends the turn as one that failed. A step that is open has to be ended
// before.
func (a *Agent) FailTurn(ctx context.Context, f events.Failure) error {
	return a.do(ctx, a.actor(), engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndError, Failure: &f}})
}

// actor is who the agent is to the log.
func (a *Agent) actor() events.Actor { return events.Actor{Class: "agent", Name: string(a.session)} }

func (a *Agent) do(ctx context.Context, by events.Actor, cs ...engine.Command) error {
	for _, c := range cs {
		m, err := newMeta(by)
		if err != nil {
			return err
		}
		if _, err := a.cfg.Engine.Do(ctx, a.session, c, m); err != nil {
			return err
		}
	}
	return nil
}

func newMeta(by events.Actor) (engine.Meta, error) {
	id, err := newID()
	return engine.Meta{ID: events.AppendID(id), Actor: by, Now: time.Now().UnixMilli()}, err
}

func newID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("agent: make an id: %w", err)
	}
	return id.String(), nil
}
