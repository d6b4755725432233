package effects_test

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

// jsonObject makes a tool's arguments out of names and values, in turn.
func jsonObject(t testing.TB, members ...any) jsontext.Value {
	t.Helper()
	object := map[string]any{}
	for i := 0; i < len(members); i += 2 {
		object[members[i].(string)] = members[i+1]
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// answered is the answer to a call of a tool.
func answered(t testing.TB, f effects.Facts, tool string, members ...any) effects.Answer {
	t.Helper()
	return effects.Analyze(effects.Call{Tool: tool, Arguments: jsonObject(t, members...)}, f)
}

func ruleIDs(a effects.Answer) []string {
	var ids []string
	for _, f := range a.Findings {
		ids = append(ids, f.Rule)
	}
	return ids
}

func wantRule(t *testing.T, a effects.Answer, rule string) {
	t.Helper()
	for _, f := range a.Findings {
		if f.Rule == rule {
			return
		}
	}
	t.Errorf("got %v, want %s", ruleIDs(a), rule)
}

// TestWhereAFileLiesDecides which rule speaks about a write of it.
func TestWhereAFileLiesDecides(t *testing.T) {
	project := effects.Facts{Workspace: "/workspace/demo", Home: "/home/dev"}
	for _, c := range []struct {
		name  string
		facts effects.Facts
		path  string
		rule  string
	}{
		{"a file of the project", project, "src/main.go", "write-in-project"},
		{"a neighbour whose name begins like the project's", project, "/workspace/demo-2/a", "write-outside"},
		{"dots lead out of the project", project, "src/../../other/a", "write-outside"},
		{"dots lead out and in again", project, "../demo/a", "write-in-project"},
		{"another spelling of the project is none on a file system with case", project, "/workspace/Demo/a", "write-outside"},
		{"a system folder in another spelling", project, "/ETC/passwd", "write-system"},
		{"keys in another spelling", project, "/home/dev/.SSH/config", "write-credentials"},
		{"keys spelled with a long s", project, "/home/dev/.\u017f\u017fh/config", "write-credentials"},
		{"somebody else's keys", project, "/home/user/.ssh/authorized_keys", "write-credentials"},
		{"the home folder", project, "/home/dev", "write-home"},
		{"a file in the home folder", project, "/home/dev/notes.txt", "write-outside"},
		{"what holds the home folder", project, "/home", "write-home"},
		{"the root", project, "/", "write-system"},
		{"through /proc to the root", project, "/proc/self/root/etc/passwd", "write-system"},
		{"through /proc to the folder", project, "/proc/self/cwd/../../etc/passwd", "write-system"},
		{"through /proc into the project", project, "/proc/self/cwd/a", "write-in-project"},
		{"a temporary file", project, "/tmp/a", "write-in-project"},
		{"a home below the folder of all temporary files", effects.Facts{Workspace: "/tmp/w", Home: "/tmp/h"}, "/tmp/h", "write-home"},
		{"a project below the home folder", effects.Facts{Workspace: "/home/dev/p", Home: "/home/dev"}, "/home/dev/p/a", "write-in-project"},
		{"a file beside a project in the home folder", effects.Facts{Workspace: "/home/dev/p", Home: "/home/dev"}, "/home/dev/q", "write-outside"},
		{"a home that is the project may be worked in", effects.Facts{Workspace: "/home/dev", Home: "/home/dev"}, "/home/dev/a", "write-in-project"},
		{"keys in a home that is the project", effects.Facts{Workspace: "/home/dev", Home: "/home/dev"}, "/home/dev/.ssh/config", "write-credentials"},
		{"above a home that is the project", effects.Facts{Workspace: "/home/dev", Home: "/home/dev"}, "/home/user", "write-outside"},
		{"a project that is the root is none", effects.Facts{Workspace: "/", Home: "/home/dev"}, "/a", "write-outside"},
		{"the system under a project that is the root", effects.Facts{Workspace: "/", Home: "/home/dev"}, "/etc/hosts", "write-system"},
		{"a project that holds the home is none", effects.Facts{Workspace: "/home", Home: "/home/dev"}, "/home/dev/a", "write-outside"},
		{"a project in the system's settings is none", effects.Facts{Workspace: "/etc/nginx", Home: "/home/dev"}, "/etc/nginx/nginx.conf", "write-system"},
		{"a project where servers keep theirs", effects.Facts{Workspace: "/var/www/site", Home: "/home/dev"}, "/var/www/site/index.html", "write-in-project"},
		{"no project at all", effects.Facts{Home: "/home/dev"}, "/workspace/demo/a", "write-outside"},
		{"no project and no root to start from", effects.Facts{}, "a", "write-outside"},
		{"a project named like a place of agents", effects.Facts{Workspace: "/home/dev/p/.claude/worktrees/x", Home: "/home/dev"}, "main.go", "write-in-project"},
		{"temporary files of macOS", effects.Facts{Workspace: "/Users/dev/p", Home: "/Users/dev", Platform: "darwin"}, "/private/var/folders/zz/T/a", "write-in-project"},
		{"the system of macOS by its true name", effects.Facts{Workspace: "/Users/dev/p", Home: "/Users/dev", Platform: "darwin"}, "/private/etc/hosts", "write-system"},
		{"the library of macOS", effects.Facts{Workspace: "/Users/dev/p", Home: "/Users/dev", Platform: "darwin"}, "/Library/Extensions/a", "write-system"},
		{"a drive of Windows as Linux sees it", project, "/mnt/c/Windows/System32/drivers/etc/hosts", "write-system"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantRule(t, answered(t, c.facts, "write", "path", c.path, "content", "x"), c.rule)
		})
	}
}

// TestPathsOfWindows are read as Windows reads them.
func TestPathsOfWindows(t *testing.T) {
	f := effects.Facts{Workspace: `C:\Users\dev\demo`, Home: `C:\Users\dev`, Platform: "windows"}
	for _, c := range []struct{ name, path, rule string }{
		{"a file of the project", `src\main.go`, "write-in-project"},
		{"with the other slash", `src/main.go`, "write-in-project"},
		{"with its drive", `C:\Users\dev\demo\a.txt`, "write-in-project"},
		{"the drive in a small letter, the folder in capitals", `c:\USERS\dev\DEMO\a.txt`, "write-in-project"},
		{"another drive", `D:\Users\dev\demo\a.txt`, "write-outside"},
		{"dots lead out", `..\..\..\Windows\a.dll`, "write-system"},
		{"the system", `C:\Windows\System32\a.dll`, "write-system"},
		{"the system by a short name", `C:\PROGRA~1\App\a.dll`, "write-system"},
		{"a short name that may be anything", `C:\DOCUME~1\a.txt`, "path-device"},
		{"dots at an end are ignored", `C:\Windows.\a.dll`, "write-system"},
		{"blanks at an end are ignored", `C:\Users\dev\.ssh \config`, "write-credentials"},
		{"a drive without a folder", `C:a.txt`, "path-device"},
		{"the namespace of devices", `\\.\PhysicalDrive0`, "path-device"},
		{"the namespace of files", `\\?\C:\Windows\a.dll`, "path-device"},
		{"the namespace of the kernel", `\??\C:\a`, "path-device"},
		{"another machine", `\\server\share\a`, "path-device"},
		{"a device's name", `src\con`, "path-device"},
		{"a device's name with an ending", `COM1.txt`, "path-device"},
		{"a device's name with a blank", `lpt9 .txt`, "path-device"},
		{"a stream of a file", `a.txt:hidden`, "path-device"},
		{"the root of a drive", `C:\`, "write-system"},
		{"the home folder", `C:\Users\dev`, "write-home"},
		{"as shells on Windows have it", `/c/Users/dev/demo/a.txt`, "write-in-project"},
		{"keys", `C:\Users\dev\.aws\credentials`, "write-credentials"},
		{"what starts with the session", `C:\Users\dev\AppData\Roaming\Microsoft\Windows\Start Menu\Programs\Startup\a.cmd`, "runs-later"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantRule(t, answered(t, f, "write", "path", c.path, "content", "x"), c.rule)
		})
	}
	wantRule(t, answered(t, f, "write", "path", "nul", "content", "x"), "write-in-project") // as a file: nothing is kept
}

// TestPathsThatReadOtherwiseThanTheyStand are looked at by somebody.
func TestPathsThatReadOtherwiseThanTheyStand(t *testing.T) {
	for _, path := range []string{
		"~/notes.txt", "$HOME/a", "%USERPROFILE%/a", "file:///etc/passwd", "a\x00b", "a\x1bb", "src/\u202egnp.exe", ".g\u200cit/config", "a\u00a0b", "https://example.com/a",
	} {
		a := answered(t, facts(), "write", "path", path, "content", "x")
		wantRule(t, a, "path-strange")
		if a.Decision == effects.Allow {
			t.Errorf("%q is allowed", path)
		}
	}
}
