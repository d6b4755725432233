package effects

import (
	"net/netip"
	"strconv"
	"strings"
)

// address reports whether a text, as a URL or "host:port", leads to where the engine
// listens.
func (e *Engine) address(text string) bool {
	if len(e.Hosts) == 0 || strings.IndexByte(text, ':') < 0 {
		return false
	}
	host, port := hostOf(text)
	return host != "" && e.host(host, port)
}

// host is address for a host and a port by themselves. All names of this machine are
// one.
func (e *Engine) host(host, port string) bool {
	for _, own := range e.Hosts {
		ownHost, ownPort := hostOf(own)
		if port == ownPort && (strings.EqualFold(strings.TrimSuffix(host, "."), ownHost) || isLoopback(ownHost) && isLoopback(host)) {
			return true
		}
	}
	return false
}

// hostOf takes a URL, or "host:port", apart. The port is the scheme's where none is
// named.
func hostOf(text string) (host, port string) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		scheme, rest = "", text
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	host = rest
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		host, port = rest[:i], rest[i+1:]
	}
	host = strings.Trim(host, "[]")
	if port == "" {
		switch asciiFold(scheme) {
		case "http", "ws":
			port = "80"
		case "https", "wss":
			port = "443"
		case "nats", "tls":
			port = "4222"
		}
	}
	return host, port
}

// isLoopback reports whether a host is this machine, in any spelling that programs
// take for one of its own addresses.
func isLoopback(host string) bool {
	host = asciiFold(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "localhost.localdomain" || host == "ip6-localhost" || host == "host.docker.internal" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		if addr, ok := oldAddress(host); ok {
			return addr == 0 || addr>>24 == 127
		}
		return false
	}
	addr = addr.Unmap()
	return addr.IsLoopback() || addr.IsUnspecified()
}

// oldAddress reads the spellings of an address that old functions take: fewer than
// four parts, and numbers in octal or hexadecimal.
func oldAddress(host string) (uint32, bool) {
	if host == "" || host[0] < '0' || host[0] > '9' {
		return 0, false
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return 0, false
	}
	var addr uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 0, 32)
		if err != nil {
			return 0, false
		}
		if i == len(parts)-1 {
			bits := 8 * (5 - len(parts))
			return uint32(addr<<bits | n), n < 1<<bits
		}
		if n > 255 {
			return 0, false
		}
		addr = addr<<8 | n
	}
	return 0, false
}

// networkRule is the rule about data that goes to another machine or comes from it.
func (a *analysis) networkRule(e noted) string {
	switch {
	case a.facts.Engine.address(e.Target):
		return "engine-touched"
	case e.Kind == Send:
		return "network-send"
	default:
		return "network-fetch"
	}
}
