package shell

import (
	"slices"
	"strings"
)

// unwrapSub is for "TOOL SUB [--] COMMAND…", with so many operands before the
// command.
func unwrapSub(sub string, skip int) func(*unwrapped, []Word) wrapperKind {
	return func(u *unwrapped, args []Word) wrapperKind {
		name, rest := subcommand(args)
		if name != sub {
			return notWrapper
		}
		if len(rest) > 0 && isText(rest[0], "--") {
			rest = rest[1:]
		}
		if len(rest) <= skip {
			return notWrapper
		}
		if rest = rest[skip:]; strings.HasPrefix(rest[0].Prefix(), "-") {
			return strangeWrapper
		}
		u.args = rest
		return isWrapper
	}
}

func isText(w Word, text string) bool {
	value, ok := w.Value()
	return ok && value == text
}

// unwrapDashes is for "TOOL SUB … -- COMMAND…"; without names, for any "--".
func unwrapDashes(subs ...string) func(*unwrapped, []Word) wrapperKind {
	return func(u *unwrapped, args []Word) wrapperKind {
		if len(subs) > 0 {
			name, _ := subcommand(args)
			if !slices.Contains(subs, name) {
				return notWrapper
			}
		}
		at := slices.IndexFunc(args, func(w Word) bool { return isText(w, "--") })
		if at < 0 || at+1 == len(args) {
			return notWrapper
		}
		u.args, u.keeps = args[at+1:], len(subs) > 0
		return isWrapper
	}
}

func unwrapConda(u *unwrapped, args []Word) wrapperKind {
	name, rest := subcommand(args)
	if name != "run" {
		return notWrapper
	}
	o := wrap{flags: "n:p:v", long: "name= prefix= verbose dev debug-wrapper-scripts cwd= no-capture-output live-stream"}.read(rest)
	if o.strange {
		return strangeWrapper
	}
	if dir, ok := o.get("cwd"); ok {
		u.dir = &dir
	}
	u.args = o.operands
	return isWrapperOf(o.operands)
}

func unwrapUv(u *unwrapped, args []Word) wrapperKind {
	name, rest := subcommand(args)
	if name != "run" {
		return notWrapper
	}
	o := wrap{
		flags: "p:qvn", long: "python= extra= all-extras dev no-dev only-dev group= all-groups frozen locked no-sync isolated active offline quiet verbose directory= project= package= env-file= no-env-file",
	}.read(rest)
	if o.strange { // --with fetches what the project does not name
		return strangeWrapper
	}
	if dir, ok := o.get("directory"); ok {
		u.dir = &dir
	}
	u.args = o.operands
	return isWrapperOf(o.operands)
}

// unwrapNixShell runs a text behind --run.
func unwrapNixShell(u *unwrapped, args []Word) wrapperKind {
	for i, w := range args {
		if (isText(w, "--run") || isText(w, "--command")) && i+1 < len(args) {
			u.text, u.keeps = &args[i+1], true
			return isWrapper
		}
	}
	return notWrapper
}

func unwrapNix(u *unwrapped, args []Word) wrapperKind {
	for i, w := range args {
		if (isText(w, "-c") || isText(w, "--command")) && i+1 < len(args) {
			u.args, u.keeps = args[i+1:], true
			return isWrapper
		}
	}
	return notWrapper
}

// unwrapSSH runs what stands behind the host, joined, on that host. What -o has it
// do here is the program's own business.
func unwrapSSH(u *unwrapped, o wrapOptions) wrapperKind {
	if len(o.operands) == 0 {
		return notWrapper
	}
	u.keeps = true
	host, ok := o.operands[0].Value()
	if u.remote = host[strings.LastIndexByte(host, '@')+1:]; !ok || u.remote == "" {
		u.remote = "?"
	}
	if len(o.operands) == 1 {
		if o.has("N", "f", "W", "O", "Q", "G", "V") {
			return notWrapper
		}
		u.stdinText = true
		return isWrapper
	}
	text := joined(o.operands[1:])
	u.text = &text
	return isWrapper
}

// unwrapTmux starts commands in sessions and windows.
func unwrapTmux(u *unwrapped, args []Word) wrapperKind {
	o := wrap{flags: "2CDlNuUVvc:f:L:S:T:"}.read(args)
	if o.strange {
		return strangeWrapper
	}
	u.keeps = true
	if text, ok := o.get("c"); ok {
		u.text = &text
		return isWrapper
	}
	name, rest := subcommand(o.operands)
	switch name {
	case "", "ls", "list-sessions", "list-windows", "list-panes", "has-session", "has", "attach", "attach-session", "a", "kill-session", "kill-server", "kill-window", "display-message", "show-options", "capture-pane":
		return notWrapper
	case "new", "new-session", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawn-window":
	default:
		return strangeWrapper // send-keys types into a shell
	}
	inner := wrap{flags: "AdDEPXkabhvfIZc:e:F:f:n:s:t:x:y:l:p:"}.read(rest)
	switch {
	case inner.strange:
		return strangeWrapper
	case len(inner.operands) == 0:
		return notWrapper
	}
	if dir, ok := inner.get("c"); ok {
		u.dir = &dir
	}
	text := joined(inner.operands)
	u.text = &text
	return isWrapper
}
