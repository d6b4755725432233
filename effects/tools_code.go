package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/code"
	"github.com/docket-engine/docket/effects/shell"
)

// codeTools run programs.
func codeTools() map[string]tool { return map[string]tool{"run_code": codeTool} }

// codeTool runs a program whose only way out is to call tools, and each of those
// calls comes here as well. What reaches for more than that is judged as any code is,
// since a tool's name does not tell who runs it.
func codeTool(a *analysis, m *members) bool {
	text, ok := m.text("code")
	m.skip("description")
	if !ok || !m.done() {
		return false
	}
	a.argument = "code"
	in := invocation{analysis: a, Command: &shell.Command{Certain: true}, name: "run_code"}
	report := code.Scan(code.JavaScript, text)
	for _, p := range report.Problems {
		if p.Kind != code.NotKnown || !strings.HasPrefix(text[min(p.Span.Start, len(text)):], "tools.") {
			a.say("code-unknown", a.span(shell.Span(p.Span)), p.Words)
		}
	}
	for i := range report.Calls {
		in.codeCall(&report.Calls[i], shell.Span(report.Calls[i].Span))
	}
	a.say("program-calls-tools", a.span(shell.Span{End: len(text)}), "")
	return true
}
