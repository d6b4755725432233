package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// goSpec has the flags of the go command's subcommands that build and list.
var goSpec = spec{
	oneDash: true,
	long:    "a=? n=? p= v=? x=? work=? race=? msan=? asan=? cover=? covermode= coverpkg= asmflags= buildmode= buildvcs=? compiler= gccgoflags= gcflags= installsuffix= json=? ldflags= linkshared=? mod= modcacherw=? modfile= overlay= pgo= pkgdir= tags= trimpath=? toolexec= exec= C= o= i=? c=? run= skip= list= bench= benchtime= benchmem=? count= cpu= failfast=? parallel= short=? shuffle= timeout= vet= fuzz= fuzztime= fuzzminimizetime= fullpath=? coverprofile= cpuprofile= memprofile= memprofilerate= blockprofile= blockprofilerate= mutexprofile= mutexprofilefraction= trace= outputdir= args=? test.v=? test.run= u=? t=? d=? e=? f= m=? deps=? export=? find=? compiled=? test=? versions=? retracted=? reuse= all=? c= src=? cmd=? go= compat= diff=? fix=? droprequire= require= replace= dropreplace= vettool= printf=? composites=? changed=? module=? modules=? cache=? testcache=? modcache=? fuzzcache=? w=?",
}

const goRuns = "toolexec exec vettool overlay gccgoflags"

func explainGo(in *invocation) bool {
	args := in.args
	if text, _ := first(args); text == "-C" && len(args) > 1 {
		in.changeDir(args[1])
		args = args[2:]
	}
	verb, ok := first(args)
	if !ok {
		return len(in.args) == 0
	}
	in.args = args[1:]
	switch verb {
	case "version", "doc", "help", "bug":
		return in.tool(in.args, "")
	case "env":
		return in.goEnv()
	case "mod", "work":
		return in.goMod()
	case "tool":
		return in.goTool()
	case "run":
		return in.goRun()
	case "build", "test", "vet", "list", "fmt", "fix", "generate", "install", "get", "clean", "telemetry":
		return in.goBuild(verb)
	}
	return false
}

func (in *invocation) goBuild(verb string) bool {
	o := goSpec.read(in.args)
	in.goFlags(&o)
	elsewhere := false
	for _, w := range o.operands {
		text, ok := w.Value()
		if !ok && !in.patternInProject(w) {
			return false
		}
		elsewhere = elsewhere || strings.Contains(text, "@")
		if (strings.HasPrefix(text, "/") || strings.HasPrefix(text, ".")) && in.leaves(w) {
			in.say("build-elsewhere", in.span(w.Span), text)
		}
	}
	switch verb {
	case "get":
		if len(o.operands) > 0 {
			in.does(Install, "go get", in.Span)
		}
	case "install":
		if elsewhere {
			in.does(Install, "go install", in.Span)
		}
	case "clean":
		if o.has("modcache", "fuzzcache", "cache") {
			in.say("changes-discarded", in.span(in.Span), "go clean")
		}
	}
	in.builds("project-build", in.span(in.Span), "go "+verb)
	return o.strange == nil
}

// goFlags judges those that write, and those that run another program.
func (in *invocation) goFlags(o *options) {
	for i := range o.list {
		opt := &o.list[i]
		text, known := opt.value.Value()
		switch {
		case listed(goRuns, opt.name), opt.name == "ldflags" && (!known && !startsPlain(opt.value) || strings.Contains(text, "-extld")), opt.name == "modfile" && strings.HasPrefix(text, "/"):
			in.say("runs-hidden", in.span(opt.span), opt.name)
		case listed("o coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir", opt.name) && opt.given:
			in.file(writes, opt.value)
		case opt.name == "C" && opt.given:
			in.changeDir(opt.value)
		}
	}
}

func (in *invocation) goEnv() bool {
	for _, w := range in.args {
		if text, ok := w.Value(); !ok || text == "-w" || text == "-u" {
			in.notes(noted{Effect: Effect{Kind: Configure}}, shell.Word{Parts: []shell.Part{{Text: in.facts.Home + "/.config/go/env"}}, Span: in.Span})
			return ok
		}
	}
	return true
}

func (in *invocation) goMod() bool {
	switch verb, _ := first(in.args); verb {
	case "tidy", "download", "verify", "graph", "why", "vendor", "sync":
		return in.tool(in.args[1:], "project-packages")
	case "init", "use", "edit":
		for _, w := range in.args[1:] {
			if p := w.Prefix(); strings.HasPrefix(p, "-replace") || strings.HasPrefix(p, "-require") {
				in.does(Install, "go mod edit", w.Span)
			}
		}
		return in.tool(in.args[1:], "project-build")
	}
	return false
}

func (in *invocation) goTool() bool {
	switch name, _ := first(in.args); name {
	case "cover", "nm", "objdump", "trace", "vet", "addr2line", "buildid", "compile", "asm", "dist", "pprof", "covdata", "test2json", "fix":
		for _, w := range in.args[1:] {
			if text, ok := w.Value(); !ok || strings.HasPrefix(text, "-http") || strings.HasPrefix(text, "-tools") {
				return false
			}
		}
		return in.tool(in.args[1:], "project-build")
	}
	return len(in.args) == 0
}

// goRun is a program of the project, or of another module, that is built and run.
func (in *invocation) goRun() bool {
	o := goSpec
	o.first = true
	words := o.read(in.args)
	in.goFlags(&words)
	text, ok := first(words.operands)
	switch {
	case !ok:
		return false
	case strings.Contains(text, "@"):
		in.say("package-run", in.span(in.Span), text)
	default:
		in.runsProject("go run", words.operands[0])
	}
	return words.strange == nil
}

// runsProject is for a program of the project that is not in a language which is
// looked into: it is no more than what its tests run.
func (in *invocation) runsProject(how string, w shell.Word) {
	if in.leaves(w) {
		in.touches(Execute, w)
		in.say("script-unknown", in.span(w.Span), how)
		return
	}
	in.say("project-run", in.span(in.Span), how)
}

func explainCargo(in *invocation) bool {
	args := in.args
	if text, _ := first(args); strings.HasPrefix(text, "+") {
		args = args[1:]
	}
	t := toolchain{
		values:    "--color --config -Z -C --manifest-path --target-dir -p --package -j --jobs --features -F --target --profile",
		reads:     "tree metadata pkgid version search info help locate-project read-manifest verify-project outdated audit deny geiger bloat",
		builds:    "build b check c test t bench doc d clippy fmt fix rustc rustdoc nextest llvm-cov tarpaulin machete udeps expand insta mutants hack sort criterion package new init clean",
		tidies:    "fetch update generate-lockfile vendor",
		installs:  "install add remove rm uninstall binstall upgrade",
		publishes: "publish yank owner login logout",
	}
	for _, w := range args {
		if text, ok := w.Value(); !ok || text == "--config" || strings.HasPrefix(text, "--config=") {
			return false // can name a linker, a runner and a wrapper
		}
		if text, _ := w.Value(); text == "--" {
			break
		}
	}
	if verb, at, ok := t.verb(args); ok && (verb == "run" || verb == "r") {
		in.args = args[at+1:]
		in.say("project-run", in.span(in.Span), "cargo run")
		for i, w := range in.args {
			if text, _ := w.Value(); text == "--" {
				return in.tool(in.args[:i], "")
			}
		}
		return in.tool(in.args, "")
	}
	in.args = args
	return t.explain(in)
}
