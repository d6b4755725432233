package tools_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/docket-engine/docket/tools"
)

func TestReadGivesLinesAsTheyAre(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "f"), "one\n\ttwo\r\nthree")
	write(t, filepath.Join(folder, "empty"), "")
	many := strings.Repeat("x\n", 2500)
	write(t, filepath.Join(folder, "many"), many)
	wide := strings.Repeat(strings.Repeat("y", 999)+"\n", 100)
	write(t, filepath.Join(folder, "wide"), wide)
	write(t, filepath.Join(folder, "long"), "a\n"+strings.Repeat("ä", 100_000)+"\nb\n")
	for name, c := range map[string]struct {
		args map[string]any
		code tools.Code
		text string
	}{
		"whole":                {map[string]any{"path": "f"}, "", "one\n\ttwo\r\nthree"},
		"absolute":             {map[string]any{"path": filepath.Join(folder, "f"), "limit": 3}, "", "one\n\ttwo\r\nthree"},
		"first":                {map[string]any{"path": "f", "limit": 1}, "", "one\n[lines 1 to 1; go on with offset 2]"},
		"second":               {map[string]any{"path": "f", "offset": 2, "limit": 1}, "", "\ttwo\r\n[lines 2 to 2; go on with offset 3]"},
		"last":                 {map[string]any{"path": "f", "offset": 3}, "", "three"},
		"after the last":       {map[string]any{"path": "f", "offset": 4}, tools.CodeInvalidArguments, "offset is 4, which is after the last line of " + filepath.Join(folder, "f")},
		"empty":                {map[string]any{"path": "empty"}, "", ""},
		"many":                 {map[string]any{"path": "many"}, "", many[:4000] + "[lines 1 to 2000; go on with offset 2001]"},
		"the rest":             {map[string]any{"path": "many", "offset": 2001}, "", many[4000:]},
		"more than is kept":    {map[string]any{"path": "wide"}, "", wide[:65000] + "[lines 1 to 65; go on with offset 66]"},
		"and then":             {map[string]any{"path": "wide", "offset": 66}, "", wide[65000:]},
		"before a long line":   {map[string]any{"path": "long"}, "", "a\n[lines 1 to 1; go on with offset 2]"},
		"a line that is long":  {map[string]any{"path": "long", "offset": 2}, "", strings.Repeat("ä", 32<<10) + "\n[the beginning of line 2, which is longer than 65536 bytes]"},
		"what is after it":     {map[string]any{"path": "long", "offset": 3}, "", "b\n"},
		"through a link's end": {map[string]any{"path": "./sub/../f", "offset": 3}, "", "three"},
	} {
		t.Run(name, func(t *testing.T) { want(t, call(t, "read", folder, c.args), c.code, c.text) })
	}
}

func TestReadRefusesWhatIsNoTextFile(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "zero"), "a\x00b")
	write(t, filepath.Join(folder, "latin"), "a\xe4b\n")
	if err := unix.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, code := range map[string]tools.Code{
		".": tools.CodeIsFolder, "pipe": tools.CodeNotRegular, "/dev/null": tools.CodeNotRegular,
		"zero": tools.CodeBinary, "latin": tools.CodeBinary, "none": tools.CodeNotFound, "zero/x": tools.CodeFailed,
	} {
		if got := call(t, "read", folder, map[string]any{"path": path}); got.Code != code {
			t.Errorf("%s: got %q: %s, want %q", path, got.Code, got.Text, code)
		}
	}
}

func TestReadFollowsLinks(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "f"), "x")
	link(t, "f", filepath.Join(folder, "link"))
	want(t, call(t, "read", folder, map[string]any{"path": "link"}), "", "x")
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func TestWriteCreatesAFileAndItsFoldersAndSaysWhichTheyAre(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a", "b", "f")
	got := call(t, "write", folder, map[string]any{"path": "a/b/f", "content": "ä\n"})
	want(t, got, "", "created "+path+" with 3 bytes")
	var made []string
	for _, c := range got.Created {
		var stat syscall.Stat_t
		if err := syscall.Lstat(c.Path, &stat); err != nil {
			t.Fatal(err)
		}
		if c.Device != stat.Dev || c.Inode != stat.Ino || c.BirthTime == 0 {
			t.Errorf("%s is %+v, want device %d and inode %d and a time of birth", c.Path, c, stat.Dev, stat.Ino)
		}
		made = append(made, string(c.Kind)+" "+strings.TrimPrefix(c.Path, folder))
	}
	if diff := cmp.Diff([]string{"folder /a", "folder /a/b", "file /a/b/f"}, made); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"f": "ä\n"}, contents(t, filepath.Dir(path))); diff != "" {
		t.Errorf("the folder (-want +got):\n%s", diff)
	}
	if found, _ := os.Stat(path); found.Mode().Perm()&0o600 != 0o600 {
		t.Errorf("its mode is %s", found.Mode())
	}
}

