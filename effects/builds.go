package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// toolchain says what the subcommands of a program mean that builds, tests or packs a
// project. A subcommand that is in no list is not understood.
type toolchain struct {
	// values are options in front of the subcommand, and behind it, whose value is the
	// next word.
	values string
	// reads tell something; builds work on the project as it is; tidies bring the
	// packages that the project names, and change the list of them only by themselves.
	reads, builds, tidies string
	// installs bring packages that the command names; publishes give something away.
	installs, publishes string
	// runs start a program that is not looked into; discards take something away.
	runs, discards string
	// bare is what the program does without a subcommand, by the name of one.
	bare string
}

func (t toolchain) program() program { return program{t.explain} }

func (t toolchain) explain(in *invocation) bool {
	verb, at, ok := t.verb(in.args)
	if !ok {
		return false
	}
	rest := in.args
	if at < len(rest) {
		rest = append(append(make([]shell.Word, 0, len(rest)), rest[:at]...), rest[at+1:]...)
	}
	switch {
	case listed(t.reads, verb):
		return in.tool(rest, "")
	case listed(t.builds, verb):
		return in.tool(rest, "project-build")
	case listed(t.tidies, verb):
		return in.tool(rest, "project-packages")
	case listed(t.installs, verb):
		in.does(Install, verb, in.Span)
	case listed(t.publishes, verb):
		in.say("package-published", in.span(in.Span), in.name+" "+verb)
	case listed(t.runs, verb):
		in.say("runs-hidden", in.span(in.Span), in.name+" "+verb)
	case listed(t.discards, verb):
		in.say("changes-discarded", in.span(in.Span), in.name+" "+verb)
	default:
		return false
	}
	return true
}

// verb finds the subcommand and its place.
func (t toolchain) verb(args []shell.Word) (verb string, at int, ok bool) {
	for i := 0; i < len(args); i++ {
		text, known := args[i].Value()
		switch {
		case !known:
			return "", 0, false
		case text != "" && text[0] != '-':
			return text, i, true
		case listed(t.values, text):
			i++
		}
	}
	return t.bare, len(args), t.bare != ""
}

// loads are parts of options' names that have a tool run the code of a file, or a
// command.
var loads = []string{"config", "require", "import", "loader", "plugin", "preset", "setup", "rulesdir", "resolver", "reporter", "runner", "exec", "command", "shell", "eval", "browser", "project", "file", "init", "root", "prefix", "manifest", "buildfile", "format", "filter", "template"}

// tool judges the words of a program that works on the project by rules of its own:
// it may read and write there, and must be led nowhere else.
func (in *invocation) tool(args []shell.Word, rule string) bool {
	option := ""
	for _, w := range args {
		text, known := w.Value()
		if strings.HasPrefix(text, "-B") && listed("gcc g++ cc c++ clang clang++", in.name) {
			in.say("runs-hidden", in.span(w.Span), text)
		}
		if !known {
			for _, w := range in.listedFiles(w) {
				if !in.patternInProject(w) {
					return false
				}
			}
			continue
		}
		name, value := option, text
		if option = ""; strings.HasPrefix(text, "-") {
			var cut bool
			if name, value, cut = strings.Cut(text, "="); !cut {
				option, name = text, text
				value = ""
				if at := strings.IndexByte(text, '/'); at > 0 {
					value = text[at:]
				}
			}
		}
		in.toolWord(w, name, value)
	}
	if rule != "" {
		in.builds(rule, in.span(in.Span), in.name)
	}
	return true
}

// builds says that the project works on itself, or that something else does: a build
// runs what the folder says in which it is started.
func (in *invocation) builds(rule string, at Span, words string) {
	here := shell.Word{Parts: []shell.Part{{Text: "."}}}
	if in.leaves(here) {
		rule = "build-elsewhere"
	}
	for _, p := range in.places(here) {
		if in.cloned(p.path) {
			rule = "runs-download"
		}
	}
	in.say(rule, at, words)
}

// runsOperands are tools that run the files which their operands name.
const runsOperands = "pytest py.test jest vitest mocha ava tap rspec phpunit pest busted ginkgo cypress nyc c8 coverage"

// toolWord judges one word of a tool: name is the option that it belongs to, if any.
func (in *invocation) toolWord(w shell.Word, name, value string) {
	name = strings.TrimLeft(name, "-")
	switch name {
	case "exec", "eval", "onSuccess", "onFirstSuccess", "toolexec", "shell", "script-shell", "init-script", "shell-escape", "enable-write18", "wrapper", "test-command", "fplugin", "specs", "load", "load-pass-plugin":
		in.say("runs-hidden", in.span(w.Span), name)
	}
	if strings.IndexByte(value, '/') < 0 && !strings.HasPrefix(value, "~") && value != ".." || strings.Contains(value, "://") {
		return
	}
	place := w
	place.Parts = []shell.Part{{Text: value}}
	for _, p := range in.places(place) {
		switch in.paths.area(p.path) {
		case inDevice:
		case inWorkspace:
			if name == "o" || indexFold(name, "out") >= 0 {
				in.touches(Write, place)
			}
		case inTemp:
			if loadsCode(name) || name == "" && listed(runsOperands, in.name) {
				in.say("runs-hidden", in.span(w.Span), value)
			}
		default:
			if p.path != in.paths.workspace {
				in.touches(Write, place)
			}
		}
	}
}

