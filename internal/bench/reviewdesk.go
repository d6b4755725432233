package main

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

const (
	callTool      = "shell"
	callArguments = `{"command":"go test ./... 2>&1 | tail -40","description":"run the tests of all packages","timeout":120000}`
	modelProvider = "double"
	modelName     = "instant"
	deskName      = "bench"
)

// judgement is a double for a model's judgement, and for nothing else: after the
// delay it allows whatever it is asked about, in one block.
type judgement struct{ delay time.Duration }

func (j judgement) Stream(ctx context.Context, _ reviewer.Prompt) iter.Seq2[reviewer.Chunk, error] {
	return func(yield func(reviewer.Chunk, error) bool) {
		if j.delay > 0 {
			select {
			case <-time.After(j.delay):
			case <-ctx.Done():
				yield(nil, &reviewer.Failure{Class: reviewer.ClassCancelled, Code: "REVIEW_CANCELLED"})
				return
			}
		}
		_ = yield(reviewer.Delta{Kind: reviewer.BlockText, Text: `{"risk":"low","decision":"allow"}`}, nil) &&
			yield(reviewer.Usage{Input: 2000, Output: 12}, nil) &&
			yield(reviewer.Finish{Kind: reviewer.FinishStop}, nil)
	}
}

// desk is an engine with a gate whose calls are reviewed by auto, as a program has
// it: its reviews are recorded in the audit stream.
type desk struct {
	log      *jetstream.Log
	engine   *engine.Engine
	gate     *engine.Gate
	registry *presets.Registry
	executor *permit.Executor
}

func (r *rig) desk(nc *nats.Conn, model reviewer.Model) (*desk, error) {
	log, err := r.log(nc)
	if err != nil {
		return nil, err
	}
	d := &desk{log: log}
	if d.engine, err = engine.New(engine.Config{Log: log, CacheBytes: 1 << 30}); err != nil {
		return nil, err
	}
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	if err != nil {
		return nil, err
	}
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	d.registry = presets.NewRegistry(table, nil)
	d.gate, err = engine.NewGate(engine.GateConfig{
		Engine: d.engine, Registry: d.registry, Tail: log, Instance: deskName, Key: private, Audit: log,
	})
	if err != nil {
		return nil, err
	}
	d.executor = d.gate.Executor()
	route := reviewer.Route{Provider: modelProvider, Model: modelName, Reviews: true}
	return d, d.gate.Install(engine.Installation{
		Integration: presets.AutoIntegration(),
		Reviewer:    auto.New(auto.Config{Model: model, Routes: reviewer.Routes{Listed: []reviewer.Route{route}}}),
		Words:       auto.Words(),
	})
}

// close waits for what is still recorded.
func (d *desk) close(ctx context.Context) error {
	if err := d.gate.Shutdown(ctx); err != nil {
		return err
	}
	return d.log.Close(ctx)
}

// caller is a session whose agent makes calls, at a desk.
type caller struct {
	desk     *desk
	id       events.SessionID
	commands int
	made     int // calls
	wanted   int // calls
}

// open makes the session, on the preset auto, with a turn under way.
func (d *desk) open(ctx context.Context, id events.SessionID) (*caller, error) {
	if err := create(ctx, d.log, id); err != nil {
		return nil, err
	}
	c := &caller{desk: d, id: id}
	if _, err := d.gate.Publish(ctx, id, engine.Publish{}, c.meta()); err != nil {
		return nil, err
	}
	if _, err := d.gate.SetPreset(ctx, id, engine.SetPreset{Preset: presets.Auto}, c.meta()); err != nil {
		return nil, err
	}
	return c, c.do(ctx, engine.StartTurn{}, engine.StartStep{}, engine.SetRequest{Header: callHeader(), Reason: "initial"})
}

func (c *caller) meta() engine.Meta {
	c.commands++
	return engine.Meta{ID: events.AppendID(fmt.Sprint("command-", c.commands)), Actor: actor, Now: time.Now().UnixMilli()}
}

func (c *caller) do(ctx context.Context, commands ...engine.Command) error {
	for _, command := range commands {
		if _, err := c.desk.engine.Do(ctx, c.id, command, c.meta()); err != nil {
			return err
		}
	}
	return nil
}

func (c *caller) callID(n int) string { return fmt.Sprint("call-", n) }

// wants lets the model ask for so many calls, in the open step.
func (c *caller) wants(ctx context.Context, n int) error {
	content := []events.Block{events.TextBlock("I will run the tests now.")}
	for range n {
		content = append(content, events.ToolCallBlock(c.callID(c.wanted), callTool, callArguments))
		c.wanted++
	}
	return c.do(ctx, engine.AssistantMessage{MessageID: fmt.Sprint("said-", c.wanted), Provider: "p", Model: "m", Content: content})
}

// next goes on to another step.
func (c *caller) next(ctx context.Context) error {
	return c.do(ctx, engine.EndStep{}, engine.StartStep{})
}

// call makes the next call that the model has asked for, through review, permit
// and body to its result.
func (c *caller) call(ctx context.Context) error {
	r := engine.CallRequest{Session: c.id, CallID: c.callID(c.made), Name: callTool, Arguments: callArguments}
	c.made++
	ran, err := c.desk.gate.Run(ctx, c.desk.executor, r, c.meta(), body)
	if err == nil && ran.Result == nil {
		err = fmt.Errorf("call %s was refused: %s", r.CallID, ran.Refused.Text)
	}
	return err
}

// body is a tool that takes no time.
func body(context.Context, permit.Permit) engine.BodyResult {
	return engine.BodyResult{Content: []events.Block{events.TextBlock(strings.Repeat("ok   example.org/demo/package\n", 10))}}
}

// callHeader is what the agent's model is asked with.
func callHeader() events.RequestConfiguration {
	return events.RequestConfiguration{
		Config: events.RequestConfig{Provider: modelProvider, Model: modelName},
		Tools: []events.ToolDefinition{{
			Name: callTool, Description: jsontext.Value(`"Runs a command in the workspace and gives what it prints."`),
			Parameters: jsontext.Value(`{"type":"object","properties":{"command":{"type":"string"},"description":{"type":"string"},` +
				`"timeout":{"type":"integer"}},"required":["command"]}`),
		}},
	}
}