func TestWriteReplacesWholeAndKeepsTheMode(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o755, 0o644, 0o4755} {
		folder := t.TempDir()
		path := filepath.Join(folder, "f")
		write(t, path, "before")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		reader, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		got := call(t, "write", folder, map[string]any{"path": "f", "content": "after it"})
		want(t, got, "", "replaced "+path+", which had 6 bytes and now has 8")
		if len(got.Created) > 0 {
			t.Errorf("it says that it created %v", got.Created)
		}
		if found, _ := os.Stat(path); found.Mode() != mode.Perm() {
			t.Errorf("the mode %s became %s", mode, found.Mode())
		}
		if diff := cmp.Diff(map[string]string{"f": "after it"}, contents(t, folder)); diff != "" {
			t.Errorf("the folder (-want +got):\n%s", diff)
		}
		held := make([]byte, 100)
		if n, _ := reader.Read(held); string(held[:n]) != "before" {
			t.Errorf("who had the file open reads %q", held[:n])
		}
		_ = reader.Close()
	}
}

func TestWriteKeepsTheOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root: nobody else can give a file away")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "f")
	write(t, path, "x")
	if err := os.Chown(path, 12, 34); err != nil {
		t.Fatal(err)
	}
	want(t, call(t, "write", folder, map[string]any{"path": "f", "content": "y"}), "", "replaced "+path+", which had 1 bytes and now has 1")
	var stat syscall.Stat_t
	if err := syscall.Stat(path, &stat); err != nil || stat.Uid != 12 || stat.Gid != 34 {
		t.Errorf("the owner is %d:%d, %v", stat.Uid, stat.Gid, err)
	}
}

