package effects

import (
	"maps"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// gitPrograms are those of version control.
func gitPrograms() map[string]program {
	return map[string]program{
		"git": {explainGit}, "git-lfs": {explainGitLFS}, "tig": {func(*invocation) bool { return false }},
		"gh": {explainForge}, "glab": {explainForge}, "hub": {explainForge}, "tea": {explainForge},
		"svn": {explainOtherVCS}, "hg": {explainOtherVCS}, "jj": {explainOtherVCS}, "bzr": {explainOtherVCS}, "fossil": {explainOtherVCS}, "p4": {explainOtherVCS},
	}
}

// gitVerb is a subcommand.
type gitVerb struct {
	short, long string
	// does is what it does to the repository, "" if it only reads.
	does Kind
	// more says what else there is to say; false is not understood.
	more func(g *gitCall, o *options) bool
}

// gitCall is a git command that is being explained.
type gitCall struct {
	*invocation
	verb string
}

// gitVerbs finds a subcommand.
var gitVerbs = joinVerbs(gitReaders(), gitListers(), gitChangers(), gitWorkers(), gitRemotes())

func joinVerbs(tables ...map[string]gitVerb) map[string]gitVerb {
	all := map[string]gitVerb{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

func explainGit(in *invocation) bool {
	o := spec{short: "C:c:pPhv", long: "exec-path=? html-path man-path info-path paginate no-pager no-replace-objects bare git-dir= work-tree= namespace= config-env= literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-optional-locks attr-source= no-advice no-lazy-fetch version help", first: true}.read(in.args)
	g := &gitCall{invocation: in}
	elsewhere := g.globals(&o)
	g.gitVariables()
	if o.strange != nil {
		return false
	}
	if len(o.operands) == 0 {
		return true // git by itself, --version, --html-path
	}
	verb, ok := o.operands[0].Value()
	v, known := gitVerbs[verb]
	if !ok || !known {
		return false // a program in the search path, or an alias that runs anything
	}
	g.verb, in.args = verb, revisions(o.operands[1:])
	if len(in.args) == 1 {
		if text, _ := in.args[0].Value(); text == "-h" || text == "--help" {
			return true
		}
	}
	words := spec{short: v.short, long: v.long, numbers: true}.read(in.args)
	g.repository(v.does, elsewhere)
	if v.does != "" {
		in.does(v.does, verb, in.Span)
	}
	understood := words.understood()
	if v.more != nil && !v.more(g, &words) {
		return false
	}
	return understood
}

// globals judges the options in front of the subcommand. It reports whether the
// repository is another one than that of the folder.
func (g *gitCall) globals(o *options) (elsewhere []shell.Word) {
	for i := range o.list {
		opt := &o.list[i]
		switch opt.name {
		case "C":
			g.changeDir(opt.value)
		case "git-dir", "work-tree":
			elsewhere = append(elsewhere, opt.value)
		case "c":
			if name, value, ok := assigned(opt.value); !ok || !harmlessSetting(name, value) {
				g.say("runs-hidden", g.span(opt.value.Span), name)
			}
		case "config-env", "attr-source", "namespace":
			g.say("runs-hidden", g.span(opt.span), opt.name)
		case "exec-path":
			if opt.given {
				g.say("runs-hidden", g.span(opt.span), opt.name)
			}
		}
	}
	return elsewhere
}

// changeDir has the rest of the command start in a folder.
func (in *invocation) changeDir(w shell.Word) {
	to := in.places(w)
	c := *in.Command
	c.Dirs, c.DirUnknown = nil, false
	for _, p := range to {
		if p.whole {
			c.Dirs = append(c.Dirs, p.path)
		} else {
			c.DirUnknown = true
		}
	}
	in.Command = &c
}

// repository notes which repository a command works on, if it is none of the project.
func (g *gitCall) repository(does Kind, elsewhere []shell.Word) {
	here := shell.Word{Parts: []shell.Part{{Text: "."}}, Span: g.Span}
	kind := Read
	if does != "" {
		kind = Write
	}
	for _, p := range g.places(here) {
		if where := g.paths.area(p.path); p.unknown || where != inWorkspace && where != inTemp && p.path != g.paths.workspace {
			g.notes(noted{Effect: Effect{Kind: kind}, names: true}, here)
			break
		}
	}
	for _, w := range elsewhere {
		if g.leaves(w) {
			g.notes(noted{Effect: Effect{Kind: kind}, names: true}, w)
			g.say("runs-hidden", g.span(w.Span), g.name) // its settings may run anything
		}
	}
}

// gitVariables judges the variables that only git looks at.
func (g *gitCall) gitVariables() {
	for _, v := range g.Env {
		name, value := v.Name, v.Value
		switch {
		case !strings.HasPrefix(name, "GIT_"):
		case strings.HasPrefix(name, "GIT_AUTHOR_"), strings.HasPrefix(name, "GIT_COMMITTER_"):
		case name == "GIT_TERMINAL_PROMPT", name == "GIT_OPTIONAL_LOCKS", name == "GIT_MERGE_AUTOEDIT", name == "GIT_LFS_SKIP_SMUDGE", name == "GIT_CURL_VERBOSE":
		case name == "GIT_PAGER", name == "GIT_EDITOR", name == "GIT_SEQUENCE_EDITOR":
			if !doesNothing(value) {
				g.say("runs-hidden", g.span(v.Span), name)
			}
		case strings.HasPrefix(name, "GIT_TRACE"):
			if text, _ := value.Value(); text != "1" && text != "0" && text != "true" && text != "2" {
				g.say("runs-hidden", g.span(v.Span), name)
			}
		default:
			g.say("runs-hidden", g.span(v.Span), name)
		}
	}
}

// doesNothing reports whether a pager or editor is one that changes nothing.
func doesNothing(w shell.Word) bool {
	text, ok := w.Value()
	switch text {
	case "cat", "", "true", ":", "less", "more", "/bin/cat", "/bin/true", "less -R", "less -FRX":
		return ok
	}
	return false
}

// revisions puts a name in the place of what git itself tells of revisions:
// $(git merge-base main HEAD).
func revisions(args []shell.Word) []shell.Word {
	var out []shell.Word
	for i, w := range args {
		if !isRevision(w) {
			continue
		}
		if out == nil {
			out = append(out, args...)
		}
		w.Parts, w.Many = []shell.Part{{Text: "HEAD"}}, false
		out[i] = w
	}
	if out == nil {
		return args
	}
	return out
}

// tellers are git commands that print revisions and names of branches only.
const tellers = "merge-base rev-parse describe symbolic-ref rev-list branch"

func isRevision(w shell.Word) bool {
	found := false
	for i, p := range w.Parts {
		switch p.Kind {
		case shell.Unknown:
			rest, ok := strings.CutPrefix(p.Text, "$(git ")
			verb, rest, _ := strings.Cut(rest, " ")
			if !ok || !listed(tellers, strings.TrimSuffix(verb, ")")) || strings.ContainsAny(rest, ";|&\n$`<>\"'*") {
				return false
			}
			found = true
		case shell.Literal:
			if i == 0 && strings.HasPrefix(p.Text, "-") {
				return false
			}
		default:
			return false
		}
	}
	return found
}
