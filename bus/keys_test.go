package bus_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/bus"
)

func open(t *testing.T, dir string) *bus.Authority {
	t.Helper()
	a, err := bus.OpenAuthority(dir)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// files are the contents of a folder by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		found[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTheFirstStartMakesEverythingAndTheSecondChangesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bus")
	first := open(t, dir).PublicKey(bus.EngineAccount)
	before := files(t, dir)
	if got := open(t, dir).PublicKey(bus.EngineAccount); got != first {
		t.Errorf("got the account %s, want %s", got, first)
	}
	if diff := cmp.Diff(before, files(t, dir)); diff != "" {
		t.Errorf("the second start changed files (-before +after):\n%s", diff)
	}
	for _, want := range []string{"operator.nk", "operator.jwt", "SYS.jwt", "ENGINE.jwt", "AGENT.spawner.nk", "engine.creds"} {
		if before[want] == "" {
			t.Errorf("there is no %s", want)
		}
	}
}

func TestFilesArePrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bus")
	open(t, dir)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		stat, err := e.Info()
		if err == nil && stat.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %s", path, stat.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "AGENT.agent.nk"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.OpenAuthority(dir); err == nil || !strings.Contains(err.Error(), "can be read by others") {
		t.Errorf("got %v for a key that others can read", err)
	}
}

// TestAHalfWrittenSetIsFinished: a crash after any file, in the order in which they
// are written.
func TestAHalfWrittenSetIsFinished(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "bus")
	open(t, whole)
	all := files(t, whole)
	seeds := maps.Clone(all)
	for name := range all {
		if !strings.HasSuffix(name, ".nk") {
			delete(seeds, name)
		}
	}
	some := map[string]string{"operator.nk": all["operator.nk"], "ENGINE.nk": all["ENGINE.nk"]}
	noAccounts := maps.Clone(seeds)
	noAccounts["operator.jwt"] = all["operator.jwt"]
	noCreds := maps.Clone(all)
	delete(noCreds, "engine.creds")
	delete(noCreds, "AUDIT.jwt")
	for name, left := range map[string]map[string]string{
		"nothing": {}, "a few keys": some, "all keys": seeds, "the operator": noAccounts, "all but a credential": noCreds,
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "bus")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			for file, text := range left {
				if strings.Contains(file, "/") {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			open(t, dir)
			now := files(t, dir)
			for file, text := range left {
				if strings.HasSuffix(file, ".nk") && now[file] != text {
					t.Errorf("%s was replaced", file)
				}
			}
			for file := range all {
				if _, there := now[file]; !there && !strings.Contains(file, "/") {
					t.Errorf("%s is still missing", file)
				}
			}
		})
	}
}

func TestAKeyThatAJWTNamesIsNeverMadeAnew(t *testing.T) {
	for _, name := range []string{"operator.nk", "operator.signing.nk", "SYS.nk", "ENGINE.nk", "AGENT.agent.nk", "AUDIT.auditor.nk"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "bus")
			open(t, dir)
			seed := files(t, dir)[name]
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			_, err := bus.OpenAuthority(dir)
			if !errors.Is(err, bus.ErrKeyMissing) || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), strings.TrimSpace(seed)) {
				t.Errorf("got %v, want that %s is missing", err, name)
			}
			other := files(t, func() string { d := filepath.Join(t.TempDir(), "bus"); open(t, d); return d }())
			if err := os.WriteFile(filepath.Join(dir, name), []byte(other[name]), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := bus.OpenAuthority(dir); !errors.Is(err, bus.ErrKeyMissing) {
				t.Errorf("got %v for another key in its place", err)
			}
		})
	}
}

func TestABrokenFileIsAnErrorWithoutItsContent(t *testing.T) {
	for _, name := range []string{"operator.nk", "HUMAN.human.nk", "operator.jwt", "HUMAN.jwt"} {
		dir := filepath.Join(t.TempDir(), "bus")
		open(t, dir)
		if err := os.WriteFile(filepath.Join(dir, name), []byte("SAGEHEIM"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := bus.OpenAuthority(dir); err == nil || strings.Contains(err.Error(), "GEHEIM") {
			t.Errorf("%s: got %v, want an error that repeats nothing", name, err)
		}
	}
}
