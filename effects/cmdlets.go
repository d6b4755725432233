package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/powershell"
	"github.com/docket-engine/docket/effects/shell"
)

// powerShell analyses a text for PowerShell.
func (a *analysis) powerShell(text string) {
	from := len(a.effects)
	script := powershell.Read(text, a.facts.Home)
	a.explains(&script, from, len(text))
}

// powerShellTool runs a command of PowerShell.
func powerShellTool(a *analysis, m *members) bool {
	if !a.startsIn(m) {
		return false
	}
	a.widened(m)
	m.skip("timeout", "timeoutMs", "timeout_ms", "description", "run_in_background", "is_background", "explanation")
	text, argument, ok := m.oneText("command", "script", "cmd")
	if !ok {
		return false
	}
	a.argument = argument
	a.powerShell(text)
	return true
}

// explainPowerShell is a PowerShell, or the shell of Windows, that another shell
// starts: its text is put together again as it is given.
func explainPowerShell(in *invocation) bool {
	if len(in.args) == 0 {
		return false
	}
	var b strings.Builder
	b.WriteString(in.name)
	for _, w := range in.args {
		text, known := w.Value()
		if !known {
			in.say("code-computed", in.span(w.Span), wordText(w))
			return true
		}
		b.WriteByte(' ')
		if strings.Trim(text, "-/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.") == "" {
			b.WriteString(text)
		} else {
			b.WriteString("'" + strings.ReplaceAll(text, "'", "''") + "'")
		}
	}
	if in.reading.depth >= maxScriptDepth {
		in.say("too-complex", in.span(in.Span), in.name)
		return true
	}
	script := powershell.Read(b.String(), in.facts.Home)
	for i := range script.Commands {
		if c := &script.Commands[i]; len(c.Args) > 0 && programName(c.Args[0].Prefix()) == in.name {
			in.say("script-unknown", in.span(in.Span), in.name) // it runs a file, or nobody knows what
			return true
		}
	}
	in.reading.depth++
	before, place := in.fixed, in.span(in.Span)
	if before == nil {
		in.fixed = &place
	}
	in.explains(&script, len(in.effects), len(b.String()))
	in.fixed = before
	in.reading.depth--
	return true
}

// cmdlet reads the words of one of PowerShell's own commands: which parameters take a
// value is in values, which do not in flags.
type cmdlet struct {
	flags, values string
	does          func(*cmdletCall) bool
}

const (
	commonFlags  = "Force PassThru Verbose Debug WhatIf Confirm Recurse Raw Wait Append NoNewline NoClobber AsByteStream UseCulture NoTypeInformation Container UseBasicParsing"
	commonValues = "Path LiteralPath FilePath Filter Include Exclude Encoding ErrorAction WarningAction ErrorVariable OutVariable InputObject Delimiter Depth Width"
)

// cmdletCall is a command with its parameters.
type cmdletCall struct {
	*invocation
	options
}

func (c cmdlet) explain(in *invocation) bool {
	s := spec{oneDash: true, long: commonFlags + " " + c.flags + " " + strings.ReplaceAll(commonValues+" "+c.values, " ", "= ") + "="}
	call := cmdletCall{invocation: in, options: s.read(in.args)}
	return c.does(&call) && call.strange == nil
}

// targets are the words that name what a cmdlet works on, at least one of them if it
// is not fed.
func (c *cmdletCall) targets(names ...string) []shell.Word {
	out := c.operands
	for _, name := range append(names, "Path", "LiteralPath", "FilePath") {
		if opt, ok := c.get(name); ok {
			out = append(out[:len(out):len(out)], opt.value)
		}
	}
	return out
}
