package tools

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// renameToFree gives a file a name that nothing has.
func renameToFree(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) {
		return err
	}
	return linkToFree(from, to) // the file system has no such call
}

// keepOwner gives a file the owner and group that another one has, where they are
// not the same already.
func keepOwner(file *os.File, of fs.FileInfo) error {
	have, err := file.Stat()
	if err != nil {
		return err
	}
	is, ok1 := have.Sys().(*syscall.Stat_t)
	was, ok2 := of.Sys().(*syscall.Stat_t)
	if !ok1 || !ok2 || is.Uid == was.Uid && is.Gid == was.Gid {
		return nil
	}
	return file.Chown(int(was.Uid), int(was.Gid))
}
