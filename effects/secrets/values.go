package secrets

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// place is what is known of where a value stands.
type place struct {
	rank   rank
	quoted bool
	single bool // in single quotes, where a shell computes nothing
	url    bool // a parameter of a URL
	strict bool // a flag, or a variable as shells set it: the value is meant literally
}

// secret judges whether a value is a literal secret.
func (p place) secret(v string) bool {
	if v == "" || isMarker(v) || masked(v) || reference(v, p) {
		return false
	}
	if p.url {
		return true
	}
	if placeholder(v) {
		return false
	}
	r := p.rank
	if r == medium && p.strict && !number(v) {
		r = strong
		if !p.quoted && shouted(v) {
			return false // --token TOKEN
		}
	}
	switch r {
	case strong:
		return p.quoted || p.strict || !code(v)
	case medium:
		return p.mediumSecret(v)
	case weak:
		return chance(v) || basicPair(v)
	}
	return false
}

func (p place) mediumSecret(v string) bool {
	if number(v) || pathLike(v) {
		return false
	}
	m := makeupOf(v)
	words := strings.Contains(v, " ")
	if words {
		return p.quoted && (m.longest >= 12 || strings.Contains(v, "="))
	}
	if p.quoted && len(v) >= 6 && (m.others > 0 || m.digits > 0) {
		return true
	}
	if !p.quoted && (code(v) || strings.ContainsAny(v, "[]{}*<>")) {
		return false
	}
	return len(v) >= 6 && m.digits > 0 && m.uppers+m.lowers > 0 || len(v) >= 12 && m.uppers > 1 && m.lowers > 0 && p.quoted || m.letters >= 20
}

// chance reports whether a value looks as if it had been drawn by lot. Digests and
// UUIDs do as well, but stand in too many places that are no secret's.
func chance(v string) bool {
	if len(v) < 16 || strings.ContainsAny(v, " \t\n") || strings.Contains(v, "://") || pathLike(v) {
		return false
	}
	m := makeupOf(v)
	if m.digits == 0 || m.uppers+m.lowers == 0 || m.distinct < 9 || m.longest < 8 {
		return false
	}
	return !hexOnly(v)
}

// hexOnly is true of git's names, digests and UUIDs.
func hexOnly(v string) bool {
	for i := range len(v) {
		if !hex(v[i]) && v[i] != '-' && v[i] != ':' {
			return false
		}
	}
	return true
}

// basicPair recognises user:password in base64, by its beginning up to the colon.
func basicPair(v string) bool {
	v, _, _ = strings.Cut(v, "=")
	v = v[:min(len(v), maxPlain)]
	if len(v) < 6 {
		return false
	}
	if len(v)%4 == 1 {
		v = v[:len(v)-1]
	}
	raw, err := base64.RawStdEncoding.DecodeString(v)
	if err != nil {
		if raw, err = base64.RawURLEncoding.DecodeString(v); err != nil {
			return false
		}
	}
	for i, c := range raw {
		if c < 0x20 || c > 0x7e {
			return false
		}
		if c == ':' {
			return i+1 < len(raw)
		}
	}
	return false
}

// shouted is a word in capitals, as descriptions of commands have it for a value.
func shouted(v string) bool {
	return len(v) <= 24 && run(v, 0, func(c byte) bool { return is(c, upperBit) || c == '_' }) == len(v)
}

func number(v string) bool {
	digits := 0
	if hasPrefixFold(v, "0x") && run(v, 2, hex) == len(v) {
		return true
	}
	for i := range len(v) {
		switch {
		case digit(v[i]):
			digits++
		case strings.IndexByte(".,_-+%:", v[i]) >= 0:
		case i == len(v)-1 && strings.IndexByte("smhdKMGBk", v[i]) >= 0:
		default:
			return false
		}
	}
	return digits > 0
}

// masked is true of what somebody blotted out: ****, xxxx, …
func masked(v string) bool {
	if len(v) < 3 {
		return false
	}
	first, size := utf8.DecodeRuneInString(v)
	switch first {
	case '*', 'x', 'X', '.', '•', '…', '#', '?', '-', '_', '0':
	default:
		return false
	}
	for rest := v[size:]; rest != ""; rest = rest[size:] {
		if r, n := utf8.DecodeRuneInString(rest); r != first || n != size {
			return false
		}
	}
	return true
}

// pathLike is a file's name rather than what is in it.
func pathLike(v string) bool {
	if strings.ContainsAny(v, " \t\n=+") || len(v) < 2 {
		return false
	}
	rooted := v[0] == '/' || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, "~/")
	if rooted {
		return makeupOf(v).longest < 20
	}
	for _, end := range [...]string{".json", ".yaml", ".yml", ".pem", ".key", ".txt", ".env", ".creds", ".crt", ".go", ".py", ".js", ".ts", ".toml", ".conf", ".ini"} {
		if strings.HasSuffix(v, end) {
			return true
		}
	}
	return false
}

