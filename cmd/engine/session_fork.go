package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

type forkOptions struct {
	id string
	at number
}

func (a *app) forkCommand() *cobra.Command {
	var opts forkOptions
	cmd := &cobra.Command{
		Use:   "fork SESSION",
		Short: "Begin a session as a copy of another one, and print its id",
		Long: `Fork copies a session's events, up to and including --at, into a new session, and
ends what they leave open. The source is not changed. A fork that was cut short
is finished by the same fork again, with the same --id. It begins under the narrower
of the preset at --at and the source's present one.`,
		Args: one("SESSION"),
	}
	cmd.Flags().StringVar(&opts.id, "id", "", "the new session's id (default a new UUIDv7)")
	cmd.Flags().Var(&opts.at, "at", "the last event to copy, by its seq (default the last one that there is)")
	cmd.RunE = func(cmd *cobra.Command, argv []string) error {
		child, err := newID(cmd, opts.id)
		if err != nil {
			return err
		}
		fork := func(ctx context.Context, s *store, id events.SessionID) error {
			return a.fork(ctx, s, id, child, opts.at)
		}
		return a.onSession("session fork", readWrite, fork)(cmd, argv)
	}
	return cmd
}

func (a *app) fork(ctx context.Context, s *store, source, child events.SessionID, at number) error {
	observer, end := a.progress("fork "+string(source), countEvents)
	defer end()
	req := engine.ForkRequest{Source: source, Child: child, Actor: actor(), Now: time.Now().UnixMilli(), Observer: observer}
	if at.given {
		req.At = new(events.Seq(at.n))
	}
	f, err := s.fork(ctx, req)
	if err != nil {
		return err
	}
	end()
	m := made{
		ID: child, Parent: source, CreatedAt: utcMs(f.Header.CreatedAt), Events: f.Events, Inherited: f.Inherited,
		Already: f.AlreadyThere, Resumed: f.Resumed,
	}
	return a.print(m, func(p *printer) { p.line("%s", m.ID) })
}

// fork makes a fork that keeps what has tightened in its source since.
func (s *store) fork(ctx context.Context, req engine.ForkRequest) (engine.ForkedOn, error) {
	c, err := catalogue(s.dir)
	if err != nil {
		return engine.ForkedOn{}, err
	}
	e, err := s.deciding()
	if err != nil {
		return engine.ForkedOn{}, err
	}
	m, err := meta()
	if err != nil {
		return engine.ForkedOn{}, err
	}
	return e.Fork(ctx, req, c, nil, m)
}
