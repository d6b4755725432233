//go:build !unix

package tools

import "os"

func removeFile(path string) error { return os.Remove(path) }

func removeFolder(path string) error { return os.Remove(path) }
