package effects

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// engine finds in a command what belongs to the engine itself: its command line, its
// files, credentials, addresses and process. What reaches them is never let through;
// what only names them, where nobody can tell, is weighed.
func (in *invocation) engine() {
	own := &in.facts.Engine
	if len(own.Programs)+len(own.Paths)+len(own.Hosts)+len(own.Variables)+len(own.Subjects)+len(own.Processes) == 0 {
		return
	}
	if len(in.Args) > 0 {
		in.engineProgram(own)
		in.engineFolder()
	}
	for _, v := range in.Env {
		in.engineWord(own, v.Value)
	}
	for _, w := range in.Args {
		in.engineWord(own, w)
	}
	if words := in.namesEngine(own, in.Stdin.Text); words != "" {
		in.say("engine-named", in.span(in.Stdin.Span), words)
	}
}

// engineFolder judges where the command may be started: in the engine's own folder
// every program sees, and may touch, what lies there.
func (in *invocation) engineFolder() {
	if len(in.paths.lowEngine) == 0 || in.Remote != "" {
		return
	}
	for _, dir := range in.startDirs() {
		if at := in.resolve(in.absolute(dir)); in.paths.ofEngine(asciiFold(at)) {
			in.say("engine-touched", in.span(in.Span), at)
		}
	}
}

// engineProgram judges the program by its name, and programs that start, stop or
// watch others by the names that they are given.
func (in *invocation) engineProgram(own *Engine) {
	program, known := in.Args[0].Value()
	if !known {
		return
	}
	name := programName(program)
	if own.program(name) {
		in.say("engine-touched", in.span(in.Args[0].Span), name)
		return
	}
	switch name {
	case "pkill", "killall", "pgrep", "pidof", "killall5", "skill", "xkill", "taskkill", "tskill":
		in.engineProcessNamed(own, name)
	case "kill", "gdb", "lldb", "strace", "ltrace", "nsenter", "renice", "reptyr", "gcore", "perf", "dtrace":
		in.engineProcess(own)
	case "go", "npx", "bunx", "pnpx", "uvx", "pipx", "npm", "pnpm", "yarn", "bun", "deno", "cargo", "nix", "mise", "asdf",
		"systemctl", "service", "launchctl", "supervisorctl", "pm2", "rc-service", "sv", "docker", "podman", "nerdctl", "open", "start", "rundll32":
		in.engineStarted(own, name)
	case "lsof", "fuser", "ss", "netstat":
		in.enginePort(own, name)
	case "nc", "ncat", "netcat", "socat", "telnet", "nats", "nats-top", "curl", "wget", "openssl", "websocat", "grpcurl", "http", "https", "xh", "ssh":
		in.engineReached(own)
	}
}

