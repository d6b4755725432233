package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// templateView is what a server of one's own is given.
type templateView struct {
	Config   string `json:"config"`
	Commands string `json:"commands"`
}

func (a *app) credsTemplateCommand() *cobra.Command {
	format := "config"
	cmd := &cobra.Command{
		Use:   "template",
		Short: "Print accounts and permissions for a NATS server of yours",
		Long: `Template prints a configuration for nats-server: the operator and all accounts, with
their exports, imports and permissions in comments above. It holds no secret. With
--format nsc it prints the commands by which nsc takes the same operator over.

Then: 'engine creds engine NAME --out engine.creds', and
'engine serve --nats URL --creds engine.creds'.`,
		Args: cobra.NoArgs,
		PreRunE: func(*cobra.Command, []string) error {
			if format != "config" && format != "nsc" {
				return usagef("--format must be config or nsc, is %q", format)
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error { return a.template(format) },
	}
	cmd.Flags().StringVar(&format, "format", format, "what to print: config for nats-server, or commands of nsc")
	return cmd
}

func (a *app) template(format string) error {
	authority, err := a.openAuthority()
	if err != nil {
		return err
	}
	config, err := authority.ServerConfig()
	if err != nil {
		return err
	}
	v := templateView{Config: config, Commands: authority.ToolCommands()}
	if a.json {
		return a.printJSON(v)
	}
	text := v.Config
	if format == "nsc" {
		text = v.Commands
	}
	_, err = fmt.Fprint(a.stdout, text)
	return printed(err)
}
