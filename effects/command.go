package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// command analyses a text for a POSIX shell.
func (a *analysis) command(text string) {
	if startsItself(text) {
		a.say("process-flood", a.span(shell.Span{End: len(text)}), "")
	}
	from := len(a.effects)
	script := shell.Read(text, a.environment())
	a.explains(&script, from, len(text))
}

// explains judges what was found in a text of some length, of whatever shell: from is
// how many effects there were before it.
func (a *analysis) explains(script *shell.Script, from, length int) {
	for _, p := range script.Problems {
		a.say(problemRule(p.Kind), a.span(p.Span), p.Words)
	}
	for i := range script.Commands {
		a.run(script, &script.Commands[i])
	}
	a.line(script)
	a.flows(script, from)
	if len(script.Commands)+len(script.Problems) == 0 {
		a.say("command-harmless", a.span(shell.Span{End: length}), "")
	}
}

// problemRule is the rule about a part of a text that cannot be read.
func problemRule(k shell.ProblemKind) string {
	switch k {
	case shell.TooComplex:
		return "too-complex"
	case shell.DynamicProgram:
		return "program-computed"
	case shell.DynamicCode:
		return "code-computed"
	case shell.ControlBytes:
		return "control-bytes"
	case shell.LookAlike:
		return "look-alike"
	default:
		return "unparsable"
	}
}

// invocation is a command that is being explained.
type invocation struct {
	*analysis
	script *shell.Script
	*shell.Command
	// name is the program's without its folder, args what stands behind it.
	name string
	args []shell.Word
}

// run explains one command: its redirections, its wrappers, and what its program
// does with its arguments. A program that nobody knows, or that is called in a way
// that its recogniser does not know, needs review.
func (a *analysis) run(script *shell.Script, c *shell.Command) {
	in := invocation{analysis: a, script: script, Command: c}
	in.redirections()
	in.wrappers()
	in.variables()
	in.engine()
	in.bypass()
	if len(c.Args) == 0 {
		a.say("command-harmless", a.span(c.Span), "")
		return
	}
	program, known := c.Args[0].Value()
	if !known {
		if !strings.HasPrefix(wordText(c.Args[0]), "{") { // a block, whose commands are listed
			in.say("program-computed", in.span(c.Args[0].Span), wordText(c.Args[0]))
		}
		return
	}
	in.name, in.args = base(program), c.Args[1:]
	p, ok := in.programs[in.name]
	switch {
	case in.Remote != "":
		in.remote(p, ok)
	case strings.IndexByte(program, '/') >= 0 && !in.installed(program):
		in.ranFile(program)
	case !ok:
		in.say("program-unknown", in.span(c.Args[0].Span), in.name)
	default:
		in.explain(p)
	}
}

// explain has a program's recogniser say what the command does.
func (in *invocation) explain(p program) {
	if in.asksOnly() {
		in.harmless()
		return
	}
	before := len(in.effects) + len(in.findings)
	if !p.explain(in) {
		in.say("arguments-unknown", in.span(in.Span), in.name)
		return
	}
	if len(in.effects)+len(in.findings) == before {
		in.harmless()
	}
}

// harmless says that the command does nothing that anybody has to weigh.
func (in *invocation) harmless() { in.say("command-harmless", in.span(in.Span), in.name) }

// asksOnly reports whether a command only asks a program for its version or help.
func (in *invocation) asksOnly() bool {
	if len(in.args) != 1 {
		return false
	}
	v, _ := in.args[0].Value()
	return v == "--version" || v == "--help"
}

// does notes an effect on something that is no path.
func (in *invocation) does(k Kind, target string, at shell.Span) {
	in.note(noted{Effect: Effect{Kind: k, Target: target, Certain: in.Certain, Span: in.span(at)}, nested: in.Nested})
}
