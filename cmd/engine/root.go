package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
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
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if !a.begun {
		err = usageError{err}
		a.json = a.json || slices.Contains(w.args, "--json") // it may stand behind what could not be parsed
	}
	a.report(cmd, err)
	return exitCode(err)
}

// app is what the commands share: their world and the global flags.
type app struct {
	world
	dir            string
	json           bool
	settings       string // a file, empty for the state directory's own
	nats           string
	creds          string
	context        string // of NATS, instead of nats and creds
	user           string // of the context
	password       string
	inbox          string
	passphraseFile string
	replicas       int
	fsync          jetstream.Fsync
	verbose        bool
	acceptLoss     bool      // serve's
	outside        string    // verify's: anchors that were kept elsewhere
	agents         string    // serve's: where they run
	remoteReviews  bool      // serve's: reviewers in other processes are asked
	serving        *settings // serve's, as it read them when it began; nil elsewhere
	begun          bool      // the command line was understood
}

// report tells an error once, for people or for scripts.
func (a *app) report(cmd *cobra.Command, err error) {
	if toldAlready(err) {
		return
	}
	if a.json {
		_ = writeJSON(a.stderr, newErrorReply(err)) // there is nowhere else to tell
		return
	}
	fmt.Fprintf(a.stderr, "engine: %s\n", printable(message(err)))
	if isUsage(err) {
		fmt.Fprintf(a.stderr, "engine: see '%s'\n", helpFor(cmd))
	}
}

func helpFor(cmd *cobra.Command) string {
	if cmd.Name() == "help" {
		cmd = cmd.Root()
	}
	return cmd.CommandPath() + " --help"
}

// message is an error's text; the package of that name says "engine: " itself.
func message(err error) string { return strings.TrimPrefix(err.Error(), "engine: ") }

// notice tells something on the way.
func (a *app) notice(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if a.json {
		a.logger().Warn(text)
		return
	}
	fmt.Fprintf(a.stderr, "engine: %s\n", printable(text))
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "engine",
		Short: "Keep, replay and verify the session logs of AI agents",
		Long: `Engine keeps the session logs of AI agents: streams of events, appended and never
rewritten, in an embedded NATS JetStream or in one of yours.

Every command works on a state directory. If 'engine serve' runs on it, commands
go through that server; if not, they open the directory for as long as they take.

Exit codes: 0 it is done; 1 it failed, or something is wrong; 2 the command line
cannot be meant; 3 a call was denied; 4 a review cannot be made, or failed; 5 it was
interrupted; 6 it needs a person, and nobody answered.`,
		Example: `  engine import session.jsonl       keep a recorded session
  engine session list               what is kept
  engine verify --all               is it what was appended?`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		a.begun = true
		return a.checkGlobal(cmd)
	}
	a.globalFlags(root)
	root.AddCommand(
		a.demoCommand(), a.serveCommand(), a.sessionCommand(), a.importCommand(), a.exportCommand(), a.verifyCommand(), a.anchorCommand(), a.repairGroup(),
		a.presetCommand(), a.integrationCommand(), a.credsCommand(), a.doctorCommand(), a.callCommand(), a.effectsCommand(), a.certifyCommand(), a.approveCommand(),
		a.requestCommand(), a.reviewerCommand(), a.routeCommand(), a.versionCommand(),
	)
	strict(root)
	completeNoFiles(root)
	_ = root.MarkPersistentFlagDirname("dir") // the flag is there
	return root
}

// strict makes it a usage error to ask the library's own commands for what there
// is not; they would say so and succeed.
func strict(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				if _, rest, err := root.Find(args); err != nil || len(rest) > 0 {
					return fmt.Errorf("help: there is no command %q", strings.Join(args, " "))
				}
				return nil
			}
		case "completion":
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// completeNoFiles keeps shells from offering files where none is meant.
func completeNoFiles(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil && cmd.Name() != "import" {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		completeNoFiles(sub)
	}
}

// checkGlobal refuses global flags that contradict each other.
func (a *app) checkGlobal(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	if a.context != "" {
		if err := a.useContext(given); err != nil {
			return err
		}
	}
	switch {
	case a.nats == "" && given("nats"):
		return checkURLs(a.nats)
	case a.nats == "" && given("creds"):
		return usagef("--creds is for --nats")
	case a.nats == "" && given("replicas"):
		return usagef("--replicas is for --nats: an embedded server has one copy")
	case a.nats == "":
		return nil
	case given("fsync"):
		return usagef("--fsync is for an embedded server: the one at --nats has its own setting")
	case a.replicas != 1 && a.replicas != 3 && a.replicas != 5:
		return usagef("--replicas must be 1, 3 or 5, is %d", a.replicas)
	}
	if a.creds != "" {
		path, err := filepath.Abs(a.creds) // run.json is read from other directories
		if err != nil {
			return fmt.Errorf("find the credentials file: %w", err)
		}
		a.creds = path
	}
	return checkURLs(a.nats)
}

func (a *app) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&a.dir, "dir", a.stateDir(), "state directory: data, keys, and how to reach a running 'engine serve'")
	f.StringVar(&a.settings, "settings", "", "settings file instead of settings.json in the state directory")
	f.BoolVar(&a.json, "json", false, "print JSON for scripts; times in UTC")
	f.StringVar(&a.nats, "nats", "", "use the NATS server or cluster at this URL instead of an embedded one")
	f.StringVar(&a.creds, "creds", "", "credentials file for --nats")
	f.StringVar(&a.context, "context", "", "NATS context that says where the server is, instead of --nats and --creds")
	f.StringVar(&a.passphraseFile, "passphrase-file", "", "file with the passphrase of a sealed credential, instead of asking for it")
	f.IntVar(&a.replicas, "replicas", 1, "copies of each stream that is made on --nats: 1, 3 or 5")
	f.Var(&a.fsync, "fsync", `when an embedded server syncs to disk: "always" loses nothing that was
acknowledged at a power cut; an interval such as 250ms is about ten times
faster and can lose what was acknowledged within it. A killed process
loses nothing either way`)
	f.BoolVarP(&a.verbose, "verbose", "v", false, "log what the server does to standard error")
}

// logger writes to standard error: JSON for scripts, text for people, and only
// warnings unless asked.
func (a *app) logger() *slog.Logger { return a.loggerFrom(slog.LevelWarn) }

func (a *app) loggerFrom(level slog.Level) *slog.Logger {
	opts := &slog.HandlerOptions{Level: level}
	if a.verbose {
		opts.Level = slog.LevelInfo
	}
	if a.json {
		return slog.New(slog.NewJSONHandler(a.stderr, opts))
	}
	return slog.New(slog.NewTextHandler(a.stderr, opts))
}

// one wants exactly one argument, and says what it is.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s: give one %s, not %d", commandName(cmd), what, len(args))
		}
		return nil
	}
}

// commandName is how a user calls a command, without the program's name.
func commandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}
