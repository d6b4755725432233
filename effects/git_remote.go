package effects

import (
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// gitRemotes talk to other repositories.
func gitRemotes() map[string]gitVerb {
	return map[string]gitVerb{
		"fetch":     {short: "apfktnqvmj:o:46Pu", long: "all append atomic depth= deepen= shallow-since= shallow-exclude= unshallow update-shallow negotiation-tip= dry-run porcelain force keep multiple auto-maintenance no-auto-maintenance auto-gc no-auto-gc write-fetch-head no-write-fetch-head prune prune-tags no-tags tags refmap= jobs= recurse-submodules=? no-recurse-submodules set-upstream upload-pack= quiet verbose progress server-option= show-forced-updates no-show-forced-updates ipv4 ipv6 stdin filter= refetch", more: gitFetch},
		"pull":      {short: "qvr::nafktpj:o:46s:X:eS::", long: "quiet verbose progress recurse-submodules=? no-recurse-submodules commit no-commit edit no-edit ff no-ff ff-only rebase=? no-rebase log=? stat no-stat squash no-squash strategy= strategy-option= signoff autostash no-autostash all append depth= deepen= unshallow force keep prune no-tags tags jobs= set-upstream upload-pack= allow-unrelated-histories verify no-verify dry-run gpg-sign=? ipv4 ipv6 shallow-since= server-option=", does: VCSLocal, more: gitFetch},
		"clone":     {short: "lsqvnb:o:u:j:c:46", long: "local no-local no-hardlinks shared reference= reference-if-able= dissociate quiet verbose progress no-checkout bare mirror sparse filter= also-filter-submodules origin= branch= revision= upload-pack= template= config= depth= shallow-since= shallow-exclude= single-branch no-single-branch tags no-tags recurse-submodules=? recursive=? shallow-submodules no-shallow-submodules remote-submodules separate-git-dir= jobs= server-option= reject-shallow bundle-uri= ipv4 ipv6", more: gitClone},
		"ls-remote": {short: "htqo:", long: "heads branches tags refs upload-pack= quiet exit-code get-url sort= symref server-option=", more: gitFetch},
		"push":      {short: "nqvdfuo:46", long: "all branches mirror delete tags follow-tags signed=? no-signed dry-run porcelain force force-with-lease=? no-force-with-lease force-if-includes receive-pack= exec= repo= set-upstream thin no-thin atomic no-atomic push-option= quiet verbose progress no-progress verify no-verify prune recurse-submodules= ipv4 ipv6", more: gitPush},
		"archive":   {short: "vlo:0123456789", long: "format= list verbose prefix= output= add-file= add-virtual-file= worktree-attributes remote= exec= mtime=", more: gitArchive},
		"bundle":    {short: "q", long: "quiet progress all branches tags version= since=", more: gitBundle},

		"format-patch": {short: gitLogShort + "o:kv:", long: gitLogLong + "output-directory= stdout signoff cover-letter thread=? no-thread attach=? inline=? subject-prefix= to= cc= in-reply-to= suffix= numbered no-numbered start-number= keep-subject reroll-count= base= signature= no-signature rfc=? zero-commit root interdiff= range-diff=", more: gitPatches},

		"gc": {short: "q", long: "aggressive auto detach no-detach prune=? no-prune quiet force keep-largest-pack cruft no-cruft", does: VCSLocal, more: func(g *gitCall, o *options) bool {
			if opt, ok := o.get("prune"); ok && opt.given || o.has("force") {
				return g.discards()
			}
			return true
		}},
		"pack-refs": {long: "all prune no-prune auto", does: VCSLocal}, "commit-graph": {does: VCSLocal, long: "reachable append split changed-paths progress object-dir="}, "repack": {short: "adAflqnbm", does: VCSLocal}, "multi-pack-index": {does: VCSLocal}, "update-server-info": {does: VCSLocal},
		"update-index": {short: "qg", long: "assume-unchanged no-assume-unchanged skip-worktree no-skip-worktree refresh really-refresh add remove chmod= force-remove info-only split-index untracked-cache", does: VCSLocal},
		"write-tree":   {does: VCSLocal}, "commit-tree": {short: "p:m:F:", does: VCSLocal}, "mktree": {does: VCSLocal}, "mktag": {does: VCSLocal},
		"maintenance": {short: "q", long: "auto task= schedule=? quiet", more: func(g *gitCall, o *options) bool { g.local(); return word(o) == "run" }},
	}
}

// fetchSources judges where something is fetched from, and how.
func gitFetch(g *gitCall, o *options) bool {
	if o.has("upload-pack") {
		g.say("runs-hidden", g.span(g.Span), "git "+g.verb)
	}
	if o.has("no-verify") {
		g.say("hooks-skipped", g.span(g.Span), "git "+g.verb)
	}
	if opt, ok := o.get("s", "strategy"); ok && opt.given {
		gitMerge(g, o)
	}
	target := ""
	for _, w := range o.operands {
		g.address(w)
		if text, _ := w.Value(); strings.HasPrefix(text, "+") || strings.Contains(text, ":+") {
			g.rewrites()
		}
	}
	if w := word(o); strings.Contains(w, ":") {
		target = w
	}
	g.does(Receive, target, g.Span)
	if g.verb == "fetch" {
		g.local()
	}
	return true
}

func gitClone(g *gitCall, o *options) bool {
	if o.has("u", "upload-pack", "template", "c", "config", "separate-git-dir") {
		g.say("runs-hidden", g.span(g.Span), "git clone")
	}
	if len(o.operands) == 0 || len(o.operands) > 2 {
		return false
	}
	source, known := o.operands[0].Value()
	g.address(o.operands[0])
	g.does(Receive, source, g.Span)
	if known && !strings.Contains(source, ":") {
		g.file(looks, o.operands[0])
	}
	if len(o.operands) == 2 {
		g.touches(Write, o.operands[1])
	} else {
		name := strings.TrimSuffix(path.Base(source), ".git")
		g.touches(Write, shell.Word{Parts: []shell.Part{{Text: name}}, Span: g.Span})
	}
	return known
}

// cloned reports whether a place lies in a repository that a command in front of this
// one brings: nobody has seen what is in it.
func (in *invocation) cloned(name string) bool {
	if in.script == nil {
		return false
	}
	for i := range in.script.Commands {
		c := &in.script.Commands[i]
		if c == in.Command || c.Span.Start > in.Span.Start || len(c.Args) < 3 {
			continue
		}
		verb, _ := c.Args[1].Value()
		if text, _ := c.Args[0].Value(); base(text) != "git" && base(text) != "gh" || verb != "clone" && verb != "repo" {
			continue
		}
		last, ok := c.Args[len(c.Args)-1].Value()
		other := invocation{analysis: in.analysis, script: in.script, Command: c}
		for _, dir := range []string{last, strings.TrimSuffix(path.Base(last), ".git")} {
			for _, p := range other.places(shell.Word{Parts: []shell.Part{{Text: dir}}}) {
				if !ok || below(name, p.path) {
					return true
				}
			}
		}
	}
	return false
}

func gitPush(g *gitCall, o *options) bool {
	if o.has("n", "dry-run") {
		g.does(Receive, "", g.Span)
		return !o.has("receive-pack", "exec")
	}
	if o.has("receive-pack", "exec") {
		g.say("runs-hidden", g.span(g.Span), "git push")
	}
	if o.has("no-verify") {
		g.say("hooks-skipped", g.span(g.Span), "git push")
	}
	target := word(o)
	if target == "" {
		target = "origin"
	}
	g.does(VCSRemote, target, g.Span)
	replaced := o.has("f", "force", "force-with-lease", "force-if-includes", "mirror", "d", "delete", "prune")
	for i, w := range o.operands {
		text, _ := w.Value()
		if i == 0 {
			g.address(w)
			continue
		}
		replaced = replaced || strings.HasPrefix(text, "+") || strings.HasPrefix(text, ":")
	}
	if replaced {
		g.does(HistoryRewrite, target, g.Span)
	}
	return true
}

func gitArchive(g *gitCall, o *options) bool {
	if o.has("remote", "exec") {
		return false
	}
	if opt, ok := o.get("o", "output"); ok {
		g.file(writes, opt.value)
	}
	return true
}

func gitBundle(g *gitCall, o *options) bool {
	switch word(o) {
	case "verify", "list-heads":
		return true
	case "create":
		if len(o.operands) > 1 {
			g.file(writes, o.operands[1])
			return true
		}
	}
	return false
}

func gitPatches(g *gitCall, o *options) bool {
	for _, name := range []string{"o", "output-directory", "output"} {
		if opt, ok := o.get(name); ok {
			g.file(writes, opt.value)
		}
	}
	return true
}

// gitWorkers change references and objects themselves, or run something.
func gitWorkers() map[string]gitVerb {
	rewrites := func(g *gitCall, _ *options) bool { return g.rewrites() }
	discards := func(g *gitCall, _ *options) bool { return g.discards() }
	runs := func(g *gitCall, _ *options) bool {
		g.say("runs-hidden", g.span(g.Span), "git "+g.verb)
		return true
	}
	return map[string]gitVerb{
		"update-ref": {short: "dm:z", long: "no-deref create-reflog stdin", more: func(g *gitCall, o *options) bool {
			if o.has("d", "stdin") {
				return g.discards()
			}
			return g.rewrites()
		}},
		"filter-branch": {short: "fd:", long: "force original= env-filter= tree-filter= index-filter= parent-filter= msg-filter= commit-filter= tag-name-filter= subdirectory-filter= prune-empty state-branch= setup= all", more: func(g *gitCall, o *options) bool { return runs(g, o) && g.rewrites() }},
		"filter-repo":   {short: "f", long: "force path= paths-from-file= invert-paths path-glob= path-rename= path-regex= replace-text= replace-message= mailmap= strip-blobs-bigger-than= subdirectory-filter= to-subdirectory-filter= commit-callback= blob-callback= analyze dry-run refs=", more: rewrites},
		"replace":       {short: "dfl", long: "delete force edit graft list", more: rewrites}, "fast-import": {more: rewrites},
		"prune":     {short: "nv", long: "dry-run verbose expire= progress", more: discards},
		"read-tree": {short: "muiq", long: "reset=? prefix= empty", more: discards}, "checkout-index": {short: "afnuqz", long: "all force", more: discards},
		"difftool": {short: "ydt:x:", long: "no-prompt tool= extcmd= dir-diff tool-help", more: runs}, "mergetool": {short: "yt:", long: "no-prompt tool=", more: runs},
		"hook": {more: runs}, "for-each-repo": {long: "config=", more: runs},
	}
}
