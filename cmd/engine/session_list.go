package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/events"
)

// listed is a session in a list. Of one that cannot be opened, the state says
// why.
type listed struct {
	ID        events.SessionID `json:"id"`
	CreatedAt string           `json:"createdAt,omitempty"`
	CWD       string           `json:"cwd,omitempty"`
	Parent    events.SessionID `json:"parentSession,omitempty"`
	Format    events.Format    `json:"format"`
	Events    events.Seq       `json:"events"`
	Trust     events.Trust     `json:"trust,omitempty"` // that it was last worked with under
	State     string           `json:"state"`           // complete, incomplete, corrupt, unreadable
	Problem   string           `json:"problem,omitempty"`

	created int64
}

func (a *app) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the sessions, the oldest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), "session list", readOnly, a.list)
		},
	}
}

func (a *app) list(ctx context.Context, s *store) error {
	rows := []listed{}
	for id, err := range s.log.Sessions(ctx) {
		if err != nil {
			return err
		}
		row, err := listSession(ctx, s.log, id)
		if s.gone(ctx, err) {
			return err
		}
		if err != nil {
			row = listed{ID: id, State: "unreadable", Problem: message(err)}
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(x, y listed) int {
		return cmp.Or(cmp.Compare(x.created, y.created), cmp.Compare(x.ID, y.ID))
	})
	return a.print(rows, func(p *printer) { p.list(rows) })
}

func listSession(ctx context.Context, log events.Log, id events.SessionID) (listed, error) {
	o, err := log.Open(ctx, id)
	switch {
	case errors.Is(err, events.ErrCorrupt):
		return listed{ID: id, State: "corrupt", Problem: err.Error()}, nil
	case err != nil:
		return listed{}, err
	}
	row := listed{
		ID: id, CreatedAt: utcMs(o.Header.CreatedAt), CWD: o.Header.CWD, Parent: o.Header.ParentSession,
		Format: o.Header.Version, Events: o.Head.Next, State: "complete", Trust: o.Trust.Last, created: o.Header.CreatedAt,
	}
	if !o.Complete() {
		row.State, row.Problem = "incomplete", incomplete(o)
	}
	return row, nil
}

// incomplete says what finishes a log whose seed was cut short.
func incomplete(o events.Opened) string {
	again := "importing the same file again finishes it"
	if o.Seed.Kind == events.SeedFork {
		again = fmt.Sprintf("'engine session fork %s --id %s' finishes it", o.Header.ParentSession, o.Header.ID)
	}
	return fmt.Sprintf("%d of the %d events of its %s are there: %s", o.Head.Next, o.Seed.Next, o.Seed.Kind, again)
}

func (p *printer) list(rows []listed) {
	if len(rows) == 0 {
		p.line("No sessions. 'engine import FILE' keeps a recorded one, 'engine session create' begins one.")
		return
	}
	table := [][]string{{"SESSION", "CREATED", "EVENTS", "STATE", "CWD", "PARENT"}}
	for _, r := range rows {
		created := "-"
		if r.CreatedAt != "" {
			created = local(r.created)
		}
		table = append(table, []string{string(r.ID), created, strconv.FormatInt(int64(r.Events), 10), r.State, orDash(plain(r.CWD, 40)), orDash(string(r.Parent))})
	}
	p.table(table)
	for _, r := range rows {
		if r.Problem != "" {
			p.line("%s is %s: %s", r.ID, r.State, plain(r.Problem, 400))
		}
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
