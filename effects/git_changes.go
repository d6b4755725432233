package effects

import (
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// gitChangers make commits, and bring the work tree from one to another.
func gitChangers() map[string]gitVerb {
	return map[string]gitVerb{
		"add":         {short: "nvfiepuAN", long: "dry-run verbose force interactive patch edit update all no-all intent-to-add refresh ignore-errors ignore-missing sparse renormalize chmod= pathspec-from-file= ignore-removal", does: VCSLocal, more: gitAdd},
		"stage":       {short: "nvfpuA", long: "dry-run verbose force patch update all", does: VCSLocal, more: gitAdd},
		"commit":      {short: "apC:c:zF:m:t:snevqiou::S::", long: "all patch reuse-message= reedit-message= fixup= squash= reset-author short branch porcelain long null file= author= date= message= template= signoff no-signoff trailer= no-verify verify allow-empty allow-empty-message cleanup= edit no-edit amend no-post-rewrite include only pathspec-from-file= untracked-files=? verbose quiet dry-run status no-status gpg-sign=? no-gpg-sign", does: VCSLocal, more: gitCommit},
		"checkout":    {short: "qfb:B:tldmp23", long: "quiet progress no-progress force ours theirs track=? no-track guess no-guess detach orphan= ignore-skip-worktree-bits merge conflict= patch ignore-other-worktrees overwrite-ignore recurse-submodules pathspec-from-file= overlay no-overlay", more: gitCheckout},
		"switch":      {short: "c:C:dfmqt", long: "create= force-create= detach guess no-guess force discard-changes merge conflict= quiet progress no-progress track=? no-track orphan= ignore-other-worktrees recurse-submodules", does: VCSLocal, more: gitSwitch},
		"restore":     {short: "s:pWSqm", long: "source= patch worktree staged quiet progress ours theirs merge conflict= ignore-unmerged ignore-skip-worktree-bits recurse-submodules overlay no-overlay pathspec-from-file=", more: gitRestore},
		"reset":       {short: "qpN", long: "soft mixed hard merge keep quiet no-refresh refresh patch intent-to-add pathspec-from-file= recurse-submodules", more: gitReset},
		"merge":       {short: "enqvs:X:m:F:S::", long: "commit no-commit edit no-edit ff no-ff ff-only log=? no-log signoff stat no-stat summary squash no-squash strategy= strategy-option= verify no-verify quiet verbose progress allow-unrelated-histories message= file= abort quit continue autostash no-autostash into-name= gpg-sign=? no-gpg-sign rerere-autoupdate overwrite-ignore", does: VCSLocal, more: gitMerge},
		"rebase":      {short: "iqvmp:s:X:x:r::fnS::C:", long: "onto= interactive continue abort quit skip edit-todo show-current-patch keep-base apply merge strategy= strategy-option= exec= autosquash no-autosquash autostash no-autostash root rebase-merges=? no-rebase-merges update-refs no-update-refs fork-point no-fork-point no-ff force-rebase signoff verify no-verify quiet verbose stat no-stat reset-author-date committer-date-is-author-date ignore-whitespace whitespace= empty= keep-empty no-keep-empty reapply-cherry-picks gpg-sign=?", more: gitRebase},
		"cherry-pick": {short: "enxrm:sS::X:", long: "edit mainline= no-commit signoff ff allow-empty allow-empty-message keep-redundant-commits empty= strategy= strategy-option= continue skip quit abort gpg-sign=? no-gpg-sign cleanup= rerere-autoupdate", does: VCSLocal, more: gitMerge},
		"revert":      {short: "enm:sS::X:", long: "edit no-edit mainline= no-commit signoff strategy= strategy-option= continue skip quit abort gpg-sign=? no-gpg-sign cleanup= reference", does: VCSLocal, more: gitMerge},
		"am":          {short: "sku3c:ip:C:qmS::", long: "signoff keep keep-cr no-keep-cr scissors no-scissors 3way no-3way quiet whitespace= ignore-whitespace directory= exclude= include= reject continue skip abort quit show-current-patch=? message-id allow-empty no-verify committer-date-is-author-date ignore-date patch-format= empty= resolved interactive gpg-sign=?", does: VCSLocal, more: gitApply},
		"apply":       {short: "3Rp:C:zNqv", long: "stat numstat summary check index cached intent-to-add 3way reverse reject unidiff-zero apply no-add allow-overlap inaccurate-eof whitespace= ignore-whitespace ignore-space-change directory= exclude= include= recount verbose quiet unsafe-paths allow-empty build-fake-ancestor= ours theirs union binary", more: gitApply},
		"rm":          {short: "fnrq", long: "force dry-run cached ignore-unmatch quiet sparse pathspec-from-file=", more: gitRemove},
		"mv":          {short: "fknv", long: "force dry-run verbose sparse", more: gitMove},
		"clean":       {short: "dfie:nqxX", long: "force interactive dry-run quiet exclude=", more: gitClean},
		"init":        {short: "qb:", long: "quiet bare template= separate-git-dir= object-format= initial-branch= shared=? ref-format=", does: VCSLocal, more: gitInit},
	}
}

// gitAdd judges what is taken in by its name: a secret that is on record is one that
// the next push sends.
func gitAdd(g *gitCall, o *options) bool {
	for _, w := range o.operands {
		if text, ok := w.Value(); ok && text != "." {
			g.touches(Read, w)
		}
	}
	return true
}

func gitCommit(g *gitCall, o *options) bool {
	if o.has("n", "no-verify") {
		g.say("hooks-skipped", g.span(g.Span), "git commit")
	}
	if o.has("amend") {
		g.does(HistoryRewrite, g.verb, g.Span)
	}
	for _, name := range []string{"F", "file", "t", "template"} {
		if opt, ok := o.get(name); ok {
			g.file(shows, opt.value)
		}
	}
	return true
}

func gitCheckout(g *gitCall, o *options) bool {
	if o.has("B") {
		g.rewrites()
	}
	if o.has("f", "force", "p", "patch", "ours", "theirs", "2", "3", "pathspec-from-file", "m", "merge") {
		return g.discards()
	}
	if o.has("b", "orphan", "B") {
		g.local()
		return len(o.operands) <= 1
	}
	switch {
	case len(o.operands) > 1 || g.hasDashes():
		return g.discards()
	case len(o.operands) == 1 && g.namesFile(o.operands[0]):
		return g.discards()
	}
	g.local()
	return true
}

// hasDashes reports whether a word ends the options, so that paths follow.
func (g *gitCall) hasDashes() bool {
	for _, w := range g.args {
		if text, _ := w.Value(); text == "--" {
			return true
		}
	}
	return false
}

// namesFile reports whether a word may name a file rather than a branch.
func (g *gitCall) namesFile(w shell.Word) bool {
	text, ok := w.Value()
	if !ok || text == "" || text == "." || strings.HasSuffix(text, "/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || strings.HasPrefix(text, ":") || strings.HasPrefix(text, "/") {
		return true
	}
	if g.facts.Files != nil {
		for _, p := range g.places(w) {
			if _, err := g.facts.Files.Lstat(p.path); err == nil {
				return true
			}
		}
	}
	head, _, deep := strings.Cut(strings.ToLower(text), "/")
	if listed(usualFiles, head) && (deep || !listed(usualBranches, head)) {
		return true
	}
	ending := path.Ext(text)
	return len(ending) > 1 && strings.Trim(ending[1:], "0123456789") != "" && lower(ending[1]) >= 'a' && !strings.HasPrefix(text, "v") && len(ending) <= 6
}

// usualFiles are files and folders without an ending that projects have, and
// usualBranches those of them that are names of branches as well.
const (
	usualFiles    = "makefile dockerfile license readme gemfile rakefile procfile vagrantfile jenkinsfile justfile changelog authors notice copying codeowners src lib libs test tests spec docs doc cmd pkg internal app apps packages scripts script config configs public assets static include examples bin build dist web server client api frontend backend db migrations tools vendor"
	usualBranches = "test docs build dist web server client api frontend backend config app vendor examples tools"
)

func gitSwitch(g *gitCall, o *options) bool {
	if o.has("f", "force", "discard-changes", "m", "merge") {
		return g.discards()
	}
	if o.has("C", "force-create") {
		return g.rewrites()
	}
	return true
}

func gitRestore(g *gitCall, o *options) bool {
	if o.has("S", "staged") && !o.has("W", "worktree", "p", "patch") {
		g.local()
		return true
	}
	return g.discards()
}

func gitReset(g *gitCall, o *options) bool {
	if o.has("hard", "merge", "keep", "p", "patch") {
		return g.discards()
	}
	g.local()
	return true
}

// strategies are ways to merge that come with git: another name is a program.
const strategies = "ort recursive resolve octopus ours subtree"

func gitMerge(g *gitCall, o *options) bool {
	if o.has("no-verify") {
		g.say("hooks-skipped", g.span(g.Span), "git "+g.verb)
	}
	if opt, ok := o.get("s", "strategy"); ok && g.verb != "revert" {
		if text, ok := opt.value.Value(); opt.given && (!ok || !listed(strategies, text)) {
			g.say("runs-hidden", g.span(opt.span), text)
		}
	}
	if opt, ok := o.get("F", "file"); ok {
		g.file(shows, opt.value)
	}
	return true
}

func gitRebase(g *gitCall, o *options) bool {
	switch {
	case o.has("show-current-patch"):
		return true
	case o.has("abort", "quit", "continue", "skip"):
		g.local()
		return true
	case o.has("x", "exec"):
		g.say("runs-hidden", g.span(g.Span), "git rebase --exec")
	}
	gitMerge(g, o)
	return g.rewrites()
}

// gitApply takes in patches: what they change is known only to those who read them.
func gitApply(g *gitCall, o *options) bool {
	if o.has("check", "stat", "numstat", "summary") && !o.has("apply", "index") || o.has("show-current-patch") {
		return true
	}
	if o.has("unsafe-paths") {
		g.say("write-computed", g.span(g.Span), "git apply --unsafe-paths")
	}
	if o.has("no-verify") {
		g.say("hooks-skipped", g.span(g.Span), "git am")
	}
	if g.verb == "am" && o.has("abort", "continue", "skip", "quit", "resolved") {
		return true
	}
	g.local()
	if g.verb == "am" || !g.reads(o.operands, o.has("directory", "p", "include", "exclude", "R", "reverse")) {
		g.say("patch-unread", g.span(g.Span), "git "+g.verb)
	}
	return true
}

func gitRemove(g *gitCall, o *options) bool {
	switch {
	case o.has("n", "dry-run"):
	case o.has("cached"):
		g.local()
	default:
		g.local()
		g.removes(o, noted{Effect: Effect{Kind: Delete}, recursive: o.has("r")})
	}
	return true
}

func gitMove(g *gitCall, o *options) bool {
	sources, target, ok := endpoints(o)
	if !ok || o.has("n", "dry-run") {
		return ok
	}
	g.local()
	for _, s := range sources {
		g.notes(noted{Effect: Effect{Kind: Delete}, moved: true, recursive: true}, s)
	}
	g.into(target, sources, noted{Effect: Effect{Kind: Write}})
	return true
}

func gitClean(g *gitCall, o *options) bool {
	if o.has("n", "dry-run") {
		return true
	}
	return g.discards()
}

func gitInit(g *gitCall, o *options) bool {
	if o.has("template", "separate-git-dir", "shared") {
		g.say("runs-hidden", g.span(g.Span), "git init")
	}
	for _, w := range o.operands {
		g.touches(Write, w)
	}
	return len(o.operands) <= 1
}