// reference recognises what names a secret kept elsewhere.
func reference(v string, p place) bool {
	switch v[0] {
	case '$':
		return variable(v[1:], p)
	case '{':
		return enclosed(v, "{", "}")
	case '<':
		return enclosed(v, "<", ">")
	case '%':
		return len(v) > 2 && v[len(v)-1] == '%' && plainName(v[1:len(v)-1])
	case '@':
		return pathLike(v[1:]) || v == "@-"
	}
	for _, root := range [...]string{
		"os.environ", "os.getenv", "process.env", "ENV[", "ENV.", "env(", "env.", "getenv(", "System.getenv", "Environment.", "Deno.env", "import.meta.env",
		"secrets.", "vars.", "op://", "vault:", "arn:", "file://", "ssm:", "gcp:secretmanager", "keyring:", "pass:env:", "env:", "file:", "fd:", "stdin",
	} {
		if strings.HasPrefix(v, root) && !strings.ContainsAny(v, " \n") {
			return makeupOf(v).longest < 24
		}
	}
	return false
}

// variable judges what follows a dollar sign: a name, alone or in braces. A name in
// small letters in single quotes may be a password that begins with the sign.
func variable(v string, p place) bool {
	if v == "" {
		return false
	}
	switch {
	case v[0] == '{':
		// ${NAME:-default} is found by its default, ${{ secrets.NAME }} by none.
		return enclosed(v, "{", "}") && !strings.Contains(v, ":-") && !strings.Contains(v, ":=") && !strings.Contains(v, "-")
	case v[0] == '(':
		return v[len(v)-1] == ')'
	case strings.HasPrefix(v, "env:"):
		return plainName(v[4:])
	}
	if !plainName(v) || digit(v[0]) && len(v) > 1 {
		return false
	}
	return !p.single || strings.ToUpper(v) == v
}

func plainName(v string) bool {
	for i := range len(v) {
		if !alnumUnder(v[i]) {
			return false
		}
	}
	return v != ""
}

// enclosed is a text in brackets that has only words in it.
func enclosed(v, open, end string) bool {
	v, ok := strings.CutSuffix(strings.TrimPrefix(v, open), end)
	if !ok || strings.Contains(v, "${") || strings.Contains(v, "$(") {
		return false
	}
	m := makeupOf(v)
	return m.longest < 12 && len(v) <= 128 && !strings.ContainsAny(v, "\"'\n")
}

// code is an expression in a program's text, as far as a value without quotes tells.
func code(v string) bool {
	i := run(v, 0, alnumUnder)
	if strings.HasPrefix(v, "[]") || strings.HasPrefix(v, "[...]") {
		return true
	}
	if i == 0 || digit(v[0]) {
		return false
	}
	name := v[:i]
	for i < len(v) && v[i] == '.' {
		end := run(v, i+1, alnumUnder)
		if end == i+1 {
			return false
		}
		name, i = v[i+1:end], end
	}
	dotted := len(name) < i
	switch {
	case i < len(v):
		return v[i] == '(' || v[i] == '[' || v[i] == '{' || strings.HasPrefix(v[i:], "::") || strings.HasPrefix(v[i:], "->")
	case makeupOf(name).digits > 0:
		return false
	case dotted:
		return rankOf(name) > none || letterRoot(v)
	default:
		return rankOf(name) > none
	}
}

// identifiers are names with dots between them.
func identifiers(v string) bool {
	return run(v, 0, func(c byte) bool { return alnumUnder(c) || c == '.' }) == len(v)
}

func letterRoot(v string) bool {
	root, _, _ := strings.Cut(v, ".")
	switch root {
	case "self", "this", "args", "config", "cfg", "conf", "settings", "options", "opts", "params", "req", "request", "ctx", "data", "form", "user", "input", "event", "props", "state", "flags",
		"os", "process", "env", "st", "c", "s", "e", "r", "u", "p":
		return true
	}
	return false
}

// placeholder is a word that stands for a secret, or for its type.
func placeholder(v string) bool {
	if len(v) > 40 {
		return false
	}
	var buf [40]byte
	for i := range len(v) {
		if buf[i] = lower(v[i]); v[i] == '-' || v[i] == ' ' {
			buf[i] = '_'
		}
	}
	low := buf[:len(v)]
	switch string(low) {
	case "none", "null", "nil", "true", "false", "undefined", "string", "str", "bool", "int", "number", "any", "bytes", "text", "required", "optional", "hidden", "changeme",
		"change_me", "replaceme", "replace_me", "placeholder", "redacted", "[redacted]", "todo", "tbd", "example", "dummy", "omitted", "unset", "empty", "default", "yes", "no",
		"password", "secret", "token", "option<string>", "optional[str]", "str,", "string,", "none,", "null,", "[]", "{}", "()", "\\", "|", ">", "on", "off", "basic", "bearer", "[",
		"{", "secretstr", "varchar", "not", "is", "and", "or", "for", "the", "a", "in", "to":
		return true
	}
	s := v
	for _, start := range [...]string{"your_", "your-", "my_super_", "insert_", "enter_", "<your", "example_", "example-", "put_your", "xxx"} {
		if hasPrefixFold(s, start) {
			return makeupOf(s).longest < 10
		}
	}
	return false
}
