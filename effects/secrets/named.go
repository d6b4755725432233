package secrets

import "strings"

// working is true of the variable that holds the working folder, which only has a
// password's name.
func working(key, s string, after int) bool {
	if key != "PWD" && key != "OLDPWD" && key != "pwd" {
		return false
	}
	return key != "pwd" || after < len(s) && strings.IndexByte("/.~$\"'", s[after]) >= 0
}

// urlRank adds the names that are secret in URLs alone.
func (p *place) urlRank(key string) rank {
	for _, name := range [...]string{"key", "sig", "signature", "x-amz-signature", "x-goog-signature", "x-amz-credential"} {
		if equalFold(key, name) {
			p.url = true
			return strong
		}
	}
	return none
}

// parameter takes a URL's parameter up to the next one.
func (x *scanner) parameter(n name, i int, p place) int {
	s, end := x.s, i+markerLen(x.s[i:])
	for end < len(s) && !space(s[end]) && !quote(s[end]) && strings.IndexByte("&#<>|\\;", s[end]) < 0 {
		end++
	}
	if v := s[i:end]; len(v) <= maxPlain && !p.secret(v) {
		return i
	}
	return x.found(i, end, kindOf(s[n.from:n.to]))
}

// typeName is true of what a declaration has between a name and its value.
func typeName(key string) bool {
	switch key {
	case "str", "string", "String", "bytes", "SecretStr", "Optional":
		return true
	}
	return false
}

// nameBeforeType finds the name in "password: str = …" and "password string = …".
func (x *scanner) nameBeforeType(n name) (name, bool) {
	i := n.from
	for i > 0 && blank(x.s[i-1]) {
		i--
	}
	if i > 0 && x.s[i-1] == ':' {
		i--
	}
	before, ok := x.nameBefore(i)
	before.spaced = true
	return before, ok
}

// listed is at a comma: set("password", "…") has the secret behind its name.
func (x *scanner) listed(i int) int {
	s := x.s
	if i < 4 || !quote(s[i-1]) {
		return i + 1
	}
	at := run(s, i+1, func(c byte) bool { return space(c) || c == '\\' })
	if at >= len(s) || !quote(s[at]) {
		return i + 1
	}
	n, ok := x.nameBefore(i)
	if !ok || n.from == 0 || !quote(s[n.from-1]) || rankOf(s[n.from:n.to]) < medium {
		return i + 1
	}
	e, ok := x.valueAt(at-trailing(s, at), 0)
	if !ok || !e.quoted {
		return i + 1
	}
	v := s[e.from:e.to]
	m := makeupOf(v)
	chosen := m.digits > 0 && m.uppers+m.lowers > 0 && len(v) >= 6 || strings.ContainsAny(v, "!@#$%^&*+=?~")
	if len(v) <= maxPlain && (!(place{rank: strong, quoted: true, single: e.single}).secret(v) || rankOf(v) > none || !chosen || containsSpace(v)) {
		return i + 1
	}
	return x.found(e.from, e.to, kindOf(s[n.from:n.to]))
}

// names is true of options that say which secret is meant: --secret NAME.
func names(option string) bool {
	option = strings.TrimLeft(option, "-")
	return equalFold(option, "secret") || equalFold(option, "secrets")
}

// camel is a name such as programs have them: dbUser.
func camel(v string) bool {
	m := makeupOf(v)
	return m.digits == 0 && m.uppers > 0 && m.lowers > 0 && is(v[0], lowerBit)
}

// insideQuote reports whether i is within quotes that were opened before it, as far as
// its line tells.
func insideQuote(s string, i int, q byte) bool {
	odd := false
	for n := 0; n < maxPlain && i > 0 && s[i-1] != '\n'; n++ {
		if i--; s[i] == q && (i == 0 || s[i-1] != '\\') {
			odd = !odd
		}
	}
	return odd
}

// trailing counts the backslashes in front of i.
func trailing(s string, i int) int {
	n := 0
	for n < i && s[i-n-1] == '\\' {
		n++
	}
	return n
}

// variableName is true of variables as shells and their files write them.
func variableName(key string) bool {
	for i := range len(key) {
		if is(key[i], lowerBit) || key[i] >= 0x80 {
			return false
		}
	}
	return true
}

func lineStart(s string, i int) bool {
	for n := 0; i > 0 && n < 16; n++ {
		switch c := s[i-1]; {
		case c == '\n':
			return true
		case blank(c) || c == '-':
			i--
		default:
			return false
		}
	}
	return i == 0
}

func containsSpace(v string) bool { return strings.IndexByte(v, ' ') >= 0 }

// computed is a text that a shell makes up only when it runs.
func computed(v string) bool { return strings.Contains(v, "$(") || strings.IndexByte(v, '`') >= 0 }

// block is the end of a YAML text that begins with a bar and goes on as long as its
// lines are indented; i if there is none.
func block(s string, i int) int {
	if i >= len(s) || s[i] != '|' && s[i] != '>' {
		return i
	}
	at := run(s, i+1, func(c byte) bool { return digit(c) || blank(c) || c == '-' || c == '+' || c == '\r' })
	if at >= len(s) || s[at] != '\n' {
		return i
	}
	end := i
	for at+1 < len(s) && blank(s[at+1]) {
		at = lineEnd(s, at+1)
		end = at
	}
	return end
}

