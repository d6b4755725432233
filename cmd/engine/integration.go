package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

func (a *app) integrationCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "integration",
		Short: "List, install and remove review systems",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("integration: say what to do: list, install or remove")
		},
	}
	cmd.AddCommand(a.integrationListCommand(), a.integrationInstallCommand(), a.integrationRemoveCommand())
	return cmd
}

// shippedIntegrations are those that have a reviewer to install.
func shippedIntegrations() []presets.Integration {
	return []presets.Integration{presets.AutoIntegration()}
}

func shippedIntegration(name string) (presets.Integration, bool) {
	all := shippedIntegrations()
	i := slices.IndexFunc(all, func(i presets.Integration) bool { return i.Name == name })
	if i < 0 {
		return presets.Integration{}, false
	}
	return all[i], true
}

// integrationNamed is the one that a person names.
func integrationNamed(command, name string) (presets.Integration, error) {
	i, ok := shippedIntegration(name)
	if !ok {
		return presets.Integration{}, usagef("%s: there is no integration %q; there are: %s", command, plain(name, 80), strings.Join(integrationNames(), ", "))
	}
	return i, nil
}

func integrationNames() []string {
	var names []string
	for _, i := range shippedIntegrations() {
		names = append(names, i.Name)
	}
	return names
}

// integrationView is an integration in a list, and what a command did to it.
type integrationView struct {
	Name         string   `json:"name"`
	Installed    bool     `json:"installed"`
	Experimental bool     `json:"experimental,omitempty"`
	Presets      []string `json:"presets"`
	Description  string   `json:"description,omitempty"`
	// Changed says that it was not so before.
	Changed bool `json:"changed,omitempty"`
}

func viewIntegration(i presets.Integration, installed bool) integrationView {
	v := integrationView{Name: i.Name, Installed: installed, Presets: []string{}}
	for _, p := range i.Presets {
		v.Presets = append(v.Presets, p.Name)
		v.Experimental = v.Experimental || p.Experimental
		v.Description = p.Description
	}
	return v
}

func (a *app) integrationListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the review systems that there are, and which are installed",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			installed, err := readIntegrations(a.dir)
			if err != nil {
				return err
			}
			all := []integrationView{}
			for _, i := range shippedIntegrations() {
				all = append(all, viewIntegration(i, slices.Contains(installed, i.Name)))
			}
			return a.print(all, func(p *printer) { p.integrations(all) })
		},
	}
}

func (p *printer) integrations(all []integrationView) {
	rows := [][]string{{"INTEGRATION", "STATE", "", "PRESETS", ""}}
	for _, v := range all {
		state := "not installed"
		if v.Installed {
			state = "installed"
		}
		rows = append(rows, []string{v.Name, state, experimental(v.Experimental), strings.Join(v.Presets, ", "), v.Description})
	}
	p.table(rows)
}

// experimental is the mark of what is an experiment.
func experimental(is bool) string {
	if is {
		return "EXP"
	}
	return ""
}

func (a *app) integrationInstallCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "install NAME",
		Short: "Install a review system, so that sessions can be switched to its presets",
		Long: `Install adds a review system to the state directory: its presets are in the
catalogue from now on, also in a running 'engine serve'. No session is switched to
one by it, and none is there by default.`,
		Args: one("NAME"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			return a.setIntegration(cmd.Context(), "install", argv[0], true)
		},
	}
}

func (a *app) integrationRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a review system and its presets",
		Long: `Remove takes a review system out of the state directory: its presets leave the
catalogue, and no call is admitted under them any more.

A running 'engine serve' ends what it has under review, as cancelled, and moves the
sessions that it has reviewed since its start to a preset without the review system.
All others stay on it in their logs, and are refused until it is installed again or a
person switches them. A call that another command has under way keeps its reviewer to
its end.`,
		Args: one("NAME"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			return a.setIntegration(cmd.Context(), "remove", argv[0], false)
		},
	}
}

// setIntegration installs or removes one. What is so already is not written again.
func (a *app) setIntegration(ctx context.Context, what, name string, installed bool) error {
	i, err := integrationNamed("integration "+what, name)
	if err != nil {
		return err
	}
	if err := a.findDir(readWrite); err != nil {
		return err
	}
	before, err := readIntegrations(a.dir)
	if err != nil {
		return err
	}
	v := viewIntegration(i, installed)
	if v.Changed = slices.Contains(before, name) != installed; v.Changed {
		after := slices.DeleteFunc(slices.Clone(before), func(other string) bool { return other == name })
		if installed {
			after = append(after, name)
		}
		if err := writeIntegrations(a.dir, after); err != nil {
			return err
		}
	}
	served, err := a.tellIntegrations(ctx)
	if err != nil {
		return err
	}
	return a.print(v, func(p *printer) { p.integration(v, served) })
}

func (p *printer) integration(v integrationView, served bool) {
	names := strings.Join(v.Presets, ", ")
	switch {
	case v.Installed && v.Changed:
		p.line("%s is installed. 'engine preset set SESSION %s' puts a session on it.", v.Name, v.Presets[0])
	case v.Installed:
		p.line("%s was installed already.", v.Name)
	case v.Changed:
		p.line("%s is removed.", v.Name)
		which := "Sessions"
		if served {
			p.line("The running serve has moved the sessions that it had reviewed to a preset without it.")
			which = "Other sessions"
		}
		p.line("%s on %s keep it in their logs, and are refused until %s is installed again", which, names, v.Name)
		p.line("or a person switches them: 'engine preset set SESSION PRESET'.")
	default:
		p.line("%s was not installed.", v.Name)
	}
}

// presetRemedy adds to a refusal how the integration is installed that a preset
// comes with.
func presetRemedy(preset string, err error) error {
	r, ok := errors.AsType[*events.Refusal](err)
	remedy := installing(preset)
	if !ok || remedy == "" || r.Code != presets.CodeUnknownPreset && r.Code != presets.CodePresetAbsent {
		return err
	}
	return fmt.Errorf("%w: %s", err, remedy)
}

// installing says how the integration is installed that a preset comes with, ""
// where there is none.
func installing(preset string) string {
	for _, i := range shippedIntegrations() {
		if slices.ContainsFunc(i.Presets, func(p presets.Preset) bool { return p.Name == preset }) {
			return fmt.Sprintf("'engine integration install %s' installs it", i.Name)
		}
	}
	return ""
}
