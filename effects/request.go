package effects

import (
	"net/netip"
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// address is where a request goes.
type address struct {
	scheme, host, port string
	path               string // without the query
	here               bool   // it is this machine
	login              bool   // it carries a name and password
}

// addressOf takes an address apart as the programs do that are given one: without a
// scheme it is the one that is said. It fails for what is spelled in a way that not
// all of them read alike.
func addressOf(text, scheme string) (address, bool) {
	a := address{scheme: scheme}
	if i := strings.Index(text, "://"); i > 0 {
		a.scheme, text = asciiFold(text[:i]), text[i+3:]
	}
	if !plainBytes(text) || text == "" {
		return a, false
	}
	end := strings.IndexAny(text, "/?#")
	if end < 0 {
		end = len(text)
	}
	server, rest := text[:end], text[end:]
	if i := strings.LastIndexByte(server, '@'); i >= 0 {
		a.login = true
		server = server[i+1:]
	}
	if strings.HasPrefix(server, ":") { // httpie: ":3000/path"
		server = "localhost" + server
	}
	a.host, a.port = hostOf(a.scheme + "://" + server)
	a.path, _, _ = strings.Cut(rest, "?")
	a.path, _, _ = strings.Cut(a.path, "#")
	a.here = isLoopback(a.host)
	return a, plainHost(a.host) && strings.Trim(a.port, "0123456789") == ""
}

// plainBytes reports whether a text has nothing that programs take away or read in
// their own way: blanks, backslashes, control characters.
func plainBytes(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == '\\' || s[i] == 0x7f {
			return false
		}
	}
	return true
}

// plainHost reports whether a host is letters, digits, dots and dashes, or an address.
func plainHost(host string) bool {
	if strings.IndexByte(host, ':') >= 0 {
		addr, err := netip.ParseAddr(host)
		return err == nil && addr.Zone() == ""
	}
	for i := range len(host) {
		c := host[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_' {
			continue
		}
		return false
	}
	return host != ""
}

