package engine

import (
	"net"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/presets"
)

// Own is what belongs to the engine: what calls must not name (design section 5).
type Own struct {
	// Paths are its files and folders, absolute: state, keys, credentials.
	Paths []string
	// Addresses are host:port of its servers.
	Addresses []string
	// Program is the name of its command, and Commands those of its subcommands that
	// change something or answer for a person.
	Program  string
	Commands []string
	// Home is what ~ and $HOME stand for where calls run, "" where that is not known.
	Home string
}

// The reasons of a refusal, for the agent. They repeat nothing of what is guarded.
const (
	textOwnFiles    = "The call names files of the engine itself, such as its state or credentials"
	textOwnAddress  = "The call names an address of the engine itself"
	textOwnCommands = "The call runs a command that controls the engine"
	textOwnRefused  = "; it was refused and its body was not executed. Do not try another way; ask the user if you need it."
)

// Guard refuses calls that name what is the engine's, in every preset but
// danger-full-access, in the text of their arguments or by what that text would do
// (package effects). It holds up mistakes and text that was injected, and not what a
// program does that nobody can read.
func (o Own) Guard() Guard {
	addresses := o.addresses()
	return func(c PendingCall) string {
		if c.Preset == presets.DangerFullAccess {
			return ""
		}
		texts, words := said(c.Arguments)
		reason := ""
		switch {
		case o.within(c.CWD), slices.ContainsFunc(texts, func(text string) bool { return o.namesPath(text, c.CWD) }):
			reason = textOwnFiles
		case slices.ContainsFunc(addresses, func(a address) bool { return a.named(texts, words) }):
			reason = textOwnAddress
		case slices.ContainsFunc(texts, o.controls):
			reason = textOwnCommands
		case o.touched(c):
			reason = textOwnFiles
		default:
			return ""
		}
		return reason + textOwnRefused
	}
}

// said are the texts of a call's arguments, as they are and as a shell reads them; of
// a list of texts also what they are in one line. words are what stands alone.
func said(arguments jsontext.Value) (texts []string, words map[string]bool) {
	words = map[string]bool{}
	add := func(text string) {
		texts = append(texts, text)
		if plain := unquoted(text); plain != text {
			texts = append(texts, plain)
		}
	}
	var lists [][]string // of the open arrays
	d := jsontext.NewDecoder(strings.NewReader(string(arguments)))
	for {
		t, err := d.ReadToken()
		if err != nil { // the end, or no JSON, which no body gets
			break
		}
		switch t.Kind() {
		case '[':
			lists = append(lists, nil)
		case ']':
			add(strings.Join(lists[len(lists)-1], " "))
			lists = lists[:len(lists)-1]
		case '"', '0':
			if add(t.String()); len(lists) > 0 {
				lists[len(lists)-1] = append(lists[len(lists)-1], t.String())
			}
		}
	}
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(text, separates) {
			words[word] = true
		}
	}
	return texts, words
}

// quotes is what a shell takes away.
var quotes = strings.NewReplacer(`\`+"\n", "", `"`, "", `'`, "", `\`, "")

// unquoted is a text as a shell reads it.
func unquoted(text string) string { return quotes.Replace(text) }

// separates reports whether a character stands between words of a command line, or
// between a flag and its value.
func separates(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`;&|()<>{}[],=@", r) }

// namesPath reports whether a text names one of the paths, however it is written.
func (o Own) namesPath(text, cwd string) bool {
	for _, own := range o.Paths {
		if endsAt(text, own, isName) { // also one that holds separators
			return true
		}
	}
	for word := range strings.FieldsFuncSeq(o.expanded(text), separates) {
		word = strings.TrimPrefix(word, "file://")
		if !path.IsAbs(word) {
			if cwd == "" {
				continue
			}
			word = cwd + "/" + word
		}
		if o.within(word) {
			return true
		}
	}
	return false
}

// within reports whether a path is one of the engine's, or lies in one.
func (o Own) within(name string) bool {
	if name == "" {
		return false
	}
	name = path.Clean(filepath.ToSlash(name))
	return slices.ContainsFunc(o.Paths, func(own string) bool {
		return name == own || strings.HasPrefix(name, strings.TrimSuffix(own, "/")+"/")
	})
}

// tilde is a home that is written as ~.
var tilde = regexp.MustCompile(`(^|[\s"'=:@])~(/|$|[\s"'])`)

// expanded is a text with what stands for the home filled in.
func (o Own) expanded(text string) string {
	if o.Home == "" || !strings.ContainsAny(text, "~$") {
		return text
	}
	text = strings.NewReplacer("${HOME}", o.Home, "$HOME", o.Home).Replace(text)
	return tilde.ReplaceAllString(text, "${1}"+strings.ReplaceAll(o.Home, "$", "$$")+"${2}")
}

// endsAt reports whether a text holds a part that goes on with nothing of its kind.
func endsAt(text, part string, goesOn func(byte) bool) bool {
	for part != "" {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		if after == "" || !goesOn(after[0]) {
			return true
		}
		text = after
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isName(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("-_.", c) >= 0
}

// address is where a server of the engine's is.
type address struct {
	hosts []string // that are the same
	port  string
}

func (o Own) addresses() []address {
	var all []address
	for _, text := range o.Addresses {
		host, port, err := net.SplitHostPort(text)
		if err != nil {
			continue
		}
		hosts := []string{strings.ToLower(host)}
		if ip := net.ParseIP(host); host == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsUnspecified()) {
			hosts = []string{"localhost", "127.0.0.1", "127.1", "0.0.0.0", "::1", "ip6-localhost"}
		}
		all = append(all, address{hosts, port})
	}
	return all
}

// named reports whether texts hold the address in one piece, or host and port as words
// of their own.
func (a address) named(texts []string, words map[string]bool) bool {
	for _, host := range a.hosts {
		if words[host] && words[a.port] {
			return true
		}
		for _, text := range texts {
			if endsAt(strings.ToLower(text), host+":"+a.port, isDigit) || endsAt(text, "["+host+"]:"+a.port, isDigit) {
				return true
			}
		}
	}
	return false
}

// controls reports whether a text, read as a command line, runs a command of the
// engine's that is for people.
func (o Own) controls(text string) bool {
	if !strings.Contains(text, o.Program) || o.Program == "" {
		return false
	}
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("\n;&|(){}`", r) }) {
		words := strings.FieldsFunc(line, func(r rune) bool { return r <= ' ' || r == '"' || r == '\'' })
		at := slices.IndexFunc(words, o.runs)
		if at > 0 && !leadsTo(words[0]) || at < 0 {
			continue
		}
		if slices.ContainsFunc(words[at+1:], func(w string) bool { return slices.Contains(o.Commands, w) }) {
			return true
		}
	}
	return false
}

// runs reports whether a word is the name of the engine's command.
func (o Own) runs(word string) bool {
	return strings.TrimSuffix(path.Base(filepath.ToSlash(word)), ".exe") == o.Program
}

// leadsTo reports whether a word at the beginning of a command line lets another one
// be the program that runs.
func leadsTo(word string) bool {
	switch path.Base(word) {
	case "sudo", "doas", "env", "exec", "command", "nohup", "setsid", "time", "timeout", "nice", "xargs", "sh", "bash", "dash", "zsh", "$", "!", "then", "do", "else":
		return true
	}
	name, _, assigned := strings.Cut(word, "=")
	return strings.HasPrefix(word, "-") || isDigit(word[0]) || assigned && !strings.Contains(name, "/")
}
