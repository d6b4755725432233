package effects

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
)

// maxLookups bounds how often one view looks at the machine.
const maxLookups = 20_000

// ErrTooManyLookups says that a view has given all that it gives.
var ErrTooManyLookups = errors.New("effects: more files were to be looked at than one analysis may")

// OSFiles is a read-only view of this machine's files, for one analysis. Names and
// links are seen everywhere, since a link may lead anywhere; contents only of regular
// files that lie at or below one of the roots, by their true place: a link is never
// followed to read one. Without a root there are no contents.
func OSFiles(roots ...string) FileSystem { return &osFiles{roots: roots} }

type osFiles struct {
	roots   []string
	lookups atomic.Int32
}

func (f *osFiles) look() error {
	if f.lookups.Add(1) > maxLookups {
		return ErrTooManyLookups
	}
	return nil
}

func (f *osFiles) Lstat(name string) (fs.FileInfo, error) {
	if err := f.look(); err != nil {
		return nil, err
	}
	return os.Lstat(name)
}

func (f *osFiles) Readlink(name string) (string, error) {
	if err := f.look(); err != nil {
		return "", err
	}
	return os.Readlink(name)
}

// ReadFile opens a file only after it was seen to be a regular one, since to open a
// device does something, and looks again at what it has opened.
func (f *osFiles) ReadFile(name string, limit int64) ([]byte, error) {
	seen, err := f.Lstat(name)
	if err != nil {
		return nil, err
	}
	file, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	opened, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !seen.Mode().IsRegular(), !os.SameFile(seen, opened):
		return nil, fmt.Errorf("effects: %s is no regular file, or was replaced", name)
	case opened.Size() > limit:
		return nil, fmt.Errorf("effects: %s has %d bytes, %d are the most", name, opened.Size(), limit)
	}
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, fmt.Errorf("effects: %s grew beyond %d bytes", name, limit)
	}
	return text, err
}

// open opens a file below a root, without leaving the root through a link, and
// without waiting for a pipe's other end.
func (f *osFiles) open(name string) (*os.File, error) {
	for _, root := range f.roots {
		rel, err := filepath.Rel(root, name)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		dir, err := os.OpenRoot(root)
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		if at, err := dir.Lstat(rel); err != nil || !at.Mode().IsRegular() {
			return nil, fmt.Errorf("effects: %s is no regular file", name)
		}
		return dir.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	return nil, fmt.Errorf("effects: %s lies in no folder whose files are read", name)
}
