package secrets

import "strings"

// maxCommand bounds how far around an option its command is looked for.
const maxCommand = 256

// command looks at the simple command around an option of one letter: -p is a password
// for some programs and a port for others. It is no parser of shells; who has one gives
// the places to [Redact].
func (x *scanner) command(i int) {
	s := x.s
	if i < x.commandTo {
		return
	}
	start := i
	for start > x.commandTo && i-start < maxCommand && strings.IndexByte(";&|(\n`\"'", s[start-1]) < 0 {
		start--
	}
	program, from := programAt(s[:i], start)
	if !takesSecrets(program) {
		return
	}
	words := splitWords(s, from)
	if len(words) == 0 {
		return
	}
	args := make([]string, len(words))
	for n, w := range words {
		args[n] = w.text
	}
	last := words[len(words)-1]
	x.commandTo = max(i+1, last.at+len(last.text))
	for _, r := range Position(program, args) {
		at := words[r.Argument].at
		x.aside = append(x.aside, Span{Start: at + r.Start, End: at + r.End, Kind: r.Kind})
	}
}

// programAt is the first word that is a program's, without its folder, and where what
// it is given begins.
func programAt(s string, i int) (program string, end int) {
	for i < len(s) {
		i = run(s, i, space)
		end = run(s, i, func(c byte) bool { return !is(c, endBit) })
		w := s[i:end]
		if w == "" {
			break
		}
		if !wrapper(w) && w[0] != '-' && strings.IndexByte(w, '=') < 0 {
			return w[strings.LastIndexByte(w, '/')+1:], end
		}
		i = end
	}
	return "", i
}

// takesSecrets is true of programs that take a secret by an option whose name does not
// say so, or by place.
func takesSecrets(program string) bool {
	switch program {
	case "git", "npm", "pnpm", "yarn", "aws":
		return false // theirs stand behind the secret's name
	case "docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oc", "oras", "crane", "regctl", "vault", "bao", "gh", "glab":
		return true
	}
	return optionsOf(program, nil) != nil
}

// rawWord is a word without the quotes around it, at its place.
type rawWord struct {
	text string
	at   int
}

// splitWords takes a text apart at spaces, up to what ends a command.
func splitWords(s string, i int) []rawWord {
	var words []rawWord
	for stop := min(len(s), i+4*maxCommand); i < stop && len(words) < maxArguments; {
		switch c := s[i]; {
		case c == '\n' || c == ';' || c == '|' || c == '&' || c == ')' || c == '`':
			return words
		case space(c) || is(c, endBit):
			i++
		case quote(c):
			n := strings.IndexByte(s[i+1:stop], c)
			if n < 0 {
				return words
			}
			if n > 0 {
				words = append(words, rawWord{text: s[i+1 : i+1+n], at: i + 1})
			}
			i += n + 2
		default:
			end := i
			for end < stop && !is(s[end], endBit) {
				end += max(1, markerLen(s[end:]))
			}
			words = append(words, rawWord{text: s[i:end], at: i})
			i = end
		}
	}
	return words
}

// wrapper is a program that starts another one.
func wrapper(v string) bool {
	switch v {
	case "sudo", "env", "time", "nohup", "exec", "command", "nice", "then", "do", "else", "if", "!", "$":
		return true
	}
	return false
}
