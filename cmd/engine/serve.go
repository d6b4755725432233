package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

// Who is asked for reviews.
const (
	reviewsLocal  = "local"
	reviewsRemote = "remote"
)

func (a *app) serveCommand() *cobra.Command {
	var port int
	var judge string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the state directory until interrupted",
		Long: `Serve starts an embedded NATS server with JetStream on the state directory, makes
the streams, serves commands over the bus, and runs until SIGINT or SIGTERM, which
loses nothing. It listens on loopback, and every connection needs a credential.
Those of this machine's own commands are in the state directory, which only you can
read; 'engine creds' makes more.

With --nats it serves from a NATS server or cluster of yours instead; keys and
anchors stay in the state directory.

--agents says where your agents run. As another user, or on other machines, they cannot
reach the state directory, and sessions are recorded as 'separate'; here as the level
that 'engine doctor' shows. docs/threat-model.md says what each level is good for.

It refuses to write to a store that has lost something: one that ends before the
anchors that are kept beside it, or that has holes.`,
		Args: cobra.NoArgs,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			a.remoteReviews = judge == reviewsRemote
			switch {
			case judge != reviewsLocal && judge != reviewsRemote:
				return usagef("--reviewer must be %s or %s, is %q", reviewsLocal, reviewsRemote, plain(judge, 80))
			case port < 0 || port > 65535:
				return usagef("--port must be from 1 to 65535, or 0 for any, is %d", port)
			case a.nats != "" && cmd.Flags().Changed("port"):
				return usagef("--port is for an embedded server, not for the one at --nats")
			default:
				return nil
			}
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), port) },
	}
	cmd.Flags().IntVar(&port, "port", 0, "port on 127.0.0.1 (default any free one)")
	cmd.Flags().StringVar(&judge, "reviewer", reviewsLocal, `who reviews: "local" for this process, "remote" for 'engine reviewer' in others`)
	cmd.Flags().StringVar(&a.agents, "agents", agentsHere, `where agents run: "here" as this user, "elsewhere" on other machines, or the name of another user`)
	cmd.Flags().BoolVar(&a.acceptLoss, "accept-loss", false, "go on where the store has lost something: what is gone is gone")
	return cmd
}

func (a *app) serve(ctx context.Context, port int) error {
	defer a.keepMemory()()
	s, err := a.openServed(ctx, port)
	if err != nil {
		return settle(ctx, err)
	}
	b, err := a.serveBus(ctx, s)
	if err == nil {
		err = a.untilDone(ctx, s, b != nil)
	}
	return errors.Join(settle(ctx, err), removeRunFile(a.dir), b.close(), s.close())
}

// openServed takes the directory for as long as serve runs.
func (a *app) openServed(ctx context.Context, port int) (*store, error) {
	if err := a.findDir(readWrite); err != nil {
		return nil, err
	}
	apart, err := agentsApart(a.dir, a.agents)
	if err != nil {
		return nil, err
	}
	s := a.newStore(apart)
	err = a.takeDir(ctx, s)
	if err == nil {
		err = errors.Join(removeRunFile(a.dir), s.openKeys(readWrite))
	}
	if err == nil {
		err = a.attach(ctx, s, jetstream.ServerConfig{Listen: true, Port: port})
	}
	if err == nil {
		err = a.openLog(ctx, s, readWrite)
	}
	if err == nil {
		err = errors.Join(s.heedRehearsals(), s.heedAccounts(ctx)) // which returns when the server knows of both
	}
	if err == nil {
		err = a.publish(s)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// takeDir waits for a short command, but not for another serve.
func (a *app) takeDir(ctx context.Context, s *store) error {
	var before holder
	return pollUntil(ctx, func() (bool, error) {
		lock, held, err := tryLock(a.dir, serveName)
		if err != nil {
			return false, err
		}
		if lock != nil {
			s.lock = lock
			return true, nil
		}
		again := held == before // else it may be what a killed one has left
		before = held
		switch {
		case held.Command != serveName && !again:
			a.notice("waiting for %s, which has %s open", held, a.dir)
		case held.Command == serveName && again:
			return false, inUseError{dir: a.dir, by: held}
		}
		return false, nil
	})
}

// publish tells other processes of this user how to reach the store.
func (a *app) publish(s *store) error {
	r := running{PID: os.Getpid(), StartedAt: utc(time.Now()), Apart: s.trust.apart, Remote: a.remoteReviews, endpoint: a.external()}
	if set, err := a.readSettings(); err == nil { // else whoever needs them says what is wrong
		a.serving, r.Settings = &set, set.digest
	}
	if s.server != nil {
		r.Embedded, r.URL = true, s.server.ClientURL()
		r.Creds = s.authority.EngineCreds()
	}
	return writeRunFile(a.dir, r)
}

// served is what serve says once it is ready.
type served struct {
	PID int `json:"pid"`
	// Trust is the level that is recorded with sessions now.
	Trust events.Trust `json:"trust"`
	Dir   string       `json:"dir"`
	URL   string       `json:"url"`
	Fsync string       `json:"fsync,omitempty"`
	// Commands says that commands are served over the bus.
	Commands bool `json:"commands"`
}

func (a *app) untilDone(ctx context.Context, s *store, commands bool) error {
	ready := served{PID: os.Getpid(), Dir: a.dir, URL: redacted(a.nats), Commands: commands}
	if s.server != nil {
		ready.URL, ready.Fsync = s.server.ClientURL(), s.server.Fsync().String()
	}
	ready.Trust = s.trust.now()
	if err := a.print(ready, func(p *printer) {
		p.line("Serving %s on %s (process %d).", ready.Dir, ready.URL, ready.PID)
		p.trust(ready.Trust, a.agents)
		if s.server != nil && s.server.Fsync() != jetstream.FsyncAlways {
			p.line("A power cut can lose what was acknowledged within the last %s (--fsync).", ready.Fsync)
		}
		if !commands {
			p.line("Commands are not served over the bus: the server's accounts are not those of %s.", ready.Dir)
		}
		if s.server != nil && os.Geteuid() == 0 {
			p.line("It runs as root, for whom the mode of sealed blocks does not hold: give it a user of its own.")
		}
		p.line("Ctrl-C stops it; nothing is lost.")
	}); err != nil {
		return err
	}
	scrubbed := a.scrub(ctx, s)
	err := s.writer.Run(ctx)
	<-scrubbed
	return err
}

// scrub looks through the blocks of the store while it is served, and says what it
// finds. It goes on: sessions whose blocks are whole have nothing to fear.
func (a *app) scrub(ctx context.Context, s *store) (ended <-chan struct{}) {
	done := make(chan struct{})
	if s.server == nil {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		s.server.Scrub(ctx, func(d jetstream.BlockDamage) {
			s.logger.Error("the store is damaged; 'engine verify --all' says which sessions are concerned, and once 'engine serve' is stopped, 'engine repair store' makes a new store of what is whole",
				"stream", d.Stream, "block", d.Block, "byte", d.Byte, "problem", d.Problem)
		})
	}()
	return done
}
