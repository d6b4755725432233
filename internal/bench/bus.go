package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/docket-engine/docket/events"
)

const (
	rowBusCall = "reviewed call, from a client in another process"
	rowBusMany = "64 clients of 64 sessions, reviewed calls"
	rowBusDo   = "64 clients of 64 sessions, commands"
	rowBusTail = "live tail, behind the acknowledgement"

	busClients = 64
	// roundTrips are those that a call over the bus cannot do without: the call, which
	// is acknowledged, its answer, and the result.
	roundTrips = 3
)

// busGroup measures what the bus adds to the gate: agents are in a process of their
// own and come over TCP, each with its own credential. What is behind the bus is the
// desk of the reviewed calls.
func busGroup() group {
	return group{[]string{rowBusCall, rowBusMany, rowBusDo, rowBusTail}, func(ctx context.Context, s *suite) error {
		return withBus(ctx, func(b *busRig) error {
			return errors.Join(s.busCall(ctx, b), s.busMany(ctx, b), s.busTail(ctx, b))
		})
	}}
}

func (s *suite) busCall(ctx context.Context, b *busRig) error {
	calls := s.size(500, 50)
	inProcess := reviewBench{rig: b.rig, desk: b.desk, calls: calls}
	return s.compare(ctx, comparison{
		name: rowBusCall, unit: micros, target: atMost(2),
		note: "p50; raw is the call in process and three requests with replies over TCP",
		ours: func(ctx context.Context) (float64, error) {
			sessions := make([]busAgent, 0, calls/callsOfSession)
			for range cap(sessions) {
				a, err := b.agent(ctx)
				if err != nil {
					return 0, err
				}
				sessions = append(sessions, a)
			}
			return b.send(ctx, errand{Do: errandCalls, Agents: sessions, Each: callsOfSession})
		},
		raw: func(ctx context.Context) (float64, error) {
			call, err := inProcess.ours(ctx)
			if err != nil {
				return 0, err
			}
			trip, err := b.send(ctx, errand{Do: errandEcho, Each: calls})
			return call + roundTrips*trip, err
		},
	})
}

// busMany compares with an endpoint that makes the same guarded publishes and does
// nothing else: a call's two when it is asked for the call and one when for the
// result, and one for any other command.
func (s *suite) busMany(ctx context.Context, b *busRig) error {
	if !s.wants(rowBusMany) && !s.wants(rowBusDo) {
		return nil
	}
	bodies, err := b.desk.bodies(ctx, b.rig)
	if err != nil {
		return err
	}
	bare := &bareEndpoint{bodies: bodies}
	if err := bare.serve(b.rig); err != nil {
		return err
	}
	m := &busMany{busRig: b, bare: bare}
	calls, commands := s.size(25, 5), s.size(100, 10)
	err = s.compare(ctx, comparison{
		name: rowBusMany, unit: perSecond, target: atLeast(0.6),
		note: "calls; raw is a bare micro endpoint that makes the same guarded publishes",
		ours: func(ctx context.Context) (float64, error) { return m.ours(ctx, errandTogether, calls) },
		raw:  func(ctx context.Context) (float64, error) { return m.raw(ctx, errandBare, calls) },
	})
	if err != nil {
		return err
	}
	return s.compare(ctx, comparison{
		name: rowBusDo, unit: perSecond,
		note: "steps that begin and end; raw is a bare micro endpoint that makes the same guarded publishes",
		ours: func(ctx context.Context) (float64, error) { return m.ours(ctx, errandCommands, commands) },
		raw:  func(ctx context.Context) (float64, error) { return m.raw(ctx, errandBareOne, commands) },
	})
}

// busMany has many clients at once.
type busMany struct {
	*busRig
	bare   *bareEndpoint
	rounds int
}

func (m *busMany) ours(ctx context.Context, what string, each int) (float64, error) {
	agents := make([]busAgent, busClients)
	for i := range agents {
		var err error
		if agents[i], err = m.agent(ctx); err != nil {
			return 0, err
		}
	}
	return m.send(ctx, errand{Do: what, Agents: agents, Each: each})
}

func (m *busMany) raw(ctx context.Context, what string, each int) (float64, error) {
	m.rounds++
	names := make([]busAgent, busClients)
	for i := range names {
		names[i].Session = events.SessionID(fmt.Sprintf("bare-%d-%d", m.rounds, i))
	}
	m.bare.begin(names)
	return m.send(ctx, errand{Do: what, Agents: names, Each: each})
}
