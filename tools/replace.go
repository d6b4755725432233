package tools

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/docket-engine/docket/internal/identity"
)

// contentLimit is how long a file may be that is written or edited, in bytes.
const contentLimit = 4 << 20

// errMoved says that the file was changed by somebody else meanwhile.
var errMoved = errors.New("the file was changed by somebody else meanwhile; read it again")

// replacement puts content in the place of a file, whole or not at all: it is
// written to a new file in the same folder, which then takes the name.
type replacement struct {
	path    string
	content []byte
	before  fs.FileInfo // what stands there, nil for nothing
}

// do gives the new file as it was observed.
func (r replacement) do() (Observed, error) {
	var was *Before
	if r.before != nil {
		was = before(r.path, r.before)
	}
	temp := filepath.Join(filepath.Dir(r.path), ".docket-"+rand.Text()+".tmp")
	file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, r.creationMode())
	if err != nil {
		return Observed{}, err
	}
	made, err := r.fill(file)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = r.settle(temp)
	}
	if err != nil {
		return Observed{}, errors.Join(err, removeTemp(temp))
	}
	seen := observe(r.path, made, r.content)
	if r.before != nil {
		seen.Before = was
	}
	return seen, nil
}

// creationMode of a file that takes another's place is closed until it has that
// one's; a new file's is the user's.
func (r replacement) creationMode() fs.FileMode {
	if r.before != nil {
		return 0o600
	}
	return 0o666
}

func (r replacement) fill(file *os.File) (identity.File, error) {
	if _, err := file.Write(r.content); err != nil {
		return identity.File{}, err
	}
	if r.before != nil {
		if err := keepOwner(file, r.before); err != nil {
			return identity.File{}, err
		}
		// After the owner: to change that one takes rights away.
		if err := file.Chmod(r.before.Mode().Perm()); err != nil {
			return identity.File{}, err
		}
	}
	if err := file.Sync(); err != nil {
		return identity.File{}, err
	}
	return identified(file), nil
}

// settle gives the new file its name. A name that was free has to be free still;
// one that was taken has to be the same file still.
func (r replacement) settle(temp string) error {
	if r.before == nil {
		return renameToFree(temp, r.path)
	}
	now, err := os.Lstat(r.path)
	if err != nil || !os.SameFile(r.before, now) || now.Size() != r.before.Size() || !now.ModTime().Equal(r.before.ModTime()) {
		return errMoved
	}
	return os.Rename(temp, r.path)
}

// removeTemp takes back what was not needed. After a rename it is gone.
func removeTemp(temp string) error {
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// replaceFailure is a failed replacement, with its code.
func replaceFailure(path string, err error) Result {
	if errors.Is(err, errMoved) || errors.Is(err, fs.ErrExist) {
		return failure(CodeConflict, fmt.Sprintf("%s: %s", path, errMoved))
	}
	return systemFailure("write", err)
}

// makeFolders makes the folders that a path lacks, and says which it made, the
// outermost first.
func makeFolders(path string) ([]Observed, error) {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	made, err := makeFolders(filepath.Dir(path))
	if err != nil {
		return made, err
	}
	switch err := os.Mkdir(path, 0o777); {
	case errors.Is(err, fs.ErrExist): // somebody else was faster
		return made, nil
	case err != nil:
		return made, err
	}
	folder, err := os.Open(path)
	if err != nil {
		return made, err
	}
	defer folder.Close()
	return append(made, Observed{Path: path, Kind: KindFolder, File: identified(folder), At: time.Now()}), nil
}

// identified tells an open file from every other one, as far as the platform does.
func identified(file *os.File) identity.File {
	f, err := identity.Of(file)
	if err != nil {
		return identity.File{}
	}
	return f
}

// linkToFree gives a file a second name, which nothing has, and takes the first.
func linkToFree(from, to string) error {
	if err := os.Link(from, to); err != nil {
		return err
	}
	return os.Remove(from)
}
