package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/reviewer/auto"
)

func textDigest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// errOtherJudge says that a command would judge otherwise than the serve that it runs
// beside.
var errOtherJudge = errors.New("the 'engine serve' that runs on this directory judges by other settings")

// judgingBeside lets the gate of a command judge as the serve does that has the store:
// by the same settings, and by reviewers in other processes where it has those. Whoever
// runs a command beside a serve does not choose another judge by it. Call close behind
// the last review.
func (a *app) judgingBeside(ctx context.Context, s *store, o *gateOptions) (closeAll func(), err error) {
	closeAll = func() {}
	if s.lock != nil || len(o.integrations) == 0 {
		return closeAll, nil // nobody else has the directory, or nobody is asked
	}
	r, err := readRunFile(s.dir)
	switch {
	case err != nil:
		return closeAll, fmt.Errorf("find out how the running 'engine serve' judges: %w", err)
	case !r.Remote && r.Settings != "" && r.Settings != o.settings:
		return closeAll, fmt.Errorf("%w: leave out --settings, or restart it where %s has changed since it began (process %d)", errOtherJudge, settingsFile, r.PID)
	case !r.Remote:
		return closeAll, nil
	}
	authority, err := a.authorityOf(ctx, s)
	if err == nil && authority == nil {
		err = fmt.Errorf("the server's accounts are not those of %s, so that nobody could tell who reviews", s.dir)
	}
	if err != nil {
		return closeAll, err
	}
	apart, err := bus.NewRemoteReviewer(bus.RemoteConfig{
		Conn: s.nc, Name: auto.Name, Log: s.log, Establish: authority.Table().Establish, Logger: s.logger,
	})
	if err != nil {
		return closeAll, err
	}
	o.apart = apart
	return apart.Close, nil
}
