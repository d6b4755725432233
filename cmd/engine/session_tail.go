package main

import (
	"context"
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/events"
)

type tailOptions struct {
	follow bool
	lines  number
	from   number
}

func (a *app) tailCommand() *cobra.Command {
	opts := tailOptions{lines: number{n: 10}}
	cmd := &cobra.Command{
		Use:   "tail SESSION",
		Short: "Print a session's last events, and with --follow those that come",
		Long: `Tail prints a session's last events, one a line; with --json, one JSON object a
line. With --follow it goes on until it is interrupted.`,
		Args: one("SESSION"),
	}
	cmd.Flags().BoolVarP(&opts.follow, "follow", "f", false, "wait for more")
	cmd.Flags().VarP(&opts.lines, "lines", "n", "how many events that are there")
	cmd.Flags().Var(&opts.from, "from", "begin at this seq instead")
	cmd.RunE = a.onSession("session tail", readOnly, func(ctx context.Context, s *store, id events.SessionID) error {
		return a.tail(ctx, s, id, opts)
	})
	return cmd
}

func (a *app) tail(ctx context.Context, s *store, id events.SessionID, opts tailOptions) error {
	o, err := s.log.Open(ctx, id)
	if err != nil {
		return err
	}
	from := max(0, o.Head.Next-events.Seq(opts.lines.n))
	if opts.from.given {
		from = events.Seq(opts.from.n)
	}
	for e, err := range envelopes(records(ctx, s, id, from, opts.follow)) {
		if err != nil {
			return err
		}
		if e.Seq < from {
			continue // the front of a packed row
		}
		if err := a.printEvent(e); err != nil {
			return err
		}
	}
	if cause := context.Cause(ctx); errors.Is(cause, errStopped) {
		return cause
	}
	return nil // a follower that is interrupted is done
}

func records(ctx context.Context, s *store, id events.SessionID, from events.Seq, follow bool) iter.Seq2[events.Record, error] {
	if follow {
		return s.log.Tail(ctx, id, from)
	}
	return s.log.Read(ctx, id, from)
}

// printEvent prints at once, so that a follower sees it: no column waits for the
// next row.
func (a *app) printEvent(e events.Envelope) error {
	return a.print(viewEvent(e), func(p *printer) {
		row := eventRow(e)
		p.line("%6s  %s  %-22s  %s", row[0], row[1], row[2], row[3])
	})
}
