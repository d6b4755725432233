package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// builtinPrograms are those of the shell itself, and others that do nothing outside
// of it.
func builtinPrograms() map[string]program {
	says := program{explainSay}
	all := map[string]program{
		"echo": says, "printf": says, "printenv": {explainPrintenv}, "env": {explainEnvironment},
		"export": {explainDeclare}, "declare": {explainDeclare}, "typeset": {explainDeclare}, "local": {explainDeclare}, "readonly": {explainDeclare},
		"set": {explainSet}, "command": {explainCommand}, "builtin": {explainCommand}, "alias": {explainAlias},
		"history": {explainHistory}, "enable": {explainEnable}, "complete": {explainComplete}, "compgen": {explainComplete},
		"date": {explainDate}, "hostname": {explainHostname}, "man": {explainManual}, "info": {explainManual},
		"kill": {explainKill}, "pkill": {explainEnd}, "killall": {explainEnd}, "skill": {explainEnd}, "xkill": {explainEnd},
		"ps": {explainProcesses}, "ldd": {explainLibraries}, "top": {explainTop}, "htop": {explainTop}, "umask": {explainUmask},
		"mapfile": {explainMapfile}, "readarray": {explainMapfile},
	}
	quiet := program{func(in *invocation) bool { in.evaluates(); return true }}
	for _, name := range []string{
		"true", "false", ":", "test", "[", "[[", "read", "wait", "jobs", "fg", "bg", "disown", "exit", "return", "break", "continue", "shift", "unset",
		"trap", "unalias", "type", "hash", "getopts", "times", "let", "shopt", "setopt", "unsetopt", "ulimit", "caller", "help", "logout", "suspend", "stty",
	} {
		all[name] = quiet
	}
	// What these run is a command of its own; alone they do nothing.
	alone := program{func(in *invocation) bool { return len(in.args) == 0 }}
	for _, name := range []string{"exec", "eval", "xargs", "time", "nohup", "coproc", "bind"} {
		all[name] = alone
	}
	return all
}

// startsItself reports whether a text has a function whose body pipes it into itself.
func startsItself(text string) bool {
	for rest, from := text, 0; ; {
		at := strings.Index(rest[from:], "()")
		if at < 0 || from > 4096 {
			return false
		}
		at += from
		end := strings.TrimRight(rest[:at], " \t")
		name := end[strings.LastIndexAny(end, " \t\n;&|(){}")+1:]
		body, _, _ := strings.Cut(rest[at+2:min(len(rest), at+258)], "}")
		if name != "" && len(name) < 64 && strings.Contains(strings.ReplaceAll(body, " ", ""), name+"|"+name) {
			return true
		}
		from = at + 2
	}
}

// secretVariable reports whether a variable is spelled like one that holds a secret.
func secretVariable(name string) bool {
	for _, word := range []string{"SECRET", "TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL", "_PWD", "_PAT", "_KEY", "AUTH", "SESSION_ID", "COOKIE", "DATABASE_URL", "CONNECTION_STRING", "_DSN"} {
		if at := indexFold(name, word); at >= 0 && !strings.EqualFold(name, "SSH_AUTH_SOCK") && !strings.HasPrefix(name[at:], "AUTHOR") {
			return true
		}
	}
	return false
}

// variablesIn are the names of the variables in the source of a word's unknown part.
func variablesIn(text string) []string {
	var names []string
	for {
		at := strings.IndexByte(text, '$')
		if at < 0 || len(names) > 16 {
			return names
		}
		text = strings.TrimLeft(text[at+1:], "{!#")
		end := 0
		for end < len(text) && (text[end] == '_' || '0' <= text[end] && text[end] <= '9' || 'a' <= lower(text[end]) && lower(text[end]) <= 'z') {
			end++
		}
		if end > 0 {
			names = append(names, text[:end])
		}
		text = text[end:]
	}
}

// printsSecrets notes the secrets that words would print.
func (in *invocation) printsSecrets(words []shell.Word) {
	for _, w := range words {
		for _, p := range w.Parts {
			if p.Kind != shell.Unknown {
				continue
			}
			for _, name := range variablesIn(p.Text) {
				if secretVariable(name) {
					in.does(SecretRead, "$"+name, w.Span)
				}
			}
		}
	}
}

// evaluates says so if a word holds what a shell runs when it works the word out as a
// number or a variable's name: a[$(ls)].
func (in *invocation) evaluates() {
	for _, w := range in.args {
		for _, p := range w.Parts {
			if p.Kind == shell.Literal && (strings.Contains(p.Text, "$(") || strings.Contains(p.Text, "`")) {
				in.say("code-computed", in.span(w.Span), in.name)
			}
		}
	}
}

func explainSay(in *invocation) bool {
	if text, _ := first(in.args); text == "-v" && in.name == "printf" {
		in.evaluates()
	}
	in.printsSecrets(in.args)
	return true
}

func explainPrintenv(in *invocation) bool {
	o := spec{short: "0", long: "null"}.read(in.args)
	if len(o.operands) == 0 {
		in.does(SecretRead, "environment", in.Span)
	}
	for _, w := range o.operands {
		if name, ok := w.Value(); !ok || secretVariable(name) {
			in.does(SecretRead, "$"+name, w.Span)
		}
	}
	return o.understood()
}

// explainEnvironment is env without a command.
func explainEnvironment(in *invocation) bool {
	if len(in.args) == 0 {
		in.does(SecretRead, "environment", in.Span)
		return true
	}
	o := spec{short: "0iu:", long: "null ignore-environment unset="}.read(in.args)
	if !o.has("i", "ignore-environment") {
		in.does(SecretRead, "environment", in.Span)
	}
	return o.understood() && len(o.operands) == 0
}

