package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

const (
	startTimeout = 10 * time.Minute // a large store that was not closed takes seconds a gigabyte
	stopTimeout  = 30 * time.Second
	anchorsFile  = "anchors.jsonl"
	busDir       = "bus" // keys of the accounts, and what was issued with them
)

// actor is who a person at the command line is to the log.
func actor() events.Actor { return events.Actor{Class: "human", Name: "local"} }

// access says what a command does with the store.
type access int

const (
	readOnly access = iota // works on a damaged store, too, and makes none
	readWrite
)

// store is an opened state directory: the log, and what has to be closed after
// it.
type store struct {
	dir       string
	log       *jetstream.Log
	files     *jetstream.Files // nil unless they are read without a server
	keys      jetstream.Keys
	anchors   *jetstream.Anchors
	outside   *jetstream.Anchors // that were kept elsewhere, for a verification
	nc        *nats.Conn
	served    bool              // through the embedded server of another process
	server    *jetstream.Server // nil if another process or machine has it
	authority *bus.Authority    // of the server's accounts, if they are ours
	writer    *jetstream.AnchorWriter
	lock      *dirLock // nil if another process has the directory
	logger    *slog.Logger
	trust     *trustWatch
	secrets   []string // files that the command line names
	home      string   // of the user, "" where it is not known
	replicas  int      // of streams that are made
}

// with opens the store for one command, which fails if closing does: what was
// not closed in order may not be on the disk.
func (a *app) with(ctx context.Context, command string, access access, do func(context.Context, *store) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s, err := a.openStore(ctx, command, access)
	if err != nil {
		return settle(ctx, err)
	}
	s.follow(stop)
	err = settle(ctx, do(ctx, s))
	if closeErr := s.close(); closeErr != nil {
		err = errors.Join(err, fmt.Errorf("close the store: %w", closeErr))
	}
	return err
}

// errStopped says that the serve that a command went through has ended.
var errStopped = errors.New("'engine serve' has stopped")

// follow ends a command when the serve ends that it goes through: a new one has
// another port, so there is nothing to wait for.
func (s *store) follow(stop context.CancelCauseFunc) {
	if !s.served {
		return
	}
	s.nc.SetClosedHandler(func(*nats.Conn) { stop(errStopped) })
	if s.nc.IsClosed() {
		stop(errStopped)
	}
}

// gone reports whether an error about one session would be that of every other one
// as well: the command is to end, or the store cannot be reached.
func (s *store) gone(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || s.nc != nil && !s.nc.IsConnected())
}

// settle says once why a command ended before its time, which each call that was
// under way says in its own words.
func settle(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case err == nil || cause == nil || errors.Is(err, cause) && !errors.Is(cause, context.Canceled):
		return err
	case errors.Is(cause, errStopped):
		return fmt.Errorf("%w: %w", cause, err)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("cancelled: %w", cause)
	default:
		return err
	}
}

// openStore reaches the store of the state directory, in the way that there is:
// a running serve, the directory itself, or a server that --nats names.
func (a *app) openStore(ctx context.Context, command string, access access) (*store, error) {
	if err := a.findDir(access); err != nil {
		return nil, err
	}
	s := a.newStore(false)
	err := a.reach(ctx, s, command)
	if err == nil {
		err = s.openKeys(access)
	}
	if err == nil {
		err = s.openOutside(a.outside)
	}
	if err == nil {
		err = a.attach(ctx, s, jetstream.ServerConfig{})
	}
	if err == nil {
		err = a.openLog(ctx, s, access)
	}
	if err == nil {
		return s, nil
	}
	err = errors.Join(err, s.close())
	if access == readOnly && a.nats == "" && readsFiles(err) {
		return a.openFilesInstead(ctx, err)
	}
	return nil, err
}

// newStore is one that nothing is opened of. apart says that agents cannot reach the
// state directory.
func (a *app) newStore(apart bool) *store {
	return &store{
		dir: a.dir, logger: a.logger(), replicas: a.replicas, trust: newTrustWatch(a.dir, apart), secrets: a.secretFiles(), home: a.getenv("HOME"),
	}
}

// openLog opens the log. Whoever has the directory makes the streams, looks
// whether they are whole before it writes, and keeps their anchors.
func (a *app) openLog(ctx context.Context, s *store, access access) error {
	if s.lock != nil && (s.server != nil || access == readWrite) {
		if err := s.provision(ctx, a.replicas); err != nil {
			return err
		}
	}
	if err := s.newLog(); err != nil || s.lock == nil || access == readOnly {
		return err
	}
	if err := a.checkWhole(ctx, s); err != nil {
		return err
	}
	return s.startAnchors(ctx)
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

func (s *store) newLog() (err error) {
	s.log, err = jetstream.NewLog(jetstream.LogConfig{Conn: s.nc, Keys: s.keys, Anchors: s.anchors, Outside: s.outside, Trust: s.trust.now, Logger: s.logger})
	return err
}

// checkWhole refuses to write to streams that have lost something, unless a
// person has accepted that.
func (a *app) checkWhole(ctx context.Context, s *store) error {
	lost, err := s.lost(ctx)
	if err != nil || lost == nil {
		return err
	}
	if !a.acceptLoss {
		return fmt.Errorf("%w, and nothing is written to it: %w\n"+
			"'engine verify --all' says which sessions are concerned. If the loss is final, 'engine serve --accept-loss' goes on without what is gone", errNotWhole, lost)
	}
	if err := s.forget(); err != nil {
		return err
	}
	// What is missing inside a stream stays so: its sessions are refused one by one.
	if lost, err = s.lost(ctx); lost != nil {
		a.notice("going on without what is gone: %v", lost)
	}
	return err
}

// errNotWhole says that the store has lost something.
var errNotWhole = errors.New("the store is not whole")

// lost is what the streams have lost, nil if they are whole.
func (s *store) lost(ctx context.Context) (lost, err error) {
	findings, err := s.log.CheckStreams(ctx)
	var errs []error
	for _, f := range findings {
		errs = append(errs, errors.New(f.Problem))
	}
	return errors.Join(errs...), err
}

// forget lets the anchors of what is gone go.
func (s *store) forget() error {
	path := filepath.Join(s.dir, anchorsFile)
	if err := jetstream.AcceptLoss(path, s.keys, time.Now()); err != nil {
		return err
	}
	anchors, err := jetstream.LoadAnchors(path, s.keys)
	if err != nil {
		return err
	}
	s.anchors = anchors
	return s.newLog() // nothing was appended to the old one, so it has nothing to close
}

func (s *store) startAnchors(ctx context.Context) (err error) {
	settle := time.Duration(0)
	if s.server != nil {
		settle = 2 * s.server.Fsync().Interval()
	}
	s.writer, err = jetstream.StartAnchors(ctx, jetstream.AnchorConfig{
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
	if s.files != nil {
		errs = append(errs, s.files.Close())
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
