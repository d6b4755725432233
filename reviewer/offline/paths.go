package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects/secrets"
)

// resolve gives the path from the root. It knows no links: it is a matter of
// spelling alone.
func resolve(base, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(base, name)
}

// within reports whether a clean path is below a folder, and not the folder.
func within(folder, name string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/") && name != folder
}

// placeRule is the rule by which a path is not an ordinary one of the project;
// empty where it is. Reading and changing differ in what runs later.
func placeRule(cwd, name string, changes bool) string {
	// What the folders above the project are called says nothing about its files.
	inside := strings.TrimPrefix(strings.TrimPrefix(name, cwd), "/")
	switch {
	case strings.ContainsFunc(name, strange) || strings.ContainsAny(name, "\t\n"):
		return "path-strange"
	case name != cwd && !within(cwd, name), systemFolder(cwd):
		return "path-outside"
	case underGit(name):
		return "path-git"
	case secretPath(inside), slices.ContainsFunc(parts(cwd), secretFolder):
		return "path-secret"
	case changes && name == cwd:
		return "path-strange"
	case changes && runsLater(inside):
		return "path-runs-later"
	default:
		return ""
	}
}

// systemFolder reports whether a session's folder is no project: everything, or
// what the system is made of.
func systemFolder(cwd string) bool {
	if cwd == "/" {
		return true
	}
	switch strings.Split(cwd, "/")[1] {
	case "bin", "boot", "dev", "etc", "lib", "lib64", "proc", "run", "sbin", "sys", "usr":
		return true
	}
	return false
}

// parts are a path's names in lower case: some file systems see no difference.
func parts(name string) []string { return strings.Split(strings.ToLower(name), "/") }

func underGit(name string) bool {
	return slices.ContainsFunc(parts(name), func(p string) bool { return p == ".git" || p == ".hg" || p == ".svn" || strings.HasSuffix(p, ".git") })
}

// secretPath reports whether a path is spelled like one that holds secrets.
func secretPath(name string) bool {
	_, known := secrets.Path(name)
	return known || slices.ContainsFunc(parts(name), secretName)
}

// secretFolder reports whether a folder is one in which programs keep secrets: no
// session works there.
func secretFolder(p string) bool {
	switch p {
	case ".ssh", ".aws", ".azure", ".gcloud", ".kube", ".docker", ".gnupg", ".config", ".docket":
		return true
	}
	return false
}

func secretName(p string) bool {
	switch p {
	case ".npmrc", ".yarnrc", ".netrc", "_netrc", ".pypirc", ".pgpass",
		".git-credentials", ".htpasswd", ".vault-token", "shadow", "kubeconfig", ".envrc", "environ":
		return true
	}
	if secretFolder(p) {
		return true
	}
	switch path.Ext(p) {
	case ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".gpg", ".creds", ".nk", ".seed", ".env", ".tfstate", ".tfvars":
		return true
	case ".go", ".md", ".py", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".java", ".kt", ".rs", ".c", ".h", ".cc", ".cpp", ".css", ".html": // sources about secrets hold none
		return strings.HasPrefix(p, ".env")
	}
	for _, s := range []string{"secret", "credential", "password", "passwd", "token", "apikey", "api_key", "api-key", "private_key", "private-key"} {
		if strings.Contains(p, s) {
			return true
		}
	}
	return strings.HasPrefix(p, ".env") || strings.HasPrefix(p, "id_")
}

// runsLater reports whether something will execute what a file says without
// being asked to: builds, hooks, continuous integration, editors, shells.
func runsLater(name string) bool {
	all := parts(name)
	for _, p := range all[:len(all)-1] {
		switch p {
		case ".github", ".gitlab", ".circleci", ".husky", ".githooks", "hooks", ".vscode", ".idea", ".devcontainer", ".cargo", ".claude", ".codex",
			".cursor", ".gemini", ".qwen", ".opencode", "node_modules", "vendor", ".venv", "venv", "bin":
			return true
		}
	}
	last := all[len(all)-1]
	switch last {
	case "makefile", "gnumakefile", "package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "go.mod", "go.sum", "go.work", "cargo.toml",
		"build.rs", "setup.py", "setup.cfg", "pyproject.toml", "conftest.py", "pytest.ini", "tox.ini", "noxfile.py", "sitecustomize.py",
		"usercustomize.py", "dockerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yaml", "compose.yml", "jenkinsfile", "rakefile",
		"gemfile", "justfile", "taskfile.yml", "gulpfile.js", "gruntfile.js", "cmakelists.txt", "build.gradle", "build.gradle.kts", "pom.xml",
		"crontab", "agents.md", "claude.md", "gemini.md", "qwen.md", ".mcp.json", "tools.mod", "configure", "install", "vagrantfile", "procfile", "gradlew", "mvnw":
		return true
	}
	switch path.Ext(last) {
	case ".mk", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd", ".service", ".timer", ".pth", ".desktop", ".plist":
		return true
	}
	return strings.HasPrefix(last, ".") || strings.Contains(last, ".config.")
}
