package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/events"
)

// trustFacts are what a level follows from.
type trustFacts struct {
	// Reaches says that the user who asks can read the engine's keys or credentials.
	Reaches bool
	// Open says that a human's credential lies unsealed beside them.
	Open bool
	// Confined says that there are executors, and that each confines what it runs.
	Confined bool
}

// level is never higher than what is known: processes of the same user that nothing
// confines can do whatever that user can.
func (f trustFacts) level() events.Trust {
	switch {
	case !f.Reaches:
		return events.TrustSeparate
	case f.Confined && !f.Open:
		return events.TrustConfined
	default:
		return events.TrustSameUser
	}
}

// because says it to people.
func (f trustFacts) because() string {
	switch {
	case !f.Reaches:
		return "this user cannot read the engine's keys and credentials"
	case f.Confined && !f.Open:
		return "every executor with a credential confines what it runs, and no human's credential lies open"
	case f.Open:
		return "a human's credential lies unsealed where this user can read it"
	default:
		return "what runs as this user can read the engine's keys and credentials, and not every executor confines what it runs"
	}
}

// trustIn finds the facts for whoever runs this.
func trustIn(dir string, now time.Time) (trustFacts, error) {
	folder := filepath.Join(dir, busDir)
	f, err := os.Open(folder)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return trustFacts{}, nil
	case err != nil:
		return trustFacts{}, err
	}
	if err := f.Close(); err != nil {
		return trustFacts{}, err
	}
	open, err := filepath.Glob(filepath.Join(folder, bus.Human+".*.creds"))
	if err != nil {
		return trustFacts{}, err
	}
	issued, err := bus.ReadIssued(folder)
	return trustFacts{Reaches: true, Open: len(open) > 0, Confined: allConfined(issued, now)}, err
}

// allConfined reports whether there is a credential of an executor in force, and each
// says that it confines.
func allConfined(issued []bus.Issued, now time.Time) bool {
	some := false
	for _, i := range issued {
		executor := i.Class == bus.Agent || i.Class == bus.Host
		if !executor || !i.Revoked.IsZero() || !i.Expires.IsZero() && i.Expires.Before(now) {
			continue
		}
		if !i.Confines {
			return false
		}
		some = true
	}
	return some
}

// trust says the level that sessions are recorded under, and who can say more.
func (p *printer) trust(level events.Trust, agents string) {
	switch agents {
	case agentsHere, "":
		p.line("Trust level of this user's processes: %s ('engine doctor', run as your agents' user, says theirs).", level)
	case agentsElsewhere:
		p.line("Trust level: %s, since agents run on other machines (--agents).", level)
	default:
		p.line("Trust level: %s, since agents run as the user %s (--agents).", level, agents)
	}
}

func (a *app) checkTrust(e *examination) {
	facts, err := trustIn(a.dir, time.Now())
	if errors.Is(err, fs.ErrNotExist) {
		e.skip("trust", "this machine's state directory holds no keys")
		return
	}
	if err != nil {
		e.add("trust", checkFault, err.Error(), "put the folder back from a copy")
		return
	}
	e.Trust = string(facts.level())
	text, remedy := fmt.Sprintf("%s: %s", e.Trust, facts.because()), ""
	if facts.level() == events.TrustSameUser {
		remedy = "run engine and agents as different users, and seal human credentials ('engine creds seal'); docs/threat-model.md says what each level is good for"
	}
	e.add("trust", checkNote, text, remedy)
	if r, err := readRunFile(a.dir); err == nil {
		e.add("recorded trust", checkNote, fmt.Sprintf("the running serve records %s with each session", newTrustWatch(a.dir, r.Apart).now()), "")
	}
}

// checkFiles looks whether secrets are private.
func (a *app) checkFiles(e *examination) {
	const name = "files"
	if a.dir == "" || !exists(a.dir) {
		e.skip(name, "there is no state directory")
		return
	}
	good := true
	for _, file := range []string{"", busDir, keysDir, runFileName, filepath.Join(keysDir, keyFile), filepath.Join(keysDir, dispatchFile)} {
		path := filepath.Join(a.dir, file)
		stat, err := os.Stat(path)
		if err != nil || stat.Mode().Perm()&0o077 == 0 {
			continue // what is not there or not to be looked at is no danger
		}
		e.add(name, checkFault, fmt.Sprintf("%s can be read by others (%s)", path, stat.Mode().Perm()), "chmod go= "+path)
		good = false
	}
	if good {
		e.ok(name, "%s and what is secret in it is private", a.dir)
	}
}
