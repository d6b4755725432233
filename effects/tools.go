package effects

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects/shell"
)

// call looks what kind of tool is called. A tool is told by its name and by the
// members of its arguments: a name alone proves nothing.
func (a *analysis) call(c Call) {
	members, ok := membersOf(c.Arguments)
	if !ok {
		a.say("arguments-unknown", Span{}, c.Tool)
		return
	}
	t, ok := toolNamed(c.Tool)
	if !ok || !t(a, members) {
		a.unknownTool(c)
	}
}

// unknownTool is a tool of which nothing is known but what its maker says.
func (a *analysis) unknownTool(c Call) { a.say("tool-unknown", Span{}, c.Tool) }

// members are a call's arguments, by name. Those that were read are counted, since
// one that nobody has read means something that nobody knows.
type members struct {
	values map[string]jsontext.Value
	read   int
}

func membersOf(arguments jsontext.Value) (*members, bool) {
	m := &members{}
	err := json.Unmarshal(arguments, &m.values)
	return m, err == nil && m.values != nil
}

// text gives a member that is a string.
func (m *members) text(name string) (string, bool) {
	v, ok := m.values[name]
	if !ok || v.Kind() != '"' {
		return "", false
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		return "", false
	}
	m.read++
	return s, true
}

// skip counts members as read that change nothing about the effects.
func (m *members) skip(names ...string) {
	for _, n := range names {
		if _, ok := m.values[n]; ok {
			m.read++
		}
	}
}

// done reports whether all members were read.
func (m *members) done() bool { return m.read == len(m.values) }

// tool explains a call by its arguments' members; false is not understood.
type tool func(*analysis, *members) bool

var tools = map[string]tool{
	"shell": shellTool, "bash": shellTool,
	"read": readTool, "write": writeTool, "edit": editTool, "delete": deleteTool,
}

func toolNamed(name string) (tool, bool) {
	t, ok := tools[strings.ToLower(name)]
	return t, ok
}

// shellTool runs a command.
func shellTool(a *analysis, m *members) bool {
	text, ok := m.text("command")
	if !ok {
		return false
	}
	m.skip("timeoutMs", "timeout", "description")
	a.argument = "command"
	a.command(text)
	return m.done()
}

// fileTool does something with one file.
func (a *analysis) fileTool(k Kind, name string) {
	w := shell.Word{Parts: []shell.Part{{Text: name}}, Quoted: true, Span: shell.Span{End: len(name)}}
	in := invocation{analysis: a, Command: &shell.Command{Certain: true}}
	a.argument = "path"
	if name == "" || strings.HasPrefix(name, "~") || strings.ContainsRune(name, 0) {
		a.say("path-strange", a.span(w.Span), name)
		return
	}
	in.touches(k, w)
}

func readTool(a *analysis, m *members) bool {
	name, ok := m.text("path")
	m.skip("offset", "limit")
	if ok {
		a.fileTool(Read, name)
	}
	return ok && m.done()
}

func writeTool(a *analysis, m *members) bool {
	name, ok := m.text("path")
	_, content := m.text("content")
	if ok && content {
		a.fileTool(Write, name)
	}
	return ok && content && m.done()
}

func editTool(a *analysis, m *members) bool {
	name, ok := m.text("path")
	_, old := m.text("oldText")
	_, text := m.text("newText")
	m.skip("replaceAll")
	if ok && old && text {
		a.fileTool(Write, name)
	}
	return ok && old && text && m.done()
}

func deleteTool(a *analysis, m *members) bool {
	name, ok := m.text("path")
	if ok {
		a.fileTool(Delete, name)
	}
	return ok && m.done()
}
