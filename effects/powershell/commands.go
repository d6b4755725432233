package powershell

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

func text(s string, at shell.Span) shell.Word {
	return shell.Word{Parts: []shell.Part{{Text: s}}, Span: at}
}

// command takes in a command whose name was read, with what follows it.
func (r *reader) command(name shell.Word, start int, in shell.Stdin) {
	args, redirects := r.arguments()
	c := shell.Command{Redirects: redirects, Stdin: in, Span: r.span(start, r.pos)}
	n, known := name.Value()
	if !known {
		if !(len(name.Parts) == 1 && strings.HasPrefix(name.Parts[0].Text, "{")) {
			r.dynamicProgram(start)
		}
		c.Args = append([]shell.Word{name}, args...)
		r.add(c)
		return
	}
	if n == "" {
		r.dynamicProgram(start)
		return
	}
	for i := range len(n) {
		if n[i] >= 0x80 {
			r.problem(shell.LookAlike, n, start)
			break
		}
	}
	canonical := r.canonical(n, args)
	c.Args = append([]shell.Word{text(canonical, name.Span)}, r.normal(canonical, args)...)
	if r.shared.functions[strings.ToLower(n)] {
		return // its body is among the commands
	}
	if r.special(canonical, c, start) {
		return
	}
	r.add(c)
}

func (r *reader) dynamicProgram(start int) {
	n := len(r.script.Problems)
	if n > 0 && r.script.Problems[n-1].Kind == shell.DynamicProgram && r.at == nil && r.script.Problems[n-1].Span.Start == start {
		return
	}
	r.problem(shell.DynamicProgram, r.since(start), start)
}

// canonical is the name of a cmdlet as it is documented, or a program's.
func (r *reader) canonical(n string, args []shell.Word) string {
	low := strings.ToLower(n)
	base := low[strings.LastIndexAny(low, `\/`)+1:]
	if base != low {
		if c, ok := cmdlets[base]; ok {
			return c // qualified by its module
		}
		return n
	}
	if to, ok := r.shared.aliases[low]; ok {
		low = to
	}
	if to, ok := aliases[low]; ok {
		if (low == "curl" || low == "wget") && native(args) {
			return low
		}
		return to
	}
	if c, ok := cmdlets[low]; ok {
		return c
	}
	return strings.TrimSuffix(low, ".exe")
}

// native reports whether options are those of a program and none of a cmdlet's.
func native(args []shell.Word) bool {
	for _, a := range args {
		p := a.Prefix()
		if len(p) > 1 && p[0] == '-' && (p[1] == '-' || len(p) == 2 || !isParameter("Invoke-WebRequest", p)) {
			return true
		}
	}
	return false
}

func isParameter(cmdlet, p string) bool {
	_, ok := expand(cmdlet, p)
	return ok
}

// normal writes parameters out, and makes patterns of what is one for a cmdlet.
func (r *reader) normal(cmdlet string, args []shell.Word) []shell.Word {
	if !strings.Contains(cmdlet, "-") || parameters[cmdlet] == "" {
		return args
	}
	out := make([]shell.Word, 0, len(args)+1)
	exact := false
	for _, a := range args {
		p := a.Prefix()
		if len(p) > 1 && p[0] == '-' && !a.Quoted && (p[1] < '0' || p[1] > '9') {
			if cmdlet == "Remove-Item" && (p == "-rf" || p == "-fr" || p == "-Rf") {
				out = append(out, text("-Recurse", a.Span), text("-Force", a.Span))
				continue
			}
			full, ok := expand(cmdlet, p)
			if ok {
				out = append(out, text("-"+full, a.Span))
				exact = full == "LiteralPath"
				continue
			}
		}
		if !exact && globbing[cmdlet] {
			a = globbed(a)
		}
		exact = false
		out = append(out, a)
	}
	return out
}

// globbed is a word whose pattern a cmdlet expands, in quotes or not.
func globbed(w shell.Word) shell.Word {
	for i, p := range w.Parts {
		if p.Kind != shell.Literal {
			continue
		}
		at := strings.IndexAny(p.Text, "*?[")
		if at < 0 {
			continue
		}
		parts := append([]shell.Part(nil), w.Parts[:i]...)
		if at > 0 {
			parts = append(parts, shell.Part{Text: p.Text[:at]})
		}
		parts = append(parts, shell.Part{Kind: shell.Glob, Text: p.Text[at:]})
		w.Parts = append(parts, w.Parts[i+1:]...)
		return w
	}
	return w
}

