package effects

import "strings"

// toolchains are programs with subcommands.
func toolchains() map[string]toolchain {
	brew := toolchain{reads: "list ls info search deps uses outdated config doctor leaves home desc cat log which-formula commands --prefix --version --cellar", installs: "install reinstall upgrade update uninstall remove rm tap untap link unlink bundle services cleanup autoremove pin unpin cask"}
	return map[string]toolchain{
		"ninja":      {bare: "build", builds: "build all test clean install"},
		"meson":      {builds: "setup compile test configure dist introspect init", runs: "devenv install"},
		"bazel":      {builds: "build test query cquery aquery info coverage fetch version help clean", runs: "run"},
		"bazelisk":   {builds: "build test query cquery info coverage fetch version", runs: "run"},
		"buck2":      {builds: "build test query targets", runs: "run"},
		"mvn":        {bare: "validate", values: "-f --file -s --settings -P -pl -D", builds: "validate compile test test-compile package verify clean integration-test dependency:tree dependency:analyze help:effective-pom versions:display-dependency-updates spotless:apply spotless:check checkstyle:check", tidies: "dependency:resolve dependency:go-offline", installs: "install", publishes: "deploy release:perform release:prepare"},
		"gradle":     {bare: "help", values: "-p --project-dir -b -I --init-script", builds: "help build test check assemble classes compileJava compileKotlin compileTestJava jar clean tasks projects properties dependencies dependencyInsight lint ktlintCheck detekt spotlessApply spotlessCheck assembleDebug assembleRelease testDebugUnitTest javadoc bootJar wrapper", installs: "", publishes: "publish publishToMavenLocal uploadArchives closeAndReleaseRepository", runs: "run bootRun"},
		"sbt":        {bare: "help", builds: "help compile test clean package scalafmt scalafmtCheck", publishes: "publish publishLocal", runs: "run console"},
		"lein":       {builds: "test compile check deps uberjar jar clean version", publishes: "deploy", runs: "run repl"},
		"dotnet":     {builds: "build test clean format publish pack new sln msbuild vstest list --info --list-sdks --list-runtimes", tidies: "restore", installs: "add remove tool workload", runs: "run exec script ef watch", publishes: "nuget"},
		"msbuild":    {bare: "build", builds: "build"},
		"xcodebuild": {bare: "build", values: "-scheme -project -workspace -destination -configuration -sdk -target", builds: "build test clean archive analyze"},
		"swift":      {builds: "build test package", runs: "run"}, "zig": {builds: "build test fmt ast-check build-exe build-lib build-obj version env targets init", runs: "run", tidies: "fetch"},
		"mix":    {builds: "compile test format credo dialyzer docs deps.tree help phx.routes xref hex.outdated", tidies: "deps.get deps.compile", installs: "deps.update archive.install escript.install local.hex", publishes: "hex.publish", runs: "run phx.server ecto.migrate ecto.drop ecto.reset eval", discards: "clean deps.clean"},
		"rebar3": {builds: "compile eunit ct dialyzer xref fmt", tidies: "get-deps", runs: "shell"},
		"stack":  {builds: "build test bench haddock path ls", tidies: "setup", installs: "install upgrade", runs: "exec run runghc ghci"}, "cabal": {builds: "build test bench haddock check list info freeze", tidies: "update", installs: "install", runs: "run exec repl", publishes: "upload"},
		"dune": {builds: "build test fmt runtest clean", installs: "install", runs: "exec utop"}, "opam": {reads: "list show search switch config", installs: "install remove upgrade update pin"},
		"flutter": {builds: "build test analyze doctor devices clean gen-l10n format --version", tidies: "pub", installs: "upgrade", runs: "run drive"}, "dart": {builds: "analyze test format compile doc fix info", tidies: "pub", runs: "run"},
		"pod": {reads: "list search spec outdated env", tidies: "install", installs: "update", publishes: "trunk"}, "carthage": {tidies: "bootstrap", installs: "update", builds: "build"}, "fastlane": {runs: "run"},
		"gem":        {reads: "list search info environment env which contents dependency outdated specification help", builds: "build check", installs: "install update uninstall cleanup fetch pristine", publishes: "push yank owner signin signout"},
		"bundle":     {bare: "install", reads: "list ls info show outdated check platform version help licenses viz", tidies: "install lock package cache", installs: "add update remove binstubs", runs: "console open plugin config", discards: "clean"},
		"composer":   {reads: "show info outdated search validate licenses why why-not depends diagnose about check-platform-reqs audit status fund browse", builds: "dump-autoload dumpautoload", tidies: "install i", installs: "require remove update u upgrade global create-project bump", runs: "run-script run exec", publishes: ""},
		"pre-commit": {builds: "run validate-config validate-manifest sample-config", tidies: "install-hooks autoupdate", runs: "install uninstall try-repo", discards: "clean gc"},
		"apt":        systemPackages, "apt-get": systemPackages, "aptitude": systemPackages, "dnf": systemPackages, "yum": systemPackages, "zypper": systemPackages, "apk": systemPackages, "pacman": systemPackages, "snap": systemPackages, "flatpak": systemPackages, "port": systemPackages, "nix-env": systemPackages, "emerge": systemPackages, "xbps-install": systemPackages, "pkg": systemPackages, "choco": systemPackages, "winget": systemPackages, "scoop": systemPackages,
		"apt-cache": {reads: "search show policy depends rdepends madison pkgnames stats showpkg"}, "dpkg-query": {bare: "list", values: "-W -f", reads: "list"}, "apt-mark": {reads: "showhold showmanual showauto", installs: "hold unhold auto manual"}, "add-apt-repository": {bare: "add", installs: "add", values: ""},
		"brew":   brew,
		"rustup": {reads: "show which doc check", builds: "", installs: "install update default toolchain target component override self", runs: "run"},
		"asdf":   {reads: "current list where which info latest", installs: "install plugin global local uninstall reshim update set", runs: "exec shell"}, "mise": {reads: "current ls list where which env doctor version outdated", installs: "install use upgrade uninstall", runs: "exec x run trust"},
		"nvm": {reads: "ls list current which version ls-remote", installs: "install use uninstall alias"}, "fnm": {reads: "list current ls", installs: "install use default uninstall"}, "volta": {reads: "list which", installs: "install pin uninstall"}, "pyenv": {reads: "versions version which whence root", installs: "install global local uninstall rehash"}, "rbenv": {reads: "versions version which root", installs: "install global local uninstall rehash"}, "sdk": {reads: "list current version", installs: "install use default uninstall update"},
		"nix": {reads: "search eval show-config flake-info log why-depends path-info", builds: "build fmt", installs: "profile", runs: "run develop shell"}, "nix-build": {bare: "build", builds: "build"},
		"changeset": {builds: "status add version", publishes: "publish"}, "semantic-release": {bare: "publish", publishes: "publish"}, "goreleaser": {builds: "check build healthcheck", publishes: "release"},
	}
}

