package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

func (a *app) presetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "preset",
		Short: "Show, switch and list permission presets",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("preset: say what to do: show, set or catalog")
		},
	}
	cmd.AddCommand(a.presetShowCommand(), a.presetSetCommand(), a.presetCatalogCommand())
	return cmd
}

// presetView is what a session is on.
type presetView struct {
	ID       events.SessionID `json:"id"`
	Preset   string           `json:"preset"`             // derived; custom for none
	Recorded string           `json:"recorded,omitempty"` // by the log
	Sandbox  string           `json:"sandbox"`
	Approval string           `json:"approval"`
	Tier     string           `json:"tier,omitempty"`
	// Headless says that the preset was chosen for a session that no person is in
	// front of.
	Headless bool `json:"headless,omitempty"`
	// Refused says why no call is admitted, where the recorded preset is not
	// installed.
	Refused string `json:"refused,omitempty"`
	// Changed says that a switch wrote something.
	Changed bool `json:"changed,omitempty"`
}

func viewPreset(c presets.Catalogue, s *projections.Session) presetView {
	effective := c.Effective(s.Presets)
	return presetView{
		ID: s.Header().ID, Preset: c.Current(s.Presets), Recorded: s.Presets.Preset,
		Sandbox: effective.Sandbox, Approval: effective.Approval, Tier: s.Approvals.Tier,
		Headless: s.Presets.Headless, Refused: refusedPreset(c, s.Presets),
	}
}

// refusedPreset says why a session is refused whose recorded preset is not
// installed, "" for one that is not.
func refusedPreset(c presets.Catalogue, s presets.State) string {
	if c.Usable(s) == nil {
		return ""
	}
	text := s.Preset + " is not installed, and no call is admitted"
	if remedy := installing(s.Preset); remedy != "" {
		text += ": " + remedy
	}
	return text
}

func headlessNote(headless bool) string {
	if headless {
		return ", headless"
	}
	return ""
}

func (p *printer) preset(v presetView) {
	rows := [][]string{
		{"session", string(v.ID)}, {"preset", plain(v.Preset, 80)}, {"sandbox", v.Sandbox}, {"approval", v.Approval},
	}
	if v.Recorded != "" && v.Recorded != v.Preset {
		rows = append(rows, []string{"recorded", plain(v.Recorded, 80)})
	}
	if v.Tier != "" {
		rows = append(rows, []string{"tier", v.Tier})
	}
	if v.Headless {
		rows = append(rows, []string{"headless", "yes: no person is in front of it"})
	}
	if v.Refused != "" {
		rows = append(rows, []string{"refused", plain(v.Refused, 400)})
	}
	p.table(rows)
}

func (a *app) presetShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show SESSION",
		Short: "Show what a session is on",
		Args:  one("SESSION"),
		RunE: a.onSession("preset show", readOnly, func(ctx context.Context, s *store, id events.SessionID) error {
			return a.showPreset(ctx, s, id, false)
		}),
	}
}

func (a *app) showPreset(ctx context.Context, s *store, id events.SessionID, changed bool) error {
	c, err := catalogue(s.dir)
	if err != nil {
		return err
	}
	var v presetView
	if err := s.see(ctx, id, func(session *projections.Session) error { v = viewPreset(c, session); return nil }); err != nil {
		return err
	}
	v.Changed = changed
	return a.print(v, func(p *printer) { p.preset(v) })
}

func (a *app) presetSetCommand() *cobra.Command {
	var headless bool
	cmd := &cobra.Command{
		Use:   "set SESSION PRESET",
		Short: "Switch a session to a preset",
		Long: `Set switches a session to a preset: its sandbox mode and its approval policy. What
is so already is not written again.

--headless says on the log that no person is in front of the session; a switch
without it says that one is again.`,
		Args: exactly("SESSION", "PRESET"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			id, err := sessionID(argv[0])
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), "preset set", readWrite, func(ctx context.Context, s *store) error {
				c, err := catalogue(s.dir)
				if err != nil {
					return err
				}
				done, err := s.do(ctx, id, engine.SetPreset{Preset: argv[1], Catalogue: c, Headless: headless})
				if err != nil {
					return presetRemedy(argv[1], err)
				}
				return a.showPreset(ctx, s, id, len(done.Events) > 0)
			})
		},
	}
	cmd.Flags().BoolVar(&headless, "headless", false, "record that no person is in front of the session")
	return cmd
}

func (a *app) presetCatalogCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "catalog",
		Short: "List the presets that a session can be switched to",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := catalogue(a.dir)
			if err != nil {
				return err
			}
			return a.print(c, func(p *printer) { p.catalogue(c) })
		},
	}
}

func (p *printer) catalogue(c presets.Catalogue) {
	rows := [][]string{{"PRESET", "SANDBOX", "APPROVAL", "REVIEWER", "", ""}}
	for _, o := range c.Options {
		note := experimental(o.Experimental)
		if o.Name == c.DefaultPreset {
			note = "default"
		}
		rows = append(rows, []string{o.Name, o.Sandbox, o.Approval, orDash(o.Reviewer), note, o.Description})
	}
	p.table(rows)
}
