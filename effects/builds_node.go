package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// packagePrograms bring the packages of JavaScript and Python, and run what is in them.
func packagePrograms() map[string]program {
	all := map[string]program{
		"npm": {explainNPM}, "pnpm": {explainNPM}, "yarn": {explainNPM}, "bun": {explainNPM}, "corepack": {func(*invocation) bool { return false }},
		"pip": {explainPip}, "pip3": {explainPip}, "uv": {explainUV}, "poetry": {explainPoetry}, "pdm": {explainPoetry}, "hatch": {explainPoetry}, "rye": {explainPoetry}, "pipenv": {explainPoetry}, "conda": {explainConda}, "mamba": {explainConda}, "micromamba": {explainConda},
		"twine": {explainTwine}, "flit": {explainPoetry}, "virtualenv": {explainVenv}, "pipx": {explainPipx},
	}
	for _, name := range []string{"npx", "bunx", "pnpx", "uvx", "dlx"} {
		all[name] = program{explainPackageRun}
	}
	return all
}

// npmSpec has the options of npm and its like; where they mean different things, the
// letter or name takes no value, so that too much is an operand.
var npmSpec = spec{
	short: "sqdgDESPOBWrwfFalyC:hi",
	long:  "silent quiet verbose loglevel= if-present workspaces workspace= include-workspace-root prefix= json omit= include= only= production=? dev no-audit no-fund audit fund legacy-peer-deps force ignore-scripts save-dev save save-exact save-optional save-peer save-prod no-save global registry= tag= access= otp= dry-run depth= all long parseable offline prefer-offline cache= package-lock-only no-package-lock package-lock yes no-optional optional no-progress progress audit-level= fix frozen-lockfile no-frozen-lockfile immutable immutable-cache inline-builds non-interactive recursive filter= parallel stream dir= cwd= frozen no-lockfile lockfile-only shamefully-hoist strict-peer-dependencies no-strict-peer-dependencies prefer-frozen-lockfile ignore-workspace workspace-root aggregate-output reporter= resume-from= sort bail no-bail no-color color workspace-concurrency= since= jobs= topological interlaced check-cache mode= watch hot smol coverage timeout= update-snapshots rerun-each= only todo preload= outdir= outfile= target= minify sourcemap=? external= format= splitting production trust ignore-engines check-files no-bin-links flat latest exact network-timeout= install-links engine-strict node-linker= scripts-prepend-node-path= unsafe-perm allow-same-version no-git-tag-version git-tag-version message= preid= pack-destination= userconfig= no-scripts no-install no script-shell= node-options= location= quiet-install os= cpu= libc= git-checks no-git-checks save-catalog bun test-name-pattern= ",
}

const (
	npmReads     = "ls list la ll view v info show outdated audit explain why search ping whoami root bin docs home bugs repo help help-search doctor query fund licenses diff cat-file node version-check constraints store"
	npmBuilds    = "build test t tst pack init rebuild rb dedupe ddp find-dupes prune shrinkwrap import fetch"
	npmInstalls  = "add update up upgrade upgrade-interactive uninstall remove rm un r unlink link ln patch patch-commit patch-remove"
	npmPublishes = "publish unpublish deprecate undeprecate dist-tag owner access adduser login logout profile team hook star unstar token trust stage"
)

func explainNPM(in *invocation) bool {
	o := npmSpec
	o.first = true
	head := o.read(in.args)
	if opt, ok := head.get("C", "prefix", "dir", "cwd"); ok && opt.given {
		in.changeDir(opt.value)
	}
	if head.has("registry", "script-shell", "node-options", "userconfig", "preload") {
		in.say("runs-hidden", in.span(in.Span), in.name)
	}
	if len(head.operands) == 0 {
		return head.strange == nil && in.npmBare(&head)
	}
	verb, ok := head.operands[0].Value()
	if !ok {
		return false
	}
	rest := head.operands[1:]
	switch {
	case in.name == "yarn" && verb == "workspace" && len(rest) > 1:
		verb, _ = rest[1].Value()
		rest = rest[2:]
	case (in.name == "yarn" || in.name == "pnpm") && verb == "global":
		in.does(Install, in.name+" global", in.Span)
		return true
	}
	return in.npmVerb(verb, rest) && head.strange == nil
}

// npmBare is a command without a subcommand: yarn installs, the others tell of
// themselves.
func (in *invocation) npmBare(o *options) bool {
	if in.name == "yarn" && !o.has("version", "help", "v") {
		in.lifecycle()
		in.builds("project-packages", in.span(in.Span), in.name)
	}
	return true
}

