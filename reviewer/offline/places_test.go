package offline

import "testing"

// TestFoldersAboveTheProjectSayNothingOfItsFiles but for those in which programs
// keep secrets, and a repository's own.
func TestFoldersAboveTheProjectSayNothingOfItsFiles(t *testing.T) {
	for _, c := range []struct {
		cwd, name string
		want      string
	}{
		{"/srv/bin/demo", "/srv/bin/demo/main.go", ""},
		{"/srv/vendor/hooks/demo", "/srv/vendor/hooks/demo/docs/a.md", ""},
		{"/srv/token-service", "/srv/token-service/list.csv", ""},
		{"/srv/bin/demo", "/srv/bin/demo/bin/tool", "path-runs-later"},
		{"/srv/token-service", "/srv/token-service/tokens.csv", "path-secret"},
		{"/home/dev/.ssh", "/home/dev/.ssh/config.txt", "path-secret"},
		{"/home/dev/.config/app", "/home/dev/.config/app/a.md", "path-secret"},
		{"/srv/demo.git", "/srv/demo.git/a.md", "path-git"},
		{"/srv/demo", "/srv/demon/a.md", "path-outside"},
		{"/srv/demo", "/srv/demo", "path-strange"},
	} {
		if got := placeRule(c.cwd, c.name, true); got != c.want {
			t.Errorf("%s in %s: got %q, want %q", c.name, c.cwd, got, c.want)
		}
	}
}
