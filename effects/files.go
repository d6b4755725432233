package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// touches notes an effect on each place that a word leads to.
func (in *invocation) touches(k Kind, w shell.Word) { in.touchesAll(k, w, false) }

// touchesAll is touches, recursive for a folder with all that is in it.
func (in *invocation) touchesAll(k Kind, w shell.Word, recursive bool) {
	in.notes(noted{Effect: Effect{Kind: k}, recursive: recursive}, w)
}

// notes notes an effect like e on each place that a word leads to.
func (in *invocation) notes(e noted, w shell.Word) {
	if e.Kind == Delete && spellsHome(w) {
		in.say("delete-home", in.span(w.Span), wordText(w))
	}
	if e.Kind == Write || e.Kind == Create {
		e.broad = e.broad || w.HasGlob() && (mayRunLater(w) || mayBeSecret(w))
	}
	e.nested, e.piped = in.Nested && in.source == "", in.piped()
	e.unsure = (len(in.Dirs) > 1 || in.DirUnknown) && !in.isAbsolute(w.Prefix())
	for _, p := range in.places(w) {
		e.Target, e.Certain, e.Span = p.path, in.Certain && p.whole, in.span(w.Span)
		if p.unknown {
			e.Target = ""
		}
		e.pattern, e.device = p.pattern, p.device
		in.note(e)
	}
}

// piped reports whether the command's arguments come from what another one prints.
func (in *invocation) piped() bool {
	for _, w := range in.Via {
		if w.Name == "xargs" || w.Name == "parallel" {
			return true
		}
	}
	return false
}

// redirections are files that the shell opens for the command.
func (in *invocation) redirections() {
	for _, r := range in.Redirects {
		switch host, ok := socketOf(r.Target); {
		case ok:
			in.does(Send, host, r.Target.Span)
			if len(in.Args) > 0 && listed(evaluators, base(in.Args[0].Prefix())) {
				in.say("shell-offered", in.span(r.Target.Span), host)
			}
		case r.Op == shell.ReadFrom:
			in.notes(noted{Effect: Effect{Kind: Read}, broad: mayBeSecret(r.Target)}, r.Target)
		default:
			in.touches(Write, r.Target)
			if r.Op == shell.WriteTo && in.printsNothing() {
				in.emptied(r.Target)
			}
		}
	}
}

// printsNothing reports whether a redirection stands alone, or with a command that
// is there only to have it.
func (in *invocation) printsNothing() bool {
	if len(in.Args) == 0 {
		return true
	}
	switch text, _ := in.Args[0].Value(); text {
	case ":", "true":
		return true
	case "cat":
		file, _ := first(in.Args[1:])
		return len(in.Args) == 2 && file == "/dev/null"
	case "echo", "printf":
		text, ok := first(in.Args[1:])
		return len(in.Args) == 2 && ok && (text == "-n" || text == "")
	}
	return false
}

// socketOf gives "host:port" for the names by which bash opens connections.
func socketOf(w shell.Word) (host string, ok bool) {
	prefix := w.Prefix()
	rest, ok := strings.CutPrefix(prefix, "/dev/tcp/")
	if !ok {
		rest, ok = strings.CutPrefix(prefix, "/dev/udp/")
	}
	return strings.Replace(rest, "/", ":", 1), ok
}

// created reports whether this session made what a path names, as far as that is
// known to be still the same.
func (a *analysis) created(name string) bool {
	for _, own := range a.facts.Created {
		if a.known(own) == name {
			return true
		}
	}
	return false
}
