package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// belonging is whose a session is.
type belonging struct {
	ID      events.SessionID `json:"id"`
	Owner   string           `json:"owner"`
	Members []string         `json:"members"`
	// Changed says that the command wrote something.
	Changed bool `json:"changed"`
}

func (a *app) adoptCommand() *cobra.Command {
	var owner string
	cmd := &cobra.Command{
		Use:   "adopt SESSION",
		Short: "Make an imported session somebody's, so that it can be gone on with",
		Long: `Adopt makes an imported session a person's. Until then it can be read and not be gone
on with over the bus, and what people say in it has no authority there.`,
		Args: one("SESSION"),
		RunE: a.onSession("session adopt", readWrite, func(ctx context.Context, s *store, id events.SessionID) error {
			done, err := s.do(ctx, id, engine.AdoptSession{Owner: owner, By: actor().Name})
			if err != nil {
				return err
			}
			// From here on it is used: what holds in it must be on its log.
			c, err := catalogue(a.dir)
			if err != nil {
				return err
			}
			if _, err := s.do(ctx, id, engine.Publish{Catalogue: c}); err != nil {
				return err
			}
			return a.showBelonging(ctx, s, id, done)
		}),
	}
	cmd.Flags().StringVar(&owner, "owner", actor().Name, "whose it is to be, by the name of their credential")
	return cmd
}

func (a *app) membersCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "members SESSION [NAME...]",
		Short: "Say who beside its owner may work with a session and its children",
		Long: `Members says who beside the owner may work with a session and its children over the
bus, by the names of their credentials. They take the place of those from before; none
leaves the owner alone.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			id, err := sessionID(argv[0])
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), "session members", readWrite, func(ctx context.Context, s *store) error {
				done, err := s.do(ctx, id, engine.SetMembers{Members: argv[1:], By: actor().Name})
				if err != nil {
					return err
				}
				return a.showBelonging(ctx, s, id, done)
			})
		},
	}
}

func (a *app) showBelonging(ctx context.Context, s *store, id events.SessionID, done engine.Done) error {
	v := belonging{ID: id, Members: []string{}, Changed: len(done.Events) > 0}
	err := s.see(ctx, id, func(session *projections.Session) error {
		v.Owner = session.Owner()
		v.Members = append(v.Members, session.Members()...)
		return nil
	})
	if err != nil {
		return err
	}
	return a.print(v, func(p *printer) {
		rows := [][]string{{"session", string(v.ID)}, {"owner", orDash(plain(v.Owner, 80))}}
		for _, m := range v.Members {
			rows = append(rows, []string{"member", plain(m, 80)})
		}
		p.table(rows)
	})
}
