package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// variables judges what the command is given, and what a shell keeps from here on:
// some variables make other programs run code that nobody sees.
func (in *invocation) variables() {
	for _, v := range in.Env {
		in.variable(v.Name, v.Value, v.Span)
	}
	if len(in.Args) < 2 || !setsVariables(in.Args[0].Prefix()) {
		return
	}
	for _, w := range in.Args[1:] {
		name, value, ok := strings.Cut(w.Prefix(), "=")
		if !ok || name == "" || name[0] == '-' {
			continue
		}
		rest := shell.Word{Parts: append([]shell.Part{{Text: value}}, w.Parts[1:]...), Quoted: w.Quoted, Many: w.Many, Span: w.Span}
		in.variable(strings.TrimSuffix(name, "+"), rest, w.Span)
	}
}

func setsVariables(program string) bool {
	switch program {
	case "export", "declare", "typeset", "local", "readonly", "setenv":
		return true
	}
	return false
}

// variable judges one.
func (in *invocation) variable(name string, value shell.Word, at shell.Span) {
	text, known := value.Value()
	rule := ""
	if in.facts.Engine.variable(name) {
		in.say("engine-touched", in.span(at), name)
	}
	switch variableKind(name) {
	case injecting:
		if name != "ENV" || !known || strings.ContainsAny(text, "/.$") {
			rule = "variable-injects"
		}
	case hidingTrail:
		if hidesTrail(name, text, known) {
			rule = "trail-hidden"
		}
	case executing:
		if !known || !harmlessProgram(text) {
			rule = "variable-executes"
		}
	case optionsOf:
		if !known || !harmlessOptions(name, text) {
			rule = "variable-executes"
		}
	case searched:
		if !in.searchesOwn(name, value) {
			rule = "search-changed"
		}
	case leading:
		if !known || text != "" && (name != "GOPROXY" || text != "off" && text != "direct") {
			rule = "variable-leads"
		}
	}
	if rule != "" {
		in.say(rule, in.span(at), name)
	}
}

// hidesTrail reports whether a shell would keep less of what it ran.
func hidesTrail(name, text string, known bool) bool {
	switch name {
	case "HISTFILE":
		return true
	case "HISTIGNORE":
		return text != "" || !known
	case "HISTCONTROL":
		return known && strings.Contains(text, "ignorespace")
	default:
		return known && strings.Trim(text, "0") == ""
	}
}

// kindOfVariable tells variables apart that change what programs do.
type kindOfVariable int

const (
	plainVariable kindOfVariable = iota
	injecting                    // code that runs in every program, which is what it is for
	hidingTrail                  // whether commands leave a trace
	executing                    // a program that another one starts
	optionsOf                    // options that a program takes besides those that are seen
	searched                     // folders in which programs and code are looked for
	leading                      // where a program connects or looks for its settings
)

