package effects

// filePrograms are those that work on files.
func filePrograms() map[string]program {
	quiet := program{func(in *invocation) bool { return true }}
	return map[string]program{
		"echo": quiet, "true": quiet, "false": quiet, ":": quiet,
		"ls": {explainList}, "rm": {explainRemove},
	}
}

func explainList(in *invocation) bool {
	o := spec{short: "aAbBcCdDfFgGhHiIklLmnNopqQrRsStTuUvwxXZ1", long: "all color=? sort="}.read(in.args)
	for _, w := range o.operands {
		in.touches(Read, w)
	}
	return o.understood()
}

func explainRemove(in *invocation) bool {
	o := spec{short: "frRivdI", long: "force recursive interactive=? verbose dir one-file-system preserve-root=? no-preserve-root"}.read(in.args)
	recursive := o.has("r", "R", "recursive")
	if o.strange != nil {
		return false
	}
	if len(o.operands) == 0 {
		in.say("delete-nothing", in.span(in.Span), in.name)
	}
	if len(o.operands) > 1 {
		in.say("delete-many", in.span(in.Span), in.name)
	}
	for _, w := range o.operands {
		in.touchesAll(Delete, w, recursive)
	}
	return true
}
