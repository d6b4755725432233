package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// harmlessSettings are settings of git that neither run nor open anything: whole
// names, or sections with a dot behind them.
const harmlessSettings = "user.name user.email user.useconfigonly user.signingkey color. advice. column. init.defaultbranch core.quotepath core.autocrlf core.eol core.safecrlf core.ignorecase core.filemode core.longpaths core.abbrev core.precomposeunicode core.commentchar core.untrackedcache core.preloadindex core.whitespace log.date log.decorate log.abbrevcommit log.follow log.showsignature diff.algorithm diff.renames diff.renamelimit diff.mnemonicprefix diff.noprefix diff.colormoved diff.wserrorhighlight diff.context diff.submodule merge.conflictstyle merge.ff merge.renamelimit merge.renames merge.log pull.rebase pull.ff push.default push.autosetupremote push.followtags push.gpgsign fetch.prune fetch.prunetags fetch.parallel rebase.autosquash rebase.autostash rebase.updaterefs rebase.stat rerere.enabled rerere.autoupdate commit.gpgsign commit.verbose commit.cleanup tag.gpgsign tag.sort branch.sort branch.autosetuprebase branch.autosetupmerge status. gc.auto gc.autodetach http.lowspeedlimit http.lowspeedtime http.postbuffer http.version protocol.version pack. index. feature. grep. blame. format.pretty format.signoff help.autocorrect maintenance.auto submodule.recurse submodule.fetchjobs versionsort.suffix worktree.guessremote checkout.defaultremote checkout.workers stash.showpatch stash.showstat i18n."

// harmlessSetting reports whether a setting with a value runs nothing.
func harmlessSetting(name string, value shell.Word) bool {
	name = strings.ToLower(name)
	switch name {
	case "core.pager", "core.editor", "sequence.editor":
		return doesNothing(value)
	case "core.fsmonitor":
		text, ok := value.Value()
		return ok && (text == "true" || text == "false" || text == "")
	}
	return harmlessName(name)
}

func harmlessName(name string) bool {
	section, _, ok := strings.Cut(name, ".")
	if !ok {
		return false
	}
	return listed(harmlessSettings, name) || listed(harmlessSettings, section+".") ||
		section == "branch" && (strings.HasSuffix(name, ".remote") || strings.HasSuffix(name, ".merge") || strings.HasSuffix(name, ".rebase"))
}

func gitConfig(g *gitCall, o *options) bool {
	words := o.operands
	action := word(o)
	switch action {
	case "list", "get", "set", "unset", "rename-section", "remove-section", "edit":
		words = words[1:]
	default:
		action = ""
	}
	if o.has("blob", "e") || action == "edit" || o.has("edit") {
		return false
	}
	if opt, ok := o.get("f", "file"); ok {
		g.file(looks, opt.value)
	}
	reads := o.has("l", "list", "get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool") || action == "list" || action == "get"
	if reads || action == "" && len(words) <= 1 && !o.has("unset", "unset-all", "remove-section", "rename-section", "add", "replace-all") {
		return action != "" || reads || len(words) > 0
	}
	g.sets(o, words)
	return true
}

// sets notes that settings change, and where they are written.
func (g *gitCall) sets(o *options, words []shell.Word) {
	file := ".git/config"
	switch opt, named := o.get("f", "file"); {
	case o.has("global"):
		file = g.facts.Home + "/.gitconfig"
	case o.has("system"):
		file = "/etc/gitconfig"
	case named:
		g.touches(Write, opt.value)
		return
	}
	name, ok := first(words)
	value := shell.Word{}
	if len(words) > 1 {
		value = words[1]
	}
	removed := o.has("unset", "unset-all")
	if file == ".git/config" && ok && (harmlessSetting(name, value) || removed && harmlessName(strings.ToLower(name))) {
		g.local()
		return
	}
	w := shell.Word{Parts: []shell.Part{{Text: file}}, Span: g.Span}
	kind := Configure
	if removed || ok && harmlessName(strings.ToLower(name)) {
		kind = Write
	}
	g.notes(noted{Effect: Effect{Kind: kind}}, w)
}
