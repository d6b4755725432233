package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// httpPrograms make requests.
func httpPrograms() map[string]program {
	return map[string]program{
		"curl":    {explainCurl},
		"wget":    {explainWget},
		"wget2":   {explainWget},
		"http":    {explainHTTPie},
		"https":   {explainHTTPie},
		"xh":      {explainHTTPie},
		"xhs":     {explainHTTPie},
		"httpie":  {explainHTTPie},
		"aria2c":  {explainAria},
		"axel":    {explainAria},
		"lynx":    {explainBrowser},
		"w3m":     {explainBrowser},
		"links":   {explainBrowser},
		"elinks":  {explainBrowser},
		"ab":      {explainLoad},
		"wrk":     {explainLoad},
		"hey":     {explainLoad},
		"k6":      {explainLoad},
		"vegeta":  {explainLoad},
		"siege":   {explainLoad},
		"grpcurl": {explainGrpcurl},
	}
}

var wgetSpec = spec{
	short: "bdqvcSN46ErkKmpLHVhFe:o:a:i:B:t:O:T:w:Q:P:U:l:D:A:R:I:X:n:",
	long: "execute= output-file= append-output= input-file= base= tries= output-document= timeout= dns-timeout= connect-timeout= read-timeout= wait= waitretry= quota= directory-prefix= user-agent= level= domains= accept= reject= " +
		"include-directories= exclude-directories= cut-dirs= default-page= header= max-redirect= method= post-data= post-file= body-data= body-file= user= password= http-user= http-password= ftp-user= ftp-password= use-askpass= " +
		"referer= load-cookies= save-cookies= certificate= certificate-type= private-key= private-key-type= ca-certificate= ca-directory= secure-protocol= ciphers= limit-rate= bind-address= prefer-family= proxy-user= proxy-password= " +
		"progress= accept-regex= reject-regex= restrict-file-names= local-encoding= remote-encoding= compression= config= rejected-log= warc-file= hsts-file= start-pos= report-speed= exclude-domains= follow-tags= ignore-tags= retry-on-http-error= " +
		"background debug quiet verbose no-verbose continue spider server-response timestamping no-clobber no-directories force-directories no-host-directories protocol-directories recursive mirror convert-links backup-converted page-requisites " +
		"no-parent span-hosts relative version help no-check-certificate content-disposition trust-server-names no-cache no-cookies keep-session-cookies inet4-only inet6-only no-proxy adjust-extension delete-after show-progress retry-connrefused " +
		"auth-no-challenge ignore-length no-hsts unlink xattr https-only no-netrc no-dns-cache force-html ask-password random-wait no-config no-use-server-timestamps no-glob content-on-error",
}

// explainWget reads what wget would ask, send and write.
func explainWget(in *invocation) bool {
	o := wgetSpec.read(in.args)
	if o.has("V", "version", "h", "help") && len(o.operands) == 0 {
		in.say("service-asked", in.span(in.Span), in.name)
		return true
	}
	q := ask{invocation: in, scheme: "http"}
	for i := range o.list {
		q.wgetOption(&o.list[i])
	}
	folder := ""
	if d, ok := o.get("P", "directory-prefix"); ok {
		folder = d.value.Prefix()
	}
	out, named := o.get("O", "output-document")
	if named {
		in.writesUnlessDash(out.value)
	}
	if o.has("r", "recursive", "m", "mirror", "p", "page-requisites") && !o.has("spider") {
		in.say("write-computed", in.span(in.Span), in.name) // the server chooses the names
	}
	for _, w := range o.operands {
		a, ok := q.to(w)
		if !named && ok && !o.has("spider") {
			in.download(a, folder, w)
		}
	}
	return o.strange == nil && len(o.operands) > 0 && !manyComputed(o.operands)
}

