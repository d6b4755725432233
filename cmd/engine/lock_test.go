package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestOneProcessHasTheDirectory(t *testing.T) {
	dir := t.TempDir()
	lock, _, err := tryLock(dir, "import")
	if err != nil || lock == nil {
		t.Fatalf("got %v, %v, want the lock", lock, err)
	}
	for _, name := range []string{"engine.lock", "holder.json"} {
		if got := mode(t, filepath.Join(dir, name)); got != 0o600 {
			t.Errorf("%s: got mode %o, want 600", name, got)
		}
	}

	second, by, err := tryLock(dir, serveName)
	if err != nil || second != nil {
		t.Fatalf("got %v, %v, want no lock", second, err)
	}
	if want := (holder{PID: os.Getpid(), Command: "import"}); by != want {
		t.Errorf("got %v, want %v", by, want)
	}

	if err := lock.release(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "holder.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no holder.json", err)
	}
	if lock, _, err = tryLock(dir, serveName); err != nil || lock == nil {
		t.Fatalf("got %v, %v, want the lock again", lock, err)
	}
	if err := lock.release(); err != nil {
		t.Fatal(err)
	}
}

// TestStaleHolderIsNotBelieved: a killed process leaves its name behind, but not its
// lock.
func TestStaleHolderIsNotBelieved(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "holder.json")
	if err := os.WriteFile(path, []byte(`{"pid":1,"command":"serve"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	lock, _, err := tryLock(dir, "verify")
	if err != nil || lock == nil {
		t.Fatalf("got %v, %v, want the lock", lock, err)
	}
	if got, want := readHolder(path), (holder{PID: os.Getpid(), Command: "verify"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := lock.release(); err != nil {
		t.Fatal(err)
	}
}

// TestHolderThatIsNotReadableIsSomebody: between lock and name there is a moment.
func TestHolderThatIsNotReadableIsSomebody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "holder.json")
	if got := readHolder(path).String(); got != "another process" {
		t.Errorf("got %q without a file", got)
	}
	if err := os.WriteFile(path, []byte(`{"pid":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := readHolder(path).String(); got != "another process" {
		t.Errorf("got %q of half a file", got)
	}
	if got, want := (holder{PID: 7, Command: "session list"}).String(), "process 7 (engine session list)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPollingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), 0
		err := pollUntil(t.Context(), func() (bool, error) { calls++; return calls == 4, nil })
		if err != nil || calls != 4 || time.Since(start) != 3*lockPoll {
			t.Errorf("got %v after %d calls and %s, want 4 calls", err, calls, time.Since(start))
		}
		failed := errors.New("x")
		if err := pollUntil(t.Context(), func() (bool, error) { return false, failed }); !errors.Is(err, failed) {
			t.Errorf("got %v, want the error", err)
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, failed)
		defer cancel()
		if err := pollUntil(ctx, func() (bool, error) { return false, nil }); !errors.Is(err, failed) {
			t.Errorf("got %v, want the context's cause", err)
		}
	})
}
