package effects

import (
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// origin says where a file's text comes from that a command executes.
type origin int

const (
	untouched   origin = iota // what is on the disk
	writtenHere               // by the same text, letter by letter
	unknownText               // by the same text, and nobody knows what
	downloaded
)

// quietOnFiles are programs that leave a file as it is which their words name.
const quietOnFiles = "chmod ls cat head tail test [ [[ stat wc file grep rg bash sh zsh dash python python3 node ruby perl shellcheck mkdir chown cd source . less diff md5sum sha256sum git echo printf du find awk"

// fetchers get files from other machines.
const fetchers = "curl wget aria2c http https xh fetch scp rsync ftp lftp axel"

// maxLooked bounds how many words are compared with the files that are run.
const maxLooked = 20_000

// origin looks through the commands in front of this one for what they do to a file.
func (in *invocation) origin(name string) (origin, string) {
	found, text := untouched, ""
	if in.script == nil {
		return found, text
	}
	if in.cloned(name) {
		return downloaded, ""
	}
	for i := range in.script.Commands {
		c := &in.script.Commands[i]
		if c == in.original() {
			break
		}
		if in.reading.looked += len(c.Args) + len(c.Redirects); in.reading.looked > maxLooked {
			return unknownText, ""
		}
		other := invocation{analysis: in.analysis, script: in.script, Command: c}
		switch how := other.writesTo(name); how {
		case overwrites:
			found, text = unknownText, ""
			if out, ok := other.output(); ok {
				found, text = writtenHere, out
			} else if listed(fetchers, other.program()) || other.fed(fetchers) {
				found = downloaded
			}
		case appends:
			out, ok := other.output()
			if found != writtenHere || !ok {
				found, text = unknownText, ""
				continue
			}
			text += out
		}
	}
	return found, text
}

// original is the command as it stands in the script.
func (in *invocation) original() *shell.Command {
	for i := range in.script.Commands {
		if c := &in.script.Commands[i]; c == in.Command || c.Span == in.Span && len(c.Args) == len(in.Args) {
			return c
		}
	}
	return nil
}

type effectOn int

const (
	leavesIt effectOn = iota
	overwrites
	appends
)

// writesTo says what a command does to a file.
func (in *invocation) writesTo(name string) effectOn {
	for _, r := range in.Redirects {
		if r.Op != shell.ReadFrom && in.leadsTo(r.Target, name) {
			if r.Op == shell.AppendTo {
				return appends
			}
			return overwrites
		}
	}
	program := in.program()
	if program == "" || listed(quietOnFiles, program) {
		return leavesIt
	}
	for _, w := range in.Args[1:] {
		text, ok := w.Value()
		if _, value, is := strings.Cut(text, "="); is && in.leadsTo(shell.Word{Parts: []shell.Part{{Text: value}}}, name) {
			return overwrites
		}
		if in.leadsTo(w, name) {
			if program == "tee" && in.appendsByTee() {
				return appends
			}
			return overwrites
		}
		if ok && listed(fetchers, program) && strings.Contains(text, "://") && path.Base(text) == path.Base(name) {
			return overwrites
		}
	}
	return leavesIt
}

func (in *invocation) appendsByTee() bool {
	for _, w := range in.Args[1:] {
		if text, _ := w.Value(); text == "-a" || text == "--append" {
			return true
		}
	}
	return false
}

// program is the command's without its folder.
func (in *invocation) program() string {
	if len(in.Args) == 0 {
		return ""
	}
	text, _ := in.Args[0].Value()
	return base(text)
}

func (in *invocation) leadsTo(w shell.Word, name string) bool {
	for _, p := range in.places(w) {
		if p.whole && p.path == name {
			return true
		}
	}
	return false
}

// output is what a command prints, if that is known letter by letter.
func (in *invocation) output() (string, bool) {
	switch in.program() {
	case "cat", "tee":
		for _, w := range in.Args[1:] {
			if text, ok := w.Value(); !ok || in.program() == "cat" && text != "-" {
				return "", false
			}
		}
		return in.Stdin.Text, in.Stdin.Kind == shell.StdinText
	case "echo":
		var out strings.Builder
		for i, w := range in.Args[1:] {
			text, ok := w.Value()
			if !ok || strings.HasPrefix(text, "-") || strings.Contains(text, `\`) {
				return "", false
			}
			if i > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(text)
		}
		return out.String() + "\n", true
	case "printf":
		text, ok := first(in.Args[1:])
		if !ok || len(in.Args) != 2 || strings.Contains(text, "%") {
			return "", false
		}
		text = strings.ReplaceAll(text, `\n`, "\n")
		return text, !strings.Contains(text, `\`)
	}
	return "", false
}

// fed reports whether one of the named programs is what the command's input comes
// from.
func (in *invocation) fed(programs string) bool { return in.fedBy(in.Stdin, programs, 0) }

func (in *invocation) fedBy(s shell.Stdin, programs string, depth int) bool {
	if depth > 16 || in.script == nil {
		return depth > 16
	}
	for _, i := range s.From {
		if i < 0 || i >= len(in.script.Commands) {
			continue
		}
		c := &in.script.Commands[i]
		if len(c.Args) > 0 {
			if text, ok := c.Args[0].Value(); ok && listed(programs, base(text)) {
				return true
			}
		}
		if in.fedBy(c.Stdin, programs, depth+1) {
			return true
		}
	}
	return false
}
