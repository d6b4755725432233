package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/identity"
	"github.com/docket-engine/docket/permit"
)

// TestWhatIsDeletedAsTheSessionsOwnIsComparedBeforeTheBody: a person may change it
// behind the review.
func TestWhatIsDeletedAsTheSessionsOwnIsComparedBeforeTheBody(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux, where files are told apart")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.txt")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("mine")
	f, err := identity.At(path)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := identity.Hash(path, f)
	if err != nil {
		t.Fatal(err)
	}
	made := events.Artifact{Path: path, Device: f.Device, Inode: f.Inode, BirthTime: f.BirthTime, Kind: events.ArtifactFile, SHA256: sum, Size: f.Size}
	ask := func(tool, arguments string) []events.ExecutedFile {
		s := &store{home: dir}
		return s.evidence()(engine.PendingCall{Name: tool, Arguments: jsontext.Value(arguments), CWD: dir, Made: []events.Artifact{made}})
	}
	for name, call := range map[string][2]string{
		"a tool":    {"delete", `{"path":"a.txt"}`},
		"a command": {"shell", `{"command":"rm a.txt"}`},
	} {
		got := ask(call[0], call[1])
		if len(got) != 1 || got[0].Path != path || got[0].SHA256 != sum || got[0].Size != f.Size {
			t.Fatalf("%s: got %+v, want the file", name, got)
		}
		p := permit.Permit{Files: []permit.File{{Path: path, SHA256: sum, Size: f.Size}}}
		if err := p.CheckFiles(); err != nil {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if got := ask("read", `{"path":"a.txt"}`); len(got) != 0 {
		t.Errorf("a reading: got %+v", got)
	}
	write("hers")
	p := permit.Permit{Files: []permit.File{{Path: path, SHA256: sum, Size: f.Size}}}
	if err := p.CheckFiles(); !errors.Is(err, permit.ErrFileChanged) {
		t.Errorf("got %v, want that it has changed", err)
	}
	if got := ask("delete", `{"path":"a.txt"}`); len(got) != 0 {
		t.Errorf("what a person has changed: got %+v", got)
	}
}
