package offline

import (
	"slices"
	"strings"
)

// subcommand checks programs that are many: git, go and the like.
func subcommand(at place, name string, words []word) (rule, detail string) {
	if len(words) == 0 {
		return "command-option", name
	}
	var p program
	var ok bool
	first, rest := words[0].text, words[1:]
	switch name {
	case "git":
		p, ok = gitCommand(first)
	case "go":
		p, ok = goCommand(first)
	case "cargo":
		p, ok = program{long: []string{"--release", "--all", "--workspace"}}, slices.Contains([]string{"test", "build", "check", "clippy", "fmt"}, first)
	case "python", "python3":
		p, rest, ok = pythonModule(words)
	default: // npm and its like
		p, rest, ok = packageScript(words)
	}
	if !ok || words[0].glob {
		return "command-unlisted", strings.TrimSpace(name + " " + first)
	}
	return p.check(at, rest)
}

// gitCommand has what only shows, and what only adds to the project's history.
func gitCommand(name string) (program, bool) {
	show := []string{
		"--stat", "--oneline", "--name-only", "--name-status", "--cached", "--staged", "--no-color", "--graph", "--decorate", "--all",
		"--short", "--porcelain", "--patch", "--no-patch", "--summary", "--shortstat",
	}
	switch name {
	case "status":
		return program{flags: "sb", long: show, operands: revisions}, true
	case "log", "diff", "show":
		return program{flags: "pws", valued: "nU", digits: true, long: show, longWith: []string{"--max-count", "--since", "--until", "--author"}, operands: revisions}, true
	case "rev-parse":
		return program{long: []string{"--show-toplevel", "--abbrev-ref", "--short"}, operands: revisions}, true
	case "ls-files":
		return program{operands: revisions}, true
	case "branch":
		return program{flags: "avr", long: []string{"--show-current", "--list"}}, true
	case "add":
		return program{flags: "A", operands: revisions}, true
	case "commit":
		return program{flags: "a", valued: "m"}, true
	default:
		return program{}, false
	}
}

// goCommand leaves out whatever lets another program run: -exec, -toolexec,
// -vettool, -ldflags, -overlay, generate, run, tool.
func goCommand(name string) (program, bool) {
	p := program{
		single: true, operands: localPackages,
		long:     []string{"-v", "-race", "-short", "-failfast", "-json", "-cover", "-benchmem", "-shuffle=on"},
		longWith: []string{"-run", "-count", "-timeout", "-bench", "-benchtime", "-skip", "-cpu", "-parallel"},
	}
	switch name {
	case "test", "build", "vet":
		return p, true
	case "fmt":
		return program{operands: localPackages}, true
	case "list":
		return program{single: true, long: []string{"-m"}, operands: localPackages}, true
	case "version":
		return program{}, true
	default:
		return program{}, false
	}
}

func pytest() program {
	return program{flags: "qvxs", valued: "k", long: []string{"--tb=short", "--tb=line", "--lf", "--ff"}, longWith: []string{"--maxfail"}, operands: readsPaths}
}

// pythonModule is -m pytest or -m unittest.
func pythonModule(words []word) (p program, rest []word, ok bool) {
	if len(words) < 2 || words[0].text != "-m" {
		return program{}, nil, false
	}
	switch words[1].text {
	case "pytest":
		return pytest(), words[2:], true
	case "unittest":
		return program{flags: "vf", operands: namedTargets, targets: []string{"discover"}}, words[2:], true
	default:
		return program{}, nil, false
	}
}

// packageScript is the project's own test, build or check, without arguments.
func packageScript(words []word) (p program, rest []word, ok bool) {
	if words[0].text == "test" {
		return program{}, words[1:], true
	}
	if len(words) < 2 || words[0].text != "run" {
		return program{}, nil, false
	}
	known := []string{"test", "build", "lint", "format", "typecheck", "check"}
	return program{}, words[2:], slices.Contains(known, words[1].text)
}
