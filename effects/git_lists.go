package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

func gitBranch(g *gitCall, o *options) bool {
	forced := o.has("f", "force")
	switch {
	case o.has("D") || o.has("d", "delete") && forced:
		return g.discards()
	case o.has("M", "C") || forced:
		return g.rewrites()
	case o.has("d", "delete", "m", "move", "c", "copy", "u", "set-upstream-to", "unset-upstream"):
		g.local()
	case len(o.operands) > 0 && !o.has("l", "list", "contains", "no-contains", "merged", "no-merged", "points-at", "a", "r", "all", "remotes"):
		g.local()
	}
	return true
}

func gitTag(g *gitCall, o *options) bool {
	switch {
	case o.has("d", "delete"):
		return g.discards()
	case o.has("f", "force"):
		return g.rewrites()
	case o.has("v", "verify", "l", "list", "n", "contains", "no-contains", "merged", "no-merged", "points-at") || len(o.operands) == 0:
		return true
	}
	if opt, ok := o.get("F", "file"); ok {
		g.file(shows, opt.value)
	}
	g.local()
	return true
}

func gitRemote(g *gitCall, o *options) bool {
	switch word(o) {
	case "", "show", "get-url", "-v":
		return len(o.operands) == 0 || word(o) != ""
	case "update":
		g.does(Receive, "", g.Span)
	case "set-url", "rename":
		g.say("remote-moved", g.span(g.Span), "git remote "+word(o))
	case "add", "remove", "rm", "prune", "set-head", "set-branches":
		g.local()
	default:
		return false
	}
	for _, w := range o.operands {
		g.address(w)
	}
	return true
}

// address judges a repository's: some forms of it run a program.
func (g *gitCall) address(w shell.Word) {
	text, _ := w.Value()
	if strings.Contains(text, "::") || strings.HasPrefix(text, "-") {
		g.say("runs-hidden", g.span(w.Span), text)
	}
}

func gitStash(g *gitCall, o *options) bool {
	switch word(o) {
	case "list", "show":
	case "drop", "clear":
		return g.discards()
	case "", "push", "save", "pop", "apply", "branch", "create", "store", "export", "import":
		g.local()
		return len(o.operands) == 0 || word(o) != ""
	default:
		return false
	}
	return true
}

func gitReflog(g *gitCall, o *options) bool {
	switch word(o) {
	case "expire", "delete", "drop":
		return g.discards()
	case "write":
		return false
	}
	return true
}

func gitWorktree(g *gitCall, o *options) bool {
	rest := o.operands
	switch word(o) {
	case "list":
		return true
	case "add":
		if len(rest) > 1 {
			g.touches(Write, rest[1])
		}
		if o.has("B") {
			return g.rewrites()
		}
	case "remove":
		if len(rest) != 2 {
			return false
		}
		g.touchesAll(Delete, rest[1], true)
	case "move":
		for _, w := range rest[1:] {
			g.touches(Write, w)
		}
	case "lock", "unlock", "prune", "repair":
	default:
		return false
	}
	g.local()
	return true
}

func gitSubmodule(g *gitCall, o *options) bool {
	switch word(o) {
	case "", "status", "summary":
		return len(o.operands) == 0 || word(o) != ""
	case "update", "init", "sync", "absorbgitdirs", "set-branch":
		g.does(Receive, "", g.Span)
		if o.has("f", "force") {
			return g.discards()
		}
	case "add", "set-url":
		g.does(Receive, "", g.Span)
		for _, w := range o.operands[1:] {
			g.address(w)
		}
	case "deinit":
		return g.discards()
	case "foreach":
		g.say("runs-hidden", g.span(g.Span), "git submodule foreach")
	default:
		return false
	}
	g.local()
	return true
}

func gitNotes(g *gitCall, o *options) bool {
	switch word(o) {
	case "remove", "prune":
		return g.discards()
	}
	return g.localUnless(o, "list show get-ref")
}

func gitBisect(g *gitCall, o *options) bool {
	switch word(o) {
	case "log", "view", "visualize", "help", "terms":
		return true
	case "start", "good", "bad", "new", "old", "skip", "next", "reset":
		g.local()
		return true
	case "run":
		g.say("runs-hidden", g.span(g.Span), "git bisect run")
		return true
	}
	return false
}

func gitSymbolic(g *gitCall, o *options) bool {
	if o.has("d", "delete") {
		return g.discards()
	}
	if len(o.operands) > 1 {
		return g.rewrites()
	}
	return true
}

func gitLFS(g *gitCall, o *options) bool {
	switch word(o) {
	case "ls-files", "status", "env", "version", "locks", "logs":
		return true
	case "pull", "fetch":
		g.does(Receive, "", g.Span)
	case "track", "untrack":
		g.touches(Write, shell.Word{Parts: []shell.Part{{Text: ".gitattributes"}}, Span: g.Span})
	case "checkout":
		g.local()
	case "push", "lock", "unlock":
		g.does(VCSRemote, "lfs", g.Span)
	default:
		return false
	}
	return true
}

// explainGitLFS is git lfs under its own name.
func explainGitLFS(in *invocation) bool {
	v := gitListers()["lfs"]
	o := spec{short: v.short, long: v.long}.read(in.args)
	return v.more(&gitCall{invocation: in, verb: "lfs"}, &o) && o.understood()
}
