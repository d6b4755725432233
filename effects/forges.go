package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// forgeSpec has the options of gh and its like that take a value.
var forgeSpec = spec{
	short: "R:X:f:F:H:q:t:b:B:a:l:L:m:s:A:S:e:j:w:p:u:n:c:dDiorvyN:O:",
	long:  "repo= method= raw-field= field= header= jq= template= title= body= body-file= base= head= assignee= label= limit= milestone= state= author= search= json= workflow= branch= user= event= job= commit= input= hostname= web comments log log-failed verbose yes draft fill fill-first fill-verbose squash merge rebase auto delete-branch admin paginate slurp silent include cache= preview= exit-status interval= watch name-only patch color= notes= notes-file= target= prerelease latest generate-notes pattern= dir= name= clobber public private internal clone source= remote= push description= homepage= visibility= topic= language= owner= sort= order= archived fork required fail-fast approve request-changes comment reviewer= add-label= remove-label= add-assignee= remove-assignee= project= show-token remove-source-branch mr= issue= output= all per-page= page= closed merged opened group= active show-body no-pager depth= submodule detach force recurse-submodules status= created= ref=",
}

const (
	forgeReads  = "view list ls status diff checks show get watch search browse verify note-list releases trace contributors"
	forgeNouns  = "pr issue repo release run workflow gist label project ruleset cache org search mr pipeline ci job milestone user api auth browse status snippet schedule iteration incident changelog help version completion config variable attestation"
	forgeWrites = "create edit comment close reopen delete merge review ready lock unlock pin unpin transfer develop rename archive unarchive fork sync set-default rerun cancel enable disable upload add remove update approve revoke rebase note subscribe unsubscribe todo retry play run delete-asset copy link unlink item-add item-edit item-delete field-create mark-template set clone-label deploy-key publish"
)

// explainForge is gh, glab and the like: a noun and a verb.
func explainForge(in *invocation) bool {
	o := forgeSpec.read(in.args)
	for _, name := range []string{"q", "jq"} {
		if opt, has := o.get(name); has && opt.given {
			in.jqProgram(opt.value)
		}
	}
	noun, ok := first(o.operands)
	if !ok {
		return len(in.args) == 0
	}
	if noun == "api" {
		return in.forgeAPI(&o) && o.understood()
	}
	verb := ""
	if len(o.operands) > 1 {
		verb, _ = o.operands[1].Value()
	}
	switch noun {
	case "status", "browse", "version", "help", "search", "completion":
		in.does(Receive, "", in.Span)
		return o.strange == nil
	case "auth":
		return in.forgeAuth(verb, &o)
	case "secret", "variable", "ssh-key", "gpg-key", "deploy-key":
		if verb == "list" {
			in.does(Receive, "", in.Span)
			return o.understood()
		}
	}
	return in.forgeVerb(noun, verb, &o) && o.strange == nil
}

func (in *invocation) forgeVerb(noun, verb string, o *options) bool {
	what := noun + " " + verb
	switch {
	case !listed(forgeNouns, noun):
		return false
	case noun == "config" || noun == "alias":
		return verb == "list" || verb == "get"
	case what == "repo clone":
		in.does(Receive, "", in.Span)
		in.touches(Write, shell.Word{Parts: []shell.Part{{Text: "."}}, Span: in.Span})
	case what == "pr checkout" || what == "mr checkout":
		in.does(Receive, "", in.Span)
		in.does(VCSLocal, what, in.Span)
	case verb == "download":
		in.does(Receive, "", in.Span)
		target, ok := o.get("D", "dir", "O", "output")
		if !ok {
			target.value = shell.Word{Parts: []shell.Part{{Text: "."}}, Span: in.Span}
		}
		in.touches(Write, target.value)
	case listed(forgeReads, verb):
		in.does(Receive, "", in.Span)
	case listed(forgeWrites, verb):
		for _, name := range []string{"body-file", "notes-file", "input"} {
			if opt, ok := o.get(name); ok {
				in.file(shows, opt.value)
			}
		}
		in.does(VCSRemote, what, in.Span)
	default:
		return false
	}
	return true
}

