package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// interpreter says how a program is told what to run. Letters are those of options in
// one word.
type interpreter struct {
	lang language
	// flags take no value and values take one, and neither changes what is run.
	flags, values string
	// code takes a text and module the name of a module; checks only look at a file;
	// loads bring in other code; inPlace writes its files; files takes a file to run.
	code, module, checks, loads, inPlace, files string
	// pure is the letter of an option that brings in a module, of a closed list.
	pure string
	// long are whole options that change nothing, longCode those that take a text.
	long, longCode, longChecks, longTests string
}

// order is what a command line tells an interpreter.
type order struct {
	codes    []shell.Word
	rest     []shell.Word // a file and its arguments
	checks   bool
	reads    bool // goes through its files line by line
	inPlace  bool
	strange  bool
	finished bool
}

func (p interpreter) explain(in *invocation) bool {
	var o order
	for i := 0; i < len(in.args) && !o.finished; {
		i = p.option(in, &o, i)
	}
	switch {
	case o.strange:
		return false
	case o.finished && len(o.codes) == 0 && len(o.rest) == 0:
		return true // a module, or tests
	case len(o.codes) > 0:
		return p.runsCodes(in, &o)
	case len(o.rest) == 0 || isDash(o.rest[0]):
		return in.readsProgram(p.lang)
	case o.checks:
		in.file(looks, o.rest[0])
	default:
		in.runs(o.rest[0], p.lang)
	}
	return true
}

func isDash(w shell.Word) bool {
	text, _ := w.Value()
	return text == "-" || text == "/dev/stdin"
}

// runsCodes is for a text on the command line: its files are read by it line by line,
// and written as well if it works in place.
func (p interpreter) runsCodes(in *invocation, o *order) bool {
	for _, w := range o.codes {
		in.codeWord(p.lang, w)
	}
	if !o.reads && !o.inPlace {
		return true
	}
	how := shows
	if o.inPlace {
		how = writes
	}
	for _, w := range o.rest {
		if !strings.HasPrefix(w.Prefix(), "-") {
			in.file(how, w)
		}
	}
	return true
}

// option reads one word in front of what is run, and gives the next one's place.
func (p interpreter) option(in *invocation, o *order, i int) int {
	w := in.args[i]
	text, ok := w.Value()
	switch {
	case !ok && strings.HasPrefix(w.Prefix(), "-"), !ok && w.Many:
		o.strange, o.finished = true, true
	case len(text) < 2 || text[0] != '-':
		o.rest = in.args[i:]
		o.finished = true
	case text == "--":
		o.rest = in.args[i+1:]
		o.finished = true
	case text[1] == '-':
		return p.longOption(in, o, i, text)
	default:
		return p.letters(in, o, i, text)
	}
	return i + 1
}

func (p interpreter) longOption(in *invocation, o *order, i int, text string) int {
	name, value, given := strings.Cut(text, "=")
	switch {
	case listed(p.longCode, name):
		w := in.args[i]
		w.Parts = []shell.Part{{Text: value}}
		if !given {
			if i++; i == len(in.args) {
				o.strange, o.finished = true, true
				return i
			}
			w = in.args[i]
		}
		o.codes = append(o.codes, w)
		o.rest = in.args[i+1:]
		o.finished = len(p.code) > 0 && p.lang != perlCode && p.lang != rubyCode
	case listed(p.longChecks, name):
		o.checks = true
	case listed(p.longTests, name):
		o.finished = true
		o.strange = !in.tool(in.args[i+1:], "project-build")
	case listed(p.long, text), listed(p.long, name):
	default:
		o.strange, o.finished = true, true
	}
	return i + 1
}

