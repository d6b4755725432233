//go:build !linux

package tools

import (
	"io/fs"
	"os"
)

// renameToFree gives a file a name that nothing has.
func renameToFree(from, to string) error { return linkToFree(from, to) }

// keepOwner is for Linux: elsewhere the file gets the user's own.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