// isMetadata reports whether a host is the service of a cloud that hands out a
// machine's credentials, in any spelling that programs take for it.
func isMetadataHost(host string) bool {
	host = asciiFold(strings.TrimSuffix(host, "."))
	switch host {
	case "metadata.google.internal", "metadata", "metadata.goog", "instance-data", "instance-data.ec2.internal", "metadata.azure.internal", "metadata.platformequinix.com", "metadata.packet.net", "kubernetes.default.svc":
		return true
	}
	if strings.HasSuffix(host, ".nip.io") || strings.HasSuffix(host, ".sslip.io") || strings.HasSuffix(host, ".xip.io") {
		return strings.Contains(host, "169.254") || strings.Contains(host, "169-254") || strings.Contains(host, "a9fe")
	}
	if n, ok := oldAddress(host); ok {
		return n>>16 == 169<<8|254 || n == 100<<24|100<<16|100<<8|200 || n == 192<<24|192
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	addr = addr.Unmap()
	return addr == netip.MustParseAddr("fd00:ec2::254") || addr == netip.MustParseAddr("fd20:ce::254") || addr == netip.MustParseAddr("100.100.100.200") ||
		addr.Is4() && addr.As4()[0] == 169 && addr.As4()[1] == 254 || holdsMetadata(addr)
}

// holdsMetadata reports whether an IPv6 address has that of the service in it.
func holdsMetadata(addr netip.Addr) bool {
	if !addr.Is6() {
		return false
	}
	b := addr.As16()
	return b[12] == 169 && b[13] == 254 && b[0] == 0
}

// ask is a request that a command makes.
type ask struct {
	*invocation
	scheme string // of an address without one
	sends  bool   // it has a body, or a method that changes something
	other  bool   // it has unknown words besides its addresses
	looked bool   // for secrets in its words
	// asksByPost says that its method is POST, which searches are asked by.
	asksByPost bool
}

// to notes the request for one of its addresses, and gives it, taken apart.
func (q *ask) to(w shell.Word) (address, bool) {
	text, known := w.Value()
	if !known {
		text = w.Prefix()
		if end := strings.IndexAny(text, "/?"); strings.Contains(text, "://") {
			end = strings.IndexAny(text[strings.Index(text, "://")+3:], "/?")
			known = end >= 0
		} else {
			known = end > 0
		}
		a, ok := addressOf(text, q.scheme)
		if !known || w.Many && !a.here || !ok || !a.here {
			q.say("request-computed", q.span(w.Span), wordText(w))
			q.contact(a, w)
			return a, false
		}
		q.contact(a, w)
		return a, true
	}
	a, ok := addressOf(text, q.scheme)
	switch {
	case !ok:
		q.say("request-computed", q.span(w.Span), text)
	case a.scheme == "file":
		q.touches(Read, shell.Word{Parts: []shell.Part{{Text: a.path}}, Span: w.Span})
		return a, true
	}
	q.contact(a, w)
	return a, ok
}

// contact notes who is asked or told.
func (q *ask) contact(a address, w shell.Word) {
	target := a.host
	if a.port != "" {
		target += ":" + a.port
	}
	kind := Receive
	if q.sends && !(q.asksByPost && a.here && isSearch(a.path)) {
		kind = Send
	}
	q.note(noted{Effect: Effect{Kind: kind, Target: target, Certain: q.Certain, Span: q.span(w.Span)}})
	switch {
	case isMetadataHost(a.host):
		q.say("metadata-asked", q.span(w.Span), a.host)
	case a.scheme != "http" && a.scheme != "https" && a.scheme != "ws" && a.scheme != "wss":
		q.say("request-computed", q.span(w.Span), a.scheme)
	}
	if a.login && !a.here {
		q.say("credentials-given", q.span(w.Span), a.host)
	}
	if !a.here && !q.looked {
		q.looked = true
		q.tokensLeave()
	}
	if q.other && !a.here {
		q.say("request-computed", q.span(w.Span), a.host)
	}
}

// sentFile is a file whose content goes out.
func (q *ask) sentFile(name string, w shell.Word) {
	if name == "" || name == "-" {
		return
	}
	word := shell.Word{Parts: []shell.Part{{Text: name}}, Quoted: true, Span: w.Span}
	q.touches(Read, word)
}

// download is the file that a request without a named one writes: the last part of
// the address's path.
func (in *invocation) download(a address, folder string, w shell.Word) {
	name := path.Base(a.path)
	if name == "." || name == "/" {
		name = "index.html"
	}
	in.touches(Write, shell.Word{Parts: []shell.Part{{Text: path.Join(folder, name)}}, Span: w.Span})
}

// isSafeMethod reports whether a method only asks.
func isSafeMethod(m string) bool {
	switch strings.ToUpper(m) {
	case "GET", "HEAD", "OPTIONS", "TRACE":
		return true
	}
	return false
}

// credentialHeaders are those that say who asks.
var credentialHeaders = []string{"authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token", "x-vault-token", "private-token", "x-amz-security-token", "apikey", "x-csrf-token", "job-token", "x-access-token"}

// header looks whether a header of a request carries a credential.
func (q *ask) header(w shell.Word) {
	name, value, _ := strings.Cut(w.Prefix(), ":")
	if inNames(credentialHeaders, strings.TrimSpace(name)) && (strings.TrimSpace(value) != "" || !w.Known()) {
		q.say("credentials-given", q.span(w.Span), name)
	}
}

func inNames(list []string, name string) bool {
	for _, n := range list {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// isSearch reports whether a path is one by which a search engine is asked, whatever
// the method.
func isSearch(p string) bool {
	switch path.Base(p) {
	case "_search", "_msearch", "_count", "_mget", "_analyze", "_field_caps", "_explain", "_termvectors", "_rank_eval":
		return true
	}
	return false
}
