package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// access is what a program does with a file that a word names.
type access int

const (
	ignores  access = iota // the word is no file
	shows                  // what is in it comes out
	searches               // parts of it come out, which the command asks for
	looks                  // names, sizes and sums come out
	writes
)

// usage says what the words mean of a program that does nothing but work on the files
// that they name.
type usage struct {
	spec
	// files is what is done with operands; of these, the first but are no files, unless
	// one of the options in unless is there, and last is for the last one of several.
	files  access
	but    int
	unless string
	last   access
	// shown, looked and written are options whose value is a file; runs are those that
	// have the program start another one, or do more than this table says.
	shown, looked, written, runs string
	// refuses is how an operand begins that is an order to the program and no file.
	refuses string
	// calm is for a program that no unknown word can bring to do more.
	calm bool
}

// program is a recogniser for the usage.
func (u usage) program() program { return program{u.explain} }

func (u usage) explain(in *invocation) bool {
	o := u.read(in.args)
	u.options(in, &o)
	u.operands(in, &o)
	return o.strange == nil && (u.calm || !o.opaque)
}

// options notes what the options' values lead to.
func (u usage) options(in *invocation, o *options) {
	for i := range o.list {
		opt := &o.list[i]
		switch {
		case listed(u.runs, opt.name):
			in.say("runs-hidden", in.span(opt.span), in.name)
		case !opt.given:
		case listed(u.shown, opt.name):
			in.file(shows, opt.value)
		case listed(u.looked, opt.name):
			in.file(looks, opt.value)
		case listed(u.written, opt.name):
			in.file(writes, opt.value)
		}
	}
}

// operands notes what the operands lead to.
func (u usage) operands(in *invocation, o *options) {
	but := u.but
	for i := range o.list {
		if listed(u.unless, o.list[i].name) {
			but = 0
		}
	}
	for i, w := range o.operands {
		switch {
		case u.refuses != "" && strings.HasPrefix(w.Prefix(), u.refuses):
			in.say("runs-hidden", in.span(w.Span), in.name)
		case i < but:
		case u.last != ignores && i > but && i == len(o.operands)-1:
			in.file(u.last, w)
		default:
			in.file(u.files, w)
		}
	}
}

// listed reports whether a name is in a list that blanks separate.
func listed(list, name string) bool {
	for name != "" && len(list) >= len(name) {
		if strings.HasPrefix(list, name) && (len(list) == len(name) || list[len(name)] == ' ') {
			return true
		}
		next := strings.IndexByte(list, ' ')
		if next < 0 {
			return false
		}
		list = list[next+1:]
	}
	return false
}

// file notes what a program does with a file; "-" is what it is given, or gives.
func (in *invocation) file(how access, w shell.Word) {
	if how == ignores {
		return
	}
	if text, ok := w.Value(); ok && (text == "-" || text == "") {
		return
	}
	for _, w := range in.listedFiles(w) {
		in.oneFile(how, w)
	}
}

func (in *invocation) oneFile(how access, w shell.Word) {
	if isSubstituted(w) {
		return // its commands are among the script's
	}
	switch how {
	case shows:
		in.notes(noted{Effect: Effect{Kind: Read}, broad: mayBeSecret(w)}, w)
	case searches:
		in.notes(noted{Effect: Effect{Kind: Read}}, w)
	case looks:
		in.notes(noted{Effect: Effect{Kind: Read}, names: true}, w)
	case writes:
		in.notes(noted{Effect: Effect{Kind: Write}, broad: mayRunLater(w) || mayBeSecret(w)}, w)
	}
}

// secretNames are spelled as files are that hold secrets: what a pattern would have to
// stand for, to show one of them.
var secretNames = []string{".env", ".env.local", "id_rsa", "credentials", "credentials.json", "secrets.yaml", "secrets.yml", ".npmrc", ".netrc", "server.pem", "private.key"}

// mayBeSecret reports whether a pattern may stand for a file that holds secrets.
func mayBeSecret(w shell.Word) bool { return mayBe(w, secretNames) }

// laterNames are spelled as files are that execute later.
var laterNames = []string{
	"Makefile", "package.json", "setup.py", "build.rs", "conftest.py", ".envrc", ".bashrc", ".pre-commit-config.yaml",
	"makefile", "justfile", "Rakefile", "Dockerfile", "Jenkinsfile", ".git", ".gitattributes", ".gitmodules", ".zshrc", ".profile", ".npmrc", ".mcp.json", "tox.ini",
}

// mayRunLater reports whether a pattern may stand for a file that executes later.
func mayRunLater(w shell.Word) bool { return mayBe(w, laterNames) }

func mayBe(w shell.Word, names []string) bool {
	if !w.HasGlob() {
		return false
	}
	var pattern strings.Builder
	for _, p := range w.Parts {
		if p.Kind == shell.Unknown {
			return true
		}
		pattern.WriteString(p.Text)
	}
	last := pattern.String()
	last = last[strings.LastIndexByte(last, '/')+1:]
	for _, n := range names {
		if matches(last, n) {
			return true
		}
	}
	return false
}

// matches reports whether a shell's pattern may stand for a name. It errs towards yes:
// a class stands for any letter, and an extended or very long pattern for anything.
func matches(pattern, name string) bool {
	if len(pattern) > maxWords || strings.IndexByte(pattern, '(') >= 0 {
		return true
	}
	star, back := -1, 0 // behind the last star, and what it stands for so far
	for p, n := 0, 0; n < len(name) || p < len(pattern); {
		if p < len(pattern) && pattern[p] == '*' {
			p++
			star, back = p, n
			continue
		}
		if next, ok := matchesOne(pattern[p:]), n < len(name); ok && next != 0 && fits(pattern[p:], name[n]) {
			p, n = p+next, n+1
			continue
		}
		if star < 0 || back >= len(name) {
			return false
		}
		back++
		p, n = star, back
	}
	return true
}

// matchesOne is the length of a pattern's first piece, which stands for one letter.
func matchesOne(pattern string) int {
	switch {
	case pattern == "":
		return 0
	case pattern[0] == '[':
		if end := strings.IndexByte(pattern[1:], ']'); end >= 0 {
			return end + 2
		}
	case pattern[0] == '\\' && len(pattern) > 1:
		return 2
	}
	return 1
}

// fits reports whether a pattern's first piece may stand for a letter.
func fits(pattern string, c byte) bool {
	switch pattern[0] {
	case '?', '[':
		return true
	case '\\':
		pattern = pattern[len(pattern[:min(2, len(pattern))])-1:]
	}
	return lower(pattern[0]) == lower(c)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