// wgetOption looks at one option.
func (q *ask) wgetOption(opt *option) {
	switch opt.name {
	case "method":
		method, known := opt.value.Value()
		q.sends = q.sends || !known || !isSafeMethod(method)
	case "post-data", "body-data":
		q.sends = true
		q.other = q.other || !opt.value.Known()
	case "post-file", "body-file":
		q.sends = true
		q.sentFile(opt.value.Prefix(), opt.value)
	case "header", "U", "user-agent", "referer":
		q.other = q.other || !opt.value.Known()
		q.header(opt.value)
	case "e", "execute", "config", "i", "input-file", "use-askpass", "content-disposition", "trust-server-names", "base", "B":
		q.say("request-rerouted", q.span(opt.span), opt.name)
	case "user", "password", "http-user", "http-password", "ftp-user", "ftp-password", "load-cookies", "certificate", "private-key", "proxy-user", "proxy-password", "ask-password":
		q.say("credentials-given", q.span(opt.span), opt.name)
	case "o", "output-file", "a", "append-output", "save-cookies", "warc-file", "hsts-file", "rejected-log":
		q.writesUnlessDash(opt.value)
	}
}

var httpieSpec = spec{
	short: "a:A:o:p:s:jfbhmdcFIqvSx",
	long: "auth= auth-type= output= print= session= session-read-only= style= pretty= verify= proxy= timeout= max-redirects= cert= cert-key= ssl= ciphers= boundary= raw= chunked compress unsorted sorted response-charset= response-mime= format-options= " +
		"default-scheme= path-as-is follow check-status ignore-stdin offline json form multipart body headers meta download continue quiet verbose all stream debug traceback version help no-verify https ipv4 ipv6 curl bearer= http-version= resolve= interface= unix-socket= raw= url=",
}

