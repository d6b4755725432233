package shell

import "strings"

// unwrapNothingKnown is for wrappers of which nobody here knows the options.
func unwrapNothingKnown(_ *unwrapped, args []Word) wrapperKind {
	if asksOnly(args) {
		return notWrapper
	}
	return strangeWrapper
}

// asksOnly reports whether a program is only asked for its version or help.
func asksOnly(args []Word) bool {
	if len(args) != 1 {
		return false
	}
	text, _ := args[0].Value()
	return text == "--version" || text == "--help" || text == "-h" || text == "-V"
}

func unwrapEnv(u *unwrapped, o wrapOptions) wrapperKind {
	if dir, ok := o.get("C", "chdir"); ok {
		u.dir = &dir
	}
	rest := o.operands
	if split, ok := o.get("S", "split-string"); ok {
		text := joined(append([]Word{split}, rest...))
		u.text = &text
		return isWrapper
	}
	if len(rest) > 0 && isDash(rest[0]) {
		rest = rest[1:]
	}
	if rest = u.assignments(rest); len(rest) == 0 {
		return notWrapper
	}
	u.args = rest
	return isWrapper
}

func isDash(w Word) bool {
	text, ok := w.Value()
	return ok && text == "-"
}

// unwrapTime is for the program; the reserved word of the same name is grammar.
func unwrapTime(u *unwrapped, o wrapOptions) wrapperKind {
	u.args, u.keeps = o.operands, o.has("o", "output")
	return isWrapperOf(o.operands)
}

// isWrapperOf is a wrapper if there is something to start.
func isWrapperOf(words []Word) wrapperKind {
	if len(words) == 0 {
		return notWrapper
	}
	return isWrapper
}

// unwrapCommand starts nothing where it only says what a name stands for.
func unwrapCommand(u *unwrapped, o wrapOptions) wrapperKind {
	if o.has("v", "V") {
		return notWrapper
	}
	u.args = o.operands
	return isWrapperOf(o.operands)
}

func unwrapSudo(u *unwrapped, o wrapOptions) wrapperKind {
	if dir, ok := o.get("D", "chdir"); ok {
		u.dir = &dir
	}
	if o.has("e", "edit") {
		u.keeps = true
		return notWrapper
	}
	rest := u.assignments(o.operands)
	if len(rest) == 0 {
		return notWrapper
	}
	if u.args = rest; o.has("s", "shell", "i", "login") {
		text := joined(rest)
		u.args, u.text = nil, &text
	}
	return isWrapper
}

// unwrapSu runs a text, or for -- and runuser -u a command.
func unwrapSu(u *unwrapped, o wrapOptions) wrapperKind {
	if text, ok := o.get("c", "command", "session-command"); ok {
		u.text = &text
		return isWrapper
	}
	if u.name == "runuser" && o.has("u", "user") {
		u.args = o.operands
		return isWrapperOf(o.operands)
	}
	for i, w := range o.operands {
		if i+1 < len(o.operands) && (isText(w, "-c") || isText(w, "--command")) {
			u.text = &o.operands[i+1] // su - user -c text
			return isWrapper
		}
	}
	if len(o.operands) > 2 || len(o.operands) == 2 && !isDash(o.operands[0]) {
		return strangeWrapper
	}
	u.stdinText = true
	return isWrapper
}

func unwrapChroot(u *unwrapped, o wrapOptions) wrapperKind {
	if len(o.operands) < 2 {
		return notWrapper
	}
	u.args, u.remote = o.operands[1:], "?"
	return isWrapper
}

func unwrapElsewhere(u *unwrapped, o wrapOptions) wrapperKind {
	u.args, u.remote = o.operands, "?"
	return isWrapperOf(o.operands)
}

func unwrapSystemdRun(u *unwrapped, o wrapOptions) wrapperKind {
	if dir, ok := o.get("working-directory"); ok {
		u.dir = &dir
	}
	if o.has("M", "machine", "H", "host") {
		u.remote = "?"
	}
	u.args, u.keeps = o.operands, true
	return isWrapperOf(o.operands)
}

// unwrapFlock starts a command behind the lock's file, or a text behind -c.
func unwrapFlock(u *unwrapped, o wrapOptions) wrapperKind {
	u.keeps = true
	if len(o.operands) < 2 {
		return notWrapper
	}
	rest := o.operands[1:]
	if flag, ok := rest[0].Value(); ok && (flag == "-c" || flag == "--command") {
		if len(rest) != 2 {
			return strangeWrapper
		}
		u.text = &rest[1]
		return isWrapper
	}
	u.args = rest
	return isWrapper
}

