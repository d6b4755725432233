package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/events"
)

// Where agents run, as serve is told. Anything else is a user of this machine.
const (
	agentsHere      = "here"
	agentsElsewhere = "elsewhere"
)

// errNotApart says that agents cannot be apart from the engine where they are said to be.
var errNotApart = errors.New("agents that run there are not apart from the engine")

// agentsApart reports whether agents cannot reach the state directory. That they run
// where serve is told is the operator's word; what follows from it is looked at.
func agentsApart(dir, where string) (bool, error) {
	switch where {
	case agentsHere, "":
		return false, nil
	case agentsElsewhere:
		return true, private(dir)
	}
	theirs, err := userID(where)
	if err != nil {
		return false, usagef("--agents must be %s, %s or a user of this machine, is %q", agentsHere, agentsElsewhere, plain(where, 80))
	}
	own, err := ownID()
	switch {
	case err != nil:
		return false, fmt.Errorf("find out who runs this: %w", err)
	case theirs == own:
		return false, fmt.Errorf("--agents %s: %w: that user runs the engine", where, errNotApart)
	case theirs == "0":
		return false, fmt.Errorf("--agents %s: %w: that user reads everything", where, errNotApart)
	}
	return true, private(dir)
}

// userID is a user's number. One that is given needs no name: containers often have
// none for it.
func userID(name string) (string, error) {
	if n, err := strconv.ParseUint(name, 10, 32); err == nil {
		return strconv.FormatUint(n, 10), nil
	}
	u, err := user.Lookup(name)
	if err != nil {
		return "", err
	}
	return u.Uid, nil
}

// ownID is the number of the user who runs this.
func ownID() (string, error) {
	if id := os.Getuid(); id >= 0 {
		return strconv.Itoa(id), nil
	}
	u, err := user.Current() // where users have no numbers
	if err != nil {
		return "", err
	}
	return u.Uid, nil
}

// private refuses a state directory that others than its owner can enter.
func private(dir string) error {
	stat, err := os.Stat(dir)
	if err == nil && stat.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("--agents: %w: others can enter %s (%s); chmod go= %s", errNotApart, dir, stat.Mode().Perm(), dir)
	}
	return err
}

const (
	// trustFresh is for how long a level is believed without a look, and trustKept for
	// how long while nothing in the folder of credentials has changed.
	trustFresh = time.Second
	trustKept  = time.Minute
)

// trustWatch is the level of trust that is recorded with what this process appends. It
// goes by what was issued, which other processes change as well.
type trustWatch struct {
	dir string

	mu     sync.Mutex // guards what follows
	apart  bool       // agents cannot reach the directory
	level  events.Trust
	looked time.Time // when the folder was looked at
	known  time.Time // when the level was found out
	stamp  [2]time.Time
}

func newTrustWatch(dir string, apart bool) *trustWatch { return &trustWatch{dir: dir, apart: apart} }

// bodiesHere says that this process runs bodies itself, as its own user.
func (w *trustWatch) bodiesHere() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.apart, w.known, w.looked = false, time.Time{}, time.Time{}
}

// now is the present level. What cannot be found out is the lowest one.
func (w *trustWatch) now() events.Trust {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.apart {
		return events.TrustSeparate
	}
	now := time.Now()
	if now.Sub(w.looked) < trustFresh {
		return w.level
	}
	stamp := w.folders()
	w.looked = now
	if stamp == w.stamp && now.Sub(w.known) < trustKept && settledBy(stamp, now) {
		return w.level
	}
	facts, err := trustIn(w.dir, now)
	w.level, w.known, w.stamp = facts.level(), now, stamp
	if err != nil || !facts.Reaches { // nothing was made yet, or it cannot be: this process is who writes
		w.level = events.TrustSameUser
	}
	return w.level
}

// folders are when something was made or taken back.
func (w *trustWatch) folders() (changed [2]time.Time) {
	for i, folder := range []string{filepath.Join(w.dir, busDir), filepath.Join(w.dir, busDir, bus.IssuedDir)} {
		if stat, err := os.Stat(folder); err == nil {
			changed[i] = stat.ModTime()
		}
	}
	return changed
}

// settledBy reports whether a later change must have another time: clocks of file
// systems are coarse.
func settledBy(stamp [2]time.Time, now time.Time) bool {
	return now.Sub(stamp[0]) > trustFresh && now.Sub(stamp[1]) > trustFresh
}

// trustText is a session's levels for people.
func trustText(t events.Trusted) string {
	switch {
	case t.Began == "" && t.Last == "":
		return "-"
	case t.Began == t.Last:
		return plain(string(t.Last), 40)
	default:
		return fmt.Sprintf("%s at first, %s at last", orDash(plain(string(t.Began), 40)), orDash(plain(string(t.Last), 40)))
	}
}
