package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// connectionPrograms open connections of any kind, or ask who is where.
func connectionPrograms() map[string]program {
	return map[string]program{
		"nc":          {explainNetcat},
		"ncat":        {explainNetcat},
		"netcat":      {explainNetcat},
		"socat":       {explainSocat},
		"telnet":      {explainConnection},
		"websocat":    {explainConnection},
		"wscat":       {explainConnection},
		"ftp":         {explainConnection},
		"lftp":        {explainConnection},
		"tftp":        {explainConnection},
		"ngrok":       {explainTunnel},
		"localtunnel": {explainTunnel},
		"lt":          {explainTunnel},
		"bore":        {explainTunnel},
		"frpc":        {explainTunnel},
		"chisel":      {explainTunnel},
		"inlets":      {explainTunnel},
		"tailscale":   {explainTunnel},
		"wireguard":   {explainTunnel},
		"torsocks":    {explainTunnel},
		"mail":        {explainMail},
		"mailx":       {explainMail},
		"sendmail":    {explainMail},
		"msmtp":       {explainMail},
		"mutt":        {explainMail},
		"swaks":       {explainMail},
		"ping":        {explainLookup},
		"ping6":       {explainLookup},
		"dig":         {explainLookup},
		"nslookup":    {explainLookup},
		"host":        {explainLookup},
		"drill":       {explainLookup},
		"traceroute":  {explainLookup},
		"tracepath":   {explainLookup},
		"mtr":         {explainLookup},
		"whois":       {explainLookup},
		"wakeonlan":   {explainConnection},
	}
}

// explainLookup asks who is where. A name that is computed may carry anything.
func explainLookup(in *invocation) bool {
	for _, w := range in.args {
		if text, known := w.Value(); !known {
			in.say("request-computed", in.span(w.Span), wordText(w))
		} else if text == "-f" && (in.name == "dig" || in.name == "ping") {
			return false
		}
	}
	in.note(noted{Effect: Effect{Kind: Receive, Target: "", Certain: in.Certain, Span: in.span(in.Span)}})
	return true
}

// explainNetcat connects or listens. A look whether a port is open sends nothing.
func explainNetcat(in *invocation) bool {
	o := spec{short: "46CDdFhklNnrStUuvzbi:I:M:m:O:P:p:q:s:T:V:w:W:X:x:e:c:g:G:o:", long: "exec= sh-exec= lua-exec= listen keep-open ssl proxy= proxy-type= proxy-auth= source= wait= idle-timeout= zero verbose udp recv-only send-only broker chat allow= crlf"}.read(in.args)
	switch {
	case o.has("e", "c", "exec", "sh-exec", "lua-exec"):
		in.say("shell-offered", in.span(in.Span), in.name)
		return true
	case o.has("l", "listen", "k", "keep-open", "broker", "chat"):
		in.say("tunnel-opened", in.span(in.Span), in.name)
		return true
	}
	host := ""
	if len(o.operands) > 0 {
		host = o.operands[0].Prefix()
		if len(o.operands) > 1 {
			host += ":" + o.operands[1].Prefix()
		}
	}
	if o.has("z", "zero") && o.understood() && in.Stdin.Kind == shell.StdinNone {
		in.note(noted{Effect: Effect{Kind: Receive, Target: host, Certain: in.Certain, Span: in.span(in.Span)}})
		return true
	}
	in.note(noted{Effect: Effect{Kind: Send, Target: host, Certain: in.Certain, Span: in.span(in.Span)}})
	return true
}

// explainSocat connects two ends, of which one may be a program.
func explainSocat(in *invocation) bool {
	for _, w := range in.args {
		text := asciiFold(w.Prefix())
		if strings.HasPrefix(text, "exec:") || strings.HasPrefix(text, "system:") || strings.HasPrefix(text, "shell:") || strings.Contains(text, "fork,exec") {
			in.say("shell-offered", in.span(w.Span), w.Prefix())
			return true
		}
		if strings.Contains(text, "listen") {
			in.say("tunnel-opened", in.span(w.Span), w.Prefix())
		}
	}
	in.does(Send, strings.TrimPrefix(lastPrefix(in.args), "tcp:"), in.Span)
	return true
}

func lastPrefix(words []shell.Word) string {
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1].Prefix()
}

// explainConnection is a program that talks to another machine in a way that is not
// looked into.
func explainConnection(in *invocation) bool {
	target := ""
	for _, w := range in.args {
		if text := w.Prefix(); text != "" && text[0] != '-' {
			target = joinHost(target, text)
		}
	}
	in.does(Send, target, in.Span)
	return true
}

func joinHost(host, port string) string {
	switch {
	case host == "":
		return port
	case strings.IndexByte(host, ':') < 0:
		return host + ":" + port
	default:
		return host
	}
}

func explainTunnel(in *invocation) bool {
	if len(in.args) == 1 && in.hasWord("version", "status", "help") {
		in.say("service-asked", in.span(in.Span), in.name)
		return true
	}
	in.does(Send, in.name, in.Span)
	in.say("tunnel-opened", in.span(in.Span), in.name)
	return true
}

func explainMail(in *invocation) bool {
	in.does(Send, in.name, in.Span)
	in.say("mail-sent", in.span(in.Span), in.name)
	return true
}
