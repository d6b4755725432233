package effects

import (
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
	for _, p := range in.places(w) {
		e.Target, e.Certain, e.Span = p.path, in.Certain && p.whole, in.span(w.Span)
		if p.unknown {
			e.Target = ""
		}
		e.pattern, e.nested = p.pattern, in.Nested
		in.note(e)
	}
}

// redirections are files that the shell opens for the command.
func (in *invocation) redirections() {
	for _, r := range in.Redirects {
		switch r.Op {
		case shell.ReadFrom:
			in.touches(Read, r.Target)
		default:
			in.touches(Write, r.Target)
		}
	}
}

// created reports whether this session made what a path names, as far as that is
// known to be still the same.
func (a *analysis) created(name string) bool {
	for _, own := range a.facts.Created {
		if clean(own) == name {
			return true
		}
	}
	return false
}