// letters reads options in one word.
func (p interpreter) letters(in *invocation, o *order, i int, text string) int {
	for j := 1; j < len(text); j++ {
		c := text[j : j+1]
		rest := text[j+1:]
		switch {
		case strings.Contains(p.inPlace, c) && p.inPlace != "":
			o.inPlace = true
			return i + 1 // what follows is the ending of the copies
		case strings.Contains(p.flags, c):
			o.reads = o.reads || c == "n" || c == "p"
			continue
		case p.checks != "" && strings.Contains(p.checks, c):
			o.checks = true
			continue
		case strings.Contains(p.values, c) && p.values != "":
			if rest == "" && c != "F" && c != "C" && c != "x" {
				i++
			} else if rest == "" && c == "F" {
				i++
			}
			return i + 1
		case p.pure != "" && c == p.pure:
			name, _, _ := strings.Cut(rest, "=")
			o.strange = o.strange || !listed(pureModules, name) || strings.ContainsAny(rest, ";(")
			return i + 1
		case p.module != "" && c == p.module:
			in.module(o, i, rest)
			return i + 1
		case p.code != "" && strings.Contains(p.code, c):
			return p.codeLetter(in, o, i, rest)
		case p.files != "" && c == p.files && rest == "":
			o.rest, o.finished = in.args[min(i+1, len(in.args)):], true
			return i + 1
		default:
			o.strange, o.finished = true, true
			return i + 1
		}
	}
	return i + 1
}

// codeLetter reads an option whose value is a text to run. Some interpreters take
// several; behind that of the others stand its arguments.
func (p interpreter) codeLetter(in *invocation, o *order, i int, rest string) int {
	switch {
	case p.lang == javaScript && strings.Trim(rest, "ep") == "": // node -pe
		i++
	case rest != "":
		w := in.args[i]
		w.Parts = []shell.Part{{Text: rest}}
		o.codes = append(o.codes, w)
		o.finished = p.lang == pythonCode
		return i + 1
	default:
		i++
	}
	if i >= len(in.args) {
		o.strange, o.finished = true, true
		return i
	}
	o.codes = append(o.codes, in.args[i])
	o.finished = p.lang == pythonCode || p.lang == phpCode
	return i + 1
}

// pureModules are modules of Perl that do nothing by themselves.
const pureModules = "strict warnings utf8 feature bigint bignum integer JSON::PP JSON Data::Dumper List::Util Scalar::Util POSIX Time::Local Time::HiRes Time::Piece File::Basename MIME::Base64 Text::Wrap Encode open 5.010 v5.10"

// moduleTools are modules of Python that are the program of the same name.
const moduleTools = "pytest mypy black ruff flake8 pylint isort coverage tox nox mkdocs yapf bandit vulture pyright pre_commit virtualenv autopep8 pydocstyle pycodestyle pyflakes pip uv twine pipx poetry pipenv build"

// module is python -m.
func (in *invocation) module(o *order, i int, name string) {
	o.finished = true
	args := in.args[i+1:]
	if name == "" {
		var ok bool
		if name, ok = first(args); !ok {
			o.strange = true
			return
		}
		args = args[1:]
	}
	at := in.args[i]
	switch name {
	case "json.tool", "tokenize", "ast", "dis", "calendar", "this", "platform", "sysconfig", "site", "base64", "quopri", "textwrap":
		in.args = args
		o.strange = !usage{spec: spec{short: "deuthi", long: "sort-keys json-lines indent= tab no-indent compact no-ensure-ascii user-site user-base"}, files: shows, last: writes}.explain(in)
		in.args = nil
	case "unittest", "venv", "build", "compileall", "py_compile", "doctest", "ensurepip", "trace", "pyclbr", "tabnanny", "lib2to3":
		o.strange = !in.tool(args, "project-build")
	case "http.server", "pdb", "timeit", "cProfile", "profile", "code", "idlelib", "smtpd", "webbrowser", "antigravity", "zipfile", "tarfile", "runpy":
		o.strange = true
	default:
		if p, ok := in.programs[strings.ReplaceAll(name, "_", "-")]; ok && listed(moduleTools, name) {
			in.name, in.args = strings.ReplaceAll(name, "_", "-"), args
			o.strange = !p.explain(in)
			return
		}
		in.projectModule(name, at)
	}
}

// projectModule runs a module that lies in the project.
func (in *invocation) projectModule(name string, at shell.Word) {
	file := strings.ReplaceAll(name, ".", "/")
	if in.exists(file + "/__main__.py") {
		file += "/__main__"
	}
	at.Parts = []shell.Part{{Text: file + ".py"}}
	in.runs(at, pythonCode)
}
