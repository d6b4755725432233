package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// exactly wants these arguments, and says which.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return fmt.Errorf("%s: give %s, not %d arguments", commandName(cmd), strings.Join(names, " and "), len(args))
		}
		return nil
	}
}

// atMost wants these arguments or the first of them, or none.
func atMost(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > len(names) {
			return fmt.Errorf("%s: give %s or nothing, not %d arguments", commandName(cmd), strings.Join(names, " and "), len(args))
		}
		return nil
	}
}
