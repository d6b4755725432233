package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// made is a session that a command made.
type made struct {
	ID        events.SessionID `json:"id"`
	Parent    events.SessionID `json:"parentSession,omitempty"`
	CreatedAt string           `json:"createdAt"`
	Events    events.Seq       `json:"events"`
	Inherited events.Seq       `json:"inheritedEvents,omitempty"`
	// Already says that it was there before; Resumed that it was finished.
	Already bool `json:"already,omitempty"`
	Resumed bool `json:"resumed,omitempty"`
}

type createOptions struct {
	id, cwd string
}

func (a *app) createCommand() *cobra.Command {
	var opts createOptions
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create a session on the default preset and print its id",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			header, err := newHeader(cmd, opts)
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), "session create", readWrite, func(ctx context.Context, s *store) error {
				return a.create(ctx, s, header)
			})
		},
	}
	cmd.Flags().StringVar(&opts.id, "id", "", "the session's id (default a new UUIDv7)")
	cmd.Flags().StringVar(&opts.cwd, "cwd", "", "the session's working directory, absolute (default the current one)")
	return cmd
}

func newHeader(cmd *cobra.Command, opts createOptions) (events.Header, error) {
	id, err := newID(cmd, opts.id)
	if err != nil {
		return events.Header{}, err
	}
	if opts.cwd == "" {
		if opts.cwd, err = os.Getwd(); err != nil {
			return events.Header{}, fmt.Errorf("find the current directory: %w", err)
		}
	} else if !filepath.IsAbs(opts.cwd) {
		return events.Header{}, usagef("--cwd must be an absolute path, is %s", plain(opts.cwd, 80))
	}
	return events.NewHeader(events.Header{ID: id, CreatedAt: time.Now().UnixMilli(), CWD: opts.cwd})
}

// newID is the id that the user gave, or a new one, which is ordered by time.
// An empty one was given by mistake.
func newID(cmd *cobra.Command, given string) (events.SessionID, error) {
	if cmd.Flags().Changed("id") {
		return sessionID(given)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return events.SessionID(id.String()), nil
}

func (a *app) create(ctx context.Context, s *store, header events.Header) error {
	// The header's time makes a creation one of a kind: a second one of that id
	// is refused.
	id := events.AppendID(fmt.Sprintf("create-%d", header.CreatedAt))
	if _, err := engine.Create(ctx, s.log, header, id, actor()); err != nil {
		return err
	}
	c, err := catalogue()
	if err != nil {
		return err
	}
	done, err := s.do(ctx, header.ID, engine.Publish{Catalogue: c}) // it is on a preset from the start
	if err != nil {
		return err
	}
	m := made{ID: header.ID, CreatedAt: utcMs(header.CreatedAt), Events: done.Next}
	return a.print(m, func(p *printer) { p.line("%s", m.ID) })
}