var variableKinds = joinKinds(map[kindOfVariable]string{
	injecting:   "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND PS0 PS4 ZDOTDIR PYTHONSTARTUP PERL5DB SHELLOPTS BASHOPTS GCONV_PATH DOTNET_STARTUP_HOOKS",
	hidingTrail: "HISTFILE HISTSIZE HISTFILESIZE HISTCONTROL HISTIGNORE SAVEHIST",
	executing: "EDITOR VISUAL PAGER MANPAGER GIT_EDITOR GIT_PAGER GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND SSH_ASKPASS " +
		"SUDO_ASKPASS BROWSER LESSOPEN LESSCLOSE CVS_RSH RSYNC_RSH SVN_SSH SVN_EDITOR HGEDITOR HGMERGE FCEDIT SHELL CONFIG_SHELL MAKESHELL GH_PAGER GH_EDITOR GH_BROWSER AWS_PAGER " +
		"KUBE_EDITOR KUBECTL_EXTERNAL_DIFF BAT_PAGER DELTA_PAGER RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTDOC CC CXX LD AR AS CPP FC GOTOOLCHAIN PYTHON NODE NPM MAKE " +
		"CARGO_BUILD_RUSTC CARGO_BUILD_RUSTC_WRAPPER PYTHONBREAKPOINT PSQL_EDITOR PSQL_PAGER DEBUGGER FZF_DEFAULT_COMMAND CORECLR_PROFILER_PATH RIPGREP_CONFIG_PATH",
	optionsOf: "NODE_OPTIONS JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS SBT_OPTS GOFLAGS RUSTFLAGS RUSTDOCFLAGS MAKEFLAGS MFLAGS " +
		"GNUMAKEFLAGS TAR_OPTIONS LESS MORE MANOPT FZF_DEFAULT_OPTS PYTEST_ADDOPTS PYTHONWARNINGS RUBYOPT PERL5OPT",
	searched: "PATH PYTHONPATH NODE_PATH PERL5LIB PERLLIB RUBYLIB CLASSPATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH DYLD_FALLBACK_LIBRARY_PATH GOPATH GOBIN GOROOT " +
		"LUA_PATH LUA_CPATH PYTHONHOME PYTHONUSERBASE CDPATH FPATH MANPATH GEM_PATH GEM_HOME CARGO_HOME RUSTUP_HOME",
	leading: "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_OBJECT_DIRECTORY " +
		"GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_NAMESPACE HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG " +
		"KUBECONFIG AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_ENDPOINT_URL PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_CONFIG_FILE UV_INDEX_URL UV_EXTRA_INDEX_URL UV_DEFAULT_INDEX " +
		"npm_config_registry NPM_CONFIG_REGISTRY npm_config_script_shell GOPROXY GONOSUMDB GONOSUMCHECK GOINSECURE GOSUMDB GOENV CARGO_REGISTRIES_CRATES_IO_PROTOCOL NODE_EXTRA_CA_CERTS " +
		"SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_TLS_REJECT_UNAUTHORIZED GIT_SSL_NO_VERIFY PYTHONHTTPSVERIFY HOME CURL_HOME WGETRC NETRC INPUTRC TERMINFO " +
		"XDG_CONFIG_HOME XDG_DATA_DIRS LD_RUN_PATH LD_DEBUG_OUTPUT LD_PROFILE_OUTPUT",
})

func joinKinds(lists map[kindOfVariable]string) map[string]kindOfVariable {
	all := map[string]kindOfVariable{}
	for kind, names := range lists {
		for name := range strings.FieldsSeq(names) {
			all[name] = kind
		}
	}
	return all
}

func variableKind(name string) kindOfVariable {
	if kind, ok := variableKinds[name]; ok {
		return kind
	}
	switch {
	case strings.HasPrefix(name, "BASH_FUNC_"):
		return injecting
	case strings.HasPrefix(name, "DYLD_"), strings.HasPrefix(name, "GIT_CONFIG_"), strings.HasPrefix(name, "npm_config_"), strings.HasPrefix(name, "NPM_CONFIG_"):
		return leading
	case strings.HasPrefix(name, "CARGO_TARGET_") && (strings.HasSuffix(name, "_RUNNER") || strings.HasSuffix(name, "_LINKER")):
		return executing
	default:
		return plainVariable
	}
}

// harmlessProgram reports whether a program that another one is told to start is
// none, or one that does nothing by itself.
func harmlessProgram(text string) bool {
	switch text {
	case "", ":", "true", "false", "cat", "less", "more", "less -R", "less -F", "less -FRX", "vi", "vim", "nano", "emacs", "echo", "/bin/true", "/bin/false", "/bin/cat",
		"gcc", "g++", "clang", "clang++", "cc", "c++", "ld", "lld", "mold", "ar", "as", "python", "python3", "node", "npm", "make", "gmake", "local", "auto",
		"sh", "bash", "zsh", "/bin/sh", "/bin/bash", "/bin/zsh", "/usr/bin/zsh", "/usr/bin/bash", "sccache", "ccache", "0":
		return true
	}
	return isVersioned(text, "gcc-") || isVersioned(text, "g++-") || isVersioned(text, "clang-") || isVersioned(text, "clang++-") || isVersioned(text, "python3.") || isVersioned(text, "go1.")
}

