package main

import (
	"context"

	"github.com/spf13/cobra"
)

func (a *app) anchorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "anchor",
		Short: "Print where every session is, signed, to be kept elsewhere",
		Long: `Anchor prints one signed line that says where every session and stream is now. Keep it
where whoever can roll the state directory back cannot change it: 'engine verify
--anchor FILE' finds what is missing of it, or is another thing. The lines of several
times may stand in one file.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withFiles(cmd.Context(), "anchor", func(ctx context.Context, s *store) error {
				line, err := s.log.Anchor(ctx)
				if err == nil {
					_, err = a.stdout.Write(line)
				}
				return err
			})
		},
	}
}
