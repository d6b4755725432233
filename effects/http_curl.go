package effects

import (
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

var curlSpec = spec{
	short: "#012346aBfgGhiIjJklLMnNOpqRsSvVZA:b:c:C:d:D:e:E:F:H:K:m:o:P:Q:r:t:T:u:U:w:x:X:y:Y:z:",
	long: "abstract-unix-socket= alt-svc= aws-sigv4= cacert= capath= cert= cert-type= ciphers= config= connect-timeout= connect-to= continue-at= cookie= cookie-jar= create-file-mode= crlfile= curves= " +
		"data= data-ascii= data-binary= data-raw= data-urlencode= delegation= dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-url= dump-header= egd-file= engine= etag-compare= etag-save= " +
		"expect100-timeout= form= form-string= happy-eyeballs-timeout-ms= header= hostpubmd5= hostpubsha256= hsts= interface= json= keepalive-time= key= key-type= libcurl= limit-rate= local-port= login-options= " +
		"mail-auth= mail-from= mail-rcpt= max-filesize= max-redirs= max-time= netrc-file= noproxy= oauth2-bearer= output= output-dir= parallel-max= pass= pinnedpubkey= preproxy= proto= proto-default= proto-redir= " +
		"proxy= proxy-header= proxy-user= pubkey= quote= range= rate= referer= request= request-target= resolve= retry= retry-delay= retry-max-time= socks4= socks4a= socks5= socks5-hostname= speed-limit= speed-time= " +
		"stderr= time-cond= tls-max= tls13-ciphers= trace= trace-ascii= unix-socket= upload-file= url= url-query= user= user-agent= variable= write-out= " +
		"anyauth append basic cert-status compressed create-dirs crlf digest disable doh-insecure fail fail-early fail-with-body form-escape get globoff head http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3 " +
		"ignore-content-length include insecure ipv4 ipv6 junk-session-cookies list-only location location-trusted negotiate netrc netrc-optional no-alpn no-buffer no-keepalive no-progress-meter no-sessionid ntlm " +
		"parallel parallel-immediate path-as-is post301 post302 post303 progress-bar proxytunnel raw remote-header-name remote-name remote-name-all remote-time remove-on-error retry-all-errors retry-connrefused " +
		"show-error show-headers silent ssl ssl-reqd styled-output suppress-connect-headers tcp-fastopen tcp-nodelay tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids trace-time use-ascii verbose version help xattr",
}

// Options of curl, by what they mean here. Those in curlOdd lead a request elsewhere,
// or have it do what is not looked into.
const (
	curlBody    = "d data data-ascii data-binary json data-urlencode F form T upload-file data-raw form-string"
	curlWritten = "o output D dump-header c cookie-jar trace trace-ascii stderr etag-save libcurl hsts alt-svc"
	curlOdd     = "K config x proxy preproxy socks4 socks4a socks5 socks5-hostname resolve connect-to unix-socket abstract-unix-socket dns-servers doh-url Q quote proto-default request-target variable " +
		"mail-from mail-rcpt mail-auth netrc-file engine P t J remote-header-name location-trusted p proxytunnel"
	curlCredentials = "u user U proxy-user oauth2-bearer n netrc netrc-optional E cert key aws-sigv4 negotiate pass"
)

// explainCurl reads what curl would ask, send and write.
func explainCurl(in *invocation) bool {
	o := curlSpec.read(in.args)
	if o.has("V", "version", "h", "help", "M") && len(o.operands) == 0 {
		in.say("service-asked", in.span(in.Span), in.name)
		return true
	}
	q := ask{invocation: in, scheme: "http"}
	method, asksForm := "", o.has("G", "get") || o.has("I", "head")
	if m, ok := o.get("X", "request"); ok {
		method, _ = m.value.Value()
		q.sends = !isSafeMethod(method)
	}
	q.asksByPost = method == "" || method == "POST" || method == "GET"
	folder := ""
	if d, ok := o.get("output-dir"); ok {
		folder = d.value.Prefix()
	}
	for i := range o.list {
		q.curlOption(&o.list[i], folder, asksForm)
	}
	urls := o.operands
	for i := range o.list {
		if o.list[i].name == "url" {
			urls = append(urls, o.list[i].value)
		}
	}
	for _, w := range urls {
		a, ok := q.to(w)
		if o.has("O", "remote-name", "remote-name-all") && ok {
			in.download(a, folder, w)
		}
	}
	return o.strange == nil && len(urls) > 0 && !manyComputed(urls)
}

// manyComputed reports whether a word may become options as well as addresses.
func manyComputed(words []shell.Word) bool {
	for _, w := range words {
		if w.Many && w.Prefix() == "" {
			return true
		}
	}
	return false
}

// curlOption looks at one option.
func (q *ask) curlOption(opt *option, folder string, asksForm bool) {
	name := opt.name
	switch {
	case listed(curlBody, name):
		q.sends = q.sends || !asksForm || name == "T" || name == "F"
		q.curlBody(name, opt.value)
	case listed(curlWritten, name):
		if text, known := opt.value.Value(); known && (text == "-" || text == "%" || text == "") {
			return
		}
		w := opt.value
		if folder != "" && (name == "o" || name == "output") && len(w.Parts) > 0 && w.Parts[0].Kind == shell.Literal {
			w.Parts = append([]shell.Part{{Text: path.Join(folder, w.Parts[0].Text)}}, w.Parts[1:]...)
		}
		q.touches(Write, w)
	case listed(curlOdd, name):
		q.say("request-rerouted", q.span(opt.span), name)
	case listed(curlCredentials, name):
		q.say("credentials-given", q.span(opt.span), name)
	case name == "H" || name == "header":
		q.other = q.other || !opt.value.Known()
		if file, ok := strings.CutPrefix(opt.value.Prefix(), "@"); ok {
			q.sentFile(file, opt.value)
			q.sends = true
		}
		q.header(opt.value)
	case name == "b" || name == "cookie":
		q.curlCookie(opt.value)
	case name == "A" || name == "user-agent" || name == "e" || name == "referer" || name == "url-query" || name == "r" || name == "range":
		q.other = q.other || !opt.value.Known()
		if file, ok := strings.CutPrefix(opt.value.Prefix(), "@"); ok && name == "url-query" {
			q.sentFile(file, opt.value)
			q.sends = true
		}
	case name == "w" || name == "write-out":
		if text := opt.value.Prefix(); strings.HasPrefix(text, "@") {
			q.touches(Read, shell.Word{Parts: []shell.Part{{Text: text[1:]}}, Span: opt.value.Span})
		} else if strings.Contains(text, "%output{") {
			q.say("request-rerouted", q.span(opt.span), name)
		}
	case name == "X" || name == "request":
		q.other = q.other || !opt.value.Known()
	}
}

// curlBody looks for files in what is sent.
func (q *ask) curlBody(name string, w shell.Word) {
	q.other = q.other || !w.Known()
	text := w.Prefix()
	switch name {
	case "data-raw", "form-string":
	case "T", "upload-file":
		q.sentFile(text, w)
	case "F", "form":
		_, value, _ := strings.Cut(text, "=")
		if value != "" && (value[0] == '@' || value[0] == '<') {
			for part := range strings.SplitSeq(value[1:], ",") {
				file, _, _ := strings.Cut(part, ";")
				q.sentFile(strings.Trim(file, `"`), w)
			}
		}
	case "data-urlencode":
		if at := strings.IndexByte(text, '@'); at >= 0 && !strings.Contains(text[:at], "=") {
			q.sentFile(text[at+1:], w)
		}
	default:
		if file, ok := strings.CutPrefix(text, "@"); ok {
			q.sentFile(file, w)
		}
	}
}

// curlCookie is a cookie, or a file of them.
func (q *ask) curlCookie(w shell.Word) {
	text := w.Prefix()
	q.other = q.other || !w.Known()
	if strings.IndexByte(text, '=') < 0 && text != "" {
		q.sentFile(strings.TrimPrefix(text, "@"), w)
		q.sends = true
		return
	}
	q.say("credentials-given", q.span(w.Span), "cookie")
}
