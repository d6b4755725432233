package main

import (
	"context"
	"iter"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/events"
)

type tailOptions struct {
	follow bool
	lines  int64
	from   int64
}

func (a *app) tailCommand() *cobra.Command {
	var opts tailOptions
	cmd := &cobra.Command{
		Use:   "tail SESSION",
		Short: "Print a session's last events, and with --follow those that come",
		Long: `Tail prints a session's last events, one a line; with --json, one JSON object a
line. With --follow it goes on until it is interrupted.`,
		Args: args(cobra.ExactArgs(1)),
	}
	cmd.Flags().BoolVarP(&opts.follow, "follow", "f", false, "wait for more")
	cmd.Flags().Int64VarP(&opts.lines, "lines", "n", 10, "how many events that are there")
	cmd.Flags().Int64Var(&opts.from, "from", -1, "begin at this seq instead")
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
	from := max(0, o.Head.Next-events.Seq(max(0, opts.lines)))
	if opts.from >= 0 {
		from = events.Seq(opts.from)
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
	return nil
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
