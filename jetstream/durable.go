package jetstream

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A syncer forces one file, or the entries of one directory, onto the disk.
// Tests replace it to see what would be left after a power cut.
type syncer func(path string) error

// syncStore makes the store below the state directory durable: every file in
// it, every directory, and the state directory's own entries.
func syncStore(stateDir string, sync syncer) error {
	store := filepath.Join(stateDir, storeName)
	err := filepath.WalkDir(store, func(path string, e fs.DirEntry, err error) error {
		if err == nil && (e.IsDir() || e.Type().IsRegular()) {
			err = sync(path)
		}
		// A running server renames and removes files under our feet; what is gone
		// need not last. A server that failed to start has no store at all.
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	return sync(stateDir)
}

// makeDir makes dir with the parents that are missing, so that all of them
// outlast a power cut: a directory's name is kept by its parent.
func makeDir(dir string, sync syncer) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	missing := []string{}
	for parent := dir; ; parent = filepath.Dir(parent) {
		if _, err := os.Stat(parent); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, parent)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, made := range missing {
		if err := sync(filepath.Dir(made)); err != nil {
			return err
		}
	}
	return nil
}
