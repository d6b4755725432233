package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/docket-engine/docket/presets"
)

// TestACommandBesideAServeJudgesAsItDoes: by the settings that the serve began with, or
// not at all.
func TestACommandBesideAServeJudgesAsItDoes(t *testing.T) {
	const other = `{"routes":[{"provider":"a","model":"m","api":"responses","baseUrl":"https://a.example","reviews":true}]}`
	begins := func(t *testing.T, remote bool) (a *app, s *store) {
		t.Helper()
		a = &app{dir: t.TempDir()}
		set, err := a.readSettings()
		if err == nil {
			err = writeRunFile(a.dir, running{PID: 7, Embedded: true, Settings: set.digest, Remote: remote})
		}
		if err != nil {
			t.Fatal(err)
		}
		return a, &store{dir: a.dir, logger: slog.New(slog.DiscardHandler)}
	}
	write := func(t *testing.T, path string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		remote  bool
		change  func(*testing.T, *app, *store)
		none    bool // no integration is installed
		refused bool
		other   bool // for the reason that another judge would answer
	}{
		"the same settings": {change: func(*testing.T, *app, *store) {}},
		"other ones by the command line": {refused: true, other: true, change: func(t *testing.T, a *app, _ *store) {
			a.settings = filepath.Join(t.TempDir(), "mine.json")
			write(t, a.settings)
		}},
		"a file that was written since": {refused: true, change: func(t *testing.T, a *app, _ *store) {
			write(t, filepath.Join(a.dir, settingsFile))
		}},
		"a file that was written since, and a serve that began with it": {change: func(t *testing.T, a *app, _ *store) {
			a.serving = &settings{digest: textDigest(nil)}
			write(t, filepath.Join(a.dir, settingsFile))
		}},
		"nobody is asked": {none: true, change: func(t *testing.T, a *app, _ *store) {
			write(t, filepath.Join(a.dir, settingsFile))
		}},
		"nobody else has the directory": {change: func(t *testing.T, a *app, s *store) {
			s.lock = &dirLock{}
			write(t, filepath.Join(a.dir, settingsFile))
		}},
		"reviewers in other processes that could not be told": {remote: true, refused: true, change: func(*testing.T, *app, *store) {}},
		"a serve of which nothing is known": {refused: true, change: func(t *testing.T, a *app, _ *store) {
			if err := removeRunFile(a.dir); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			a, s := begins(t, c.remote)
			c.change(t, a, s)
			set, err := a.readSettings()
			if err != nil {
				t.Fatal(err)
			}
			o := gateOptions{settings: set.digest, integrations: []string{presets.IntegrationAuto}}
			if c.none {
				o.integrations = nil
			}
			closeAll, err := a.judgingBeside(context.Background(), s, &o)
			closeAll()
			if (err != nil) != c.refused {
				t.Errorf("got %v, refused should be %t", err, c.refused)
			}
			if c.other && !errors.Is(err, errOtherJudge) {
				t.Errorf("got %v, want %v", err, errOtherJudge)
			}
		})
	}
}