// expand is the parameter that a beginning stands for, if it is only one.
func expand(cmdlet, p string) (string, bool) {
	short := strings.ToLower(strings.TrimPrefix(p, "-"))
	if short == "" {
		return "", false
	}
	if full, ok := parameterAliases[short]; ok && short != "f" && short != "e" {
		return full, true
	}
	found := ""
	for full := range strings.FieldsSeq(parameters[cmdlet] + " " + commonParameters) {
		low := strings.ToLower(full)
		if low == short {
			return full, true
		}
		if strings.HasPrefix(low, short) {
			if found != "" && !strings.Contains(commonParameters, full) {
				return "", false
			}
			if found == "" {
				found = full
			}
		}
	}
	return found, found != ""
}

// special handles commands that run others; true if nothing of them is left.
func (r *reader) special(n string, c shell.Command, start int) bool {
	args := c.Args[1:]
	switch n {
	case "Invoke-Expression":
		return r.invokeExpression(c, start)
	case "powershell", "pwsh", "powershell_ise":
		return r.powershell(c, start)
	case "cmd":
		return r.cmd(args, start)
	case "Start-Process":
		return r.startProcess(c, start)
	case "Invoke-Command", "Start-Job", "Start-ThreadJob":
		if host, ok := value(args, "ComputerName"); ok {
			c.Remote, _ = host.Value()
			if c.Remote == "" {
				c.Remote = host.Prefix() + "?"
			}
			r.problem(shell.DynamicCode, n, start) // its block was read as if it ran here
		}
		return false
	case "ForEach-Object", "Where-Object", "Measure-Command":
		return r.each(args, start)
	case "Set-Alias", "New-Alias":
		return r.alias(args, start)
	case "Set-Location", "Push-Location":
		r.changeDir(args)
		return false
	case "Pop-Location":
		r.shared.lost = true
		return false
	case "Add-Type", "Import-Module", "New-Module", "Register-ScheduledJob", "Invoke-Item", "Set-Item":
		if n == "Add-Type" || n == "New-Module" {
			r.problem(shell.DynamicCode, n, start)
		}
		return false
	case "sudo", "gsudo":
		return r.wrapped(n, args, c, start)
	}
	return false
}

// wrapped is a program that starts the one behind it.
func (r *reader) wrapped(by string, args []shell.Word, c shell.Command, start int) bool {
	for len(args) > 0 && strings.HasPrefix(args[0].Prefix(), "-") {
		args = args[1:]
	}
	if len(args) == 0 {
		return false
	}
	inner := *r
	inner.via = append(append([]shell.Wrapper(nil), r.via...), shell.Wrapper{Name: by, Span: c.Span})
	inner.rerun(args, c, start)
	return true
}

// rerun takes in words as a command again.
func (r *reader) rerun(args []shell.Word, c shell.Command, start int) {
	n, ok := args[0].Value()
	if !ok {
		r.problem(shell.DynamicProgram, args[0].Prefix(), start)
		c.Args = args
		r.add(c)
		return
	}
	canonical := r.canonical(n, args[1:])
	c.Args = append([]shell.Word{text(canonical, args[0].Span)}, r.normal(canonical, args[1:])...)
	r.nested++
	defer func() { r.nested-- }()
	if r.nested > maxNested {
		r.problem(shell.TooComplex, n, start)
		return
	}
	if !r.special(canonical, c, start) {
		r.add(c)
	}
}

// value is the argument of a parameter.
func value(args []shell.Word, name string) (shell.Word, bool) {
	for i, a := range args {
		if strings.EqualFold(a.Prefix(), "-"+name) && i+1 < len(args) {
			return args[i+1], true
		}
	}
	return shell.Word{}, false
}

// positional are the arguments that belong to no parameter, if each parameter takes one
// but for the given switches.
func positional(args []shell.Word, switches string) []shell.Word {
	var out []shell.Word
	for i := 0; i < len(args); i++ {
		p := args[i].Prefix()
		if len(p) > 1 && p[0] == '-' && !args[i].Quoted {
			if !strings.Contains(switches, strings.ToLower(p[1:])+" ") {
				i++
			}
			continue
		}
		out = append(out, args[i])
	}
	return out
}
