//go:build unix

package effects_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/docket-engine/docket/effects"
)

// realFacts are those of a project in a folder of this machine, beside which there is
// another one, and a home.
func realFacts(t *testing.T) (f effects.Facts, root string) {
	t.Helper()
	root = t.TempDir()
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	for _, dir := range []string{"project/src", "project/.git", "outside", "home/.ssh", "state"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	f = effects.Facts{
		Workspace: filepath.Join(root, "project"), Home: filepath.Join(root, "home"),
		Files: effects.OSFiles(filepath.Join(root, "project")), Engine: effects.Engine{Paths: []string{filepath.Join(root, "state")}},
	}
	return f, root
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// TestLinksAreFollowed over a real file system, to what is touched in truth.
func TestLinksAreFollowed(t *testing.T) {
	f, root := realFacts(t)
	project := f.Workspace
	link(t, "../outside", filepath.Join(project, "out"))
	link(t, filepath.Join(root, "home"), filepath.Join(project, "absolute"))
	link(t, "src", filepath.Join(project, "within"))
	link(t, "out", filepath.Join(project, "chain"))
	link(t, "../../state/keys", filepath.Join(project, "src", "notes.txt"))
	link(t, "/etc", filepath.Join(project, "settings"))
	link(t, ".git", filepath.Join(project, "innocent"))
	link(t, "loop", filepath.Join(project, "loop"))
	link(t, "nowhere", filepath.Join(project, "dangling"))
	for _, c := range []struct{ name, path, rule string }{
		{"a plain file", "src/main.go", "write-in-project"},
		{"a folder's link within the project", "within/main.go", "write-in-project"},
		{"a folder's link out of it", "out/a", "write-in-project"}, // the test's root is a temporary folder
		{"a link to the home", "absolute", "write-home"},
		{"keys behind a link to the home", "absolute/.ssh/config", "write-credentials"},
		{"dots behind a link lead where the link leads", "absolute/../state/keys", "engine-touched"},
		{"links to links", "chain/../state/keys", "engine-touched"},
		{"a file's link to the engine's own", "src/notes.txt", "engine-touched"},
		{"the system behind a link", "settings/passwd", "write-system"},
		{"metadata behind a link", "innocent/HEAD", "write-metadata"},
		{"a link to itself", "loop/a", "write-in-project"},
		{"a link to nothing", "dangling", "write-in-project"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantRule(t, answered(t, f, "write", "path", c.path, "content", "x"), c.rule)
		})
	}
}

// TestAProjectThatIsALink is worked in by its true place.
func TestAProjectThatIsALink(t *testing.T) {
	f, root := realFacts(t)
	alias := filepath.Join(root, "alias")
	link(t, f.Workspace, alias)
	f.Workspace = alias
	wantRule(t, answered(t, f, "write", "path", "src/a", "content", "x"), "write-in-project")
	wantRule(t, answered(t, f, "delete", "path", alias), "delete-workspace")
	wantRule(t, answered(t, f, "delete", "path", filepath.Join(root, "project")), "delete-workspace")
	wantRule(t, answered(t, f, "delete", "path", root), "delete-home")
}

// TestTheEngineBehindALink is the engine's by both names.
func TestTheEngineBehindALink(t *testing.T) {
	f, root := realFacts(t)
	link(t, filepath.Join(root, "state"), filepath.Join(root, "linked"))
	f.Engine.Paths = []string{filepath.Join(root, "linked")}
	for _, name := range []string{"linked/keys", "state/keys", "linked"} {
		wantRule(t, answered(t, f, "read", "path", filepath.Join(root, name)), "engine-touched")
	}
}

// TestTheViewGivesRegularFilesBelowItsRoots and nothing else.
func TestTheViewGivesRegularFilesBelowItsRoots(t *testing.T) {
	f, root := realFacts(t)
	write := func(name, text string) string {
		path := filepath.Join(root, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inside, outside, large := write("project/a.sh", "echo a\n"), write("outside/a.sh", "echo b\n"), write("project/large", strings.Repeat("x", 100))
	pipe, alias := filepath.Join(root, "project", "pipe"), filepath.Join(root, "project", "alias")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	link(t, inside, alias)
	if text, err := f.Files.ReadFile(inside, 64); err != nil || string(text) != "echo a\n" {
		t.Errorf("got %q, %v", text, err)
	}
	for what, name := range map[string]string{"outside of the roots": outside, "too long": large, "a pipe": pipe, "a link": alias, "a folder": f.Workspace, "a device": "/dev/zero", "nothing": inside + "x"} {
		if text, err := f.Files.ReadFile(name, 64); err == nil {
			t.Errorf("%s: got %q", what, text)
		}
	}
}

// TestTheViewIsBounded: beyond its bound it says so, and an analysis that meets it is
// too complex.
func TestTheViewIsBounded(t *testing.T) {
	f, _ := realFacts(t)
	for {
		if _, err := f.Files.Lstat(f.Workspace); err != nil {
			if !errors.Is(err, effects.ErrTooManyLookups) {
				t.Fatal(err)
			}
			break
		}
	}
	a := answered(t, f, "write", "path", "src/a", "content", "x")
	wantRule(t, a, "too-complex")
	if a.Decision == effects.Allow {
		t.Error("it is allowed")
	}
}
