//go:build !linux

package program

import "os"

// Executable is the path by which the running executable is started again.
func Executable() (string, error) { return os.Executable() }

// reexec is for what only Linux has.
func reexec() error { return nil }

// confine is for what only Linux has. Elsewhere the program's own limits are all.
func confine(limits) error { return nil }
