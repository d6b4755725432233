// Command powercut is the part of `make powercut` that knows Docket: it appends to
// a store that is going to lose its power, and says what became of what was
// acknowledged. The disks are scripts/powercut.sh's.
//
//	powercut load  -dir DIR -acks FILE        append until the server is gone
//	powercut check -dir DIR -acks FILE -engine FILE -fsync SETTING
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(mainCode()) }

func mainCode() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// The exit codes: the script goes on behind a loss that the setting allows.
const (
	exitFailed = 1
	exitUsage  = 2
	exitLost   = 3
)

// options is the command line.
type options struct {
	dir, acks, engine, fsync string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprintln(stderr, "powercut: load or check?")
		return exitUsage
	}
	var o options
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.dir, "dir", "", "the state `directory`")
	f.StringVar(&o.acks, "acks", "", "the `file` of what was acknowledged")
	f.StringVar(&o.engine, "engine", "", "the engine's `program`")
	f.StringVar(&o.fsync, "fsync", "", "the `setting` that was in force")
	if err := f.Parse(args[1:]); err != nil {
		return exitUsage
	}
	var lost bool
	var err error
	switch args[0] {
	case "load":
		err = load(ctx, o)
	case "check":
		lost, err = check(ctx, o, stdout)
	default:
		err = fmt.Errorf("%s is neither load nor check", args[0])
	}
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "powercut: %v\n", err)
		return exitFailed
	case lost:
		return exitLost
	default:
		return 0
	}
}
