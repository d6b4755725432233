package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// shape says which members the arguments of a tool that Docket ships have.
type shape struct {
	required, optional []string
}

// shipped finds the shape of a tool that Docket ships.
func shipped(name string) (shape, bool) {
	switch name {
	case "read":
		return shape{[]string{"path"}, []string{"offset", "limit"}}, true
	case "write":
		return shape{[]string{"path", "content"}, nil}, true
	case "edit":
		return shape{[]string{"path", "oldText", "newText"}, []string{"replaceAll"}}, true
	case "delete":
		return shape{[]string{"path"}, nil}, true
	case "shell":
		return shape{[]string{"command"}, []string{"timeoutMs"}}, true
	default:
		return shape{}, false
	}
}

// covers reports whether an object has all members that are required and no other
// ones than the shape's.
func (s shape) covers(members map[string]jsontext.Value) bool {
	for _, name := range s.required {
		if v, ok := members[name]; !ok || v.Kind() == 'n' {
			return false
		}
	}
	for name := range members {
		if !slices.Contains(s.required, name) && !slices.Contains(s.optional, name) {
			return false
		}
	}
	return true
}

// declared reports whether the schema of the pending call is of the shape that its
// name stands for: of a shipped tool's own, and of other tools one that has all that
// the call is given. A name alone proves nothing.
func (a action) declared() bool {
	var schema struct {
		Properties map[string]jsontext.Value `json:"properties"`
		Unknown    map[string]jsontext.Value `json:",embed"`
	}
	var given map[string]jsontext.Value
	if json.Unmarshal(a.Parameters, &schema) != nil || json.Unmarshal(a.Arguments, &given) != nil {
		return false
	}
	if s, ok := shipped(a.Name); ok {
		return s.covers(schema.Properties) && a.given()
	}
	for name := range given {
		if _, ok := schema.Properties[name]; !ok {
			return false
		}
	}
	return true
}

// given reports whether a call of a shipped tool has that tool's arguments.
func (a action) given() bool {
	s, ok := shipped(a.Name)
	var members map[string]jsontext.Value
	return ok && json.Unmarshal(a.Arguments, &members) == nil && s.covers(members)
}

// beside are members of a tool's that runs commands which say nothing of what runs.
var beside = []string{"timeoutMs", "timeout", "timeout_ms", "description", "explanation", "goal", "yield_time_ms", "max_output_tokens"}

// folders are members that say where a command starts.
var folders = []string{"workdir", "cwd", "directory", "dir_path", "working_directory"}

// onlyCommand reports whether a call is given nothing but its command, so that to
// name the command is to name the call.
func (r request) onlyCommand(argument string) bool {
	var given map[string]jsontext.Value
	if json.Unmarshal(r.pending.Arguments, &given) != nil {
		return false
	}
	for name, value := range given {
		switch {
		case name == argument, slices.Contains(beside, name):
		case slices.Contains(folders, name):
			var dir string
			if json.Unmarshal(value, &dir) != nil || resolve(r.cwd, dir) != r.cwd {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// leaves are the strings of a JSON value, and the numbers as they are written;
// plain is false where it holds anything else that could matter.
func leaves(value jsontext.Value) (texts []string, plain bool) {
	plain = true
	add := func(v jsontext.Value) {
		inner, ok := leaves(v)
		texts, plain = append(texts, inner...), plain && ok
	}
	switch value.Kind() {
	case '"':
		var s string
		if json.Unmarshal(value, &s) != nil {
			return nil, false
		}
		return []string{s}, true
	case '0':
		return []string{string(value)}, true
	case '{':
		var members map[string]jsontext.Value
		if json.Unmarshal(value, &members) != nil {
			return nil, false
		}
		for _, v := range members {
			add(v)
		}
	case '[':
		var items []jsontext.Value
		if json.Unmarshal(value, &items) != nil {
			return nil, false
		}
		for _, v := range items {
			add(v)
		}
	default:
		return nil, false
	}
	slices.Sort(texts)
	return texts, plain
}

// resolve gives the path from the root. It knows no links: it is a matter of
// spelling alone.
func resolve(base, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(base, name)
}

// within reports whether a clean path is below a folder, and not the folder.
func within(folder, name string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/") && name != folder
}
