package offline

import (
	"regexp"
	"slices"
	"strings"
)

// programs is the closed list: programs that do no more than read and print what
// they are given, ordinary builds and tests of the project, and what makes files.
func programs(name string) (program, bool) {
	switch name {
	case "true", "false":
		return program{}, true
	case "pwd":
		return program{flags: "LP"}, true
	case "echo":
		return program{own: echoes}, true
	case "printf":
		return program{operands: anyWords}, true
	case "ls":
		return program{flags: "1aAlhrtSRdFp", long: []string{"--all", "--recursive"}, operands: readsPaths, globs: true}, true
	case "cat":
		return program{flags: "nbsAET", operands: readsPaths, globs: true}, true
	case "head", "tail":
		return program{flags: "q", valued: "nc", digits: true, operands: readsPaths, globs: true}, true
	case "wc":
		return program{flags: "lwcm", operands: readsPaths, globs: true}, true
	case "stat":
		return program{valued: "c", operands: readsPaths}, true
	case "file":
		return program{flags: "bi", operands: readsPaths}, true
	case "sort":
		return program{flags: "nrufbhV", valued: "kt", operands: readsPaths}, true
	case "uniq":
		return program{flags: "cdui", operands: readsPaths, limit: 1}, true
	case "cut":
		return program{valued: "dfc", operands: readsPaths}, true
	case "diff":
		return program{flags: "uqwbBiN", valued: "U", operands: readsPaths, limit: 2}, true
	case "sed":
		return program{own: printsLines}, true
	case "mkdir":
		return program{flags: "p", operands: writesPaths}, true
	case "touch":
		return program{operands: writesPaths}, true
	default:
		return searches(name)
	}
}

func searches(name string) (program, bool) {
	switch name {
	case "grep":
		return program{own: greps}, true
	case "rg":
		return program{own: ripgreps}, true
	case "find":
		return program{own: finds}, true
	case "test", "[":
		return program{own: tests}, true
	default:
		return builds(name)
	}
}

func builds(name string) (program, bool) {
	switch name {
	case "git", "go", "npm", "pnpm", "yarn", "cargo", "python", "python3":
		return program{own: func(at place, words []word) (rule, detail string) { return subcommand(at, name, words) }}, true
	case "gofmt":
		return program{flags: "ldwse", operands: localPackages}, true
	case "make":
		return program{some: true, operands: namedTargets, targets: []string{"test", "tests", "check", "build", "lint", "fmt", "format", "vet"}}, true
	case "pytest":
		return pytest(), true
	default:
		return program{}, false
	}
}

// echoes knows no options but -n: every other word is text.
func echoes(_ place, words []word) (rule, detail string) {
	for _, w := range words {
		if w.glob {
			return "command-glob", w.text
		}
	}
	return "", ""
}

var linesOnly = regexp.MustCompile(`^[0-9]+(,[0-9]+)?p$`)

// printsLines is sed -n 'A,Bp' FILE: every other script of sed may write.
func printsLines(at place, words []word) (rule, detail string) {
	if len(words) < 2 || words[0].text != "-n" || !linesOnly.MatchString(words[1].text) {
		return "command-option", "sed"
	}
	return program{operands: readsPaths}.check(at, words[2:])
}

// greps is a search in files that are named. Through folders it may meet any
// file, so that it has to say of which kind.
func greps(at place, words []word) (rule, detail string) {
	p := program{
		flags: "nirRlLcwvEFGoPhHqsxI", valued: "ABCme", digits: true, globs: true, operands: patternFirst,
		long: []string{"--recursive", "--color=never"}, longWith: []string{"--include"},
	}
	return searchesIn(at, p, words, []string{"r", "R", "--recursive"}, []string{"--include"})
}

// ripgreps goes through folders unless it is given files.
func ripgreps(at place, words []word) (rule, detail string) {
	p := program{
		flags: "nilcwFSNovs", valued: "ABCetgm", operands: patternFirst,
		long: []string{"--files-with-matches", "--no-heading", "--line-number"}, longWith: []string{"--type", "--glob"},
	}
	return searchesIn(at, p, words, nil, []string{"-t", "-g", "--type", "--glob"})
}

// searchesIn checks a search. Where one of the options that go through folders is
// there, so must be one that says of which kind the files are.
func searchesIn(at place, p program, words []word, through, kinds []string) (rule, detail string) {
	if slices.ContainsFunc(words, func(w word) bool { return mayHold(w.text, "e") }) {
		p.operands = readsPaths // the pattern is an option's value
	}
	if rule, detail := p.check(at, words); rule != "" {
		return rule, detail
	}
	goes := slices.ContainsFunc(words, func(w word) bool {
		return slices.ContainsFunc(through, func(o string) bool { return w.text == o || o != "--recursive" && mayHold(w.text, o) })
	})
	kind := false
	for i, w := range words {
		if w.text == "--" {
			break
		}
		value, is := kindOf(words, i, kinds)
		switch {
		case !is:
		case !typeName.MatchString(value) && !plainGlob(word{text: value}):
			return "search-everywhere", w.text
		default:
			kind = true
		}
	}
	if goes && !kind || len(through) == 0 && !kind {
		return "search-everywhere", "it names no kind of file"
	}
	return "", ""
}

// kindOf gives the value of an option that says which files are searched.
func kindOf(words []word, i int, kinds []string) (value string, is bool) {
	text := words[i].text
	for _, o := range kinds {
		switch {
		case text == o && i+1 < len(words):
			return words[i+1].text, true
		case strings.HasPrefix(o, "--") && strings.HasPrefix(text, o+"="):
			return text[len(o)+1:], true
		case !strings.HasPrefix(o, "--") && strings.HasPrefix(text, o):
			return text[len(o):], true
		}
	}
	return "", false
}

var typeName = regexp.MustCompile(`^(go|py|js|ts|rust|java|c|cpp|md|css|html)$`)

// mayHold reports whether a letter may be one of an option's joined letters.
func mayHold(text, letter string) bool {
	return strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && strings.Contains(text, letter)
}

// finds lists names. Actions are what find is dangerous for.
func finds(at place, words []word) (rule, detail string) {
	for i := 0; i < len(words); i++ {
		switch text := words[i].text; text {
		case "-name", "-iname", "-path", "-type", "-maxdepth", "-mindepth", "-size", "-mtime", "-mmin":
			if i++; i == len(words) || words[i].glob {
				return "command-option", text
			}
		case "-not", "!", "-o", "-a", "-print", "-empty", "(", ")":
		default:
			if strings.HasPrefix(text, "-") {
				return "command-option", text
			}
			if rule := at.rule(text, false); rule != "" || words[i].glob {
				return firstOf(rule, "command-glob"), text
			}
		}
	}
	return "", ""
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// tests compares words and looks at files; bash would evaluate a subscript.
func tests(at place, words []word) (rule, detail string) {
	for _, w := range words {
		switch w.text {
		case "-e", "-f", "-d", "-s", "-r", "-w", "-x", "-L", "-h", "-z", "-n", "=", "!=", "]":
			continue
		}
		if strings.ContainsAny(w.text, "[]$`") || w.glob {
			return "command-option", w.text
		}
		if rule := at.rule(w.text, false); rule != "" {
			return rule, w.text
		}
	}
	return "", ""
}
