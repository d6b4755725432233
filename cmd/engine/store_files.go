package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/nats-io/jwt/v2"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/jetstream"
)

// withFiles opens the store for a command that reads it as its files have it: no server
// is started, nothing is written, and nobody is waited for. Where the streams are on
// a server of somebody else's, it is asked instead.
func (a *app) withFiles(ctx context.Context, command string, do func(context.Context, *store) error) error {
	if a.nats != "" {
		return a.with(ctx, command, readOnly, do)
	}
	if err := a.findDir(readOnly); err != nil {
		return err
	}
	if r, err := readRunFile(a.dir); err == nil && !r.Embedded {
		return a.with(ctx, command, readOnly, do)
	}
	s, err := a.openFiles(ctx)
	if err != nil {
		return settle(ctx, err)
	}
	err = settle(ctx, do(ctx, s))
	if closeErr := s.close(); closeErr != nil {
		err = errors.Join(err, fmt.Errorf("close the store: %w", closeErr))
	}
	return err
}

// isDamaged reports whether a store was not opened since it is damaged.
func isDamaged(err error) bool {
	_, is := errors.AsType[*jetstream.DamagedError](err)
	return is
}

// readsFiles reports whether a store that could not be opened can still be read: it is
// damaged, or nothing can be written beside it, which a server has to.
func readsFiles(err error) bool {
	return isDamaged(err) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, fs.ErrPermission)
}

// openFilesInstead is for a command that reads alone, of a store that cannot be opened.
func (a *app) openFilesInstead(ctx context.Context, why error) (*store, error) {
	s, err := a.openFiles(ctx)
	if err != nil {
		return nil, errors.Join(why, err)
	}
	if damages := s.files.Damages(); len(damages) > 0 && !a.json {
		a.notice("the store is damaged, and is read as its files are: %s", damages[0])
	}
	return s, nil
}

// openFiles opens a store whose log is read from the files. What is kept outside of
// the logs is read before them.
func (a *app) openFiles(ctx context.Context) (*store, error) {
	s := a.newStore(false)
	err := s.openKeys(readOnly)
	if err == nil {
		err = s.openOutside(a.outside)
	}
	if err == nil {
		s.files, err = jetstream.OpenFiles(ctx, jetstream.FilesConfig{Dir: s.dir, Account: streamsAccount(s.dir), Keys: s.keys, Log: s.logger})
	}
	if err == nil {
		s.log, err = jetstream.NewLog(jetstream.LogConfig{Files: s.files, Keys: s.keys, Anchors: s.anchors, Outside: s.outside, Logger: s.logger})
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// openOutside reads anchors that were kept elsewhere, if any are named.
func (s *store) openOutside(path string) (err error) {
	if path == "" {
		return nil
	}
	if _, err = os.Stat(path); err == nil {
		s.outside, err = jetstream.LoadAnchors(path, s.keys)
	}
	return err
}

// streamsAccount is the public key of the account that has the streams, "" where the
// directory does not say.
func streamsAccount(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, busDir, bus.EngineAccount+".jwt"))
	if err != nil {
		return ""
	}
	claims, err := jwt.DecodeAccountClaims(string(text))
	if err != nil {
		return ""
	}
	return claims.Subject
}
