package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// exactly wants these arguments, and says which.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return usagef("%s: name exactly %s", cmd.CommandPath(), strings.Join(names, " and "))
		}
		return nil
	}
}

// atMost wants these arguments or the first of them, or none.
func atMost(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > len(names) {
			return usagef("%s: name %s and no more", cmd.CommandPath(), strings.Join(names, " and "))
		}
		return nil
	}
}
