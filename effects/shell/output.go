package shell

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxOutput bounds a text that a command is known to print.
const maxOutput = 64 << 10

// output is what a command prints, where that is known: nothing but its words and a
// known standard input decides about it.
func output(args []Word, stdin Stdin) (text string, known bool) {
	if len(args) == 0 {
		return "", false
	}
	words := make([]string, len(args))
	for i, w := range args {
		value, ok := w.Value()
		if !ok {
			return "", false
		}
		words[i] = value
	}
	name := words[0][strings.LastIndexByte(words[0], '/')+1:]
	if p, ok := printers[name]; ok {
		text, known = p(words[1:])
	} else if f, ok := filters[name]; ok && stdin.Kind == StdinText {
		text, known = f(words[1:], stdin.Text)
	}
	if len(text) > maxOutput {
		return "", false
	}
	return text, known
}

// printers print what their arguments say.
var printers = map[string]func([]string) (string, bool){
	"echo": printEcho, "printf": printPrintf, "true": printNothing, ":": printNothing, "basename": printBasename, "dirname": printDirname,
}

// filters print what they read, changed in a way that their arguments say.
var filters = map[string]func(args []string, text string) (string, bool){
	"cat": filterCat, "tee": filterCat, "base64": filterBase64, "base32": filterBase32, "xxd": filterXxd, "rev": filterRev, "tr": filterTr, "tac": filterTac,
	"head": filterNothingKnown, "gunzip": filterNothingKnown,
}

func filterNothingKnown([]string, string) (string, bool) { return "", false }

func printNothing([]string) (string, bool) { return "", true }

func printEcho(args []string) (string, bool) {
	end, escapes := "\n", false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		if strings.ContainsRune(args[0], 'n') {
			end = ""
		}
		escapes = strings.ContainsRune(args[0], 'e')
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if !escapes {
		// Shells differ about escapes without -e: where there is one, nobody knows.
		return text + end, !strings.ContainsRune(text, '\\')
	}
	out, stop, ok := unescape(text)
	if stop {
		end = ""
	}
	return out + end, ok
}

// unescape resolves the escapes of printf and echo -e. stop is for \c.
func unescape(s string) (out string, stop, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			b.WriteByte('\\')
			break
		}
		if at := strings.IndexByte("abefnrtv\\\"'", s[i]); at >= 0 {
			b.WriteByte("\a\b\x1b\f\n\r\t\v\\\"'"[at])
			continue
		}
		digits, base, skip := "", 8, 0
		switch c := s[i]; {
		case c == 'c':
			return b.String(), true, true
		case c == 'x':
			digits, base, skip = leading(s[i+1:], "0123456789abcdefABCDEF", 2), 16, 1
		case c == 'u' || c == 'U':
			digits, base, skip = leading(s[i+1:], "0123456789abcdefABCDEF", map[byte]int{'u': 4, 'U': 8}[c]), 16, 1
		case c >= '0' && c <= '7':
			digits = leading(s[i:], "01234567", 3)
			if c == '0' {
				digits = leading(s[i:], "01234567", 4)
			}
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil {
			return "", false, false
		}
		if s[i] == 'u' || s[i] == 'U' {
			b.WriteRune(rune(n))
		} else {
			b.WriteByte(byte(n))
		}
		i += skip + len(digits) - 1
	}
	return b.String(), false, true
}

// leading is what s begins with of a set, at most so many bytes.
func leading(s, set string, most int) string {
	n := 0
	for n < len(s) && n < most && strings.IndexByte(set, s[n]) >= 0 {
		n++
	}
	return s[:n]
}

// printPrintf knows %s, %b, %d, %x, %c and %%, without widths.
func printPrintf(args []string) (string, bool) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return "", false
	}
	format, args := args[0], args[1:]
	var b strings.Builder
	for first := true; first || len(args) > 0; first = false {
		used := 0
		for rest := format; rest != ""; {
			at := strings.IndexByte(rest, '%')
			if at < 0 {
				at = len(rest)
			}
			plain, stop, ok := unescape(rest[:at])
			if b.WriteString(plain); !ok {
				return "", false
			} else if stop {
				return b.String(), true
			}
			if rest = rest[at:]; rest == "" {
				break
			}
			if len(rest) < 2 {
				return "", false
			}
			arg := ""
			if rest[1] != '%' && used < len(args) {
				arg = args[used]
				used++
			}
			text, ok := formatted(rest[1], arg)
			if !ok || b.Len() > maxOutput {
				return "", false
			}
			b.WriteString(text)
			rest = rest[2:]
		}
		if used == 0 {
			break
		}
		args = args[min(used, len(args)):]
	}
	return b.String(), true
}

