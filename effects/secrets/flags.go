package secrets

import "strings"

// dash finds what begins with dashes: keys in armour, tokens and options.
func (x *scanner) dash(i int) int {
	s := x.s
	if strings.HasPrefix(s[i:], "-----") {
		return x.armour(i)
	}
	if i == 0 || !alnum(s[i-1]) && s[i-1] != '_' && s[i-1] != '-' {
		if !x.shapes && i+2 < len(s) && optionLetter(s[i+1], s[i+2]) {
			x.command(i)
		}
		if next, ok := x.option(i); ok && !x.shapes {
			return next
		}
		return i + 1
	}
	return x.shapeAt(i, dashShapes)
}

// optionLetter is a cheap look at whether an option may be one of those that only its
// program makes a secret's.
func optionLetter(first, second byte) bool {
	if first == '-' {
		return second == 'u' || second == 'p' || second == 'a' || second == 'b' || second == 'o' || second == 'c'
	}
	return strings.IndexByte("uUEbapPkKwAXshd", first) >= 0
}

// option is at the first dash of --password VALUE, in a shell's text or in a list of
// arguments.
func (x *scanner) option(i int) (next int, ok bool) {
	s := x.s
	from := i + 1
	if from < len(s) && s[from] == '-' {
		from++
	}
	to := run(s[:min(len(s), from+maxName)], from, wordDot)
	if to-from < 3 || to >= len(s) {
		return 0, false
	}
	at := to
	if !blank(s[at]) {
		// "--password", "VALUE"
		at = run(s, at, func(c byte) bool { return c == '\\' || quote(c) })
		if at == to {
			return 0, false
		}
		comma := run(s, at, func(c byte) bool { return space(c) || c == ',' })
		if comma == at || !strings.Contains(s[at:comma], ",") && from-i != 2 {
			return 0, false
		}
		at = comma
	} else {
		at = run(s, at, blank)
	}
	r := rankOf(s[from:to])
	if r == none || at >= len(s) || s[at] == '-' || attributes(s, at) {
		return 0, false
	}
	// A single dash may be one before a word of a sentence.
	strict := r >= medium && from-i == 2 && !names(s[from:to])
	return x.value(name{from: from, to: to}, at, place{rank: r, strict: strict}, 0), true
}

// attributes are id=…,src=…, which name a secret and are none.
func attributes(s string, i int) bool {
	end := run(s[:min(len(s), i+32)], i, letter)
	return end > i && end+1 < len(s) && s[end] == '=' && (alnum(s[end+1]) || s[end+1] == '/' || s[end+1] == '.')
}

// spaced is at a space: the name of a secret and the secret may be two words, as in
// .netrc, in SQL and in "configure set".
func (x *scanner) spaced(i int) int {
	s := x.s
	if i < 4 || i+1 >= len(s) {
		return i + 1
	}
	switch s[i-1] {
	case 'd', 'D': // password, passwd
		if c := lower(s[i-2]); c != 'r' && c != 'w' {
			return i + 1
		}
	case 'n', 'N': // token
		if lower(s[i-2]) != 'e' || lower(s[i-3]) != 'k' {
			return i + 1
		}
	case 't', 'T': // secret
		if lower(s[i-2]) != 'e' || lower(s[i-3]) != 'r' {
			return i + 1
		}
	case 'y', 'Y': // key, identified by
		if lower(s[i-2]) == 'b' && quote(s[i+1]) && containsFold(s[max(0, i-maxName):i], "identified ") {
			return x.value(name{from: i, to: i}, i+1, place{rank: strong}, 0)
		}
		if lower(s[i-2]) != 'e' || lower(s[i-3]) != 'k' {
			return i + 1
		}
	case 's', 'S': // requirepass
		if lower(s[i-2]) != 's' || lower(s[i-3]) != 'a' {
			return i + 1
		}
	default:
		return i + 1
	}
	n, ok := x.nameBefore(i)
	if !ok || n.quoted {
		return i + 1
	}
	r := rankOf(s[n.from:n.to])
	if r < medium {
		return i + 1
	}
	return x.twoWords(n, i, r)
}

// twoWords wants the second one to look like no word of a sentence.
func (x *scanner) twoWords(n name, i int, r rank) int {
	s := x.s
	at := run(s, i, blank)
	for _, verb := range [...]string{"is ", "was "} {
		if strings.HasPrefix(s[at:], verb) {
			at += len(verb) // "the password is …"
		}
	}
	e, ok := x.valueAt(at, 0)
	if !ok {
		return i + 1
	}
	v := s[e.from:e.to]
	p := place{rank: r, quoted: e.quoted, single: e.single}
	if len(v) <= maxPlain && !p.secret(v) {
		return i + 1
	}
	m := makeupOf(v)
	plain := strings.TrimRight(v, ".,:;!?)")
	switch {
	case e.quoted && containsSpace(v), plain != v && makeupOf(plain).digits == 0:
		return i + 1
	case e.quoted && r == strong:
	case len(v) < 6, m.digits == 0 && (m.uppers == 0 || m.lowers == 0 || len(v) < 16), m.uppers+m.lowers == 0, hexOnly(v) && r < strong:
		return i + 1
	case !e.quoted && strings.ContainsAny(v, "[]{}*<>"), strings.ContainsAny(v, "=:/(") && m.longest < 12:
		return i + 1
	}
	return x.found(e.from, e.to, kindOf(s[n.from:n.to]))
}
