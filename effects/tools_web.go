package effects

import (
	"net/netip"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// webTools fetch pages and search the web.
func webTools() map[string]tool {
	return map[string]tool{
		"webfetch web_fetch fetch fetch_url read_url_content url_fetch":  fetchTool,
		"websearch web_search google_web_search search_web search_query": searchTool,
	}
}

// fetchTool fetches addresses that are written out, or that a prompt names.
func fetchTool(a *analysis, m *members) bool {
	address, argument, ok := m.oneText("url", "Url", "uri")
	prompt, hasPrompt := m.text("prompt")
	m.skip("format", "timeout", "max_length", "maxLength", "start_index", "raw", "extract_mode")
	if method, given := m.text("method"); given && !strings.EqualFold(method, "GET") && !strings.EqualFold(method, "HEAD") || !m.done() {
		return false
	}
	a.argument = "prompt"
	if hasPrompt && sends(prompt) {
		a.say("secret-sent", a.span(shell.Span{End: len(prompt)}), "")
	}
	if ok {
		a.argument = argument
		a.fetches(address, shell.Span{End: len(address)})
		return true
	}
	found := false
	for start := 0; start < len(prompt); {
		i := strings.Index(prompt[start:], "http")
		if i < 0 {
			break
		}
		i += start
		end := i
		for end < len(prompt) && prompt[end] > ' ' && !strings.ContainsRune("\"'<>`", rune(prompt[end])) {
			end++
		}
		if strings.Contains(prompt[i:end], "://") {
			a.fetches(prompt[i:end], shell.Span{Start: i, End: end})
			found = true
		}
		start = end
	}
	return found
}

// fetches judges the address of a request that only fetches.
func (a *analysis) fetches(address string, at shell.Span) {
	low := asciiFold(address)
	scheme, rest, ok := strings.Cut(low, "://")
	host, port := hostOf(low)
	authority, _, _ := strings.Cut(rest, "/")
	switch {
	case !ok || scheme != "http" && scheme != "https" || host == "" || unseen(address) || strings.ContainsAny(address, " \\$`{"):
		a.say("address-strange", a.span(at), address)
		return
	case strings.IndexByte(authority, '@') >= 0, sends(address), secretQuery(low):
		a.say("secret-sent", a.span(at), "")
	case a.facts.Engine.host(host, port):
		a.say("engine-touched", a.span(at), host)
	case isInside(host):
		a.say("address-inside", a.span(at), host)
	}
	a.note(noted{Effect: Effect{Kind: Receive, Target: host + ":" + port, Certain: true, Span: a.span(at)}})
}

// secretQuery reports whether an address has a parameter that is named like a secret,
// with a value.
func secretQuery(low string) bool {
	_, query, ok := strings.Cut(low, "?")
	if !ok {
		return false
	}
	for pair := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' || r == '#' }) {
		name, value, _ := strings.Cut(pair, "=")
		if len(value) >= 8 && (secretName(name) || name == "sig" || name == "signature" || name == "key") {
			return true
		}
	}
	return false
}

// isInside reports whether a host is this machine, a neighbour, or what a cloud tells
// its machines: nothing that a page on the web would name.
func isInside(host string) bool {
	if isLoopback(host) || strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".lan") || host == "metadata" || strings.IndexByte(host, '.') < 0 && strings.IndexByte(host, ':') < 0 {
		return true
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		_, old := oldAddress(host)
		return old // an address in a spelling that nobody uses in good faith
	}
	addr = addr.Unmap()
	return addr.IsPrivate() || addr.IsLinkLocalUnicast() || addr.IsLoopback() || addr.IsUnspecified() || addr.IsMulticast()
}

// searchTool asks a search engine.
func searchTool(a *analysis, m *members) bool {
	query, _, ok := m.oneText("query", "search_term", "q")
	queries, many := m.texts("queries")
	m.skip("allowed_domains", "blocked_domains", "explanation", "num_results", "numResults", "max_results", "livecrawl", "type", "contextMaxCharacters", "domain")
	if !ok && !many || !m.done() {
		return false
	}
	for _, q := range append(queries, query) {
		if sends(q) {
			a.say("secret-sent", Span{}, "")
		}
	}
	a.note(noted{Effect: Effect{Kind: Receive, Target: "web search", Certain: true}})
	return true
}
