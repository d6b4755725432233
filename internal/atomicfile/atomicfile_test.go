package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/docket-engine/docket/internal/atomicfile"
)

func wantOnly(t *testing.T, dir, name, content string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("got %v, %v, want %s alone", entries, err, name)
	}
	got, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || string(got) != content {
		t.Errorf("got %q, %v, want %q", got, err, content)
	}
}

func TestAFileIsReplacedWholeAndPrivately(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, content := range []string{"one", "two", ""} {
		if err := atomicfile.Replace(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		wantOnly(t, dir, "file", content)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("got mode %o, want 600", got)
	}
}

func TestAReplacementThatFailsLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := atomicfile.Replace(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("failed")
	err := atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write([]byte("half"))
		return errors.Join(err, failed)
	})
	if !errors.Is(err, failed) {
		t.Errorf("got %v, want the writer's error", err)
	}
	wantOnly(t, dir, "file", "old")
}

func TestAFolderInTheFilesPlaceIsAnErrorAndStays(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Replace(filepath.Join(dir, "taken"), nil); err == nil {
		t.Error("got no error where a folder stands")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || !entries[0].IsDir() {
		t.Errorf("got %v, %v, want the folder alone", entries, err)
	}
}

func TestAPathThatIsNotThereIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := atomicfile.Replace(filepath.Join(dir, "none", "file"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("replace: got %v, want fs.ErrNotExist", err)
	}
	if err := atomicfile.Sync(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("sync: got %v, want fs.ErrNotExist", err)
	}
}

func TestFilesAndFoldersAreSynced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := atomicfile.Replace(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{dir, path} {
		if err := atomicfile.Sync(p); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
}
