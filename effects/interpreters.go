package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// interpreterPrograms run a text, or a file.
func interpreterPrograms() map[string]program {
	all := map[string]program{"source": {explainSource}, ".": {explainSource}, "deno": {explainDeno}, "tsx": {explainFileRunner}, "ts-node": {explainFileRunner}, "nodemon": {func(*invocation) bool { return false }}}
	for _, name := range []string{"sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "fish"} {
		all[name] = program{explainShell}
	}
	python := interpreter{lang: pythonCode, flags: "bBdEiIOPqRsSuvx", values: "WX", code: "c", module: "m"}
	for _, name := range []string{"python", "python2", "python3", "python3.8", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13", "python3.14", "pypy", "pypy3", "ipython"} {
		all[name] = program{python.explain}
	}
	node := interpreter{lang: javaScript, flags: "i", code: "ep", checks: "c", loads: "rC", long: "--no-warnings --trace-warnings --trace-uncaught --trace-deprecation --experimental-strip-types --experimental-vm-modules --experimental-modules --input-type=module --input-type=commonjs --input-type=module-typescript --expose-gc --enable-source-maps --stack-trace-limit --max-old-space-size --unhandled-rejections --no-deprecation --preserve-symlinks --watch --interactive", longCode: "--eval --print", longChecks: "--check", longTests: "--test"}
	all["node"], all["nodejs"] = program{node.explain}, program{node.explain}
	ruby := interpreter{lang: rubyCode, flags: "acdlnpswvWUS0", values: "EFKCx", code: "e", checks: "c", loads: "rI", inPlace: "i", long: "--disable-gems --enable --yjit --jit"}
	all["ruby"], all["jruby"] = program{ruby.explain}, program{ruby.explain}
	perl := interpreter{lang: perlCode, flags: "alnpstTuUwWX0123456789", values: "FCx", code: "eE", checks: "c", loads: "mIdD", pure: "M", inPlace: "i"}
	all["perl"] = program{perl.explain}
	php := interpreter{lang: phpCode, flags: "niqsvmCw", code: "r", checks: "l", loads: "dSBREcaz", files: "f"}
	all["php"] = program{php.explain}
	for _, name := range []string{"awk", "gawk", "mawk", "nawk"} {
		all[name] = program{explainAwk}
	}
	for _, name := range []string{"lua", "luajit", "Rscript", "R", "julia", "tclsh", "wish", "expect", "guile", "racket", "sbcl", "swipl", "octave", "gdb", "lldb", "busybox", "toybox", "kotlin", "scala", "groovy", "elixir", "iex", "irb", "erl"} {
		all[name] = program{explainForeign}
	}
	return all
}

// explainForeign is an interpreter whose language nobody here reads.
func explainForeign(in *invocation) bool {
	if text, ok := first(in.args); ok && len(in.args) == 1 && (text == "-version" || text == "-v" || text == "-V") {
		return true
	}
	in.say("script-unknown", in.span(in.Span), in.name)
	return true
}

func explainShell(in *invocation) bool {
	args := make([]shell.Word, 0, len(in.args))
	for _, w := range in.args {
		if text, ok := w.Value(); ok && len(text) > 1 && text[0] == '+' {
			continue
		}
		args = append(args, w)
	}
	o := spec{short: "abefhiklmnprstuvxBCEHPTDc:o:O:", long: "login posix norc noprofile rcfile= init-file= restricted verbose noediting", first: true}.read(args)
	for _, name := range []string{"rcfile", "init-file"} {
		if opt, ok := o.get(name); ok {
			in.runs(opt.value, shellCode)
		}
	}
	switch {
	case o.has("c"):
		return false // its text was not taken apart
	case len(o.operands) > 0 && !o.has("s"):
		if o.has("n") {
			in.file(looks, o.operands[0])
			return o.strange == nil
		}
		in.runs(o.operands[0], shellCode)
	default:
		return in.readsProgram(shellCode) && o.understood()
	}
	return o.strange == nil
}

// readsProgram is an interpreter that is given its program as input.
func (in *invocation) readsProgram(lang language) bool {
	switch in.Stdin.Kind {
	case shell.StdinText:
		if lang != shellCode { // a shell's is among the script's commands
			in.code(lang, in.Stdin.Text, in.Stdin.Span, false)
		}
		if in.fed(fetchers) {
			in.say("runs-download", in.span(in.Span), in.name)
		}
	case shell.StdinFile:
		in.runs(in.Stdin.File, lang)
	case shell.StdinPipe, shell.StdinUnknown:
		if in.fed(fetchers) {
			in.say("runs-download", in.span(in.Span), in.name)
			return true
		}
		in.say("code-computed", in.span(in.Span), in.name)
	default:
		return false
	}
	return true
}

func explainSource(in *invocation) bool {
	if len(in.args) == 0 {
		return false
	}
	if in.activates() {
		return true
	}
	in.runs(in.args[0], shellCode)
	return true
}

// activates reports whether the file is that of the project's own Python environment,
// which sets variables.
func (in *invocation) activates() bool {
	for _, p := range in.places(in.args[0]) {
		how, _ := in.origin(p.path)
		inside := strings.HasSuffix(p.path, "/.venv/bin/activate") || strings.HasSuffix(p.path, "/venv/bin/activate") || strings.HasSuffix(p.path, "/env/bin/activate")
		if !p.whole || !inside || how != untouched || in.paths.area(p.path) != inWorkspace {
			return false
		}
	}
	return true
}

func explainFileRunner(in *invocation) bool {
	if len(in.args) == 0 || strings.HasPrefix(in.args[0].Prefix(), "-") {
		return false
	}
	in.runs(in.args[0], javaScript)
	return true
}

func explainDeno(in *invocation) bool {
	verb, ok := first(in.args)
	if !ok {
		return false
	}
	rest := in.args[1:]
	switch verb {
	case "test", "fmt", "lint", "check", "bench", "doc", "info", "types", "coverage", "compile", "cache", "init":
		return in.tool(rest, "project-build")
	case "eval":
		if len(rest) == 0 {
			return false
		}
		in.codeWord(javaScript, rest[len(rest)-1])
		return true
	case "task":
		in.name, in.args = "task", rest
		return explainTask(in)
	case "run":
		for _, w := range rest {
			text, ok := w.Value()
			switch {
			case !ok:
				return false
			case strings.HasPrefix(text, "-"):
			case strings.Contains(text, ":"):
				in.say("package-run", in.span(w.Span), text)
				return true
			default:
				in.runs(w, javaScript)
				return true
			}
		}
	case "install", "add", "remove", "uninstall", "upgrade":
		in.does(Install, "deno "+verb, in.Span)
		return true
	case "publish", "deploy":
		in.say("package-published", in.span(in.Span), "deno "+verb)
		return true
	}
	return false
}

func explainAwk(in *invocation) bool {
	o := spec{short: "F:v:f:W:e:bcCdghIkLlMnNoOPrsStV", long: "field-separator= assign= file= source= version csv posix traditional re-interval sandbox lint", first: true}.read(in.args)
	words := o.operands
	switch opt, ok := o.get("f", "file"); {
	case ok:
		in.runs(opt.value, awkCode)
	case o.has("e", "source", "l", "d", "o", "p"):
		return false
	case len(words) == 0:
		return false
	default:
		in.codeWord(awkCode, words[0])
		words = words[1:]
	}
	for _, w := range words {
		if _, _, assigns := strings.Cut(w.Prefix(), "="); !assigns {
			in.file(shows, w)
		}
	}
	return o.strange == nil
}
