// Command bench measures Docket against raw JetStream, in one run on one
// machine, and prints a table. What counts are ratios: ours and the raw baseline
// take turns, and the medians of at least five such pairs are compared. Absolute
// figures say how fast this machine was at this hour, and nothing else.
//
// A target that is missed does not fail the program; a measurement that cannot
// be made does.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime/pprof"

	"github.com/docket-engine/docket/internal/heap"
)

func main() { os.Exit(mainCode()) }

func mainCode() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) == 2 && os.Args[1] == errandArg {
		return errandCode(ctx, os.Stdin, os.Stdout, os.Stderr)
	}
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// options is the command line.
type options struct {
	json    bool
	short   bool
	only    *regexp.Regexp
	pairs   int
	verbose bool
	profile string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	heap.Serve(os.Getenv) // what is measured is what serve does, and raw work at the same pace
	s := &suite{options: o, progress: newProgress(stderr), stderr: stderr}
	err = o.profiled(func() error { return s.run(ctx) })
	if printErr := s.print(stdout); printErr != nil {
		err = errors.Join(err, printErr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 1
	}
	return 0
}

// profiled runs something under the CPU profiler if a profile is wanted.
func (o options) profiled(do func() error) error {
	if o.profile == "" {
		return do()
	}
	f, err := os.Create(o.profile)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	err = do()
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.short, "short", false, "a quick run with smaller numbers")
	f.IntVar(&o.pairs, "pairs", minPairs, "how many pairs of runs a median is taken of")
	f.BoolVar(&o.verbose, "v", false, "say more on standard error")
	f.StringVar(&o.profile, "cpuprofile", "", "write a CPU profile of the whole run to this `file`")
	only := f.String("only", "", "measure only what matches this regular `expression`")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.only, err = regexp.Compile(*only); err == nil && f.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if err == nil && o.pairs < minPairs {
		err = fmt.Errorf("-pairs must be at least %d", minPairs)
	}
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
	}
	return o, err
}
