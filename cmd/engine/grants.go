package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/projections"
)

// projects is what lasts beyond a session.
func (s *store) projects(do func(*engine.Projects) error) error {
	log, err := jetstream.NewLog(jetstream.LogConfig{Conn: s.nc, Files: s.files, Keys: s.keys, Projects: true, Trust: s.trust.now, Logger: s.logger})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return errors.Join(do(engine.NewProjects(log)), log.Close(ctx))
}

// lasting keeps what "always" answers grant, on the log of the session's project.
// It comes behind the decision: cut short, the call is allowed once and no more.
func (s *store) lasting(ctx context.Context, cwd string, asked []approvals.Question, answers []approvals.Answer) (granted []string, err error) {
	for _, a := range answers {
		if a.Kind != approvals.ReplyAlways {
			continue
		}
		for _, q := range asked {
			if q.ID != a.ID {
				continue
			}
			if err := s.grant(ctx, cwd, q, a); err != nil {
				return granted, fmt.Errorf("the call is allowed, but the grant was not kept: %w", err)
			}
			granted = append(granted, q.Pattern)
		}
	}
	return granted, nil
}

func (s *store) grant(ctx context.Context, cwd string, q approvals.Question, a approvals.Answer) error {
	m, err := meta()
	if err != nil {
		return err
	}
	return s.projects(func(p *engine.Projects) error {
		return p.Do(ctx, cwd, m, func(state *approvals.Project) ([]events.Draft, error) {
			return approvals.GrantAlways(state, q, a, uuid.NewString()), nil
		})
	})
}

// openQuestions are a session's, and the folder that grants would be for.
func (s *store) openQuestions(ctx context.Context, id events.SessionID) (asked []approvals.Question, cwd string, err error) {
	err = s.see(ctx, id, func(session *projections.Session) error {
		asked, cwd = session.Approvals.Questions(), session.Header().CWD
		return nil
	})
	return asked, cwd, err
}

func (a *app) grantsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "grants FOLDER",
		Short: "List what people have allowed for good in a project",
		Args:  exactly("FOLDER"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			return a.onProject(cmd, argv[0], "approve grants", readOnly, func(ctx context.Context, s *store, cwd string) error {
				return s.projects(func(p *engine.Projects) error {
					state, err := p.View(ctx, cwd)
					if err != nil {
						return err
					}
					return a.printGrants(state.Grants)
				})
			})
		},
	}
}

func (a *app) printGrants(grants []approvals.ProjectGrant) error {
	if grants == nil {
		grants = []approvals.ProjectGrant{}
	}
	return a.print(grants, func(p *printer) {
		if len(grants) == 0 {
			p.line("Nothing is allowed for good here.")
			return
		}
		rows := [][]string{{"GRANT", "TOOL", "BY", "EXACTLY"}}
		for _, g := range grants {
			rows = append(rows, []string{plain(g.ID, 80), plain(g.Tool, 40), plain(g.By, 40), approvals.Escape(g.Pattern)})
		}
		p.table(rows)
	})
}

func (a *app) revokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke FOLDER GRANT",
		Short: "Take a grant back",
		Args:  exactly("FOLDER", "GRANT"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			return a.onProject(cmd, argv[0], "approve revoke", readWrite, func(ctx context.Context, s *store, cwd string) error {
				m, err := meta()
				if err != nil {
					return err
				}
				return s.projects(func(p *engine.Projects) error {
					return p.Do(ctx, cwd, m, func(state *approvals.Project) ([]events.Draft, error) {
						return approvals.Revoke(state, argv[1], actor().Name)
					})
				})
			})
		},
	}
}

// onProject opens the store for a command about a folder.
func (a *app) onProject(cmd *cobra.Command, folder, name string, access access, do func(context.Context, *store, string) error) error {
	cwd, err := filepath.Abs(folder)
	if err != nil {
		return usagef("%s: %w", name, err)
	}
	return a.with(cmd.Context(), name, access, func(ctx context.Context, s *store) error { return do(ctx, s, cwd) })
}
