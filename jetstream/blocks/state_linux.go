package blocks

import (
	"io/fs"
	"syscall"
)

func stateOf(info fs.FileInfo) State {
	s := plainState(info)
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Inode, s.Changed = sys.Ino, sys.Ctim.Nano()
	}
	return s
}
