package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/jetstream"
)

// errNoStore says that there is nothing to read.
var errNoStore = errors.New("there is no store")

// findDir makes the state directory, which only its owner may enter, for a
// command that writes. Any other wants one that a store was made in: an empty
// answer about the wrong directory would be taken for the right one.
func (a *app) findDir(access access) error {
	if a.dir == "" {
		return usagef("--dir is needed: neither XDG_STATE_HOME nor HOME is set")
	}
	dir, err := filepath.Abs(a.dir)
	if err != nil {
		return fmt.Errorf("find the state directory: %w", err)
	}
	a.dir = dir
	if _, err := os.Lstat(filepath.Join(dir, repairMarker)); err == nil {
		return errUnfinished
	}
	if access == readWrite {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make the state directory: %w", err)
		}
		return nil
	}
	_, err = os.Stat(filepath.Join(dir, keysDir))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w in %s: 'engine import', 'engine session create' and 'engine serve' make one", errNoStore, dir)
	}
	return err
}

// reach takes the directory, or else connects to the serve that has it. Where
// another command has it, it waits and says so.
func (a *app) reach(ctx context.Context, s *store, command string) error {
	told := false
	return pollUntil(ctx, func() (bool, error) {
		lock, held, err := tryLock(a.dir, command)
		if err != nil {
			return false, err
		}
		if lock != nil {
			s.lock = lock
			return true, removeRunFile(a.dir) // of a serve that was killed
		}
		if r, err := readRunFile(a.dir); err == nil {
			s.trust = newTrustWatch(a.dir, r.Apart)
			if joined, err := a.join(s, r); joined || err != nil {
				return joined, err
			}
		}
		if !told {
			a.notice("waiting for %s, which has %s open", held, a.dir)
			told = true
		}
		return false, nil
	})
}

// join connects to where a running serve is. It does not if that serve ran an
// embedded server and has just ended, or was killed.
func (a *app) join(s *store, r running) (bool, error) {
	if a.nats != "" && r.Embedded {
		return false, usagef("--nats: %s is the directory of an embedded server (process %d runs it), another server needs another --dir", a.dir, r.PID)
	}
	if !r.Embedded {
		e := r.endpoint
		if a.nats != "" {
			e = a.external()
		}
		var err error
		s.nc, err = a.connect(e, observed(s.logger), patient(s.logger))
		return err == nil, err
	}
	nc, err := a.connect(r.endpoint, observed(s.logger), nats.NoReconnect())
	if err != nil {
		return false, nil //nolint:nilerr // it is tried again, also with the directory itself
	}
	s.nc, s.served = nc, true
	return true, nil
}

// external is the server that --nats names.
func (a *app) external() endpoint {
	return endpoint{URL: a.nats, User: a.user, Password: a.password, Creds: a.creds, Inbox: a.inbox}
}

// attach gets the holder of the directory to its server.
func (a *app) attach(ctx context.Context, s *store, cfg jetstream.ServerConfig) (err error) {
	switch {
	case s.nc != nil:
		return nil
	case a.nats != "":
		return a.attachExternal(s)
	default:
		return a.embed(ctx, s, cfg)
	}
}

// attachExternal connects to the server that --nats names. Where that is with an
// engine's credential of this directory's keys, its accounts are ours.
func (a *app) attachExternal(s *store) error {
	e, err := a.withCredential(a.external())
	if err != nil {
		return fmt.Errorf("connect to NATS at %s: %w", redacted(e.URL), err)
	}
	if s.nc, err = connect(e, observed(s.logger), patient(s.logger)); err != nil {
		return err
	}
	if e.secret == nil || !exists(filepath.Join(a.dir, busDir)) {
		return nil
	}
	authority, err := bus.OpenAuthority(filepath.Join(a.dir, busDir))
	if err == nil && authority.Issues(e.secret, bus.Engine) {
		s.authority = authority
	}
	return err
}

// embed starts a server on the directory, whose lock is held.
func (a *app) embed(ctx context.Context, s *store, cfg jetstream.ServerConfig) (err error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if s.authority, err = bus.OpenAuthority(filepath.Join(a.dir, busDir)); err != nil {
		return err
	}
	if cfg.Trust, err = s.authority.Trust(); err != nil {
		return err
	}
	cfg.Dir, cfg.Fsync, cfg.Log, cfg.Keys = a.dir, a.fsync, s.logger, s.keys
	if !a.acceptLoss {
		cfg.Anchors = s.anchors
	}
	if !cfg.Listen {
		cfg.Log = a.loggerFrom(slog.LevelError) // how it recovers a store after a crash is nothing to tell with a list
	}
	s.server, err = jetstream.StartServer(ctx, cfg)
	if isDamaged(err) {
		return fmt.Errorf("%w, and nothing is written to it: %w\n"+
			"'engine verify --all' says which sessions are concerned. 'engine repair store' puts the damaged files aside and makes a new store of what is whole", errNotWhole, err)
	}
	if err != nil {
		return err
	}
	s.nc, err = s.server.Connect(ctx, observed(s.logger))
	return err
}
