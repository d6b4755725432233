package identity

import (
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

const wanted = unix.STATX_TYPE | unix.STATX_INO | unix.STATX_SIZE | unix.STATX_BTIME | unix.STATX_CTIME | unix.STATX_MTIME

// Of tells an open file from every other one.
func Of(file *os.File) (File, error) { return look(int(file.Fd()), "", unix.AT_EMPTY_PATH) }

// At looks at what stands at a path, without following it.
func At(path string) (File, error) { return look(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW) }

func look(dir int, path string, flags int) (File, error) {
	var found unix.Statx_t
	if err := unix.Statx(dir, path, flags, wanted, &found); err != nil {
		return File{}, fmt.Errorf("identify the file: %w", err)
	}
	f := File{
		Device: unix.Mkdev(found.Dev_major, found.Dev_minor), Inode: found.Ino, Size: int64(found.Size), Mode: modeOf(found.Mode),
		ChangeTime: nanoseconds(found.Ctime), ModTime: nanoseconds(found.Mtime),
	}
	if found.Mask&unix.STATX_BTIME != 0 {
		f.BirthTime = nanoseconds(found.Btime)
	}
	return f, nil
}

func nanoseconds(t unix.StatxTimestamp) int64 { return t.Sec*1e9 + int64(t.Nsec) }

func modeOf(mode uint16) fs.FileMode {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFLNK:
		return fs.ModeSymlink
	default:
		return fs.ModeIrregular
	}
}

func openSame(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
}
