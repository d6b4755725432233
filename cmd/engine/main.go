// Engine keeps the logs of AI agents' sessions: it serves them, and imports,
// shows, forks, exports and verifies them. See `engine help`.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/docket-engine/docket/tools"
)

func main() {
	if handled, code := tools.ProgramMain(os.Args[1:]); handled {
		os.Exit(code)
	}
	os.Exit(mainCode())
}

// mainCode is main with its exit status. The first interrupt or termination
// signal ends what is under way in good order; the second one ends the process.
func mainCode() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, world{
		args: os.Args[1:], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv,
	})
}
