package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

// made is a session that a command made.
type made struct {
	ID        events.SessionID `json:"id"`
	Parent    events.SessionID `json:"parentSession,omitempty"`
	CreatedAt string           `json:"createdAt"`
	Events    events.Seq       `json:"events"`
	Inherited events.Seq       `json:"inheritedEvents,omitempty"`
	// Preset and Headless are what a new session is on.
	Preset   string `json:"preset,omitempty"`
	Headless bool   `json:"headless,omitempty"`
	// Already says that it was there before; Resumed that it was finished.
	Already bool `json:"already,omitempty"`
	Resumed bool `json:"resumed,omitempty"`
}

type createOptions struct {
	id, cwd    string
	permission string
	headless   bool
}

func (a *app) createCommand() *cobra.Command {
	var opts createOptions
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create a session and print its id",
		Long: `Create begins a session on the default preset, or on the one that --permission names.

--headless says on the log that no person is in front of the session. It chooses
nothing: a headless session is on auto only with --permission auto beside it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("permission") && opts.permission == "" {
				return usagef("--permission must name a preset: 'engine preset catalog' lists them")
			}
			header, err := newHeader(cmd, opts)
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), "session create", readWrite, func(ctx context.Context, s *store) error {
				return a.create(ctx, s, header, opts)
			})
		},
	}
	cmd.Flags().StringVar(&opts.id, "id", "", "the session's id (default a new UUIDv7)")
	cmd.Flags().StringVar(&opts.cwd, "cwd", "", "the session's working directory, absolute (default the current one)")
	cmd.Flags().StringVar(&opts.permission, "permission", "", "the preset to begin on (default the catalogue's)")
	cmd.Flags().BoolVar(&opts.headless, "headless", false, "record that no person is in front of the session")
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

func (a *app) create(ctx context.Context, s *store, header events.Header, opts createOptions) error {
	c, err := catalogue(s.dir)
	if err != nil {
		return err
	}
	if opts.permission != "" { // what cannot be chosen makes no session
		if _, err := presets.Set(c, presets.State{}, opts.permission, nil); err != nil {
			return presetRemedy(opts.permission, err)
		}
	}
	// The header's time makes a creation one of a kind: a second one of that id
	// is refused.
	id := events.AppendID(fmt.Sprintf("create-%d", header.CreatedAt))
	if _, err := engine.Create(ctx, s.log, header, id, actor()); err != nil {
		return err
	}
	m := made{ID: header.ID, CreatedAt: utcMs(header.CreatedAt), Preset: opts.permission, Headless: opts.headless}
	if m.Preset == "" {
		m.Preset = c.DefaultPreset
	}
	if m.Events, err = s.begin(ctx, header.ID, c, m); err != nil {
		return err
	}
	return a.print(m, func(p *printer) { p.line("%s", m.ID) })
}

// begin puts a new session on a preset. An integration's is chosen in a second
// step: cut short in between, the session is on the default, which is narrower.
func (s *store) begin(ctx context.Context, id events.SessionID, c presets.Catalogue, m made) (events.Seq, error) {
	publish := engine.Publish{Catalogue: c, Headless: m.Headless}
	ofTable := slices.ContainsFunc(c.DefaultOptions, func(p presets.Preset) bool { return p.Name == m.Preset })
	if ofTable {
		publish.UserDefault = m.Preset
	}
	done, err := s.do(ctx, id, publish)
	if err == nil && !ofTable {
		done, err = s.do(ctx, id, engine.SetPreset{Preset: m.Preset, Catalogue: c, Headless: m.Headless})
	}
	return done.Next, err
}
