package permit

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// File is one that a body would execute (events.ExecutedFile).
type File struct {
	Path   string `json:"path"`   // absolute
	SHA256 string `json:"sha256"` // of its bytes, hex
	Size   int64  `json:"size"`
}

// ErrFileChanged says that a file which the call would execute is not the one any more
// that was looked at when the call was reviewed.
var ErrFileChanged = errors.New("a file that the call would execute has changed since the call was put on the record")

// CheckFiles compares the files that a body would execute with what the permit says of
// them. An executor asks just before the body starts, and runs nothing on an error,
// which is [ErrFileChanged] with the path.
func (p Permit) CheckFiles() error {
	for _, f := range p.Files {
		if err := unchanged(f); err != nil {
			return fmt.Errorf("permit: %w: %s: %w", ErrFileChanged, f.Path, err)
		}
	}
	return nil
}

var (
	errNotRegular = errors.New("it is no regular file")
	errOtherSize  = errors.New("it has another size")
	errOtherBytes = errors.New("it has other bytes")
)

// unchanged looks at one file. What it says of it is said of the opened file, and at
// most one byte more is read than it should have.
func unchanged(f File) error {
	if at, err := os.Stat(f.Path); err == nil && !at.Mode().IsRegular() {
		return errNotRegular // to open a pipe would wait for somebody
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	switch at, err := file.Stat(); {
	case err != nil:
		return err
	case !at.Mode().IsRegular():
		return errNotRegular
	case at.Size() != f.Size:
		return errOtherSize
	}
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(file, f.Size+1))
	switch {
	case err != nil:
		return err
	case n != f.Size:
		return errOtherSize
	case hex.EncodeToString(sum.Sum(nil)) != f.SHA256:
		return errOtherBytes
	}
	return nil
}