func (in *invocation) npmVerb(verb string, rest []shell.Word) bool {
	o := npmSpec.read(rest)
	if opt, ok := o.get("C", "prefix", "dir", "cwd"); ok && opt.given {
		in.changeDir(opt.value)
	}
	if o.has("registry", "script-shell", "node-options", "userconfig", "preload") {
		in.say("runs-hidden", in.span(in.Span), in.name)
	}
	switch {
	case verb == "install" || verb == "i" || verb == "ci" || verb == "clean-install" || verb == "install-test" || verb == "it":
		return in.npmInstall(&o)
	case verb == "run" || verb == "run-script" || verb == "rum":
		name, ok := first(o.operands)
		if !ok {
			return len(o.operands) == 0
		}
		in.packageScript(name, o.operands[0], behindDashes(rest, o.operands[1:]))
		return true
	case verb == "start" || verb == "stop" || verb == "restart", (verb == "test" || verb == "t" || verb == "tst") && in.name != "bun":
		in.packageScript(npmAlias(verb), shell.Word{Span: in.Span}, behindDashes(rest, o.operands))
		return true
	case verb == "exec" || verb == "x" || verb == "dlx" || verb == "create" || verb == "innit" || verb == "init" && len(o.operands) > 0:
		in.args = rest
		return in.packageRun(verb)
	case verb == "config" || verb == "c" || verb == "set" || verb == "pkg" || verb == "get" || verb == "cache":
		return in.npmConfig(verb, &o)
	case verb == "version":
		return in.tool(rest, "project-build")
	}
	return in.npmOther(verb, rest, &o)
}

func (in *invocation) npmOther(verb string, rest []shell.Word, o *options) bool {
	switch {
	case verb == "audit" && (word(o) == "fix" || o.has("fix")):
		in.does(Install, in.name+" audit fix", in.Span)
	case listed(npmReads, verb):
		return in.tool(rest, "")
	case listed(npmInstalls, verb):
		in.does(Install, in.name+" "+verb, in.Span)
	case listed(npmPublishes, verb), verb == "npm":
		in.say("package-published", in.span(in.Span), in.name+" "+verb)
	case listed(npmBuilds, verb) && (in.name == "npm" || verb != "build" || in.name == "bun"):
		return in.tool(rest, "project-build")
	case in.name == "bun" && strings.Contains(verb, "."):
		in.runs(shell.Word{Parts: []shell.Part{{Text: verb}}, Span: in.Span}, javaScript)
	case in.name == "npm":
		return false
	default: // a script of the project, or a program among its packages
		if p, ok := in.programs[verb]; ok && !buildsByName(verb) {
			in.name, in.args = verb, rest
			return p.explain(in)
		}
		in.packageScript(verb, shell.Word{Span: in.Span}, rest)
	}
	return true
}

func npmAlias(verb string) string {
	if verb == "t" || verb == "tst" {
		return "test"
	}
	return verb
}

// behindDashes are a script's own arguments: with npm those behind a --.
func behindDashes(words, rest []shell.Word) []shell.Word {
	for i, w := range words {
		if text, _ := w.Value(); text == "--" {
			return words[i+1:]
		}
	}
	return rest
}

func (in *invocation) npmInstall(o *options) bool {
	if o.has("g", "global") || len(o.operands) > 0 {
		in.does(Install, in.name+" install", in.Span)
		return true
	}
	if !o.has("ignore-scripts") {
		in.lifecycle()
	}
	in.builds("project-packages", in.span(in.Span), in.name)
	return o.understood()
}

func (in *invocation) npmConfig(verb string, o *options) bool {
	action := word(o)
	switch {
	case verb == "get" || verb != "set" && (action == "get" || action == "list" || action == "ls" || action == "verify" || action == "dir"):
		return true
	case verb == "cache":
		in.say("changes-discarded", in.span(in.Span), in.name+" cache")
		return true
	}
	file := in.facts.Home + "/.npmrc"
	if verb == "pkg" {
		file = "package.json"
	}
	in.notes(noted{Effect: Effect{Kind: Configure}}, shell.Word{Parts: []shell.Part{{Text: file}}, Span: in.Span})
	return true
}

// explainPackageRun is npx and its like: a package is fetched and run.
func explainPackageRun(in *invocation) bool { return in.packageRun(in.name) }

// packageRun runs a program of a package. Where it is known to be among the project's
// own packages, it is what it is; everything else is fetched.
func (in *invocation) packageRun(how string) bool {
	s := spec{short: "yqcp:", long: "yes no no-install package= call= quiet prefer-offline offline from= with= python= isolated silent shell-mode bun", first: true}
	o := s.read(in.args)
	name, ok := first(o.operands)
	if !ok || o.strange != nil {
		return false
	}
	if o.has("c", "call", "shell-mode") {
		in.say("runs-hidden", in.span(in.Span), how)
	}
	local := o.has("no", "no-install", "offline") || (how == "npx" || how == "exec" || how == "bunx") && in.exists("node_modules/.bin/"+name)
	if p, known := in.programs[name]; known && local && !o.has("p", "package", "from", "with") && !strings.ContainsAny(name, "@/") {
		in.name, in.args = name, o.operands[1:]
		return p.explain(in)
	}
	in.does(Install, name, in.Span)
	in.say("package-run", in.span(in.Span), name)
	return true
}

// exists reports whether a file is known to be there.
func (in *invocation) exists(name string) bool {
	if in.facts.Files == nil {
		return false
	}
	for _, p := range in.places(shell.Word{Parts: []shell.Part{{Text: name}}}) {
		if _, err := in.facts.Files.Lstat(p.path); p.unknown || err != nil {
			return false
		}
	}
	return true
}
