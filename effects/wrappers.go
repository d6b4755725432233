package effects

import "github.com/docket-engine/docket/effects/shell"

// privileged are wrappers that start their command as somebody else (seed 004).
var privileged = []string{"sudo", "doas", "su", "runuser", "pkexec"}

// wrappers judges what started the command.
func (in *invocation) wrappers() {
	for _, w := range in.Via {
		for _, p := range privileged {
			if w.Name == p {
				in.does(Privilege, w.Name, w.Span)
			}
		}
	}
}

// remote is a command on another host: what it would do there is not known here.
func (in *invocation) remote(program, bool) {
	in.say("runs-remote", in.span(in.Span), in.Remote)
}

// installed reports whether a program that is named with its folder is one that the
// system came with, so that its name says what it is.
func (in *invocation) installed(program string) bool {
	return isPublic(in.resolve(join(in.absolute(""), program)))
}

var _ = shell.Literal
