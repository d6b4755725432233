package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

const (
	startTimeout = 10 * time.Minute // a large store that was not closed takes seconds a gigabyte
	stopTimeout  = 30 * time.Second
	anchorsFile  = "anchors.jsonl"
)

// actor is who a person at the command line is to the log.
func actor() events.Actor { return events.Actor{Class: "human", Name: "local"} }

// store is an opened state directory: the log, and what has to be closed after
// it.
type store struct {
	dir     string
	log     *jetstream.Log
	keys    jetstream.Keys
	anchors *jetstream.Anchors
	nc      *nats.Conn
	server  *jetstream.Server // nil if another process or machine has it
	writer  *jetstream.AnchorWriter
	lock    *dirLock
	logger  *slog.Logger
}

// makeDir makes the state directory, which only its owner may enter.
func (a *app) makeDir() error {
	if a.dir == "" {
		return usagef("--dir is needed: neither XDG_STATE_HOME nor HOME is set")
	}
	dir, err := filepath.Abs(a.dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return fmt.Errorf("make the state directory: %w", err)
	}
	a.dir = dir
	return nil
}

// openStore reaches the store of the state directory, in the way that there is:
// a server that --nats names, a running serve, or the directory itself. Where
// another command has the directory, it waits and says so.
func (a *app) openStore(ctx context.Context, command string, access access) (*store, error) {
	if err := a.makeDir(); err != nil {
		return nil, err
	}
	s := &store{dir: a.dir, logger: a.logger()}
	if err := s.loadKeys(); err != nil {
		return nil, err
	}
	err := a.reach(ctx, s, command)
	if err == nil {
		err = a.openLog(ctx, s, access)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// openLog opens the log on streams that it makes, if the directory is this
// command's, or that a serve has made.
func (a *app) openLog(ctx context.Context, s *store, access access) error {
	if s.lock != nil {
		if err := s.provision(ctx, a.replicas); err != nil {
			return err
		}
	}
	return s.openLog(ctx, access)
}

// access says what a command does with the store.
type access int

const (
	readOnly access = iota // works on a damaged store, too
	readWrite
)

func (s *store) loadKeys() (err error) {
	if s.keys, err = loadKeys(s.dir); err != nil {
		return err
	}
	s.anchors, err = jetstream.LoadAnchors(filepath.Join(s.dir, anchorsFile), s.keys)
	return err
}

func (a *app) reach(ctx context.Context, s *store, command string) (err error) {
	if a.nats != "" {
		s.nc, err = connect(endpoint{URL: a.nats, Creds: a.creds})
		return err
	}
	told := false
	return pollUntil(ctx, func() (bool, error) {
		lock, held, err := tryLock(a.dir, command)
		if err != nil {
			return false, err
		}
		if lock != nil {
			s.lock = lock
			return true, a.embed(ctx, s, jetstream.ServerConfig{})
		}
		if running, err := readRunFile(a.dir); err == nil {
			if s.nc, err = connect(running.endpoint); err == nil {
				return true, nil
			}
		}
		if !told {
			fmt.Fprintf(a.stderr, "engine: waiting for %s, which has %s open\n", held, a.dir)
			told = true
		}
		return false, nil
	})
}

// embed starts a server on the directory, whose lock is held.
func (a *app) embed(ctx context.Context, s *store, cfg jetstream.ServerConfig) (err error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	cfg.Dir, cfg.Fsync, cfg.Log = a.dir, a.fsync, s.logger
	if s.server, err = jetstream.StartServer(ctx, cfg); err != nil {
		return err
	}
	s.nc, err = s.server.Connect(ctx)
	return err
}

// endpoint is where a NATS server is and what it asks for.
type endpoint struct {
	URL      string `json:"url"`
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	Creds    string `json:"creds,omitempty"`
}

func connect(e endpoint) (*nats.Conn, error) {
	opts := []nats.Option{nats.Name("docket"), nats.MaxReconnects(-1), nats.Timeout(5 * time.Second)}
	if e.User != "" {
		opts = append(opts, nats.UserInfo(e.User, e.Password))
	}
	if e.Creds != "" {
		opts = append(opts, nats.UserCredentials(e.Creds))
	}
	nc, err := nats.Connect(e.URL, opts...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS at %s: %w", e.URL, err)
	}
	return nc, nil
}

// provision makes the streams where they are missing.
func (s *store) provision(ctx context.Context, replicas int) error {
	js, err := natsjs.New(s.nc)
	if err != nil {
		return err
	}
	created, err := jetstream.Provision(ctx, js, jetstream.Layout{Replicas: replicas})
	if err == nil && len(created) > 0 && s.server != nil {
		err = s.server.MakeDurable()
	}
	return err
}

// openLog opens the log and looks whether its streams are whole.
func (s *store) openLog(ctx context.Context, access access) (err error) {
	s.log, err = jetstream.NewLog(jetstream.LogConfig{Conn: s.nc, Keys: s.keys, Anchors: s.anchors, Logger: s.logger})
	if err != nil {
		return err
	}
	if access == readWrite {
		if err := s.checkWhole(ctx); err != nil {
			return err
		}
	}
	return s.startAnchors()
}

// checkWhole refuses to write to streams that have lost something.
func (s *store) checkWhole(ctx context.Context) error {
	findings, err := s.log.CheckStreams(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range findings {
		errs = append(errs, errors.New(f.Problem))
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("the store is not whole, and nothing is written to it: %w\n"+
		"'engine verify --all' says which sessions are concerned. If the loss is final, 'engine serve --accept-loss' goes on without what is gone", errors.Join(errs...))
}

// startAnchors follows the logs, unless another process that has the directory
// does already.
func (s *store) startAnchors() (err error) {
	if s.lock == nil {
		return nil
	}
	settle := time.Duration(0)
	if s.server != nil {
		settle = 2 * s.server.Fsync().Interval()
	}
	s.writer, err = jetstream.StartAnchors(jetstream.AnchorConfig{
		Path: filepath.Join(s.dir, anchorsFile), Conn: s.nc, Keys: s.keys, Anchors: s.anchors, Settle: settle, Logger: s.logger,
	})
	return err
}

// close ends everything in the order in which nothing is lost: seals, anchors of
// what was acknowledged, the connection, the server with its disk, the anchors'
// file, the directory.
func (s *store) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	var errs []error
	if s.log != nil {
		errs = append(errs, s.log.Close(ctx))
	}
	if s.writer != nil && s.nc.IsConnected() {
		errs = append(errs, s.writer.Stop(ctx))
	}
	if s.nc != nil {
		s.nc.Close()
	}
	if s.server != nil {
		errs = append(errs, s.server.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.release())
	}
	return errors.Join(errs...)
}

// with opens the store for one command, which fails if closing does: what was
// not closed in order may not be on the disk.
func (a *app) with(ctx context.Context, command string, access access, do func(context.Context, *store) error) error {
	s, err := a.openStore(ctx, command, access)
	if err != nil {
		return err
	}
	err = do(ctx, s)
	if closeErr := s.close(); closeErr != nil {
		err = errors.Join(err, fmt.Errorf("close the store: %w", closeErr))
	}
	return err
}