func TestNothingIsWrittenThroughALinkNorIntoWhatIsNoFile(t *testing.T) {
	folder, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "target"), "kept")
	link(t, filepath.Join(outside, "target"), filepath.Join(folder, "link"))
	link(t, filepath.Join(outside, "new"), filepath.Join(folder, "dangling"))
	if err := os.Mkdir(filepath.Join(folder, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, code := range map[string]tools.Code{
		"link": tools.CodeIsLink, "dangling": tools.CodeIsLink, "sub": tools.CodeIsFolder, "pipe": tools.CodeNotRegular,
	} {
		if got := call(t, "write", folder, map[string]any{"path": path, "content": "x"}); got.Code != code {
			t.Errorf("write %s: got %q: %s, want %q", path, got.Code, got.Text, code)
		}
		if got := call(t, "edit", folder, map[string]any{"path": path, "oldText": "kept", "newText": "x"}); got.Code != code {
			t.Errorf("edit %s: got %q: %s, want %q", path, got.Code, got.Text, code)
		}
	}
	if diff := cmp.Diff(map[string]string{"target": "kept"}, contents(t, outside)); diff != "" {
		t.Errorf("outside (-want +got):\n%s", diff)
	}
	got := call(t, "write", folder, map[string]any{"path": "link", "content": "x"})
	if !strings.Contains(got.Text, filepath.Join(outside, "target")) {
		t.Errorf("it does not name the file itself: %s", got.Text)
	}
}

func TestWriteRefusesWhatIsTooLargeOrCannotBe(t *testing.T) {
	folder := t.TempDir()
	got := call(t, "write", folder, map[string]any{"path": "f", "content": strings.Repeat("x", 5<<20)})
	want(t, got, tools.CodeTooLarge, "content has 5242880 bytes, 4194304 are the most")
	write(t, filepath.Join(folder, "f"), "x")
	if got := call(t, "write", folder, map[string]any{"path": "f/g", "content": ""}); got.Code != tools.CodeFailed {
		t.Errorf("got %q: %s", got.Code, got.Text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got = callIn(ctx, t, "write", tools.Env{CWD: folder}, map[string]any{"path": "f", "content": "y"})
	want(t, got, tools.CodeAborted, "cancelled before anything was written")
	if diff := cmp.Diff(map[string]string{"f": "x"}, contents(t, folder)); diff != "" {
		t.Errorf("the folder (-want +got):\n%s", diff)
	}
	got = callIn(t.Context(), t, "write", tools.Env{CWD: "relative"}, map[string]any{"path": "f", "content": "y"})
	want(t, got, tools.CodeInvalidArguments, `path cannot be found: the session's folder "relative" is not absolute`)
}

func TestEditReplacesExactlyOnePlaceOrAll(t *testing.T) {
	for name, c := range map[string]struct {
		before, old, new string
		all              bool
		code             tools.Code
		text, after      string
	}{
		"one":                {"a b c", "b", "x", false, "", "edited %s in one place", "a x c"},
		"lines":              {"a\n\tb\r\nc", "\tb\r\n", "", false, "", "edited %s in one place", "a\nc"},
		"none":               {"a b c", "B", "x", false, tools.CodeTextNotFound, "oldText is not in %s", "a b c"},
		"two":                {"a b b", "b", "x", false, tools.CodeTextNotUnique, "oldText is in %s 2 times: give more of the text around it, or set replaceAll", "a b b"},
		"all":                {"a b b", "b", "bb", true, "", "edited %s in 2 places", "a bb bb"},
		"all of one":         {"a b", "b", "x", true, "", "edited %s in one place", "a x"},
		"all of none":        {"a", "b", "x", true, tools.CodeTextNotFound, "oldText is not in %s", "a"},
		"too large":          {strings.Repeat("a", 9000), "a", strings.Repeat("b", 1000), true, tools.CodeTooLarge, "%s would have more than 4194304 bytes", strings.Repeat("a", 9000)},
		"binary":             {"a\x00b", "b", "x", false, tools.CodeBinary, "%s is not a text file in UTF-8", "a\x00b"},
		"too large to begin": {strings.Repeat("a", 4<<20) + "b", "b", "x", false, tools.CodeTooLarge, "%s has more than 4194304 bytes", strings.Repeat("a", 4<<20) + "b"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "f")
			write(t, path, c.before)
			got := call(t, "edit", folder, map[string]any{"path": "f", "oldText": c.old, "newText": c.new, "replaceAll": c.all})
			want(t, got, c.code, fmt.Sprintf(c.text, path))
			if found := contents(t, folder); len(found) != 1 || found["f"] != c.after {
				t.Errorf("the folder holds %.100v", found)
			}
		})
	}
	if got := call(t, "edit", t.TempDir(), map[string]any{"path": "f", "oldText": "a", "newText": "b"}); got.Code != tools.CodeNotFound {
		t.Errorf("got %q: %s", got.Code, got.Text)
	}
}

func TestDeleteTakesOneNameAndNeverMore(t *testing.T) {
	folder, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "kept"), "x")
	for _, name := range []string{"empty", "full"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(folder, "full", "f"), "x")
	write(t, filepath.Join(folder, "file"), "x")
	link(t, filepath.Join(outside, "kept"), filepath.Join(folder, "link"))
	link(t, outside, filepath.Join(folder, "linked"))
	link(t, "nowhere", filepath.Join(folder, "dangling"))
	if err := unix.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		code tools.Code
		text string
	}{
		{"file", "", "deleted the file " + filepath.Join(folder, "file")},
		{"file", tools.CodeNotFound, ""},
		{"link", "", "deleted the symbolic link " + filepath.Join(folder, "link")},
		{"linked/", "", "deleted the symbolic link " + filepath.Join(folder, "linked")},
		{"dangling", "", "deleted the symbolic link " + filepath.Join(folder, "dangling")},
		{"empty", "", "deleted the empty folder " + filepath.Join(folder, "empty")},
		{"full", tools.CodeNotEmpty, filepath.Join(folder, "full") + " is a folder that is not empty"},
		{"pipe", tools.CodeNotRegular, ""},
		{folder, tools.CodeInvalidArguments, "path is the session's folder, which is not deleted"},
		{"full/..", tools.CodeInvalidArguments, "path is the session's folder, which is not deleted"},
	} {
		got := call(t, "delete", folder, map[string]any{"path": c.path})
		if got.Code != c.code || c.text != "" && got.Text != c.text {
			t.Errorf("delete %s: got %q: %s, want %q: %s", c.path, got.Code, got.Text, c.code, c.text)
		}
	}
	left := map[string]string{"full": fs.ModeDir.String(), "pipe": fs.ModeNamedPipe.String()}
	if diff := cmp.Diff(left, contents(t, folder)); diff != "" {
		t.Errorf("the folder (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"kept": "x"}, contents(t, outside)); diff != "" {
		t.Errorf("outside (-want +got):\n%s", diff)
	}
}
