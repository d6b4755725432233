package identity_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/identity"
)

const text = "what the session wrote\n"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// left writes a file and says what an executor would say of it, observed a while after
// the change.
func left(t *testing.T, name string, content []byte, after time.Duration) events.Artifact {
	t.Helper()
	must(t, os.WriteFile(name, content, 0o600))
	f, err := identity.At(name)
	must(t, err)
	sum := sha256.Sum256(content)
	return events.Artifact{
		Path: name, Device: f.Device, Inode: f.Inode, BirthTime: f.BirthTime, Kind: events.ArtifactFile, Change: events.ArtifactCreated,
		SHA256: hex.EncodeToString(sum[:]), Size: f.Size, ChangeTime: f.ChangeTime, ObservedAt: f.ChangeTime + int64(after),
	}
}

// TestAFileIsWhatTheSessionLeft, or it is not: by its identity and its bytes.
func TestAFileIsWhatTheSessionLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux, where files are told apart")
	}
	other := []byte("what a person wrote....\n")[:len(text)]
	for name, c := range map[string]struct {
		change func(t *testing.T, a *events.Artifact)
		want   bool
	}{
		"as it was left":                 {func(*testing.T, *events.Artifact) {}, true},
		"touched, with the same bytes":   {func(t *testing.T, a *events.Artifact) { must(t, os.WriteFile(a.Path, []byte(text), 0o600)) }, true},
		"its mode was changed":           {func(t *testing.T, a *events.Artifact) { must(t, os.Chmod(a.Path, 0o400)) }, true},
		"edited, as long as before":      {func(t *testing.T, a *events.Artifact) { must(t, os.WriteFile(a.Path, other, 0o600)) }, false},
		"edited, with its time set back": {editedAndSetBack(other), false},
		"longer":                         {func(t *testing.T, a *events.Artifact) { must(t, os.WriteFile(a.Path, append(other, 'x'), 0o600)) }, false},
		"gone":                           {func(t *testing.T, a *events.Artifact) { must(t, os.Remove(a.Path)) }, false},
		"replaced by the same bytes":     {replaced(text), false},
		"replaced by an editor":          {replaced(string(other)), false},
		"a folder":                       {func(t *testing.T, a *events.Artifact) { must(t, os.Remove(a.Path)); must(t, os.Mkdir(a.Path, 0o700)) }, false},
		"a link to it": {func(t *testing.T, a *events.Artifact) {
			must(t, os.Rename(a.Path, a.Path+".2"))
			must(t, os.Symlink(a.Path+".2", a.Path))
		}, false},
		"moved away and back": {func(t *testing.T, a *events.Artifact) {
			must(t, os.Rename(a.Path, a.Path+".2"))
			must(t, os.Rename(a.Path+".2", a.Path))
		}, true},
		"a folder was observed":            {func(_ *testing.T, a *events.Artifact) { a.Kind = events.ArtifactFolder }, false},
		"its bytes were not observed":      {func(_ *testing.T, a *events.Artifact) { a.SHA256 = "" }, false},
		"its birth was not observed":       {func(_ *testing.T, a *events.Artifact) { a.BirthTime = 0 }, false},
		"other bytes were observed":        {func(_ *testing.T, a *events.Artifact) { a.SHA256 = hex.EncodeToString(make([]byte, 32)) }, false},
		"another birth, as of a new inode": {func(_ *testing.T, a *events.Artifact) { a.BirthTime-- }, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := left(t, filepath.Join(t.TempDir(), "a.txt"), []byte(text), 0)
			c.change(t, &a)
			if got := identity.Same(a); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func editedAndSetBack(content []byte) func(*testing.T, *events.Artifact) {
	return func(t *testing.T, a *events.Artifact) {
		before, err := os.Stat(a.Path)
		must(t, err)
		must(t, os.WriteFile(a.Path, content, 0o600))
		must(t, os.Chtimes(a.Path, before.ModTime(), before.ModTime()))
	}
}

func replaced(content string) func(*testing.T, *events.Artifact) {
	return func(t *testing.T, a *events.Artifact) {
		must(t, os.WriteFile(a.Path+".new", []byte(content), 0o600))
		must(t, os.Rename(a.Path+".new", a.Path))
	}
}

// TestWhatNothingHasTouchedIsNotRead: the change time tells, unless it lies too near to
// the observation. What is too large to be read is then not proven.
func TestWhatNothingHasTouchedIsNotRead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux, where files are told apart")
	}
	for name, c := range map[string]struct {
		size  int64
		after time.Duration
		want  bool
	}{
		"long after the change":            {10, time.Second, true},
		"within 10 ms":                     {10, 10 * time.Millisecond, false},
		"before it, as clocks may have it": {10, -time.Second, false},
		"large, long after the change":     {identity.HashLimit + 1, time.Second, true},
		"large, within 10 ms":              {identity.HashLimit + 1, time.Millisecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.txt")
			must(t, os.WriteFile(path, nil, 0o600))
			must(t, os.Truncate(path, c.size))
			f, err := identity.At(path)
			must(t, err)
			a := events.Artifact{
				Path: path, Device: f.Device, Inode: f.Inode, BirthTime: f.BirthTime, Kind: events.ArtifactFile, SHA256: "not read",
				Size: f.Size, ChangeTime: f.ChangeTime, ObservedAt: f.ChangeTime + int64(c.after),
			}
			if got := identity.Same(a); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
