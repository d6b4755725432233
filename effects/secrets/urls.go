package secrets

import "strings"

// authority is at the colon of ://, in front of user, password and host.
func (x *scanner) authority(i int) int {
	s := x.s
	from := i + 3
	if i == 0 || !alnum(s[i-1]) {
		return from
	}
	end := from
	for end < len(s) && !space(s[end]) && !quote(s[end]) && strings.IndexByte("/?#<>|\\", s[end]) < 0 {
		end++
	}
	userEnd := strings.LastIndexByte(s[from:end], '@')
	colon := strings.IndexByte(s[from:end], ':')
	if userEnd < 0 && colon >= 0 && notPort(s[from+colon+1:end]) {
		// A password that should have been written with percent signs.
		userEnd = rawUserEnd(s, from, end)
	}
	if userEnd < 0 {
		return x.slackHook(i, from, end)
	}
	if colon < 0 || colon > userEnd {
		return x.lonelyUser(i, from, from+userEnd)
	}
	password := s[from+colon+1 : from+userEnd]
	if !(place{rank: strong, url: true}).secret(password) {
		return from + userEnd
	}
	return x.found(from+colon+1, from+userEnd, Password)
}

// notPort reports whether what follows a colon cannot be a port.
func notPort(v string) bool {
	return run(v, 0, digit) < len(v) && !strings.HasPrefix(v, "$") && !strings.HasPrefix(v, "{")
}

// rawUserEnd finds the @ behind a password with slashes in it.
func rawUserEnd(s string, from, end int) int {
	stop := end
	for stop < len(s) && stop-end < maxPlain && !space(s[stop]) && !quote(s[stop]) {
		stop++
	}
	for at := stop - 1; at >= end; at-- {
		if s[at] == '@' && s[at-1] != '/' {
			return at - from
		}
	}
	return -1
}

// lonelyUser is the part in front of the @ without a password: a token, or a name.
func (x *scanner) lonelyUser(i, from, end int) int {
	v := x.s[from:end]
	m := makeupOf(v)
	if (place{rank: strong, url: true}).secret(v) && m.longest >= 12 && m.digits > 1 {
		return x.found(from, end, Credential)
	}
	return from
}

// slackHook is a webhook, whose path is its secret.
func (x *scanner) slackHook(i, from, end int) int {
	s := x.s
	host := s[from:end]
	var path string
	switch {
	case equalFold(host, "hooks.slack.com"):
		path = "/"
	case equalFold(host, "discord.com"), equalFold(host, "discordapp.com"):
		path = "/api/webhooks/"
	default:
		return from
	}
	if !strings.HasPrefix(s[end:], path) {
		return from
	}
	start := end + len(path)
	stop := run(s, start, func(c byte) bool { return word(c) || c == '/' || c == '%' })
	if makeupOf(s[start:stop]).longest < 8 {
		return from
	}
	return x.found(start, stop, SlackToken)
}
