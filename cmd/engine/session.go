package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/events"
)

func (a *app) sessionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session",
		Short: "List, show, follow, create, fork, repair, adopt and compact sessions",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef("session: say what to do: list, show, tail, create, fork, repair, tree, compact, adopt or members")
		},
	}
	cmd.AddCommand(
		a.listCommand(), a.showCommand(), a.tailCommand(), a.createCommand(), a.forkCommand(), a.repairCommand(),
		a.treeCommand(), a.compactCommand(), a.adoptCommand(), a.membersCommand())
	return cmd
}

// sessionID checks an id before anything is opened.
func sessionID(text string) (events.SessionID, error) {
	id := events.SessionID(text)
	if err := id.Check(); err != nil {
		return "", usagef("session %s: %w", plain(text, 140), err)
	}
	return id, nil
}

// optionalSession is the session that a command may be given, or "" for all.
func optionalSession(argv []string) (events.SessionID, error) {
	if len(argv) == 0 {
		return "", nil
	}
	return sessionID(argv[0])
}

// onSession opens the store for a command whose one argument is a session.
func (a *app) onSession(name string, access access, do func(context.Context, *store, events.SessionID) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, argv []string) error {
		id, err := sessionID(argv[0])
		if err != nil {
			return err
		}
		return a.with(cmd.Context(), name, access, func(ctx context.Context, s *store) error { return do(ctx, s, id) })
	}
}
