package effects

// isPrivileged reports whether a program starts others as somebody else (seed 004).
func isPrivileged(name string) bool {
	switch name {
	case "sudo", "sudoedit", "doas", "su", "runuser", "pkexec", "run0", "gosu", "su-exec", "setpriv", "sg", "newgrp", "machinectl", "runas":
		return true
	}
	return false
}

// wrappers judges what started the command.
func (in *invocation) wrappers() {
	for i := range in.Via {
		if w := &in.Via[i]; isPrivileged(w.Name) {
			in.does(Privilege, w.Name, w.Span)
		}
	}
}

// guardPrograms are those that nothing but the guard has a word about: of wrappers
// those that start no command that can be told, as a shell of somebody else.
func guardPrograms() map[string]program {
	all := map[string]program{"apply_patch": {explainEnvelope}, "applypatch": {explainEnvelope}}
	for _, name := range []string{"sudo", "sudoedit", "doas", "su", "runuser", "pkexec", "run0", "gosu", "su-exec", "setpriv", "sg", "newgrp"} {
		all[name] = program{func(in *invocation) bool {
			in.does(Privilege, in.name, in.Span)
			return true
		}}
	}
	return all
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