// explainDeclare is export and its like: without a name they print all there is.
func explainDeclare(in *invocation) bool {
	o := spec{short: "aAfFgiIlnrtuxp"}.read(in.args)
	if len(o.operands) == 0 && !o.has("f", "F") && in.name != "local" && in.name != "readonly" {
		in.does(SecretRead, "environment", in.Span)
	}
	if o.has("p") {
		for _, w := range o.operands {
			if name, ok := w.Value(); !ok || secretVariable(name) {
				in.does(SecretRead, "$"+name, w.Span)
			}
		}
	}
	in.evaluates()
	return o.strange == nil
}

func explainSet(in *invocation) bool {
	if len(in.args) == 0 {
		in.does(SecretRead, "environment", in.Span)
	}
	return true
}

// explainCommand is command -v and the like; what command runs is not one of its
// own.
func explainCommand(in *invocation) bool {
	o := spec{short: "pvV", first: true}.read(in.args)
	return len(in.args) == 0 || o.has("v", "V")
}

// explainAlias is for those whose text nobody has seen run: what an alias stands for
// is put in its place where it is used.
func explainAlias(in *invocation) bool { return true }

func explainHistory(in *invocation) bool {
	o := spec{short: "cd:anrwps", numbers: true}.read(in.args)
	if !o.has("c", "d", "w") {
		in.does(SecretRead, "history", in.Span) // people type passwords
	}
	return o.understood() && !o.has("c", "d", "w")
}

func explainEnable(in *invocation) bool {
	o := spec{short: "adnps"}.read(in.args)
	return o.understood() // -f loads code
}

func explainComplete(in *invocation) bool {
	o := spec{short: "abcdefgjksuvA:G:W:P:S:X:o:DEIpr"}.read(in.args)
	return o.understood() // -C and -F run code
}

func explainMapfile(in *invocation) bool {
	o := spec{short: "d:n:O:s:tu:"}.read(in.args)
	return o.understood() // -C runs code
}

func explainUmask(in *invocation) bool {
	for _, w := range in.args {
		if text, ok := w.Value(); !ok || text == "0" || text == "000" || text == "0000" {
			in.say("mode-opened", in.span(w.Span), text)
		}
	}
	return true
}

func explainDate(in *invocation) bool {
	o := spec{short: "d:f:I::jnr:RuUv:", long: "date= debug file= iso-8601=? reference= rfc-email rfc-2822 rfc-3339= utc universal resolution"}.read(in.args)
	for _, name := range []string{"f", "file"} {
		if opt, ok := o.get(name); ok && !o.has("j") {
			in.file(shows, opt.value)
		}
	}
	for _, w := range o.operands {
		if !strings.HasPrefix(w.Prefix(), "+") && !o.has("j") {
			return false // sets the clock
		}
	}
	return o.strange == nil
}

func explainHostname(in *invocation) bool {
	o := spec{short: "aAdfiIsy", long: "alias all-fqdns all-ip-addresses domain fqdn long ip-address short"}.read(in.args)
	return o.understood() && len(o.operands) == 0
}

func explainManual(in *invocation) bool {
	o := spec{short: "afkKwWs:S:L:7tI", long: "all whatis apropos where path locale= sections= regex wildcard"}.read(in.args)
	return o.understood()
}

func explainTop(in *invocation) bool {
	o := spec{short: "bcd:E:e:Hi1n:o:Op:sSu:U:w::l:", long: "batch-mode iterations= delay="}.read(in.args)
	return o.understood()
}

// explainProcesses is ps, which shows the processes' variables if it is asked to.
func explainProcesses(in *invocation) bool {
	o := spec{short: "AadeflhHjLmNcMwxurTVvZF:C:g:G:k:o:O:p:q:s:t:U:y", long: "forest headers no-headers sort= format= pid= ppid= user= cols= rows= deselect Group= group= tty="}.read(in.args)
	for _, w := range o.operands {
		if text, ok := w.Value(); !ok || strings.IndexByte(text, 'e') >= 0 && strings.Trim(text, "0123456789") != "" {
			in.does(SecretRead, "environment", w.Span)
		}
	}
	return o.strange == nil
}

// explainLibraries is ldd, which may run the program that it is asked about.
func explainLibraries(in *invocation) bool {
	o := spec{short: "vudr", long: "verbose unused data-relocs function-relocs"}.read(in.args)
	for _, w := range o.operands {
		for _, p := range in.places(w) {
			if !isPublic(p.path) {
				in.say("runs-hidden", in.span(w.Span), in.name)
			}
		}
	}
	return o.understood()
}

// explainKill allows what only asks, and the jobs of the shell itself.
func explainKill(in *invocation) bool {
	for i, w := range in.args {
		text, ok := w.Value()
		switch {
		case i == 0 && ok && (text == "-0" || text == "-l" || text == "-L"):
			return true
		case i == 0 && ok && len(text) > 1 && text[0] == '-':
			continue
		case ok && len(text) > 1 && text[0] == '%', !ok && len(w.Parts) == 1 && (w.Parts[0].Text == "$!" || w.Parts[0].Text == "${!}"):
		case text == "-s" || text == "-n" || text == "--" || ok && i > 0 && isSignal(text):
		default:
			in.does(Process, text, w.Span)
		}
	}
	return true
}

func isSignal(name string) bool {
	switch strings.TrimPrefix(name, "SIG") {
	case "TERM", "KILL", "INT", "HUP", "QUIT", "STOP", "CONT", "USR1", "USR2":
		return true
	}
	return false
}

func explainEnd(in *invocation) bool {
	o := spec{short: "egiIlqrsSuvwyzfxnoacLdpt0123456789", long: "list signal="}.read(in.args)
	if o.has("l", "list") || o.has("0") {
		return true
	}
	in.does(Process, in.name, in.Span)
	return true
}
