// Package identity tells whether a file is still the one that a session left: the same
// file, with the same bytes (design section 8).
//
// # Invariants
//
//   - A path alone proves nothing: another file may have taken it.
//   - What the file system does not say, such as when a file was born, proves nothing.
//   - Nothing is followed: a link is a link, and is never the session's file.
//
// Start reading at [Same].
package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/docket-engine/docket/events"
)

// HashLimit is how large a file may be that is read to prove it the same, in bytes.
const HashLimit = 64 << 20

// settled is how long before an observation the last change of a file must lie for its
// change time to tell the next one: clocks of file systems go in steps.
const settled = int64(10 * time.Millisecond)

// File is a file as the system tells it from every other one. Times are Unix ns; a
// birth time of 0 is unknown.
type File struct {
	Device, Inode                  uint64
	BirthTime, ChangeTime, ModTime int64
	Size                           int64
	Mode                           fs.FileMode // the type alone
}

// Known reports whether the system tells the file from every other one, also from
// those that have its number later.
func (f File) Known() bool { return f.Inode != 0 && f.BirthTime != 0 }

// Is reports whether two are one file.
func (f File) Is(other File) bool {
	return f.Known() && f.Device == other.Device && f.Inode == other.Inode && f.BirthTime == other.BirthTime && f.Mode == other.Mode
}

// errOther says that a path does not lead to the file any more that was meant.
var errOther = errors.New("it is another file, or no regular one")

// Open opens a regular file that is the one that was seen. It waits for nobody.
func Open(path string, seen File) (*os.File, error) {
	if !seen.Mode.IsRegular() {
		return nil, errOther
	}
	file, err := openSame(path)
	if err != nil {
		return nil, err
	}
	if now, err := Of(file); err != nil || !now.Is(seen) {
		return nil, errors.Join(errOther, err, file.Close())
	}
	return file, nil
}

// Hash gives the SHA-256 of the bytes of a file that is not changed meanwhile, hex.
func Hash(path string, seen File) (string, error) {
	if seen.Size > HashLimit {
		return "", fmt.Errorf("it has %d bytes, %d are read at most", seen.Size, HashLimit)
	}
	file, err := Open(path, seen)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // only read
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(file, seen.Size+1))
	if err != nil {
		return "", err
	}
	if now, err := Of(file); err != nil || n != seen.Size || now != seen {
		return "", errors.Join(errOther, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Same reports whether a file is what a session left there, as far as that can be
// proven: it is the same file, and either nothing has touched it since, or it has the
// same bytes.
func Same(left events.Artifact) bool {
	if left.Kind != events.ArtifactFile || left.SHA256 == "" {
		return false
	}
	now, err := At(left.Path)
	was := File{Device: left.Device, Inode: left.Inode, BirthTime: left.BirthTime}
	if err != nil || !was.Is(now) || now.Size != left.Size {
		return false
	}
	if now.ChangeTime == left.ChangeTime && left.ObservedAt-left.ChangeTime > settled {
		return true
	}
	sum, err := Hash(left.Path, now)
	return err == nil && sum == left.SHA256
}

// Times are when the file was made that stands at a path, and when it was changed last,
// Unix ns; false where none does, or that is not known.
func Times(path string) (born, changed int64, known bool) {
	f, err := At(path)
	return f.BirthTime, f.ChangeTime, err == nil && f.Known()
}

// Here is this machine's files, as they are now.
type Here struct{}

// Same is [Same].
func (Here) Same(left events.Artifact) bool { return Same(left) }

// Times is [Times].
func (Here) Times(path string) (born, changed int64, known bool) { return Times(path) }
