package effects_test

import (
	"testing"

	"github.com/docket-engine/docket/effects"
)

// TestWhatExecutesLaterIsConfigured: an edit of it is an effect of its own, also in
// the project.
func TestWhatExecutesLaterIsConfigured(t *testing.T) {
	for _, path := range []string{
		"Makefile", "GNUmakefile", "sub/rules.mk", "package.json", "web/package.json", "justfile", "Taskfile.yml", "build.gradle", "build.gradle.kts", "pom.xml", "setup.py", "pyproject.toml",
		"tests/conftest.py", "Rakefile", "Gemfile", "Dockerfile", "docker/Dockerfile.dev", "api.dockerfile", "docker-compose.override.yml", "compose.yaml", ".envrc", "tox.ini", "noxfile.py",
		"build.rs", "app.csproj", "Directory.Build.props", "CMakeLists.txt", "cmake/find.cmake", "meson.build", "x.pth", "sitecustomize.py",
		".github/workflows/ci.yml", ".github/actions/setup/action.yml", ".gitlab-ci.yml", "ci/build.gitlab-ci.yml", ".circleci/config.yml", "Jenkinsfile", "azure-pipelines.yml", ".buildkite/pipeline.yml",
		".drone.yml", ".travis.yml", "bitbucket-pipelines.yml",
		".git/hooks/pre-commit", ".git/config", ".gitattributes", ".gitmodules", ".githooks/commit-msg", ".husky/pre-commit", "lefthook.yml", ".pre-commit-config.yaml", "ops/hooks/pre-receive",
		".vscode/tasks.json", ".vscode/settings.json", ".idea/runConfigurations/x.xml", ".vim/after.vim", ".exrc", ".devcontainer/devcontainer.json", "x.code-workspace",
		".claude/settings.json", "CLAUDE.md", "AGENTS.md", "sub/AGENTS.md", ".cursor/rules/a.mdc", ".codex/config.toml", ".qwen/settings.json", "QWEN.md", "GEMINI.md", ".mcp.json", ".docket/settings.json",
		".npmrc", ".pypirc", "pip.conf", ".cargo/config.toml", ".yarnrc.yml",
		"/home/dev/.bashrc", "/home/dev/.zshenv", "/home/dev/.profile", "/home/dev/.config/fish/config.fish", "/home/dev/.gitconfig", "/home/dev/.config/git/config", "/home/dev/.netrc",
		"/home/dev/.config/autostart/x.desktop", "/home/dev/.config/systemd/user/x.service", "/home/dev/Library/LaunchAgents/com.x.plist", "/home/dev/.emacs.d/init.el",
	} {
		a := answered(t, facts(), "write", "path", path, "content", "x")
		wantRule(t, a, "runs-later")
		configured := false
		for _, e := range a.Effects {
			configured = configured || e.Kind == effects.Configure
		}
		if !configured || a.Decision == effects.Allow {
			t.Errorf("%s: got %s and %v", path, a.Decision, a.Effects)
		}
	}
}

// TestSourceFilesOnlyGetBuilt: to write one is ordinary work, whatever its name
// resembles.
func TestSourceFilesOnlyGetBuilt(t *testing.T) {
	for _, path := range []string{
		"main.go", "src/hooks/useSession.ts", "src/hooks/update.tsx", "docs/Makefile.md", "Dockerfile.md", "package-lock.json", "src/package.go", "go.mod", ".editorconfig", ".gitignore", ".env.example",
		"README.md", "docs/agents/notes.md", "lib/make.py", "tests/test_setup.py", "src/config.ts", "workflows/a.yml", "github/workflows.md", "hooks/README.md", "src/composer.ts", "src/claude.ts",
		"/tmp/scratch/Makefile", "/tmp/scratch/package.json",
	} {
		a := answered(t, facts(), "write", "path", path, "content", "x")
		if a.Decision != effects.Allow {
			t.Errorf("%s: got %s by %v", path, a.Decision, ruleIDs(a))
		}
	}
}

// TestAnEmptyFolderSaysNothing yet of what executes later, unless it is a link.
func TestAnEmptyFolderSaysNothing(t *testing.T) {
	for command, decision := range map[string]effects.Decision{
		"mkdir -p .github/workflows": effects.Allow, "mkdir .husky": effects.Allow, "mkdir -p .git/hooks": effects.Allow,
		"ln -s x .husky": effects.Review, "mkdir /etc/x": effects.Deny, "mkdir ~/x": effects.Review, "mkdir /var/lib/docket/x": effects.Deny,
	} {
		if a := answered(t, facts(), "shell", "command", command); a.Decision != decision {
			t.Errorf("%s: got %s by %v, want %s", command, a.Decision, ruleIDs(a), decision)
		}
	}
}
