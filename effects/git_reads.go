package effects

import (
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

const (
	gitDiffShort = "puU:sWwabzRB::M::C::DO:S:G:l:cmtrXN"
	gitDiffLong  = "patch no-patch unified= output-indicator-new= output-indicator-old= raw patch-with-raw indent-heuristic no-indent-heuristic minimal patience histogram anchored= diff-algorithm= stat=? compact-summary numstat shortstat dirstat=? cumulative summary patch-with-stat name-only name-status submodule=? color=? no-color color-moved=? no-color-moved color-moved-ws= word-diff=? word-diff-regex= color-words=? no-renames rename-empty no-rename-empty check ws-error-highlight= full-index binary abbrev=? no-abbrev break-rewrites=? find-renames=? find-copies=? find-copies-harder irreversible-delete diff-filter= pickaxe-all pickaxe-regex relative=? no-relative text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context= function-context exit-code quiet no-ext-diff no-textconv textconv ext-diff ignore-submodules=? src-prefix= dst-prefix= no-prefix default-prefix line-prefix= cached staged merge-base no-index stat-width= stat-name-width= stat-count= output= "
	gitLogShort  = gitDiffShort + "n:L:iEFPgqvh"
	gitLogLong   = gitDiffLong + "oneline graph no-graph decorate=? no-decorate decorate-refs= source use-mailmap mailmap no-mailmap log-size max-count= skip= since= after= until= before= since-as-filter= author= committer= grep= grep-reflog= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges min-parents= max-parents= first-parent not all branches=? tags=? remotes=? glob= exclude= reflog walk-reflogs ignore-missing bisect cherry-mark cherry-pick left-only right-only cherry simplify-by-decoration full-history dense sparse simplify-merges ancestry-path=? date-order author-date-order topo-order reverse objects no-walk=? do-walk pretty=? format= abbrev-commit no-abbrev-commit encoding= expand-tabs=? notes=? no-notes show-notes=? show-signature relative-date date= parents children left-right show-linear-break=? follow full-diff clear-decorations diff-merges= no-diff-merges dd remerge-diff count timestamp show-pulls boundary merge numbered email group= "
)

// gitReaders show what is in the repository.
func gitReaders() map[string]gitVerb {
	diff := gitVerb{short: gitDiffShort + "q", long: gitDiffLong + "base ours theirs stdin root no-commit-id always", more: gitShows}
	log := gitVerb{short: gitLogShort, long: gitLogLong, more: gitShows}
	return map[string]gitVerb{
		"diff": diff, "diff-tree": diff, "diff-index": diff, "diff-files": diff, "range-diff": {short: gitDiffShort, long: gitDiffLong + "creation-factor= no-dual-color left-only right-only", more: gitShows},
		"log": log, "show": log, "whatchanged": log, "rev-list": log,
		"shortlog": {short: gitLogShort + "nsecw::", long: gitLogLong, more: gitShows},
		"status":   {short: "sbvu::zM::", long: "short branch show-stash porcelain=? long verbose untracked-files=? ignore-submodules=? ignored=? column=? no-column ahead-behind no-ahead-behind renames no-renames find-renames=? null"},
		"blame":    {short: "bcL:lfnse wpthM::C::S:", long: "root show-stats porcelain line-porcelain incremental encoding= contents= date= show-name show-number show-email abbrev= ignore-rev= ignore-revs-file= color-lines color-by-age score-debug reverse first-parent", more: gitShows},
		"annotate": {short: "lL:ehtr", long: "contents= date="},
		"ls-files": {short: "zctvdomsuifkx:X:", long: "cached deleted modified others ignored stage directory no-empty-directory unmerged killed exclude= exclude-from= exclude-per-directory= exclude-standard error-unmatch with-tree= full-name recurse-submodules abbrev=? debug eol deduplicate format= resolve-undo sparse"},
		"ls-tree":  {short: "drtlz", long: "long name-only name-status object-only full-name full-tree abbrev=? format="},
		"cat-file": {short: "tsep", long: "textconv filters path= batch=? batch-check=? batch-command=? batch-all-objects buffer unordered follow-symlinks allow-unknown-type use-mailmap", more: gitShows},
		"grep":     {short: "avviIwhHEGPFnlLzocpWqO::C:A:B:e:f:r", long: "cached untracked no-index exclude-standard recurse-submodules text ignore-case textconv max-depth= recursive no-recursive word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color=? no-color break heading show-function context= after-context= before-context= function-context threads= max-count= and or not all-match quiet open-files-in-pager=? no-textconv", more: gitSearches},

		"rev-parse": {short: "q", long: "parseopt sq-quote revs-only no-revs flags no-flags default= prefix= verify quiet sq short=? not symbolic symbolic-full-name abbrev-ref=? all branches=? tags=? remotes=? glob= exclude= disambiguate= local-env-vars path-format= git-dir git-common-dir resolve-git-dir= git-path= show-toplevel show-prefix show-cdup is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository absolute-git-dir show-superproject-working-tree shared-index-path show-object-format=? since= until= show-ref-format"},
		"describe":  {long: "dirty=? broken=? all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent"}, "name-rev": {long: "tags refs= exclude= all annotate-stdin stdin name-only no-undefined always"},
		"merge-base": {short: "a", long: "all octopus independent is-ancestor fork-point"}, "for-each-ref": {short: "spq", long: "count= sort= format= color=? shell perl python tcl points-at= merged=? no-merged=? contains=? no-contains=? ignore-case omit-empty exclude= include-root-refs stdin"},
		"show-ref": {short: "dhqs::", long: "head heads tags branches dereference hash=? verify abbrev=? quiet exclude-existing=? exists"}, "show-branch": {short: "arg::", long: "all remotes current topo-order date-order sparse more=? list merge-base independent no-name sha1-name topics reflog=? color=? no-color"},
		"count-objects": {short: "vH", long: "verbose human-readable"}, "fsck": {long: "unreachable dangling no-dangling root tags cache no-reflogs full no-full strict verbose connectivity-only progress no-progress name-objects references"},
		"var": {short: "l"}, "version": {long: "build-options"}, "help": {short: "agimwc", long: "all guides config no-external-commands verbose no-aliases"},
		"check-ignore": {short: "qvzn", long: "quiet verbose stdin non-matching no-index"}, "check-attr": {short: "az", long: "all stdin cached source="}, "check-mailmap": {long: "stdin"}, "check-ref-format": {long: "branch normalize allow-onelevel refspec-pattern"},
		"cherry": {short: "v", long: "abbrev=?"}, "verify-commit": {short: "v", long: "verbose raw"}, "verify-tag": {short: "v", long: "verbose raw format="}, "verify-pack": {short: "vs", long: "verbose stat-only"}, "get-tar-commit-id": {}, "patch-id": {long: "stable unstable verbatim"}, "stripspace": {short: "sc", long: "strip-comments comment-lines"}, "diff-pairs": {short: "z"},
		"merge-tree": {short: "z", long: "write-tree name-only messages no-messages allow-unrelated-histories merge-base= stdin"}, "request-pull": {short: "p"}, "column": {long: "mode= width= padding="}, "hash-object": {short: "t:w", long: "stdin literally path= no-filters"},
	}
}

// gitShows judges what is shown: files of another revision, and options by which
// something is written or run.
func gitShows(g *gitCall, o *options) bool {
	for i := range o.list {
		switch opt := &o.list[i]; opt.name {
		case "output":
			g.file(writes, opt.value)
		case "ext-diff":
			g.say("runs-hidden", g.span(opt.span), opt.name)
		case "contents":
			g.file(shows, opt.value)
		}
	}
	for _, w := range o.operands {
		text, _ := w.Value()
		if _, name, ok := strings.Cut(text, ":"); ok && sensitive(path.Join("/", name)) {
			g.does(SecretRead, name, w.Span)
		}
		if sensitive(path.Join("/", text)) && (g.verb != "log" && g.verb != "rev-list" && g.verb != "shortlog" || o.has("p", "patch", "u", "L", "S", "G")) {
			g.does(SecretRead, text, w.Span)
		}
		if o.has("no-index") {
			g.file(shows, w)
		}
	}
	return true
}

// gitSearches is git grep, whose pager could be any program.
func gitSearches(g *gitCall, o *options) bool {
	if o.has("O", "open-files-in-pager") {
		g.say("runs-hidden", g.span(g.Span), g.verb)
	}
	words := o.operands
	for _, opt := range o.list {
		if opt.name == "e" {
			words = []shell.Word{opt.value}
		}
	}
	if len(words) > 0 && !o.has("l", "L", "c", "q") {
		text, ok := words[0].Value()
		if len(words) == 1 && ok && (looksForSecrets(text) || showsAll(text)) {
			g.say("search-secrets", g.span(words[0].Span), text)
		}
	}
	if opt, ok := o.get("f"); ok {
		g.file(shows, opt.value)
	}
	return true
}

// gitListers read or change, as their first word says.
func gitListers() map[string]gitVerb {
	return map[string]gitVerb{
		"branch":       {short: "avrdDmMcCftu:qli", long: "list all remotes verbose quiet show-current delete move copy force track=? no-track set-upstream-to= unset-upstream contains=? no-contains=? merged=? no-merged=? column=? no-column sort= points-at= format= color=? no-color abbrev=? ignore-case omit-empty create-reflog", more: gitBranch},
		"tag":          {short: "asu:fdvn::lm:F:ei", long: "annotate sign local-user= force delete verify list sort= column=? no-column contains=? no-contains=? merged=? no-merged=? points-at= message= file= edit cleanup= create-reflog color=? format= ignore-case", more: gitTag},
		"remote":       {short: "vt:m:fn", long: "verbose add delete push all tags no-tags mirror=? prune dry-run", more: gitRemote},
		"stash":        {short: "pkuaqm:SU" + "vb", long: "patch keep-index no-keep-index include-untracked all quiet message= staged index only-untracked stat=? name-only pathspec-from-file= numstat oneline shortstat name-status", more: gitStash},
		"reflog":       {short: gitLogShort, long: gitLogLong + "expire= expire-unreachable= rewrite updateref stale-fix dry-run verbose", more: gitReflog},
		"worktree":     {short: "vzfb:B:d", long: "verbose porcelain force detach checkout no-checkout lock reason= orphan track no-track guess-remote no-guess-remote expire= dry-run quiet", more: gitWorktree},
		"submodule":    {short: "qNfb:", long: "quiet cached init no-init remote no-fetch checkout merge rebase recursive depth= jobs= force branch= name= reference= single-branch no-single-branch filter= recommend-shallow progress all default files summary-limit=", more: gitSubmodule},
		"notes":        {short: "fm:F:c:C:", long: "ref= force message= file=", more: gitNotes},
		"bisect":       {short: "", long: "term-old= term-new= no-checkout first-parent", more: gitBisect},
		"config":       {short: "lf:eazZ", long: "get get-all get-regexp get-urlmatch get-color get-colorbool list global system local worktree file= blob= type= bool int path null name-only show-origin show-scope includes no-includes default= add unset unset-all replace-all rename-section remove-section edit all regexp value= fixed-value append comment=", more: gitConfig},
		"symbolic-ref": {short: "qdm:", long: "short quiet delete recurse no-recurse", more: gitSymbolic},
		"sparse-checkout": {long: "cone no-cone sparse-index no-sparse-index stdin skip-checks", more: func(g *gitCall, o *options) bool {
			return g.localUnless(o, "list")
		}},
		"rerere": {more: func(g *gitCall, o *options) bool { return g.localUnless(o, "status diff remaining") }},
		"lfs":    {short: "aI:X:lsndj", long: "all include= exclude= json porcelain long size local force skip-smudge dry-run", more: gitLFS},
	}
}

// word is the first operand, which says what is to be done.
func word(o *options) string {
	text, _ := first(o.operands)
	return text
}

// local notes a change of the repository that can be undone.
func (g *gitCall) local() { g.does(VCSLocal, g.verb, g.Span); g.repository(VCSLocal, nil) }

// discards notes that something would be lost that no commit holds.
func (g *gitCall) discards() bool {
	g.local()
	g.say("changes-discarded", g.span(g.Span), "git "+g.verb)
	return true
}

// rewrites notes that commits or references would be lost or replaced.
func (g *gitCall) rewrites() bool {
	g.local()
	g.does(HistoryRewrite, g.verb, g.Span)
	return true
}

// localUnless is for a subcommand whose first word only asks, if it is listed.
func (g *gitCall) localUnless(o *options, asks string) bool {
	if w := word(o); w == "" && len(o.operands) > 0 {
		return false
	} else if !listed(asks, w) {
		g.local()
	}
	return true
}
