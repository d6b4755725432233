// Package atomicfile replaces files so that a crash leaves the old one or the new
// one, whole and on the disk.
//
// # Invariants
//
//   - What stands under the name is never half of a file.
//   - When a function returns without an error, a power cut does not undo it.
//   - A replacement that fails leaves the old file, and no other one beside it.
//   - A file that is made is private: its mode is 0600.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Replace puts a file with that content under the name.
func Replace(path string, content []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Write puts a file under the name that holds what write writes. An error of write
// is the error, and nothing is replaced.
func Write(path string, write func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // 0600
	if err != nil {
		return err
	}
	err = write(tmp)
	if err == nil {
		err = tmp.Sync()
	}
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return Sync(filepath.Dir(path))
}

// Sync forces a file's content, or the names in a folder, onto the disk.
func Sync(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	flag := os.O_RDWR
	if info.IsDir() {
		if runtime.GOOS == "windows" {
			return nil // has no such operation, and needs none
		}
		flag = os.O_RDONLY
	}
	f, err := os.OpenFile(path, flag, 0)
	if errors.Is(err, fs.ErrPermission) && !info.IsDir() {
		f, err = os.Open(path) // a file that nobody may write to any more can be synced all the same
	}
	if err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return errors.Join(fmt.Errorf("sync %s: %w", path, err), f.Close())
	}
	return f.Close()
}
