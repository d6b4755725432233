package permit_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/docket-engine/docket/permit"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFilesAreComparedBeforeTheBodyStarts, whatever stands at their place by then.
func TestFilesAreComparedBeforeTheBodyStarts(t *testing.T) {
	const text = "echo hello\n"
	sum := sha256.Sum256([]byte(text))
	for what, c := range map[string]struct {
		change func(name string)
		same   bool
	}{
		"as it was":              {func(string) {}, true},
		"written anew":           {func(name string) { write(t, name, text) }, true},
		"other bytes":            {func(name string) { write(t, name, "echo adieu\n") }, false},
		"less":                   {func(name string) { write(t, name, "echo") }, false},
		"more":                   {func(name string) { write(t, name, text+"x") }, false},
		"gone":                   {func(name string) { _ = os.Remove(name) }, false},
		"a folder":               {func(name string) { _ = os.Remove(name); _ = os.Mkdir(name, 0o700) }, false},
		"a link to other bytes":  {func(name string) { _ = os.Remove(name); write(t, name+".2", "x"); _ = os.Symlink(name+".2", name) }, false},
		"a link to the same one": {func(name string) { _ = os.Rename(name, name+".2"); _ = os.Symlink(name+".2", name) }, true},
	} {
		t.Run(what, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "build.sh")
			write(t, name, text)
			p := permit.Permit{Files: []permit.File{{Path: name, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(text))}}}
			c.change(name)
			if err := p.CheckFiles(); (err == nil) != c.same || err != nil && !errors.Is(err, permit.ErrFileChanged) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestAPermitWithoutFilesComparesNothing: most calls execute none.
func TestAPermitWithoutFilesComparesNothing(t *testing.T) {
	if err := (permit.Permit{}).CheckFiles(); err != nil {
		t.Error(err)
	}
}
