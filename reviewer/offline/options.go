package offline

import (
	"regexp"
	"slices"
	"strings"
)

// operands says what a program's words are that are no options.
type operands int

const (
	noOperands    operands = iota
	readsPaths             // files and folders that it reads
	writesPaths            // files and folders that it changes or makes
	patternFirst           // a pattern, then what it reads
	anyWords               // text that names nothing
	namedTargets           // one of a closed list
	localPackages          // ./… and files of the project
	revisions              // what git shows, which may be paths
)

// program is what a program's words may be. What is not said is refused.
type program struct {
	flags    string   // letters of options without a value
	valued   string   // letters of options with one
	long     []string // whole options without a value
	longWith []string // whole options with a value: --name=value or --name value
	digits   bool     // -20 is a number of lines
	single   bool     // long options have one dash; letters are not joined
	operands operands
	limit    int      // at most as many operands; 0 is any number
	some     bool     // at least one operand
	targets  []string // of namedTargets; words that must come first of the others
	globs    bool     // *.go may stand for names
	own      func(at place, words []word) (rule, detail string)
}

func (p program) check(at place, words []word) (rule, detail string) {
	if p.own != nil {
		return p.own(at, words)
	}
	rest, bad := p.options(words)
	if bad != "" {
		return "command-option", bad
	}
	return p.checkOperands(at, rest)
}

// options takes the options away. bad is the first that is not in the closed list.
func (p program) options(words []word) (rest []word, bad string) {
	for i := 0; i < len(words); i++ {
		text := words[i].text
		switch {
		case text == "--":
			return append(rest, words[i+1:]...), ""
		case text == "-" || !strings.HasPrefix(text, "-"):
			rest = append(rest, words[i])
		case words[i].glob:
			return nil, text
		default:
			values, ok := p.option(text)
			if !ok || i+values >= len(words) || values == 1 && (words[i+1].glob || strings.HasPrefix(words[i+1].text, "-")) {
				return nil, text
			}
			i += values
		}
	}
	return rest, ""
}

var number = regexp.MustCompile(`^-[0-9]+$`)

// option reports whether an option is known, and how many words follow as its
// value.
func (p program) option(text string) (values int, ok bool) {
	name, _, joined := strings.Cut(text, "=")
	switch {
	case p.digits && number.MatchString(text):
		return 0, true
	case slices.Contains(p.long, text):
		return 0, true
	case slices.Contains(p.longWith, name):
		if joined {
			return 0, true
		}
		return 1, true
	case p.single || strings.HasPrefix(text, "--"):
		return 0, false
	}
	for i, letter := range text[1:] {
		switch {
		case strings.ContainsRune(p.flags, letter):
		case strings.ContainsRune(p.valued, letter):
			if i+2 < len(text) {
				return 0, true // its value is joined to it
			}
			return 1, true
		default:
			return 0, false
		}
	}
	return 0, true
}

func (p program) checkOperands(at place, rest []word) (rule, detail string) {
	if p.limit > 0 && len(rest) > p.limit {
		return "command-option", rest[p.limit].text
	}
	if p.some && len(rest) == 0 {
		return "command-option", "it names none"
	}
	for i, w := range rest {
		if rule := p.operand(at, i, w); rule != "" {
			return rule, w.text
		}
	}
	return "", ""
}

func (p program) operand(at place, i int, w word) (rule string) {
	if w.glob && p.operands != anyWords && (!p.globs || !plainGlob(w)) {
		return "command-glob"
	}
	switch p.operands {
	case readsPaths:
		return at.reads(w.text)
	case writesPaths:
		return at.rule(w.text, true)
	case patternFirst:
		if i == 0 {
			return ""
		}
		return at.reads(w.text)
	case anyWords:
		return ""
	case namedTargets:
		if slices.Contains(p.targets, w.text) {
			return ""
		}
	case localPackages:
		if w.text == "." || strings.HasPrefix(w.text, "./") || strings.HasSuffix(w.text, ".go") {
			return at.rule(w.text, false)
		}
	case revisions:
		return at.revision(w.text)
	}
	return "command-option"
}

// reads is a rule for a file to be read; a dash is what comes through the pipe.
func (p place) reads(name string) string {
	if name == "-" {
		return ""
	}
	return p.rule(name, false)
}

// revision takes a name of git's as a path, too, in front of a colon and behind.
func (p place) revision(text string) string {
	if strings.HasPrefix(text, ":") || strings.HasPrefix(text, "-") {
		return "command-option"
	}
	for part := range strings.SplitSeq(text, ":") {
		if rule := p.rule(part, false); rule != "" {
			return rule
		}
	}
	return ""
}

// sources are the endings of files that hold no secrets as a rule.
const sources = `go|py|js|jsx|mjs|ts|tsx|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|md|css|html|vue`

var globPattern = regexp.MustCompile(`^[A-Za-z0-9_./-]*\*\.(` + sources + `)$`)

// plainGlob reports whether a pattern can only stand for sources.
func plainGlob(w word) bool {
	return !w.quoted && globPattern.MatchString(w.text) && !strings.HasPrefix(w.text, "-")
}
