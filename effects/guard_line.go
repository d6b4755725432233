package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// line judges a text as a whole: a program that talks to other machines, in one text
// with something that must not leave, sends it, however the two are tied together.
func (a *analysis) line(script *shell.Script) {
	network := false
	for i := range script.Commands {
		c := &script.Commands[i]
		network = network || len(c.Args) > 0 && isNetworkProgram(programName(c.Args[0].Prefix())) && !onlyHere(c.Args)
	}
	if !network {
		return
	}
	for i := range script.Commands {
		c := &script.Commands[i]
		for j, w := range c.Args {
			if j > 0 && !takesOutput(c.Args[j-1]) && marked(w) {
				a.say("secret-sent", a.span(w.Span), wordText(w))
			}
		}
		for _, v := range c.Env {
			if marked(v.Value) {
				a.say("secret-sent", a.span(v.Span), v.Name)
			}
		}
		for _, r := range c.Redirects {
			if r.Op == shell.ReadFrom && marked(r.Target) {
				a.say("secret-sent", a.span(r.Span), wordText(r.Target))
			}
		}
	}
}

func isNetworkProgram(name string) bool {
	switch name {
	case "curl", "wget", "http", "https", "xh", "xhs", "httpie", "nc", "ncat", "netcat", "socat", "telnet", "ftp", "lftp", "tftp", "aria2c", "websocat", "grpcurl",
		"invoke-webrequest", "invoke-restmethod", "iwr", "irm", "lynx", "links", "w3m", "mail", "sendmail", "msmtp", "dig", "nslookup", "host", "drill", "openssl":
		return true
	}
	return false
}

// onlyHere reports whether all addresses that a command names are this machine's,
// and there is one.
func onlyHere(args []shell.Word) bool {
	here := false
	for _, w := range args[1:] {
		text := w.Prefix()
		if !strings.Contains(text, "://") && !strings.HasPrefix(text, "localhost:") && !strings.HasPrefix(text, "127.0.0.1:") {
			continue
		}
		if host, _ := hostOf(text); !isLoopback(host) {
			return false
		}
		here = true
	}
	return here
}

// takesOutput reports whether the word behind an option is a file that is written.
func takesOutput(w shell.Word) bool {
	switch w.Prefix() {
	case "-o", "--output", "-O", "--output-document", "--cacert", "--capath":
		return true
	}
	return false
}

// markers are folders and files of which seed 004 lets none leave; in small letters.
var markers = []string{
	".ssh/", ".gnupg/", ".aws/", ".kube/", ".azure/", ".config/gcloud", ".docker/config.json", ".password-store", ".credentials.yaml", ".credentials.json",
	"id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", ".git-credentials", "/etc/shadow", "/etc/gshadow", ".netrc", ".pypirc", ".npmrc", ".pgpass", ".vault-token", "credentials.db",
}

// marked reports whether a word names what must not leave: a place of keys, a file
// that is spelled like one of secrets, a variable with a secret's name.
func marked(w shell.Word) bool {
	for _, p := range w.Parts {
		if p.Kind == shell.Unknown && mentionsSecret(p.Text) {
			return true
		}
		if p.Kind != shell.Literal || len(p.Text) < 4 {
			continue
		}
		if len(p.Text) >= 16 && tokenShaped(p.Text) {
			return true
		}
		low := asciiFold(p.Text)
		for _, m := range markers {
			if strings.Contains(low, m) && !strings.HasSuffix(low, ".pub") {
				return true
			}
		}
		if strings.HasSuffix(low, "/environ") && strings.Contains(low, "proc/") {
			return true
		}
		if i := strings.LastIndexAny(low, "@=/:<"); strings.HasPrefix(low[i+1:], ".env") && sensitive("/"+low[i+1:]) {
			return true
		}
	}
	return false
}

// mentionsSecret reports whether the source of an expansion has a variable whose name
// says that it is a secret.
func mentionsSecret(source string) bool {
	for i := strings.IndexByte(source, '$'); i >= 0 && i < len(source); {
		end := i + 1
		for end < len(source) && (source[end] == '{' || source[end] == '!' || isWordByte(source[end])) {
			end++
		}
		if secretName(source[i+1 : end]) {
			return true
		}
		next := strings.IndexByte(source[end:], '$')
		if next < 0 {
			return false
		}
		i = end + next
	}
	return false
}

// secretName reports whether a name is one for secrets (seed 004's list).
func secretName(name string) bool {
	name = strings.ReplaceAll(asciiFold(name), "_", "")
	for _, part := range [...]string{"apikey", "authkey", "accesskey", "secret", "token", "password", "passwd", "credential", "privatekey", "passphrase"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// spellsHome reports whether a word is a home folder in a spelling that is not known
// here, of whatever shell.
func spellsHome(w shell.Word) bool {
	for _, p := range w.Parts {
		if strings.IndexByte(p.Text, '$') < 0 && strings.IndexByte(p.Text, '%') < 0 {
			continue
		}
		low := asciiFold(p.Text)
		for _, spelling := range [...]string{"$home", "${home", "$env:userprofile", "%userprofile%", "%home%", "%homepath%", "%homedrive%", "$env:home", "${env:userprofile", "$userprofile"} {
			if i := strings.Index(low, spelling); i >= 0 && (i+len(spelling) == len(low) || !isWordByte(low[i+len(spelling)])) {
				return true
			}
		}
	}
	return false
}

// wordText is a word as far as it is known, for people.
func wordText(w shell.Word) string {
	if len(w.Parts) == 1 {
		return w.Parts[0].Text
	}
	var b strings.Builder
	for _, p := range w.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}
