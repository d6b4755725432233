package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

var pipSpec = spec{
	short: "r:c:e:i:t:qvUIfhyHlouVdw:b:",
	long:  "requirement= constraint= editable= index-url= extra-index-url= no-index find-links= target= prefix= root= user upgrade upgrade-strategy= force-reinstall no-deps pre quiet verbose yes format= outdated uptodate local not-required exclude= path= disable-pip-version-check no-cache-dir no-input require-virtualenv python= break-system-packages no-build-isolation use-pep517 trusted-host= proxy= timeout= retries= progress-bar= dry-run report= ignore-installed no-warn-script-location root-user-action= system all-extras extra= group= only-binary= no-binary= files all freeze require-hashes config-settings= global-option= src= log= cert= dest= wheel-dir= exclude-editable compile no-compile",
}

func explainPip(in *invocation) bool {
	head := pipSpec
	head.first = true
	h := head.read(in.args)
	verb, ok := first(h.operands)
	if !ok {
		return len(in.args) == 0
	}
	return in.pip(verb, h.operands[1:]) && h.strange == nil
}

func (in *invocation) pip(verb string, args []shell.Word) bool {
	o := pipSpec.read(args)
	switch verb {
	case "list", "show", "freeze", "check", "index", "inspect", "debug", "help", "hash", "tree", "search":
		return o.understood()
	case "config":
		return word(&o) == "list" || word(&o) == "get" || word(&o) == "debug"
	case "cache":
		return word(&o) == "dir" || word(&o) == "info" || word(&o) == "list"
	case "install", "sync", "download", "wheel", "compile":
		return in.pipInstall(&o)
	case "uninstall":
		in.does(Install, "pip uninstall", in.Span)
		return true
	}
	return false
}

// pipInstall allows what the project names in its own files, or is itself.
func (in *invocation) pipInstall(o *options) bool {
	named := o.has("index-url", "i", "extra-index-url", "find-links", "f", "target", "t", "prefix", "root", "user", "trusted-host", "break-system-packages", "system", "proxy", "global-option", "config-settings", "python")
	for i := range o.list {
		switch opt := &o.list[i]; opt.name {
		case "r", "requirement", "c", "constraint", "e", "editable":
			text, _ := opt.value.Value()
			named = named || strings.Contains(text, "://") || strings.Contains(text, "git+") || in.leaves(opt.value)
			in.file(looks, opt.value)
			for _, p := range in.places(opt.value) {
				how, _ := in.origin(p.path)
				named = named || how != untouched
			}
		}
	}
	for _, w := range o.operands {
		text, ok := w.Value()
		named = named || !ok || text != "." && !strings.HasPrefix(text, "./") && !strings.HasPrefix(text, ".[") && !isRequirements(text)
	}
	if named {
		in.does(Install, "pip install", in.Span)
		return true
	}
	in.builds("project-packages", in.span(in.Span), "pip")
	return o.understood() && len(o.operands)+len(o.list) > 0
}

func isRequirements(name string) bool {
	return strings.HasPrefix(name, "requirements") && (strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".in"))
}

func explainUV(in *invocation) bool {
	verb, ok := first(in.args)
	if !ok {
		return len(in.args) == 0
	}
	rest := in.args[1:]
	switch verb {
	case "pip":
		action, ok := first(rest)
		return ok && in.pip(action, rest[1:])
	case "sync", "lock":
		return in.tool(rest, "project-packages")
	case "tree", "export", "version", "cache", "help":
		return in.tool(rest, "")
	case "venv", "init", "build", "format":
		return in.tool(rest, "project-build")
	case "add", "remove", "python":
		if action, _ := first(rest); verb == "python" && (action == "list" || action == "find" || action == "dir") {
			return true
		}
		in.does(Install, "uv "+verb, in.Span)
		return true
	case "tool":
		if action, _ := first(rest); action == "list" || action == "dir" {
			return true
		}
		in.does(Install, "uv tool", in.Span)
		in.say("package-run", in.span(in.Span), "uv tool")
		return true
	case "publish":
		in.say("package-published", in.span(in.Span), "uv publish")
		return true
	case "run":
		return in.uvRun(rest)
	}
	return false
}

// uvRun is uv run where the command behind it was not told apart.
func (in *invocation) uvRun(args []shell.Word) bool {
	o := spec{short: "p:m:qv", long: "with= extra= group= python= module= frozen locked no-sync isolated all-extras dev no-dev quiet verbose package= no-project script", first: true}.read(args)
	if o.has("with") || o.strange != nil || o.has("module", "m") {
		return false
	}
	name, ok := first(o.operands)
	if !ok {
		return false
	}
	if strings.HasSuffix(name, ".py") {
		in.runs(o.operands[0], pythonCode)
		return true
	}
	p, known := in.programs[name]
	if !known {
		return false
	}
	in.name, in.args = name, o.operands[1:]
	return p.explain(in)
}

func explainPoetry(in *invocation) bool {
	t := toolchain{
		values:    "-C --directory -P --project -p -e",
		reads:     "show check env about version list search graph --venv --py info status dep help",
		builds:    "build init new lock test fmt lint clean typecheck fix",
		tidies:    "install sync",
		installs:  "add remove update self uninstall upgrade pin python tools cache source config",
		publishes: "publish",
		runs:      "run shell script",
	}
	if verb, at, ok := t.verb(in.args); ok && verb == "install" && in.name == "pipenv" {
		for _, w := range in.args[at+1:] {
			if !strings.HasPrefix(w.Prefix(), "-") {
				in.does(Install, "pipenv install", in.Span)
				return true
			}
		}
	}
	return t.explain(in)
}

func explainConda(in *invocation) bool {
	t := toolchain{reads: "list info search config doctor --version", builds: "", installs: "install create update upgrade remove uninstall clean init build", runs: "run"}
	verb, at, ok := t.verb(in.args)
	if !ok {
		return false
	}
	rest := in.args[at+1:]
	action, _ := first(rest)
	switch {
	case verb == "activate" || verb == "deactivate":
		return true
	case verb == "env":
		if action != "list" && action != "export" {
			in.does(Install, "conda env", in.Span)
		}
		return true
	case verb == "config":
		return action == "--show" || action == "--show-sources" || action == "--get"
	}
	return t.explain(in)
}

func explainTwine(in *invocation) bool {
	return toolchain{builds: "check", publishes: "upload register"}.explain(in)
}

func explainVenv(in *invocation) bool { return in.tool(in.args, "project-build") }

func explainPipx(in *invocation) bool {
	switch verb, _ := first(in.args); verb {
	case "list", "environment":
		return true
	case "run":
		in.does(Install, "pipx run", in.Span)
		in.say("package-run", in.span(in.Span), "pipx run")
		return true
	case "install", "inject", "upgrade", "upgrade-all", "uninstall", "uninstall-all", "reinstall", "reinstall-all", "ensurepath":
		in.does(Install, "pipx "+verb, in.Span)
		return true
	}
	return false
}
