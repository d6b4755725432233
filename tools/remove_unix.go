//go:build unix

package tools

import (
	"io/fs"
	"syscall"
)

// removeFile and removeFolder do not stand in for each other, as os.Remove does:
// what was found is what is deleted.
func removeFile(path string) error { return pathError("unlink", path, syscall.Unlink(path)) }

func removeFolder(path string) error { return pathError("rmdir", path, syscall.Rmdir(path)) }

func pathError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}
