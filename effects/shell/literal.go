package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// literal adds the unquoted text of a word. It is its first part, and its last.
func (b *builder) literal(s string, first, last bool) {
	if first && strings.HasPrefix(s, "~") {
		s = b.tilde(s, last)
	}
	start := 0 // of what is not added
	assign := !b.whole && first && assigns(s)
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\':
			b.add(Literal, s[start:i])
			b.open = true
			i++
			start = i
			if i < len(s) {
				b.quoted = true
				if s[i] == '\n' {
					start = i + 1
				}
			}
			i++
		case (c == '=' && assign || c == ':' && (b.whole || assign)) && i+1 < len(s) && s[i+1] == '~':
			b.add(Literal, s[start:i+1])
			s = b.tilde(s[i+1:], last)
			start, i = 0, 0
		case !b.whole && (c == '*' || c == '?' || c == '['):
			n := pattern(s[i:])
			if n == 0 {
				i++
				continue
			}
			b.add(Literal, s[start:i])
			b.add(Glob, s[i:i+n])
			i += n
			start = i
		default:
			i++
		}
	}
	if start < len(s) {
		b.add(Literal, s[start:])
	}
}

// assigns reports whether a word looks like one to a shell, so that it expands a
// tilde in it: dd of=~/x.
func assigns(s string) bool {
	i := 0
	for i < len(s) && letter(s[i]) {
		i++
	}
	return i > 0 && i < len(s) && s[i] == '='
}

// tilde adds the folder that a text begins with, and returns what follows it.
func (b *builder) tilde(s string, last bool) string {
	end := len(s)
	for i := 1; i < len(s); i++ {
		if s[i] == '/' || s[i] == ':' {
			end = i
			break
		}
		if s[i] == '\\' {
			return s
		}
	}
	if end == len(s) && !last {
		return s // "~"$USER is no folder
	}
	name := s[1:end]
	home, known := "", false
	switch {
	case name == "":
		home, known = b.home()
	case name == "+":
		home, known = b.here()
	case name == "root":
		home, known = "/"+"root", true
	}
	if known {
		b.quoted = b.quoted || false
		b.add(Literal, home)
	} else {
		b.add(Unknown, s[:end])
	}
	return s[end:]
}

// home is the user's folder, which is a variable.
func (b *builder) home() (string, bool) {
	if v, ok := b.scope.lookup("HOME"); ok {
		if len(v.parts) == 1 && v.parts[0].Kind == Literal {
			return v.parts[0].Text, true
		}
		return "", false
	}
	return b.reader.env.Home, b.reader.env.Home != ""
}

// here is the folder that the shell is in, if it is one.
func (b *builder) here() (string, bool) { return b.scope.here() }

func (sc *scope) here() (string, bool) {
	if sc.dirs.unknown || len(sc.dirs.list) != 1 || !strings.HasPrefix(sc.dirs.list[0], "/") {
		return "", false
	}
	return sc.dirs.list[0], true
}

// unbackslash takes away the backslashes in front of some bytes, and of line ends.
func unbackslash(s, of string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	var out strings.Builder
	start := 0
	for ; i+1 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if s[i+1] == '\n' {
			out.WriteString(s[start:i])
			start = i + 2
		} else if strings.IndexByte(of, s[i+1]) >= 0 {
			out.WriteString(s[start:i])
			start = i + 1
		}
		i++
	}
	out.WriteString(s[min(start, len(s)):])
	return out.String()
}

// ansi is the value of $'…'.
func ansi(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		c := s[i]
		if at := strings.IndexByte("abeEfnrtv", c); at >= 0 {
			out = append(out, "\a\b\x1b\x1b\f\n\r\t\v"[at])
			continue
		}
		switch {
		case '0' <= c && c <= '7':
			n := digits(s[i:], 3, 8)
			out = append(out, code(s[i:i+n], 8))
			i += n - 1
		case c == 'x' || c == 'u' || c == 'U':
			n := digits(s[i+1:], map[byte]int{'x': 2, 'u': 4, 'U': 8}[c], 16)
			if n == 0 {
				out = append(out, '\\', c)
				continue
			}
			v, _ := strconv.ParseUint(s[i+1:i+1+n], 16, 32)
			if c == 'x' {
				out = append(out, byte(v))
			} else {
				out = utf8.AppendRune(out, rune(v))
			}
			i += n
		case c == 'c' && i+1 < len(s):
			i++
			out = append(out, s[i]&0x1f)
		case strings.IndexByte(`\'"?`, c) >= 0:
			out = append(out, c)
		default:
			out = append(out, '\\', c)
		}
	}
	if i := strings.IndexByte(string(out), 0); i >= 0 {
		out = out[:i] // a shell's words end at NUL
	}
	return string(out)
}

func digits(s string, most int, base byte) int {
	n := 0
	for n < len(s) && n < most {
		c := s[n]
		if !('0' <= c && c <= '9' && c-'0' < base || base == 16 && ('a' <= c|32 && c|32 <= 'f')) {
			break
		}
		n++
	}
	return n
}

func code(s string, base int) byte {
	v, _ := strconv.ParseUint(s, base, 16)
	return byte(v)
}