// systemPackages are those of the machine.
var systemPackages = toolchain{
	reads:    "list search show info policy depends rdepends provides whatprovides repolist history check-update find files view --installed -Q -Qi -Ql -Qs -Ss -Si",
	installs: "install remove purge update upgrade full-upgrade dist-upgrade autoremove autoclean clean add del reinstall download source build-dep group groupinstall localinstall downgrade refresh enable disable -S -R -U -Syu",
	bare:     "install",
}

// explainTask runs a task that a file of the project describes. Those that build,
// test or check are known by their names.
func explainTask(in *invocation) bool {
	named := false
	for _, w := range in.args {
		text, ok := w.Value()
		switch {
		case !ok:
			return false
		case text == "-l" || text == "--list" || text == "--summary" || text == "--version" || text == "-T" || text == "--tasks" || text == "--show" || text == "--evaluate" || text == "--variables" || text == "--dump" || text == "--list-all" || text == "-n" || text == "--dry-run" || text == "--dry":
			return in.tool(in.args, "")
		case strings.HasPrefix(text, "-f") || strings.HasPrefix(text, "--justfile") || strings.HasPrefix(text, "--file") || strings.HasPrefix(text, "-d") || strings.HasPrefix(text, "--shell"):
			return false
		case strings.HasPrefix(text, "-") || strings.Contains(text, "="):
		case buildsByName(text):
			named = true
		default:
			in.say("script-unknown", in.span(w.Span), text)
			named = true
		}
	}
	if !named {
		in.say("script-unknown", in.span(in.Span), in.name)
		return true
	}
	in.builds("project-build", in.span(in.Span), in.name)
	return true
}

// buildNames are how tasks are called that build, test, check or show a project.
const buildNames = "build builds compile test tests testing check checks lint lints linter fmt format formatting typecheck types type tsc verify validate vet coverage cover cov unit integration e2e spec specs bench benchmark dev start serve server watch preview docs doc storybook ci all default help generate gen codegen analyze analyse typegen tidy style prettier eslint mypy ruff jest vitest pytest race fuzz snapshot smoke report size dist bundle assemble package quality static audit clean"

// buildsByName reports whether a task's name says that it builds, tests or checks:
// "test:unit", "build-docs".
func buildsByName(name string) bool {
	begin := name
	if at := strings.IndexAny(name, ":-_./"); at >= 0 {
		begin = name[:at]
	}
	if !listed(buildNames, strings.ToLower(begin)) {
		return false
	}
	for _, word := range []string{"deploy", "publish", "release", "push", "prod", "migrat", "seed", "drop", "reset", "delete", "destroy", "install", "upload", "all:force"} {
		if indexFold(name, word) >= 0 {
			return false
		}
	}
	return true
}