func (in *invocation) forgeAuth(verb string, o *options) bool {
	switch {
	case verb == "token", o.has("show-token", "t"):
		in.does(SecretRead, "token", in.Span)
	case verb == "status":
		in.does(Receive, "", in.Span)
	default:
		return false
	}
	return true
}

// forgeAPI judges a request by its method: with fields it is a POST if it says
// nothing else.
func (in *invocation) forgeAPI(o *options) bool {
	if len(o.operands) != 2 {
		return false
	}
	method, known := "GET", true
	fields := o.has("f", "F", "raw-field", "field", "input")
	if fields {
		method = "POST"
	}
	if opt, ok := o.get("X", "method"); ok {
		method, known = opt.value.Value()
	}
	path, _ := o.operands[1].Value()
	switch {
	case known && (strings.EqualFold(method, "GET") || strings.EqualFold(method, "HEAD")):
		in.does(Receive, path, in.Span)
	case path == "graphql" && known && strings.EqualFold(method, "POST") && queriesOnly(o):
		in.does(Receive, path, in.Span)
	default:
		in.does(VCSRemote, "api "+path, in.Span)
	}
	if opt, ok := o.get("input"); ok {
		in.file(shows, opt.value)
	}
	return true
}

// queriesOnly reports whether what is sent to a GraphQL end is a query.
func queriesOnly(o *options) bool {
	found := false
	for i := range o.list {
		text, ok := o.list[i].value.Value()
		switch o.list[i].name {
		case "input":
			return false
		case "f", "F", "raw-field", "field":
			query, is := strings.CutPrefix(text, "query=")
			if !ok || is && (strings.Contains(query, "mutation") || strings.HasPrefix(query, "@")) {
				return false
			}
			found = found || is
		}
	}
	return found
}

// vcsVerbs are another system's subcommands, by what they do.
type vcsVerbs struct{ reads, local, discards, remote, fetches string }

func otherVCS(name string) vcsVerbs {
	switch name {
	case "svn":
		return vcsVerbs{"status st info log diff di blame annotate praise list ls cat help proplist propget", "add changelist resolve resolved cleanup", "revert", "commit ci copy cp delete del remove rm import mkdir move mv lock unlock propset propdel propedit relocate switch sw merge", "update up checkout co export"}
	case "hg":
		return vcsVerbs{"status st log diff annotate blame cat branches tags heads parents summary id identify files manifest paths root help version bookmarks grep", "add commit ci addremove branch bookmark tag resolve shelve graft", "revert update up checkout strip rollback purge backout histedit rebase amend uncommit", "push", "pull clone incoming outgoing"}
	case "jj":
		return vcsVerbs{"status st log diff show interdiff evolog help version root", "new commit describe desc bookmark branch edit duplicate workspace undo", "abandon restore squash rebase split absorb op", "", ""}
	case "fossil":
		return vcsVerbs{"status changes timeline info diff ls extras branch", "add commit", "revert undo checkout clean rm", "push", "pull update clone"}
	default:
		return vcsVerbs{"status log diff info", "", "", "", ""}
	}
}

func explainOtherVCS(in *invocation) bool {
	verb, ok := first(in.args)
	if !ok {
		return len(in.args) == 0
	}
	for _, w := range in.args[1:] {
		// Their options set configuration and run programs in more ways than are listed.
		if p := w.Prefix(); strings.HasPrefix(p, "--con") || strings.HasPrefix(p, "--diff-cmd") || strings.HasPrefix(p, "--editor-cmd") || strings.HasPrefix(p, "--tool") || strings.HasPrefix(p, "--cwd") || strings.HasPrefix(p, "-R") || !w.Known() {
			return false
		}
	}
	v := otherVCS(in.name)
	switch {
	case listed(v.reads, verb):
	case listed(v.local, verb):
		in.does(VCSLocal, verb, in.Span)
	case listed(v.discards, verb):
		in.does(VCSLocal, verb, in.Span)
		in.say("changes-discarded", in.span(in.Span), in.name+" "+verb)
	case listed(v.remote, verb):
		in.does(VCSRemote, verb, in.Span)
	case listed(v.fetches, verb):
		in.does(Receive, "", in.Span)
		in.does(VCSLocal, verb, in.Span)
	default:
		return false
	}
	return true
}
