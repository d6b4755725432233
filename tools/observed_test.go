package tools_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/docket-engine/docket/internal/identity"
	"github.com/docket-engine/docket/tools"
)

// TestWhatACallDoesToFilesIsObserved: what was made, what was put in another file's
// place and what that was, and what is gone.
func TestWhatACallDoesToFilesIsObserved(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f")
	sum := func(text string) string {
		s := sha256.Sum256([]byte(text))
		return hex.EncodeToString(s[:])
	}
	one := func(what string, seen []tools.Observed, text string) tools.Observed {
		t.Helper()
		if len(seen) != 1 || seen[0].Path != path || seen[0].Kind != tools.KindFile || seen[0].SHA256 != text || seen[0].At.IsZero() {
			t.Fatalf("%s: got %+v", what, seen)
		}
		return seen[0]
	}
	now := func(o tools.Observed) {
		t.Helper()
		if at, err := identity.At(path); err != nil || o.File != at {
			t.Errorf("got %+v, %v there is %+v", o.File, err, at)
		}
	}
	was := func(o, made tools.Observed, text string) {
		t.Helper()
		if o.Before == nil || !o.Before.File.Is(made.File) || o.Before.SHA256 != sum(text) {
			t.Errorf("got %+v before, want what was there", o.Before)
		}
	}
	got := call(t, "write", folder, map[string]any{"path": "f", "content": "one"})
	made := one("write", got.Created, sum("one"))
	now(made)

	got = call(t, "edit", folder, map[string]any{"path": "f", "oldText": "one", "newText": "two"})
	edited := one("edit", got.Changed, sum("two"))
	now(edited)
	was(edited, made, "one")

	if err := os.WriteFile(path, []byte("a person's"), 0o600); err != nil {
		t.Fatal(err)
	}
	got = call(t, "write", folder, map[string]any{"path": "f", "content": "three"})
	written := one("write over", got.Changed, sum("three"))
	now(written)
	was(written, edited, "a person's")
	if len(got.Created)+len(got.Deleted) > 0 {
		t.Errorf("got %+v", got)
	}

	got = call(t, "delete", folder, map[string]any{"path": "f"})
	if gone := one("delete", got.Deleted, ""); !gone.Is(written.File) {
		t.Errorf("got %+v, want the file that was there", gone)
	}
}
