package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// repaired is what a repair appended.
type repaired struct {
	ID       events.SessionID `json:"id"`
	Appended []eventView      `json:"appended"`
}

func (a *app) repairCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "repair SESSION",
		Short: "End the turn that a crash left open",
		Long: `Repair appends what a crash kept from being written: an error result for each call
without one, the end of the step and the end of the turn. Nothing is rewritten. A
session whose turns have all ended is left alone. Do not repair a session whose
agent still runs.`,
		Args: one("SESSION"),
		RunE: a.onSession("session repair", readWrite, func(ctx context.Context, s *store, id events.SessionID) error {
			appended, err := engine.Repair(ctx, s.log, id, actor())
			if err != nil {
				return err
			}
			r := repaired{ID: id, Appended: []eventView{}}
			rows := [][]string{{"SEQ", "TIME", "TYPE", ""}}
			for _, e := range appended {
				r.Appended = append(r.Appended, viewEvent(e))
				rows = append(rows, eventRow(e))
			}
			return a.print(r, func(p *printer) {
				if len(appended) == 0 {
					p.line("Session %s has no open turn: nothing to repair.", id)
					return
				}
				p.table(rows)
			})
		}),
	}
}