// quotedInside reports whether a bracket has a text in quotes in it, behind no more
// than spaces, backslashes and brackets.
func quotedInside(s string, i int) bool {
	for end := min(len(s), i+maxName); i < end; i++ {
		switch c := s[i]; {
		case quote(c):
			return true
		case space(c) || c == '\\' || c == '[' || c == '{':
		default:
			return false
		}
	}
	return false
}

// isHeader is true of names whose values are more than one word.
func isHeader(key string) bool {
	switch len(key) {
	case 6:
		return equalFold(key, "cookie")
	case 10:
		return equalFold(key, "set-cookie")
	case 13:
		return equalFold(key, "authorization")
	case 19:
		return equalFold(key, "proxy-authorization")
	}
	return false
}

// line takes a value that goes on to the end of its line, or to the quote in which
// name and value stand together.
func (x *scanner) line(n name, after int, around byte) (next int, done bool) {
	s := x.s
	from := after
	for from < len(s) && blank(s[from]) {
		from++
	}
	if from >= len(s) || s[from] == '\n' || s[from] == '\r' {
		return 0, false
	}
	header := isHeader(s[n.from:n.to])
	if !header && (n.quoted || around == 0 && !lineStart(s, n.from)) {
		return 0, false
	}
	if n.quoted || quote(s[stringPrefix(s, from)]) || s[from] == '\\' {
		return x.quotedLine(n, from, header)
	}
	end := len(s)
	switch {
	case around != 0:
		if e := strings.IndexByte(s[from:], around); e >= 0 {
			end = from + e
		}
		end = trimSlashes(s, from, end)
	case lineStart(s, n.from):
		end = lineEnd(s, from)
	default:
		end = x.headerWords(from)
	}
	if !header && !strictLine(s[from:end]) {
		return 0, false
	}
	return x.lineValue(n, from, end, around == '\''), true
}

// strictLine is false of what is a program's text, or a mapping, rather than words.
func strictLine(v string) bool {
	first, _, _ := strings.Cut(v, " ")
	if first == "" || strings.IndexByte("$<{[|>&*!%", first[0]) >= 0 {
		return false
	}
	return !code(strings.TrimRight(first, ",;)")) && !placeholder(strings.TrimRight(first, ",;)"))
}

// quotedLine is a header's value in quotes of its own.
func (x *scanner) quotedLine(n name, from int, header bool) (int, bool) {
	if !header {
		return 0, false
	}
	e, ok := x.valueAt(from, 0)
	if !ok || !e.quoted {
		return 0, false
	}
	return x.lineValue(n, e.from, e.to, e.single), true
}

// lineValue leaves the scheme, and what is only a reference.
func (x *scanner) lineValue(n name, from, end int, single bool) int {
	s := x.s
	kind := kindOf(s[n.from:n.to])
	value := s[from:end]
	if kind == Authorization {
		first := run(s[:end], from, word)
		if first < end && blank(s[first]) && schemeName(s[from:first]) {
			from = run(s[:end], first, blank)
			value = s[from:end]
		}
	}
	value = strings.TrimRight(value, " \t\r")
	p := place{rank: strong, quoted: true, single: single}
	if kind == Cookie && !strings.Contains(value, "=") {
		p.rank = medium // a word about cookies
	}
	if len(value) <= maxPlain && !p.secret(value) {
		return from
	}
	if !single && computed(value) {
		x.open = true
		return len(s)
	}
	return x.found(from, from+len(value), kind)
}

func trimSlashes(s string, from, end int) int {
	for end > from && s[end-1] == '\\' {
		end--
	}
	return end
}

func schemeName(v string) bool {
	for _, scheme := range [...]string{"bearer", "basic", "token", "digest", "apikey", "negotiate", "hawk", "aws4-hmac-sha256", "oauth", "key", "bot", "splunk", "geniekey", "ntlm"} {
		if equalFold(v, scheme) {
			return true
		}
	}
	return false
}

// headerWords is the end of a header's value that stands among other words: its
// scheme and the word behind it.
func (x *scanner) headerWords(from int) int {
	s := x.s
	first := run(s, from, word)
	if first < len(s) && blank(s[first]) && schemeName(s[from:first]) {
		return x.bareEnd(run(s, first, blank), 0)
	}
	return x.bareEnd(from, 0)
}

// scheme finds "Bearer TOKEN" and "Basic PAIR" wherever they stand.
func (x *scanner) scheme(i int) int {
	s := x.s
	if i > 0 && word(s[i-1]) || i+8 > len(s) {
		return i + 1
	}
	rest := s[i:]
	basic := hasPrefixFold(rest, "basic ")
	if !basic && !hasPrefixFold(rest, "bearer ") {
		return i + 1
	}
	from := run(s, i+6, blank)
	end := run(s[:min(len(s), from+4096)], from, func(c byte) bool { return base64Byte(c) || c == '.' || c == '~' })
	v := s[from:end]
	if basic && basicPair(v) {
		return x.found(from, end, Authorization)
	}
	if m := makeupOf(v); !basic && len(v) >= 8 && (m.digits > 0 && m.uppers+m.lowers > 0 && !masked(v) || len(v) >= 24 && m.distinct > 8) && !placeholder(v) {
		return x.found(from, run(s, end, wordDot), Authorization)
	}
	return i + 1
}
