package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// place is the absolute, clean path that an argument names. Dots are taken out of
// the text of the path, before any link is followed.
func (e Env) place(path string) (string, error) {
	switch {
	case path == "":
		return "", errors.New("path is empty")
	case strings.ContainsRune(path, 0):
		return "", errors.New("path has a zero byte")
	case !filepath.IsAbs(e.CWD):
		return "", fmt.Errorf("path cannot be found: the session's folder %q is not absolute", e.CWD)
	case filepath.IsAbs(path):
		return filepath.Clean(path), nil
	}
	return filepath.Join(e.CWD, path), nil
}

// systemFailure is a failure of the file system, with its code.
func systemFailure(doing string, err error) Result {
	code := CodeFailed
	switch {
	case errors.Is(err, fs.ErrNotExist):
		code = CodeNotFound
	case errors.Is(err, fs.ErrPermission):
		code = CodeForbidden
	}
	return failure(code, doing+": "+err.Error())
}

// regular says why what stands at a path is not a file that is written through;
// the zero Result if it is one.
func regular(path string, found fs.FileInfo) Result {
	switch {
	case found.Mode().IsRegular():
		return Result{}
	case found.IsDir():
		return failure(CodeIsFolder, path+" is a folder")
	case found.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			return systemFailure("read the link", err)
		}
		return failure(CodeIsLink, fmt.Sprintf("%s is a symbolic link to %s, which is not written through: name the file itself", path, target))
	}
	return failure(CodeNotRegular, fmt.Sprintf("%s is no file but %s", path, found.Mode().Type()))
}
