package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/jetstream"
)

type serveOptions struct {
	port       int
	acceptLoss bool
}

func (a *app) serveCommand() *cobra.Command {
	var opts serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the state directory until interrupted",
		Long: `Serve starts an embedded NATS server with JetStream on the state directory, makes
the streams, and runs until SIGINT or SIGTERM, which loses nothing. It listens on
loopback with a random credential, which only you can read (run.json).

With --nats it serves from a NATS server or cluster of yours instead; keys and
anchors stay in the state directory.

It refuses to write to a store that has lost something: one that ends before the
anchors that are kept beside it, or that has holes.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.nats != "" && cmd.Flags().Changed("fsync") {
				return usagef("--fsync is for an embedded server: the one at --nats has its own setting")
			}
			return a.serve(cmd.Context(), opts)
		},
	}
	cmd.Flags().IntVar(&opts.port, "port", 0, "port on 127.0.0.1 (default any free one)")
	cmd.Flags().BoolVar(&opts.acceptLoss, "accept-loss", false, "go on although the store ends before its anchors: what is gone is gone")
	return cmd
}

func (a *app) serve(ctx context.Context, opts serveOptions) error {
	s, err := a.openServed(ctx, opts)
	if err != nil {
		return err
	}
	err = a.untilDone(ctx, s)
	return errors.Join(err, removeRunFile(a.dir), s.close())
}

// openServed takes the directory for as long as serve runs.
func (a *app) openServed(ctx context.Context, opts serveOptions) (*store, error) {
	if err := a.makeDir(); err != nil {
		return nil, err
	}
	a.limitMemory()
	s := &store{dir: a.dir, logger: a.logger()}
	err := a.takeDir(ctx, s)
	if err == nil {
		err = s.loadKeys()
	}
	if err == nil && opts.acceptLoss {
		err = s.acceptLoss()
	}
	if err == nil {
		err = a.listen(ctx, s, opts)
	}
	if err == nil {
		err = a.openLog(ctx, s, readWrite)
	}
	if err == nil {
		err = a.publish(s)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// serveMemory is where the garbage collector begins to work harder. The server's
// caches are elastic and would otherwise grow with what is read.
const serveMemory = 256 << 20

// limitMemory sets a soft limit, unless the environment does.
func (a *app) limitMemory() {
	if a.getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(serveMemory)
	}
}

// takeDir waits for a short command, but not for another serve.
func (a *app) takeDir(ctx context.Context, s *store) error {
	told := false
	return pollUntil(ctx, func() (bool, error) {
		lock, held, err := tryLock(a.dir, serveName)
		switch {
		case err != nil:
			return false, err
		case lock != nil:
			s.lock = lock
			return true, nil
		case held.Command == serveName:
			return false, fmt.Errorf("%w: %s is in use by %s", errInUse, a.dir, held)
		case !told:
			fmt.Fprintf(a.stderr, "engine: waiting for %s, which has %s open\n", held, a.dir)
			told = true
		}
		return false, nil
	})
}

func (s *store) acceptLoss() (err error) {
	path := filepath.Join(s.dir, anchorsFile)
	if err := jetstream.AcceptLoss(path, s.keys, time.Now()); err != nil {
		return err
	}
	s.anchors, err = jetstream.LoadAnchors(path, s.keys)
	return err
}

func (a *app) listen(ctx context.Context, s *store, opts serveOptions) (err error) {
	if a.nats == "" {
		return a.embed(ctx, s, jetstream.ServerConfig{Listen: true, Port: opts.port})
	}
	s.nc, err = connect(endpoint{URL: a.nats, Creds: a.creds})
	return err
}

// publish tells other processes of this user how to reach the store.
func (a *app) publish(s *store) error {
	r := running{PID: os.Getpid(), StartedAt: utc(time.Now()), endpoint: endpoint{URL: a.nats, Creds: a.creds}}
	if s.server != nil {
		r.URL = s.server.ClientURL()
		r.User, r.Password = s.server.Credentials()
	}
	return writeRunFile(a.dir, r)
}

// served is what serve says once it is ready.
type served struct {
	PID   int    `json:"pid"`
	Dir   string `json:"dir"`
	URL   string `json:"url"`
	Fsync string `json:"fsync,omitempty"`
}

func (a *app) untilDone(ctx context.Context, s *store) error {
	ready := served{PID: os.Getpid(), Dir: a.dir, URL: a.nats}
	if s.server != nil {
		ready.URL, ready.Fsync = s.server.ClientURL(), s.server.Fsync().String()
	}
	if err := a.print(ready, func(p *printer) {
		p.line("Serving %s on %s (process %d).", ready.Dir, ready.URL, ready.PID)
		if s.server != nil && s.server.Fsync() != jetstream.FsyncAlways {
			p.line("A power cut can lose what was acknowledged within the last %s (--fsync).", ready.Fsync)
		}
		p.line("Ctrl-C stops it; nothing is lost.")
	}); err != nil {
		return err
	}
	return s.writer.Run(ctx)
}