// programName is the name by which a program is known, of one that is called by its
// path.
func programName(program string) string {
	if i := strings.LastIndexAny(program, `/\`); i >= 0 {
		program = program[i+1:]
	}
	return strings.TrimSuffix(asciiFold(program), ".exe")
}

// program reports whether a name is that of the engine's command line.
func (e *Engine) program(name string) bool {
	for _, own := range e.Programs {
		if strings.EqualFold(own, name) {
			return true
		}
	}
	return false
}

// variable reports whether a variable is one of the engine's. One that ends in a
// star stands for all that begin so.
func (e *Engine) variable(name string) bool {
	for _, own := range e.Variables {
		begin, family := strings.CutSuffix(own, "*")
		if strings.EqualFold(name, own) || family && len(name) >= len(begin) && strings.EqualFold(name[:len(begin)], begin) {
			return true
		}
	}
	return false
}

// engineStarted looks for the engine among what a program starts or stops.
func (in *invocation) engineStarted(own *Engine, name string) {
	if name == "go" && len(in.Args) > 1 {
		if verb := in.Args[1].Prefix(); verb != "run" && verb != "tool" && verb != "install" {
			return // building or testing the engine's source touches no engine
		}
	}
	for _, w := range in.Args[1:] {
		text := programName(strings.TrimRight(w.Prefix(), "/"))
		text = strings.TrimSuffix(strings.TrimSuffix(text, ".service"), ".go")
		if text, _, _ = strings.Cut(text, "@"); own.program(text) {
			in.say("engine-touched", in.span(w.Span), text)
		}
	}
}

// engineProcessNamed judges programs that find processes by their names.
func (in *invocation) engineProcessNamed(own *Engine, name string) {
	rule := "engine-touched"
	if (name == "pgrep" || name == "pidof") && !in.Nested && !in.feeds("kill") {
		rule = "engine-named"
	}
	for _, w := range in.Args[1:] {
		pattern, known := w.Value()
		if known && strings.HasPrefix(pattern, "-") {
			if name != "pgrep" && (strings.HasPrefix(pattern, "-u") || strings.HasPrefix(pattern, "-U") || strings.HasPrefix(pattern, "--u")) {
				in.say("engine-touched", in.span(w.Span), pattern) // all of a person's processes
			}
			continue
		}
		if !known || pattern == "" {
			continue
		}
		for _, p := range own.Programs {
			if matchesProcess(pattern, p) {
				in.say(rule, in.span(w.Span), pattern)
			}
		}
	}
	in.engineProcess(own)
}

// feeds reports whether a program of that name is in the same text.
func (in *invocation) feeds(name string) bool {
	if in.script == nil {
		return false
	}
	for i := range in.script.Commands {
		if c := &in.script.Commands[i]; len(c.Args) > 0 && base(c.Args[0].Prefix()) == name {
			return true
		}
	}
	return false
}

// matchesProcess reports whether a pattern that is looked for in the names and
// command lines of processes may find a program.
func matchesProcess(pattern, program string) bool {
	pattern, program = asciiFold(pattern), asciiFold(program)
	if strings.Contains(program, pattern) || strings.Contains(pattern, program) {
		return true
	}
	if len(pattern) > 128 || !strings.ContainsAny(pattern, `.*[]()|^$?+\`) {
		return false
	}
	// What stands behind a blank may be the program's arguments.
	first, _, _ := strings.Cut(strings.TrimPrefix(pattern, "^"), " ")
	expr, err := regexp.Compile(first)
	return err != nil || expr.MatchString(program)
}

// engineProcess looks for the engine's processes by their numbers.
func (in *invocation) engineProcess(own *Engine) {
	for i, w := range in.Args[1:] {
		if text := w.Prefix(); i > 0 && text == "-1" && in.Args[0].Prefix() == "kill" && len(own.Processes) > 0 {
			in.say("engine-touched", in.span(w.Span), text) // every process there is
		}
		for _, number := range own.Processes {
			if text := w.Prefix(); strings.TrimLeft(strings.TrimPrefix(text, "--pid="), "-") == strconv.Itoa(number) {
				in.say("engine-touched", in.span(w.Span), text)
			}
		}
	}
}

// enginePort judges programs that find processes by the ports on which they listen.
func (in *invocation) enginePort(own *Engine, name string) {
	ends := name == "fuser" && len(in.Args) > 1 && strings.HasPrefix(in.Args[1].Prefix(), "-k")
	if !ends && !in.feeds("kill") {
		return
	}
	for _, w := range in.Args[1:] {
		text := w.Prefix()
		for _, host := range own.Hosts {
			if _, port := hostOf(host); port != "" && (strings.HasSuffix(text, ":"+port) || text == port+"/tcp" || text == port) {
				in.say("engine-touched", in.span(w.Span), text)
			}
		}
	}
}

// engineReached looks for the engine's address among a network program's arguments,
// also where host and port are words of their own.
func (in *invocation) engineReached(own *Engine) {
	named := in.script != nil && base(in.Args[0].Prefix()) == "nats"
	for i, w := range in.Args[1:] {
		text := w.Prefix()
		if own.address(text) || in.isEnginePath(text) || i > 0 && own.host(in.Args[i].Prefix(), text) || own.subject(text) {
			in.say("engine-touched", in.span(w.Span), text)
			return
		}
		named = named && !strings.Contains(text, "://")
	}
	if named && own.host("localhost", "4222") { // where it connects if nobody says where
		in.say("engine-touched", in.span(in.Span), "")
	}
}

// subject reports whether a text is a subject of the engine's.
func (e *Engine) subject(text string) bool {
	for _, own := range e.Subjects {
		if strings.HasPrefix(text, own) && (len(text) == len(own) || text[len(own)] == '.') || text == ">" {
			return true
		}
	}
	return false
}

// engineWord judges a word wherever it stands.
func (in *invocation) engineWord(own *Engine, w shell.Word) {
	for _, p := range w.Parts {
		switch {
		case p.Kind == shell.Unknown && own.mentionsVariable(p.Text):
			in.say("engine-touched", in.span(w.Span), p.Text)
		case p.Kind == shell.Literal:
			if words := in.namesEngine(own, p.Text); words != "" {
				in.say("engine-named", in.span(w.Span), words)
			}
		}
	}
}

// namesEngine finds a path, an address or a variable of the engine's in a text.
func (a *analysis) namesEngine(own *Engine, text string) string {
	if len(text) < 4 {
		return ""
	}
	if strings.Contains(text, "..") && len(text) < 4096 {
		text = path.Clean(text) // as far as dots can be undone where they stand
	}
	for _, name := range a.paths.lowEngine {
		if i := indexFold(text, name); i >= 0 && (i+len(name) == len(text) || !isWordByte(text[i+len(name)])) {
			return name
		}
	}
	for _, host := range own.Hosts {
		if len(text) >= len(host) && indexFold(text, host) >= 0 {
			return host
		}
	}
	if own.mentionsVariable(text) {
		return "one of its variables"
	}
	return ""
}

// mentionsVariable reports whether a text has a variable's name in it.
func (e *Engine) mentionsVariable(text string) bool {
	for _, own := range e.Variables {
		begin, family := strings.CutSuffix(own, "*")
		for rest := text; len(rest) >= len(begin); {
			i := strings.Index(rest, begin)
			if i < 0 {
				break
			}
			end := i + len(begin)
			if (i == 0 || !isWordByte(rest[i-1])) && (family || end == len(rest) || !isWordByte(rest[end])) {
				return true
			}
			rest = rest[end:]
		}
	}
	return false
}

func isWordByte(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '_' }

// indexFold is strings.Index without case, for an ASCII part.
func indexFold(s, part string) int {
	for i := 0; i+len(part) <= len(s); i++ {
		if foldsTo(s[i], part[0]) && strings.EqualFold(s[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}

func foldsTo(c, part byte) bool { return c == part || isLetter(c) && c|0x20 == part|0x20 }
