package effects

import "strings"

// call looks what kind of tool is called. A tool is told by its name and by the
// members of its arguments: a name alone proves nothing.
func (a *analysis) call(c Call) {
	m, ok := membersOf(c.Arguments)
	if !ok {
		a.say("arguments-unknown", Span{}, c.Tool)
		a.unknownTool(c)
		return
	}
	if t, ok := toolNamed(c.Tool); !ok || !t(a, m) || !m.done() {
		a.unknownTool(c)
	}
	a.hints(c)
}

// tool explains a call by its arguments' members; false is not understood, as is a
// member that it has not read.
type tool func(*analysis, *members) bool

// tools are the tools of Docket and of the agents that are widely used, by name in
// small letters.
var tools = joinTools(
	fileTools(),
	findTools(),
	commandTools(),
	webTools(),
	sessionTools(),
	codeTools(),
)

func joinTools(tables ...map[string]tool) map[string]tool {
	all := map[string]tool{}
	for _, table := range tables {
		for names, t := range table {
			for name := range strings.FieldsSeq(names) {
				if _, twice := all[name]; twice {
					panic("effects: two explanations of the tool " + name)
				}
				all[name] = t
			}
		}
	}
	return all
}

func toolNamed(name string) (tool, bool) {
	t, ok := tools[name]
	if !ok {
		t, ok = tools[asciiFold(name)]
	}
	return t, ok
}

// hints are what a tool's maker says of it: claims, that raise a risk and never lower
// it.
func (a *analysis) hints(c Call) {
	if h := c.Hints; h != nil && (h.Destructive != nil && *h.Destructive || h.OpenWorld != nil && *h.OpenWorld) {
		a.say("tool-hinted", Span{}, c.Tool)
	}
}
