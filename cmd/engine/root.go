package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/jetstream"
)

// run is the whole program, given its world.
func run(ctx context.Context, w world) int {
	a := &app{world: w}
	root := a.rootCommand()
	root.SetArgs(w.args)
	root.SetIn(w.stdin)
	root.SetOut(w.stdout)
	root.SetErr(w.stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	a.report(err)
	return exitCode(err)
}

// app is what the commands share: their world and the global flags.
type app struct {
	world
	dir      string
	json     bool
	nats     string
	creds    string
	replicas int
	fsync    jetstream.Fsync
	verbose  bool
}

// report tells an error once, for people or for scripts.
func (a *app) report(err error) {
	if _, told := err.(silentError); told {
		return
	}
	if a.json {
		_ = json.NewEncoder(a.stderr).Encode(newErrorReply(err)) // there is nowhere else to tell
		return
	}
	fmt.Fprintf(a.stderr, "engine: %s\n", message(err))
	if isUsage(err) {
		fmt.Fprintln(a.stderr, "engine: see 'engine --help' and 'engine COMMAND --help'")
	}
}

// message is an error's text; the package of that name says "engine: " itself.
func message(err error) string { return strings.TrimPrefix(err.Error(), "engine: ") }

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "engine",
		Short: "Keep, replay and verify the session logs of AI agents",
		Long: `Engine keeps the session logs of AI agents: streams of events, appended and never
rewritten, in an embedded NATS JetStream or in one of yours.

Every command works on a state directory. If 'engine serve' runs on it, commands
go through that server; if not, they open the directory for as long as they take.`,
		Example: `  engine import session.jsonl       keep a recorded session
  engine session list               what is kept
  engine verify --all               is it what was appended?`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	a.globalFlags(root)
	root.AddCommand(
		a.serveCommand(), a.sessionCommand(), a.importCommand(), a.exportCommand(), a.verifyCommand(), a.versionCommand(),
	)
	return root
}

func (a *app) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&a.dir, "dir", a.stateDir(), "state directory: data, keys, and how to reach a running 'engine serve'")
	f.BoolVar(&a.json, "json", false, "print JSON for scripts; times in UTC")
	f.StringVar(&a.nats, "nats", "", "use the NATS server or cluster at this URL instead of an embedded one")
	f.StringVar(&a.creds, "creds", "", "credentials file for --nats")
	f.IntVar(&a.replicas, "replicas", 1, "copies of each stream that is made on --nats: 1, 3 or 5")
	f.Var(&a.fsync, "fsync", `when an embedded server syncs to disk: "always" loses nothing that was
acknowledged at a power cut; an interval such as 250ms is about ten times
faster and can lose what was acknowledged within it. A killed process
loses nothing either way`)
	f.BoolVarP(&a.verbose, "verbose", "v", false, "log what the server does to standard error")
}

// logger writes to standard error: JSON for scripts, text for people, and only
// warnings unless asked.
func (a *app) logger() *slog.Logger {
	opts := &slog.HandlerOptions{Level: slog.LevelWarn}
	if a.verbose {
		opts.Level = slog.LevelInfo
	}
	if a.json {
		return slog.New(slog.NewJSONHandler(a.stderr, opts))
	}
	return slog.New(slog.NewTextHandler(a.stderr, opts))
}

// args counts a command's arguments and calls a wrong number a usage error.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usagef("%s: %w", cmd.CommandPath(), err)
		}
		return nil
	}
}
