package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/secrets"
	"github.com/docket-engine/docket/effects/shell"
)

// flows judges a text by what leads from one of its commands to another: from is how
// many effects there were before it.
func (a *analysis) flows(script *shell.Script, from int) {
	a.secretsLeave(from)
	for i := range script.Commands {
		c := &script.Commands[i]
		a.fetchedCode(c)
		if a.offersShell(script, c) {
			a.say("shell-offered", a.span(c.Span), c.Args[0].Prefix())
		}
	}
	for _, p := range script.Problems {
		if p.Kind == shell.DynamicCode && fetchesIn(p.Words) {
			a.say("runs-download", a.span(p.Span), p.Words)
		}
	}
}

// secretsLeave speaks where secrets are read and something is sent, or where what is
// read in a substitution may be a part of a request.
func (a *analysis) secretsLeave(from int) {
	read, nested := false, false
	for i := from; i < len(a.effects); i++ {
		e := &a.effects[i]
		if e.Kind != SecretRead && e.Kind != Read || a.ruleOf(*e) != "secret-read" {
			continue
		}
		read, nested = true, nested || e.nested
	}
	if !read {
		return
	}
	for i := from; i < len(a.effects); i++ {
		e := &a.effects[i]
		if (e.Kind == Send || e.Kind == Receive && nested) && e.Target != "" {
			if host, _ := hostOf(e.Target); !isLoopback(host) {
				a.say("secret-sent", e.Span, e.Target)
			}
		}
	}
}

// talkers carry what they read to another machine, and back.
const talkers = "nc ncat netcat socat telnet openssl websocat"

// shells take commands from what they read.
const shells = "sh bash dash zsh ksh ash fish"

// offersShell reports whether a command lets another machine give commands: a shell
// that is tied to a connection.
func (a *analysis) offersShell(script *shell.Script, c *shell.Command) bool {
	if len(c.Args) == 0 {
		return false
	}
	name := base(c.Args[0].Prefix())
	switch {
	case listed(shells, name):
		return takesCommands(c) && comesFrom(script, c, func(from *shell.Command) bool { return listed(talkers, base(from.Args[0].Prefix())) })
	case listed(talkers, name):
		return comesFrom(script, c, func(from *shell.Command) bool {
			return listed(shells, base(from.Args[0].Prefix())) && takesCommands(from) && from.Stdin.Kind != shell.StdinText
		})
	default:
		return false
	}
}

// takesCommands reports whether a shell reads its commands.
func takesCommands(c *shell.Command) bool {
	for _, w := range c.Args[1:] {
		if text, known := w.Value(); !known || text == "-c" || text == "" || text[0] != '-' {
			return false
		}
	}
	return true
}

// comesFrom reports whether a command reads what another one of some kind prints.
func comesFrom(script *shell.Script, c *shell.Command, is func(*shell.Command) bool) bool {
	for _, i := range c.Stdin.From {
		if i >= 0 && i < len(script.Commands) && len(script.Commands[i].Args) > 0 && is(&script.Commands[i]) {
			return true
		}
	}
	return false
}

// evaluators run a text that they are given.
const evaluators = "sh bash dash zsh ksh ash fish eval source . python python2 python3 node nodejs ruby perl php deno bun pwsh powershell osascript lua Rscript"

// fetchedCode speaks where what is fetched in a substitution is run.
func (a *analysis) fetchedCode(c *shell.Command) {
	if len(c.Args) < 2 || !listed(evaluators, base(c.Args[0].Prefix())) {
		return
	}
	for _, w := range c.Args[1:] {
		for _, p := range w.Parts {
			if p.Kind == shell.Unknown && fetchesIn(p.Text) {
				a.say("runs-download", a.span(w.Span), p.Text)
			}
		}
	}
}

// fetchWords are programs that get something from other machines.
var fetchWords = []string{"curl", "wget", "fetch", "http", "https", "xh", "aria2c", "nc", "ncat", "lynx", "w3m", "scp", "ftp"}

// fetchesIn reports whether the source of a substitution starts one of them.
func fetchesIn(source string) bool {
	if !strings.ContainsAny(source, "(`") {
		return false
	}
	for _, w := range fetchWords {
		for at := 0; ; {
			i := strings.Index(source[at:], w)
			if i < 0 {
				break
			}
			at += i + len(w)
			before := at - len(w) - 1
			if before >= 0 && strings.IndexByte("(`|;& /\n\\", source[before]) >= 0 && (at == len(source) || strings.IndexByte(" \t\n)`;|", source[at]) >= 0) {
				return true
			}
		}
	}
	return false
}

// tokensLeave speaks where a word of a request to another machine has a secret in it,
// by its shape.
func (in *invocation) tokensLeave() {
	for _, w := range in.args {
		for _, p := range w.Parts {
			if p.Kind != shell.Literal || len(p.Text) < 8 {
				continue
			}
			if found, ok := secrets.Find(p.Text); len(found) > 0 || !ok {
				in.say("secret-sent", in.span(w.Span), in.name)
				return
			}
		}
	}
}
