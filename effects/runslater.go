package effects

import (
	"path"
	"strings"
)

// runsLater reports whether something executes, by itself and later, what a file
// says: a build, a shell that starts, an editor that opens the folder, the agent
// itself. A source file that is only compiled is none of these.
func runsLater(name string) bool {
	lower := asciiFold(name)
	base := path.Base(lower)
	if laterFiles[base] || laterBeginning(base) || laterEnd(base) {
		return true
	}
	return laterPlace(lower, base)
}

// laterFiles are whole names of files, wherever they lie.
var laterFiles = nameSet(
	// builds and tests
	"makefile gnumakefile bsdmakefile makefile.am makefile.in makefile.inc makefile.common makefile.local configure configure.ac configure.in",
	"justfile .justfile taskfile.yml taskfile.yaml taskfile.dist.yml taskfile.dist.yaml rakefile rakefile.rb gemfile thorfile guardfile capfile fastfile podfile brewfile",
	"build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle gradle.properties gradlew gradlew.bat gradle-wrapper.properties",
	"pom.xml mvnw mvnw.cmd build.xml build.sbt build.sc build.mill package.json composer.json mix.exs rebar.config package.swift build.zig build.rs",
	"setup.py setup.cfg pyproject.toml conftest.py tox.ini noxfile.py pytest.ini fabfile.py tasks.py dodo.py pavement.py sitecustomize.py usercustomize.py",
	"sconstruct sconscript wscript meson.build cmakelists.txt cmakepresets.json build.ninja build.bazel module.bazel workspace.bazel .bazelrc",
	"gulpfile.js gulpfile.ts gulpfile.mjs gruntfile.js jakefile.js .pnpmfile.cjs snakefile earthfile tiltfile vagrantfile berksfile procfile skaffold.yaml",
	"dockerfile containerfile flake.nix shell.nix default.nix devbox.json devenv.nix directory.build.props directory.build.targets nuget.config",
	// continuous integration
	"jenkinsfile .gitlab-ci.yml .gitlab-ci.yaml bitbucket-pipelines.yml .travis.yml .travis.yaml .drone.yml .drone.yaml .drone.star .drone.jsonnet",
	"appveyor.yml .appveyor.yml cloudbuild.yaml cloudbuild.yml cloudbuild.json buildspec.yml buildspec.yaml .cirrus.yml .cirrus.star codefresh.yml wercker.yml",
	".woodpecker.yml .woodpecker.yaml action.yml action.yaml .goreleaser.yml .goreleaser.yaml .semaphore.yml netlify.toml vercel.json",
	// version control and its hooks
	".gitattributes .gitmodules .gitconfig .hgrc .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .overcommit.yml",
	"lefthook.yml lefthook.yaml lefthook.toml lefthook.json .lefthook.yml .lefthook.yaml lefthook-local.yml lefthook-local.yaml",
	// what shells and other programs read when they start
	".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout",
	".inputrc .xinitrc .xprofile .xsession .xsessionrc .xserverrc config.fish .envrc .direnvrc mise.toml .mise.toml .tool-versions crontab .crontab rc.local",
	".vimrc .nvimrc .exrc .gvimrc .emacs init.el .dir-locals.el .gdbinit .lldbinit .screenrc .tmux.conf .irbrc .pryrc .psqlrc .sqliterc .mongorc.js .mongoshrc.js",
	".pythonrc .pythonrc.py .pdbrc .rprofile .renviron .perldb .mailcap .curlrc .wgetrc .npmrc .yarnrc .yarnrc.yml bunfig.toml .pypirc pip.conf pip.ini .condarc .gemrc .netrc _netrc",
	"authorized_keys authorized_keys2 sudoers ld.so.preload ld.so.conf hosts.equiv .rhosts .shosts .pam_environment .dockercfg",
	// editors and agents
	"claude.md claude.local.md agents.md agents.override.md agent.md qwen.md gemini.md skill.md copilot-instructions.md .claude.json .mcp.json mcp.json",
	".cursorrules .windsurfrules .clinerules .roorules .roomodes .goosehints .aider.conf.yml opencode.json opencode.jsonc crush.json .crush.json .devcontainer.json",
)

func nameSet(lines ...string) map[string]bool {
	set := map[string]bool{}
	for _, l := range lines {
		for name := range strings.FieldsSeq(l) {
			set[name] = true
		}
	}
	return set
}

