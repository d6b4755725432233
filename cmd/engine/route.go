package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

func (a *app) routeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "route",
		Short: "Show and widen which models may review a session's calls",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("route: say what to do: list, allow or check")
		},
	}
	cmd.AddCommand(a.routeListCommand(), a.routeAllowCommand(), a.routeCheckCommand())
	return cmd
}

// routesView is which routes may serve a session's reviews, as far as its log says.
type routesView struct {
	ID     events.SessionID `json:"id"`
	Latest string           `json:"latest,omitempty"` // that reviews ask for now
	Pinned string           `json:"pinned,omitempty"`
	// Allowed are those that people allowed beside it.
	Allowed []routeLeave `json:"allowed"`
	// Changed says that a leave was written.
	Changed bool `json:"changed,omitempty"`
}

type routeLeave struct {
	Route string     `json:"route"`
	By    string     `json:"by"`
	Seq   events.Seq `json:"seq"`
}

func viewRoutes(s *projections.Session) routesView {
	v := routesView{ID: s.Header().ID, Allowed: []routeLeave{}}
	if h := s.Request.Header; h != nil {
		v.Latest = h.Config.Provider + "/" + h.Config.Model
	}
	if p := s.Request.Pinned; p != nil {
		v.Pinned = p.Provider + "/" + p.Model
	}
	for _, l := range s.Request.Allowed {
		if l.Seq >= s.Imported {
			v.Allowed = append(v.Allowed, routeLeave{Route: l.Provider + "/" + l.Model, By: l.By, Seq: l.Seq})
		}
	}
	return v
}

func (p *printer) routes(v routesView) {
	rows := [][]string{
		{"session", string(v.ID)}, {"asked for", orDash(plain(v.Latest, 200))}, {"pinned", orDash(plain(v.Pinned, 200))},
	}
	for _, l := range v.Allowed {
		rows = append(rows, []string{"allowed", plain(l.Route, 200), "by " + plain(l.By, 80)})
	}
	p.table(rows)
}

func (a *app) routeListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list SESSION",
		Short: "Show the route that a session began with, and those that people allowed",
		Args:  one("SESSION"),
		RunE: a.onSession("route list", readOnly, func(ctx context.Context, s *store, id events.SessionID) error {
			return a.showRoutes(ctx, s, id, false)
		}),
	}
}

func (a *app) showRoutes(ctx context.Context, s *store, id events.SessionID, changed bool) error {
	var v routesView
	if err := s.see(ctx, id, func(session *projections.Session) error { v = viewRoutes(session); return nil }); err != nil {
		return err
	}
	v.Changed = changed
	return a.print(v, func(p *printer) { p.routes(v) })
}

func (a *app) routeAllowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "allow SESSION PROVIDER/MODEL",
		Short: "Let another route review a session's calls",
		Long: `Allow lets a route review a session's calls beside the one that it began with. The
agent's side writes which model it uses and must not choose its judge by it, so only
a person does this. The settings must list the route for reviews as well.`,
		Args: exactly("SESSION", "PROVIDER/MODEL"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			id, err := sessionID(argv[0])
			if err != nil {
				return err
			}
			name, err := reviewer.ParseRouteName(argv[1])
			if err != nil {
				return usageError{err}
			}
			return a.with(cmd.Context(), "route allow", readWrite, func(ctx context.Context, s *store) error {
				done, err := s.do(ctx, id, engine.AllowRoute{Provider: name.Provider, Model: name.Model, By: actor().Name})
				if err != nil {
					return err
				}
				return a.showRoutes(ctx, s, id, len(done.Events) > 0)
			})
		},
	}
}
