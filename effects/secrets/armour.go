package secrets

import "strings"

const dashes = "-----"

// armour is at five dashes: the beginning or the end of a key in armour.
func (x *scanner) armour(i int) int {
	s := x.s
	next := run(s, i, func(c byte) bool { return c == '-' })
	rest := s[next:]
	begins := strings.HasPrefix(rest, "BEGIN ")
	if !begins && !strings.HasPrefix(rest, "END ") {
		return next
	}
	label := rest[:min(len(rest), maxName)]
	end := strings.Index(label, dashes)
	if end < 0 || !secretLabel(label[:end]) {
		if end < 0 && begins && secretLabel(label) && strings.Contains(label, "KEY-") {
			x.open = true // cut within its first line
		}
		return next
	}
	body := run(s, next+end, func(c byte) bool { return c == '-' })
	if !begins {
		// An end without a beginning: what was cut off in front cannot be told.
		if before := strings.TrimRight(s[max(0, i-64):i], " \t\r\n\\nr\"'"); before != "" && base64Byte(before[len(before)-1]) && makeupOf(before).longest >= 8 {
			x.open = true
		}
		return body
	}
	if !armoured(s, body) {
		return body // it is only spoken of
	}
	stop := strings.Index(s[body:], "-----END ")
	if stop < 0 {
		x.open = true
		return len(s)
	}
	stop += body + len(dashes)
	last := strings.Index(s[stop:min(len(s), stop+maxName)], dashes)
	if last < 0 {
		return x.found(i, len(s), PrivateKey)
	}
	return x.found(i, run(s, stop+last, func(c byte) bool { return c == '-' }), PrivateKey)
}

func secretLabel(label string) bool {
	return strings.Contains(label, "PRIVATE KEY") || strings.Contains(label, "NKEY SEED") || strings.Contains(label, "NATS USER JWT") || strings.Contains(label, "AGE ENCRYPTED")
}

// armoured reports whether key material follows the first line: a line's end, real or
// escaped, and letters; or many letters at once.
func armoured(s string, i int) bool {
	gap := i
	for gap < len(s) && gap < i+64 && (space(s[gap]) || quote(s[gap]) || strings.IndexByte("\\+,.>|-", s[gap]) >= 0 || escapedLine(s, gap)) {
		gap++
	}
	letters := run(s[:min(len(s), gap+64)], gap, base64Byte) - gap
	lines := strings.IndexByte(s[i:gap], '\n') >= 0 || strings.Contains(s[i:gap], `\n`) || strings.Contains(s[i:gap], `\r`)
	return letters >= 16 || lines && letters >= 1 || gap < len(s) && strings.HasPrefix(s[gap:], "Proc-Type")
}

func escapedLine(s string, i int) bool {
	return i > 0 && s[i-1] == '\\' && (s[i] == 'n' || s[i] == 'r')
}