// laterBeginning finds families of files by how their names begin.
func laterBeginning(base string) bool {
	for _, family := range [...]struct{ begin, end string }{
		{"dockerfile.", ""},
		{"jenkinsfile.", ""},
		{"docker-compose", ".yml"},
		{"docker-compose", ".yaml"},
		{"compose", ".yml"},
		{"compose", ".yaml"},
		{"azure-pipelines", ".yml"},
		{"azure-pipelines", ".yaml"},
		{".huskyrc", ""},
		{".lintstagedrc", ""},
		{"lint-staged.config.", ""},
	} {
		if strings.HasPrefix(base, family.begin) && strings.HasSuffix(base, family.end) {
			return !strings.HasSuffix(base, ".md") && !strings.HasSuffix(base, ".dockerignore")
		}
	}
	return false
}

// laterEnd finds kinds of files by how their names end.
func laterEnd(base string) bool {
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 {
		return false
	}
	switch base[dot:] {
	case ".mk", ".cmake", ".pth", ".gradle", ".gemspec", ".rake", ".csproj", ".fsproj", ".vbproj", ".vcxproj", ".targets", ".props", ".dockerfile",
		".desktop", ".code-workspace", ".sublime-project", ".service", ".timer", ".socket", ".bzl":
		return true
	case ".plist":
		return strings.HasPrefix(base, "com.") || strings.HasPrefix(base, "org.")
	case ".ps1":
		return strings.HasSuffix(base, "profile.ps1")
	case ".kts":
		return strings.HasSuffix(base, ".gradle.kts")
	case ".yml", ".yaml":
		return strings.HasSuffix(base[:dot], ".gitlab-ci")
	default:
		return false
	}
}

// laterFolders are such that all that lies in them executes later, or says how.
var laterFolders = nameSet(
	".circleci .buildkite .azure-pipelines .teamcity .jenkins .tekton .woodpecker .semaphore .drone .githooks .git-hooks .husky .lefthook",
	".vim .emacs.d .oh-my-zsh .zsh .bashrc.d .profile.d .ipython .jupyter .mvn launchagents launchdaemons loginitems windowspowershell",
	"cron.d cron.daily cron.hourly cron.weekly cron.monthly crontabs sudoers.d pam.d profile.d init.d rc.d ld.so.conf.d modprobe.d dispatcher.d",
	".vscode .idea .zed .fleet .nova .vs .devcontainer",
	".claude .cursor .codex .qwen .gemini .docket .dsh .opencode .windsurf .roo .kilocode .clinerules .continue .copilot .amazonq .kiro .junie .agents",
	".augment .trae .factory .crush .goose",
)

// laterPairs are those of which the folder above says what they are, and files that
// have such a name in one folder only.
var laterPairs = nameSet(
	".github/workflows .github/actions .github/instructions .github/prompts .forgejo/workflows .gitea/workflows .gitlab/ci",
	".git/hooks .git/config .git/config.worktree info/attributes .hg/hgrc .git/modules",
	".config/git .config/fish .config/nvim .config/autostart .config/systemd .config/environment.d .config/pip .config/direnv .config/containers .config/mise",
	".config/helix .config/kitty .config/powershell .config/code .config/cursor .config/zed .config/opencode .config/npm .config/yarn .config/goose .config/crush",
	".ssh/config .ssh/rc .ssh/environment .bundle/config .cargo/config .cargo/config.toml .cargo/env .gradle/init.d .m2/settings.xml",
	"share/applications share/systemd .docker/cli-plugins .kube/plugins .julia/config programs/startup udev/rules.d systemd/system systemd/user xdg/autostart",
)

// laterPlace finds files by the folders that they lie in, and a file that takes the
// place of such a folder.
func laterPlace(lower, base string) bool {
	for start := 0; start < len(lower); {
		end := nextSlash(lower, start)
		if end > start && laterFolders[lower[start:end]] {
			return true
		}
		if end < len(lower) && laterPairs[lower[start:nextSlash(lower, end+1)]] {
			return true
		}
		start = end + 1
	}
	return gitHooks[strings.TrimSuffix(base, ".sample")] && strings.HasSuffix(path.Dir(lower), "/hooks")
}

// nextSlash is where the part of a path that begins at start ends.
func nextSlash(name string, start int) int {
	if i := strings.IndexByte(name[start:], '/'); i >= 0 {
		return start + i
	}
	return len(name)
}

// gitHooks are the names by which git finds hooks in a folder that core.hooksPath or
// a bare repository names.
var gitHooks = nameSet(
	"applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge",
	"pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-pre-submit",
)
