package offline

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/docket-engine/docket/effects"
)

// inFolder judges a scene in a real folder, with a view of it.
func inFolder(t *testing.T, dir string, s *scene) verdict {
	t.Helper()
	s.cwd = dir
	r, err := parseRequest(s.prompt(t))
	if err != nil {
		t.Fatal(err)
	}
	c := known
	c.Files = func(workspace string) effects.FileSystem { return effects.OSFiles(workspace) }
	r.facts = c.facts(r.cwd)
	return judge(r)
}

func realFolder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLinksAndScriptsAreSeenOnlyWithAView(t *testing.T) {
	dir := realFolder(t)
	outside := realFolder(t)
	put(t, outside, "id_rsa", "x")
	if err := os.Symlink(filepath.Join(outside, "id_rsa"), filepath.Join(dir, "plan.md")); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "list.sh", "ls docs\n")
	put(t, dir, "wipe.sh", "rm -rf /\n")
	for command, want := range map[string]struct{ seen, unseen, risk string }{
		"cat plan.md":  {deny, allow, medium},
		"bash list.sh": {allow, deny, low},
		"bash wipe.sh": {deny, deny, high},
	} {
		if got := inFolder(t, dir, newScene().shell(command)); got.decision != want.seen || got.risk != want.risk {
			t.Errorf("%s: got %v with a view, want %s with %s risk", command, got, want.seen, want.risk)
		}
		s := newScene().shell(command)
		s.cwd = dir
		if got := s.judged(t); got.decision != want.unseen {
			t.Errorf("%s: got %v without a view, want %s", command, got, want.unseen)
		}
	}
}

func TestTheEnginesOwnIsOutOfReachByItsConfig(t *testing.T) {
	for _, command := range []string{"cat /var/lib/docket/keys", "engine session list", "echo $DOCKET_CREDS"} {
		if got := newScene().human("Run `" + command + "`.").shell(command).judged(t); got.decision != deny {
			t.Errorf("%s: got %v, want a denial", command, got)
		}
	}
}
