package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"time"

	"github.com/docket-engine/docket/internal/identity"
)

// Observed is a file by its identity and its content, and not by its path alone: a path
// may be taken over by another file, and a file may be changed.
type Observed struct {
	Path string // absolute
	Kind Kind
	// File is how the system tells it from every other one, as it was when the call had
	// done its work.
	identity.File
	SHA256 string    // of the bytes that the call left, hex; "" of what holds none
	At     time.Time // of the observation
	// Before is what stood there, of a file that was changed; nil where that is not known.
	Before *Before
}

// Before is the file that a changed one was, and its bytes.
type Before struct {
	File   identity.File
	SHA256 string
}

// Kind is what an observed file is.
type Kind string

// The kinds of files that tools work on.
const (
	KindFile   Kind = "file"
	KindFolder Kind = "folder"
	KindLink   Kind = "link"
)

// known are those with an identity. Where the platform gives none, nothing is said:
// a path alone proves nothing.
func known(seen ...Observed) []Observed {
	return slices.DeleteFunc(seen, func(o Observed) bool { return o.Inode == 0 })
}

// observe looks at a file that has just got its name. Where another one has taken it,
// or somebody has written into it meanwhile, nothing is known.
func observe(path string, made identity.File, content []byte) Observed {
	now, err := identity.At(path)
	if err != nil || !now.Is(made) || now.Size != int64(len(content)) || now.ModTime != made.ModTime {
		return Observed{}
	}
	sum := sha256.Sum256(content)
	return Observed{Path: path, Kind: KindFile, File: now, SHA256: hex.EncodeToString(sum[:]), At: time.Now()}
}

// before looks at a file that is about to be changed. It is the one that was found if
// that is still so when the change is made.
func before(path string, found os.FileInfo) *Before {
	seen, err := identity.At(path)
	if err != nil || !seen.Known() || seen.Size != found.Size() || seen.ModTime != found.ModTime().UnixNano() {
		return nil
	}
	sum, err := identity.Hash(path, seen)
	if err != nil {
		return nil
	}
	return &Before{File: seen, SHA256: sum}
}
