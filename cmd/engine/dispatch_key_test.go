package main

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestOneKeySignsPermits: whoever makes it, all find the same one, and it is none
// of those that the log is checked by.
func TestOneKeySignsPermits(t *testing.T) {
	dir := t.TempDir()
	found := make(chan string, 8)
	var wg sync.WaitGroup
	for range cap(found) {
		wg.Go(func() {
			key, err := dispatchKey(dir)
			if err != nil {
				t.Error(err)
			}
			found <- string(key)
		})
	}
	wg.Wait()
	first := <-found
	for range cap(found) - 1 {
		if other := <-found; other != first || other == "" {
			t.Fatal("two keys were made")
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, keysDir, "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("got the files %v, %v, want the key alone", names, err)
	}
	if err := os.Chmod(filepath.Join(dir, keysDir, dispatchFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := dispatchKey(dir); err == nil {
		t.Error("took a key that others can read")
	}
}
