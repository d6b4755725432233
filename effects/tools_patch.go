package effects

import "github.com/docket-engine/docket/effects/shell"

// patchTool applies a patch.
func patchTool(a *analysis, m *members) bool {
	text, argument, ok := m.oneText("command", "input", "patch", "patchText", "patch_text", "diff", "content")
	if !ok {
		if argv, isList := m.texts("command"); isList && len(argv) == 2 && argv[0] == "apply_patch" {
			text, argument, ok = argv[1], "command", true
		}
	}
	m.skip("explanation", "workdir_note")
	if !ok || !a.startsIn(m) {
		return false
	}
	a.widened(m)
	a.argument = argument
	in := invocation{analysis: a, Command: &shell.Command{Certain: true}}
	in.patches(text, 0)
	return true
}

// patches judges a patch that stands in a text from a place on.
func (in *invocation) patches(text string, from int) {
	p := readPatch(text)
	if !p.ok {
		in.say("patch-unparsable", in.span(shell.Span{Start: from, End: from + len(text)}), "")
	}
	deleted := 0
	for i := range p.edits {
		e := &p.edits[i]
		at := shell.Span{Start: from + e.span.Start, End: from + e.span.End}
		if in.oddPath(e.name, in.span(at)) {
			continue
		}
		in.notes(noted{Effect: Effect{Kind: e.kind}, moved: e.moved}, shell.Word{Parts: []shell.Part{{Text: e.name}}, Quoted: true, Span: at})
		if e.kind == Delete && !e.moved {
			deleted++
			continue
		}
		in.content(e.name, in.argument, e.added.String())
	}
	if deleted > 1 {
		in.say("delete-many", in.span(shell.Span{Start: from, End: from + len(text)}), "")
	}
}

// explainEnvelope is the command by which agents apply a patch in a shell.
func explainEnvelope(in *invocation) bool {
	switch {
	case len(in.args) == 1:
		text, ok := in.args[0].Value()
		if ok {
			in.patches(text, in.args[0].Span.Start)
		}
		return ok
	case len(in.args) == 0 && in.Stdin.Kind == shell.StdinText:
		in.patches(in.Stdin.Text, in.Stdin.Span.Start)
		return true
	default:
		return false
	}
}