func isVersioned(text, begin string) bool {
	rest, ok := strings.CutPrefix(text, begin)
	return ok && rest != "" && strings.Trim(rest, "0123456789.") == ""
}

// harmlessOptions reports whether the options that a variable adds only bound a
// program's memory, say how it prints or how careful it is; anything that may name
// code is not.
func harmlessOptions(variable, text string) bool {
	for word := range strings.FieldsSeq(text) {
		switch variable {
		case "LESS", "MORE":
			if strings.Trim(word, "-FRXKSiMqr") != "" {
				return false
			}
		case "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS":
			if strings.Trim(word, "-jksBnqwr0123456789") != "" {
				return false
			}
		default:
			if !harmlessOption(word) {
				return false
			}
		}
	}
	return true
}

// optionBeginnings are of options that take no name of code or file.
var optionBeginnings = []string{
	"--max-old-space-size=", "--max_old_space_size=", "--max-semi-space-size=", "--stack-size=", "--unhandled-rejections=", "--dns-result-order=", "--trace-",
	"-Xmx", "-Xms", "-Xss", "-XX:MaxMetaspaceSize=", "-XX:+Use", "-Dfile.encoding=", "-Djava.awt.headless=", "-mod=", "-count=", "-tags=", "-p=", "-timeout=",
	"--color=", "--tb=", "-Cdebuginfo=", "-Ctarget-cpu=", "-Copt-level=", "-W0", "-W1", "-W2", "-W:", "-Wignore", "-Werror",
}

func harmlessOption(word string) bool {
	switch word {
	case "--no-warnings", "--no-deprecation", "--enable-source-maps", "--experimental-vm-modules", "--experimental-strip-types", "--throw-deprecation",
		"--openssl-legacy-provider", "-race", "-v", "-q", "-vv", "-x", "-s", "-trimpath", "-Dwarnings", "-Awarnings", "ignore", "default", "error", "always":
		return true
	}
	for _, begin := range optionBeginnings {
		if strings.HasPrefix(word, begin) {
			return strings.IndexByte(word, '/') < 0
		}
	}
	return false
}

// searchesOwn reports whether programs and code are looked for only where they would
// be anyway, in installed folders and the person's own, and code in the project.
func (in *invocation) searchesOwn(name string, value shell.Word) bool {
	code := name == "PYTHONPATH" || name == "NODE_PATH" || name == "RUBYLIB" || name == "PERL5LIB" || name == "CLASSPATH"
	var list strings.Builder
	for _, p := range value.Parts {
		switch {
		case p.Kind == shell.Literal:
			list.WriteString(p.Text)
		case p.Kind == shell.Unknown && isSearchVariable(p.Text):
			list.WriteByte(0)
		default:
			return false
		}
	}
	if list.Len() == 0 {
		return name != "PATH"
	}
	for dir := range strings.SplitSeq(list.String(), ":") {
		if dir == "\x00" {
			continue
		}
		place := in.resolve(join(in.absolute(""), in.plain(dir)))
		inCode := code && in.paths.inProject(place)
		if !inCode && (dir == "" || strings.IndexByte(dir, 0) >= 0 || !in.searchable(place)) {
			return false // nothing between two colons is the folder that one is in
		}
	}
	return true
}

func isSearchVariable(text string) bool {
	name, _, _ := strings.Cut(strings.Trim(text, "\"${}"), ":")
	return variableKind(name) == searched
}

// searchable reports whether what lies in a folder is the system's or the person's
// own programs.
func (in *invocation) searchable(name string) bool {
	if isPublic(name) {
		return true
	}
	for _, own := range [...]string{"/.local/bin", "/bin", "/go", "/.cargo", "/.rustup", "/.nvm", "/.pyenv", "/.rbenv", "/.volta", "/.bun/bin", "/.deno/bin", "/.npm-global/bin", "/.asdf", "/.sdkman"} {
		if in.paths.home != "" && exactlyBelow(name, in.paths.home+own) {
			return true
		}
	}
	return false
}