func unwrapScript(u *unwrapped, o wrapOptions) wrapperKind {
	u.keeps = true
	if text, ok := o.get("c", "command"); ok {
		u.text = &text
		return isWrapper
	}
	if len(o.operands) > 1 { // as BSD has it: script FILE COMMAND
		u.args = o.operands[1:]
		return isWrapper
	}
	u.stdinText = true
	return isWrapper
}

// unwrapTracer is for programs that start another one and write what they saw.
func unwrapTracer(u *unwrapped, o wrapOptions) wrapperKind {
	u.args, u.keeps = o.operands, true
	return isWrapperOf(o.operands)
}

func unwrapPerf(u *unwrapped, args []Word) wrapperKind {
	sub, rest := subcommand(args)
	if sub != "stat" && sub != "record" && sub != "trace" {
		return notWrapper
	}
	o := wrap{flags: "adgvne:o:F:p:r:x:", long: "event= output= call-graph= freq= repeat= no-big-num"}.read(rest)
	if o.strange {
		return strangeWrapper
	}
	return unwrapTracer(u, o)
}

// unwrapValgrind has so many options with a value in the same word that all of
// these are taken for options.
func unwrapValgrind(u *unwrapped, args []Word) wrapperKind {
	for i, w := range args {
		text, ok := w.Value()
		if !ok && !strings.HasPrefix(w.Prefix(), "--") {
			return strangeWrapper
		}
		if !strings.HasPrefix(text, "-") {
			u.args, u.keeps = args[i:], true
			return isWrapper
		}
	}
	return notWrapper
}

func unwrapWatch(u *unwrapped, o wrapOptions) wrapperKind {
	if len(o.operands) == 0 {
		return notWrapper
	}
	if o.has("x", "exec") {
		u.args = o.operands
		return isWrapper
	}
	text := joined(o.operands)
	u.text = &text
	return isWrapper
}

func unwrapEntr(u *unwrapped, o wrapOptions) wrapperKind {
	if o.has("s") {
		if len(o.operands) == 0 {
			return notWrapper
		}
		u.text = &o.operands[0]
		return isWrapper
	}
	u.args, u.placeholder = o.operands, "/_"
	return isWrapperOf(o.operands)
}

// unwrapXargs has words of standard input become arguments.
func unwrapXargs(u *unwrapped, o wrapOptions) wrapperKind {
	u.fromStdin, u.args = true, o.operands
	if o.has("a", "arg-file") {
		u.keeps = true
	}
	if len(u.args) == 0 {
		u.args = []Word{{Parts: []Part{{Text: "echo"}}}}
	}
	for _, name := range []string{"I", "i", "replace"} {
		w, ok := o.get(name)
		if !ok {
			continue
		}
		u.placeholder, _ = w.Value()
		if u.placeholder == "" {
			u.placeholder = "{}"
		}
	}
	return isWrapper
}

// unwrapAt runs later what it reads.
func unwrapAt(u *unwrapped, o wrapOptions) wrapperKind {
	u.keeps = true
	if o.has("l", "d", "r", "b", "c", "V", "f") {
		return notWrapper
	}
	u.stdinText = true
	return isWrapper
}

// unwrapApplet is for programs that are many: the applet is the command.
func unwrapApplet(u *unwrapped, args []Word) wrapperKind {
	if len(args) == 0 || strings.HasPrefix(args[0].Prefix(), "-") {
		return notWrapper
	}
	u.args = args
	return isWrapper
}

// unwrapScreen starts a command in a session of its own.
func unwrapScreen(u *unwrapped, o wrapOptions) wrapperKind {
	if o.has("X", "ls", "l", "r", "R", "x", "Q") {
		u.keeps = true
		if o.has("X") {
			return strangeWrapper // "stuff" types into a session
		}
		return notWrapper
	}
	u.args = o.operands
	return isWrapperOf(o.operands)
}

// subcommand is the first operand of a program whose own options are passed over;
// "" if that cannot be told.
func subcommand(args []Word) (name string, rest []Word) {
	if len(args) == 0 {
		return "", nil
	}
	name, ok := args[0].Value()
	if !ok || strings.HasPrefix(name, "-") {
		return "", nil
	}
	return name, args[1:]
}
