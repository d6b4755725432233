package shell

import "strings"

// unwrapShell tells what a shell runs: the text behind -c, a script file, or what it
// reads. Options stand in any form: -lc, -o pipefail -c, --norc.
func unwrapShell(u *unwrapped, args []Word) wrapperKind {
	text, reads, i := false, false, 0
options:
	for ; i < len(args); i++ {
		word, known := args[i].Value()
		switch {
		case !known && text && !strings.HasPrefix(args[i].Prefix(), "-"):
			break options // -c "$X"
		case !known:
			if p := args[i].Prefix(); p == "" || p[0] == '-' || p[0] == '+' {
				return u.unknownShell(args[i:])
			}
			break options
		case word == "--" || word == "-":
			i++
			break options
		case word == "--version" || word == "--help":
			return notWrapper
		case word == "--rcfile" || word == "--init-file":
			u.keeps = true
			i++
		case strings.HasPrefix(word, "--"):
		case len(word) > 1 && (word[0] == '-' || word[0] == '+'):
			letters := word[1:]
			text = text || word[0] == '-' && strings.ContainsRune(letters, 'c')
			reads = reads || word[0] == '-' && strings.ContainsRune(letters, 's')
			if strings.ContainsAny(letters, "nD") && word[0] == '-' {
				return notWrapper // only checks
			}
			i += strings.Count(letters, "o") + strings.Count(letters, "O")
		default:
			break options
		}
	}
	rest := args[min(i, len(args)):]
	switch {
	case text && len(rest) == 0:
		return strangeWrapper
	case text:
		u.text, u.params = &rest[0], rest[1:]
	case reads || len(rest) == 0:
		u.stdinText, u.params = true, rest
	case isDevice(rest[0]):
		u.stdinText, u.params = true, rest[1:]
	default:
		u.script, u.params = &rest[0], rest[1:]
	}
	return isWrapper
}

// unknownShell is a shell whose options are not known: what it runs is not, either.
func (u *unwrapped) unknownShell([]Word) wrapperKind { return strangeWrapper }

// isDevice reports whether a script's name stands for standard input.
func isDevice(w Word) bool {
	return isText(w, "/dev/stdin") || isText(w, "/dev/fd/0") || isText(w, "/proc/self/fd/0")
}