func loadsCode(option string) bool {
	for _, l := range loads {
		if indexFold(option, l) >= 0 {
			return true
		}
	}
	return len(option) == 1 && strings.Contains("crpfCI", option)
}

// patternInProject reports whether a word is a pattern for the project's own files.
func (in *invocation) patternInProject(w shell.Word) bool {
	if !w.HasGlob() || strings.HasPrefix(w.Prefix(), "-") {
		return false
	}
	for _, p := range in.places(w) {
		if p.unknown || in.paths.area(p.path) != inWorkspace && p.path != in.paths.workspace {
			return false
		}
	}
	return true
}

// buildPrograms build, test and check the project.
func buildPrograms() map[string]program {
	all := map[string]program{
		"go": {explainGo}, "cargo": {explainCargo},
		"make": {explainMake}, "gmake": {explainMake}, "bmake": {explainMake},
		"just": {explainTask}, "task": {explainTask}, "mage": {explainTask}, "rake": {explainTask}, "ant": {explainTask}, "invoke": {explainTask}, "nox": {explainTask}, "scons": {explainTask}, "doit": {explainTask},
	}
	plain := program{explainProjectTool}
	for rest := projectTools; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, " ")
		all[name] = plain
	}
	for name, t := range toolchains() {
		all[name] = t.program()
	}
	all["cmake"], all["bundle"] = program{explainCMake}, program{explainBundle}
	return all
}

// explainCMake has no subcommands but modes, some of which run or install something.
func explainCMake(in *invocation) bool {
	for _, w := range in.args {
		switch text, _ := w.Value(); text {
		case "-P", "-E", "--open", "--install", "-C":
			in.say("runs-hidden", in.span(w.Span), "cmake "+text)
		}
	}
	return in.tool(in.args, "project-build")
}

// explainBundle is bundle, which runs programs of the project's own packages.
func explainBundle(in *invocation) bool {
	if verb, _ := first(in.args); verb == "exec" && len(in.args) > 1 {
		name, _ := in.args[1].Value()
		p, ok := in.programs[name]
		if !ok {
			return false
		}
		in.name, in.args = name, in.args[2:]
		return p.explain(in)
	}
	return toolchains()["bundle"].explain(in)
}

// givesAway are subcommands by which some project tools let others have what is built.
const givesAway = "publish deploy gh-deploy push release upload login logout unpublish eject"

func explainProjectTool(in *invocation) bool {
	seen := 0
	for _, w := range in.args {
		text, ok := w.Value()
		if ok && strings.HasPrefix(text, "-") {
			continue
		}
		if seen++; ok && seen < 3 && listed(givesAway, text) {
			in.say("package-published", in.span(w.Span), in.name+" "+text)
		}
	}
	return in.tool(in.args, "project-build")
}

// projectTools build, test, check or format what is in the project, as it is set up
// there.
const projectTools = "gofmt goimports gofumpt staticcheck golangci-lint govulncheck golint errcheck gotestsum ginkgo mockgen stringer wire templ sqlc buf protoc protoc-gen-go swag air " +
	"rustc rustfmt clippy-driver rustdoc wasm-pack trunk maturin cross " +
	"tsc tsup vue-tsc eslint eslint_d prettier biome oxlint stylelint jest vitest mocha ava tap c8 nyc karma cypress webpack webpack-cli rollup vite esbuild parcel swc babel turbo nx lerna size-limit depcheck knip madge typedoc jsdoc storybook next nuxt astro remix gatsby ng vue-cli-service svelte-kit svelte-check react-scripts craco expo-doctor tailwindcss postcss sass lessc uglifyjs terser commitlint lint-staged markdownlint markdownlint-cli2 cspell ts-prune attw publint changeset wireit syncpack api-extractor " +
	"pytest py.test ruff mypy black isort flake8 pylint pyright basedpyright pyflakes pycodestyle pydocstyle bandit autopep8 yapf autoflake vulture coverage tox sphinx-build mkdocs pre-commit djlint ty pyre codespell interrogate radon xenon refurb pyupgrade docformatter nbqa mutmut cython " +
	"gcc g++ cc c++ clang clang++ clang-format clang-tidy cppcheck ld as nm objdump readelf size strip ctest ccache iwyu gcov lcov genhtml gcovr " +
	"javac javap checkstyle ktlint detekt kotlinc scalac scalafmt " +
	"rubocop rspec standardrb brakeman erb_lint reek sorbet srb steep yard " +
	"phpunit phpstan psalm php-cs-fixer phpcs phpcbf pest pint rector " +
	"shellcheck shfmt yamllint actionlint jsonlint taplo vale proselint typos lychee editorconfig-checker xmllint html-validate htmlhint sqlfluff dprint treefmt alejandra nixfmt statix deadnix stylua luacheck selene busted " +
	"swiftlint swiftformat xcbeautify dartfmt ghc hlint ormolu fourmolu stylish-haskell ocamlformat erlc elixirc pandoc dot mmdc plantuml pdflatex xelatex lualatex latexmk bibtex chktex typst"
