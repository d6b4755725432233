package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/agent"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
	"github.com/docket-engine/docket/tools"
)

// gated is the gate on an opened store, and what calls go through it with.
type gated struct {
	instance string
	log      *jetstream.Log
	engine   *engine.Engine
	registry *presets.Registry
	gate     *engine.Gate
	executor *permit.Executor
	tools    tools.Set
}

// gateOptions say how a gate judges.
type gateOptions struct {
	// integrations are installed, by name.
	integrations []string
	model        reviewer.Model
	routes       reviewer.Routes
	settings     string // the digest of those that have the routes
	// served says that bodies run at clients alone, and none in this process.
	served bool
	// bodies says where they run.
	bodies bodies
	// apart is asked instead of a reviewer in this process; nil for that one.
	apart reviewer.Reviewer
	// answerers, wait and reached are the gate's own; nil and 0 for its defaults.
	answerers []approvals.Answerer
	wait      time.Duration
	reached   func(*projections.Session) bool
}

// openGate opens the gate of a store. It is shut down before the store is closed.
func (s *store) openGate(o gateOptions) (*gated, error) {
	if !o.served {
		s.trust.bodiesHere()
	}
	g := &gated{log: s.log, tools: tools.Shipped()}
	key, err := dispatchKey(s.dir)
	if err != nil {
		return nil, err
	}
	if g.registry, err = newRegistry(s.logger.Warn); err != nil {
		return nil, err
	}
	if g.engine, err = s.deciding(); err != nil {
		return nil, err
	}
	program, err := agent.Program(g.tools)
	if err != nil {
		return nil, err
	}
	instance, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("make the engine's name: %w", err)
	}
	g.instance = "engine-" + instance.String()
	var evidence func(engine.PendingCall) []events.ExecutedFile
	if o.bodies == bodiesHere {
		evidence = s.evidence()
	}
	g.gate, err = engine.NewGate(engine.GateConfig{
		Engine: g.engine, Registry: g.registry, Tail: s.log, Instance: g.instance, Key: key, Audit: s.log,
		Elsewhere: bus.Elsewhere(s.nc, g.instance), Forbids: s.own().Guard(), Evidence: evidence,
		Programs: []engine.Program{program}, Answerers: o.answerers, Wait: o.wait, Reached: o.reached,
		Failed: func(err error) { s.logger.Warn("a review was not recorded", "error", err) },
	})
	if err != nil {
		return nil, err
	}
	g.executor = g.gate.Executor()
	return g, g.install(o)
}

func (g *gated) install(o gateOptions) error {
	for _, name := range o.integrations {
		if name != presets.IntegrationAuto {
			return fmt.Errorf("the integration %q is not there", name)
		}
		judge := o.apart
		if judge == nil {
			judge = auto.New(auto.Config{Model: o.model, Routes: o.routes})
		}
		err := g.gate.Install(engine.Installation{Integration: presets.AutoIntegration(), Reviewer: judge, Words: auto.Words()})
		if err != nil {
			return err
		}
	}
	return nil
}

// close ends what is under way; nothing of it is lost.
func (g *gated) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	return g.gate.Shutdown(ctx)
}

// withGate opens the store and its gate for one command.
func (a *app) withGate(ctx context.Context, command string, o gateOptions, do func(context.Context, *store, *gated) error) error {
	return a.with(ctx, command, readWrite, func(ctx context.Context, s *store) error {
		g, err := s.openGate(o)
		if err != nil {
			return err
		}
		return errors.Join(do(ctx, s, g), g.close(ctx))
	})
}

// newAgent is an agent on a session of the store. change, which may be nil, sets
// what is special about it.
func (g *gated) newAgent(header events.Header, route reviewer.RouteName, change func(*agent.Config)) (*agent.Agent, error) {
	c := agent.Config{Engine: g.engine, Gate: g.gate, Executor: g.executor, Tools: g.tools, Route: route}
	if change != nil {
		change(&c)
	}
	return agent.New(c, header)
}