func formatted(verb byte, arg string) (string, bool) {
	switch verb {
	case '%':
		return "%", true
	case 's':
		return arg, true
	case 'b':
		text, stop, ok := unescape(arg)
		return text, ok && !stop
	case 'c':
		return arg[:min(1, len(arg))], true
	case 'd', 'i', 'x', 'X', 'o':
		if arg == "" {
			arg = "0"
		}
		n, err := strconv.ParseInt(arg, 0, 64)
		base := map[byte]int{'d': 10, 'i': 10, 'x': 16, 'X': 16, 'o': 8}[verb]
		text := strconv.FormatInt(n, base)
		if verb == 'X' {
			text = strings.ToUpper(text)
		}
		return text, err == nil && n >= 0
	default:
		return "", false
	}
}

func printBasename(args []string) (string, bool) {
	if len(args) != 1 || args[0] == "" || args[0][0] == '-' {
		return "", false
	}
	return path.Base(args[0]) + "\n", true
}

func printDirname(args []string) (string, bool) {
	if len(args) != 1 || args[0] == "" || args[0][0] == '-' {
		return "", false
	}
	return path.Dir(strings.TrimRight(args[0], "/")) + "\n", true
}

func filterCat(args []string, text string) (string, bool) {
	return text, len(args) == 0 || len(args) == 1 && args[0] == "-"
}

func filterBase64(args []string, text string) (string, bool) {
	decode := len(args) > 0
	for _, a := range args {
		switch a {
		case "-d", "-D", "--decode":
		case "-i", "-di", "-id", "--ignore-garbage":
		case "-w0", "-w", "0":
			decode = false
		default:
			return "", false
		}
	}
	if !decode {
		return base64.StdEncoding.EncodeToString([]byte(text)) + "\n", len(args) == 0 && len(text) <= 57 || slices.Contains(args, "-w0")
	}
	out, err := base64.StdEncoding.DecodeString(withoutSpaces(text))
	if err != nil {
		out, err = base64.RawStdEncoding.DecodeString(withoutSpaces(text))
	}
	return string(out), err == nil
}

func filterBase32(args []string, text string) (string, bool) {
	if len(args) != 1 || args[0] != "-d" && args[0] != "--decode" {
		return "", false
	}
	out, err := base32.StdEncoding.DecodeString(withoutSpaces(text))
	return string(out), err == nil
}

// filterXxd is for xxd -r -p, which reads plain hexadecimal digits.
func filterXxd(args []string, text string) (string, bool) {
	joined := strings.Join(args, " ")
	if joined != "-r -p" && joined != "-p -r" && joined != "-rp" && joined != "-pr" && joined != "-ps -r" && joined != "-r -ps" {
		return "", false
	}
	out, err := hex.DecodeString(withoutSpaces(text))
	return string(out), err == nil
}

func withoutSpaces(s string) string { return strings.Join(strings.Fields(s), "") }

func filterRev(args []string, text string) (string, bool) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		runes := []rune(line)
		slices.Reverse(runes)
		lines[i] = string(runes)
	}
	return strings.Join(lines, "\n"), len(args) == 0
}

func filterTac(args []string, text string) (string, bool) {
	lines := slices.Collect(strings.Lines(text))
	slices.Reverse(lines)
	return strings.Join(lines, ""), len(args) == 0 && (text == "" || strings.HasSuffix(text, "\n"))
}

// filterTr knows sets of letters and ranges, and -d.
func filterTr(args []string, text string) (string, bool) {
	remove := len(args) == 2 && args[0] == "-d"
	if len(args) != 2 || strings.HasPrefix(args[0], "-") && !remove {
		return "", false
	}
	from, ok := trSet(args[0])
	to, ok2 := trSet(args[1])
	if remove {
		from, to, ok = to, nil, true
	}
	if !ok || !ok2 || !remove && len(to) == 0 {
		return "", false
	}
	var b strings.Builder
	for i := range len(text) {
		at := slices.Index(from, text[i])
		switch {
		case at < 0:
			b.WriteByte(text[i])
		case !remove:
			b.WriteByte(to[min(at, len(to)-1)])
		}
	}
	return b.String(), true
}

func trSet(s string) ([]byte, bool) {
	s, stop, ok := unescape(s)
	if !ok || stop || strings.Contains(s, "[:") || strings.Contains(s, "[=") {
		return nil, false
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if i+2 < len(s) && s[i+1] == '-' && s[i] <= s[i+2] {
			for c := int(s[i]); c <= int(s[i+2]); c++ {
				out = append(out, byte(c))
			}
			i += 2
			continue
		}
		out = append(out, s[i])
	}
	return out, len(out) <= 256
}