// explainHTTPie reads "[METHOD] ADDRESS [ITEM…]".
func explainHTTPie(in *invocation) bool {
	o := httpieSpec.read(in.args)
	if o.has("version", "help") && len(o.operands) == 0 {
		in.say("service-asked", in.span(in.Span), in.name)
		return true
	}
	words := o.operands
	q := ask{invocation: in, scheme: "http"}
	if in.name == "httpie" {
		if len(words) == 0 || !isWord(words[0], "http") && !isWord(words[0], "https") {
			return false
		}
		q.scheme, _ = words[0].Value()
		words = words[1:]
	}
	if in.name == "https" || in.name == "xhs" || o.has("https") {
		q.scheme = "https"
	}
	if len(words) > 0 {
		if m, known := words[0].Value(); known && strings.Trim(m, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && m != "" {
			q.sends, words = !isSafeMethod(m), words[1:]
		} else if known && (m == "get" || m == "head" || m == "post" || m == "put" || m == "patch" || m == "delete") {
			q.sends, words = !isSafeMethod(m), words[1:]
		}
	}
	if o.has("proxy", "resolve", "unix-socket", "session", "default-scheme") {
		in.say("request-rerouted", in.span(in.Span), in.name)
	}
	if o.has("a", "auth", "A", "bearer", "cert", "session-read-only") {
		in.say("credentials-given", in.span(in.Span), in.name)
	}
	if out, ok := o.get("o", "output"); ok {
		in.writesUnlessDash(out.value)
	}
	q.sends = q.sends || o.has("raw", "f", "form", "multipart") || in.Stdin.Kind != shell.StdinNone && !o.has("I", "ignore-stdin")
	for i, w := range words {
		if i > 0 {
			q.item(w)
		}
	}
	if len(words) == 0 {
		return false
	}
	a, ok := q.to(words[0])
	if o.has("d", "download") && !o.has("o", "output") && ok {
		in.download(a, "", words[0])
	}
	return o.strange == nil && !manyComputed(words)
}

// item is what a request of httpie carries.
func (q *ask) item(w shell.Word) {
	text := w.Prefix()
	q.other = q.other || !w.Known()
	i := strings.IndexAny(text, "=@:")
	switch {
	case i < 0:
	case strings.HasPrefix(text[i:], "=="):
	case strings.HasPrefix(text[i:], ":=@"), strings.HasPrefix(text[i:], "=@"):
		q.sends = true
		q.sentFile(text[strings.IndexByte(text, '@')+1:], w)
	case text[i] == '@':
		q.sends = true
		file, _, _ := strings.Cut(text[i+1:], ";")
		q.sentFile(file, w)
	case text[i] == '=' || strings.HasPrefix(text[i:], ":="):
		q.sends = true
	case strings.HasPrefix(text[i:], ":@"):
		q.sends = true
		q.sentFile(text[i+2:], w)
	default:
		q.header(w)
	}
}

// explainAria downloads with several connections; its hooks run programs.
func explainAria(in *invocation) bool {
	o := spec{
		short: "x:s:j:k:o:d:l:n:a:qv:cVh",
		long: "dir= out= max-connection-per-server= split= max-concurrent-downloads= continue= quiet= allow-overwrite= auto-file-renaming= file-allocation= check-integrity= checksum= header= user-agent= " +
			"summary-interval= console-log-level= log= max-tries= retry-wait= timeout= connect-timeout= min-split-size= version help output= num-connections= alternate verbose no-clobber",
	}.read(in.args)
	q := ask{invocation: in, scheme: "http"}
	folder := ""
	if d, ok := o.get("d", "dir"); ok {
		folder = d.value.Prefix()
	}
	out, named := o.get("o", "out", "output")
	if !named && folder == "" && in.name == "aria2c" {
		in.say("write-computed", in.span(in.Span), in.name) // the server may choose the name
	}
	if named {
		in.touches(Write, joined(folder, out.value))
	}
	for i := range o.list {
		if o.list[i].name == "header" {
			q.other = q.other || !o.list[i].value.Known()
			q.header(o.list[i].value)
		}
	}
	for _, w := range o.operands {
		if a, ok := q.to(w); ok && !named {
			in.download(a, folder, w)
		}
	}
	return o.understood() && len(o.operands) > 0
}

// joined is a word behind a folder.
func joined(folder string, w shell.Word) shell.Word {
	if folder == "" || strings.HasPrefix(w.Prefix(), "/") {
		return w
	}
	w.Parts = append([]shell.Part{{Text: strings.TrimSuffix(folder, "/") + "/" + w.Prefix()}}, w.Parts[min(1, len(w.Parts)):]...)
	return w
}

// explainBrowser shows a page as text.
func explainBrowser(in *invocation) bool {
	o := spec{oneDash: true, long: "dump source nolist width= listonly stdin head accept_all_cookies useragent= display_charset= T= O= cols= no-references no-numbering nonumbers hiddenlinks= dump_source dump_extra"}.read(in.args)
	q := ask{invocation: in, scheme: "http"}
	for _, w := range o.operands {
		text := w.Prefix()
		if strings.HasPrefix(text, "./") || strings.HasPrefix(text, "/") {
			in.touches(Read, w)
			continue
		}
		q.to(w)
	}
	return o.understood() && len(o.operands) > 0 && o.has("dump", "dump_source", "source", "listonly")
}

// explainLoad sends many requests: to this machine that is a test.
func explainLoad(in *invocation) bool {
	q := ask{invocation: in, scheme: "http", sends: true}
	found := false
	for _, w := range in.args {
		if strings.Contains(w.Prefix(), "://") {
			found = true
			q.to(w)
		}
	}
	return found
}

// explainGrpcurl lists, describes or calls methods.
func explainGrpcurl(in *invocation) bool {
	o := spec{oneDash: true, long: "plaintext insecure proto= import-path= protoset= H= rpc-header= reflect-header= d= max-time= connect-timeout= cacert= cert= key= authority= v vv format= emit-defaults use-reflection servername= msg-template version help"}.read(in.args)
	words := o.operands
	if len(words) == 0 {
		return false
	}
	q := ask{invocation: in, scheme: "https"}
	verb := ""
	if len(words) > 1 {
		verb, _ = words[1].Value()
	}
	q.sends = verb != "list" && verb != "describe"
	for i := range o.list {
		if name := o.list[i].name; name == "H" || name == "rpc-header" || name == "reflect-header" {
			q.header(o.list[i].value)
		}
	}
	q.to(words[0])
	return o.understood()
}
