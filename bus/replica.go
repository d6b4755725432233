package bus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/docket-engine/docket/internal/atomicfile"
)

// Copy writes the keys, the accounts and what was issued to another folder, which must
// not exist: an engine elsewhere knows callers by it, and issues credentials that are
// good here. Credentials themselves are not copied: each machine has its own.
func (a *Authority) Copy(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("bus: copy the keys: %w", err)
	}
	err := a.locked(func() error { return a.copyTo(dir) })
	if err != nil {
		return fmt.Errorf("bus: copy the keys: %w", err)
	}
	return nil
}

func (a *Authority) copyTo(dir string) error {
	if err := os.Mkdir(filepath.Join(dir, IssuedDir), 0o700); err != nil {
		return err
	}
	for _, pattern := range []string{"*" + seedSuffix, "*" + tokenSuffix, filepath.Join(IssuedDir, "*.json")} {
		paths, err := filepath.Glob(a.path(pattern))
		if err != nil {
			return err
		}
		for _, path := range paths {
			name, err := filepath.Rel(a.dir, path)
			if err == nil {
				err = copyPrivate(filepath.Join(dir, name), path)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// copyPrivate copies a file that its owner alone can read.
func copyPrivate(to, from string) error {
	text, err := os.ReadFile(from)
	if err == nil {
		err = errors.Join(private(from), atomicfile.Replace(to, text))
	}
	clear(text)
	return err
}
