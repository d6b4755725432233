package offline

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// arguments are those of the shipped tools, of which each has its own few. A
// tool of another name, or of these names with other members, is unknown.
type arguments struct {
	Path       *string  `json:"path"`
	Offset     *float64 `json:"offset"`
	Limit      *float64 `json:"limit"`
	Content    *string  `json:"content"`
	OldText    *string  `json:"oldText"`
	NewText    *string  `json:"newText"`
	ReplaceAll *bool    `json:"replaceAll"`
	Command    *string  `json:"command"`
	TimeoutMs  *float64 `json:"timeoutMs"`
}

// shape says which members a shipped tool's arguments have.
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

// shippedArguments reads the arguments of a tool that has a shipped tool's name
// and members. A name alone proves nothing.
func shippedArguments(name string, value []byte) (arguments, bool) {
	s, ok := shipped(name)
	var members map[string]jsontext.Value
	if !ok || json.Unmarshal(value, &members) != nil || !s.covers(members) {
		return arguments{}, false
	}
	var a arguments
	err := json.Unmarshal(value, &a, json.RejectUnknownMembers(true))
	return a, err == nil
}

// declared reports whether the schema of the pending call, too, is of a shipped
// tool's shape.
func (a action) declared() bool {
	s, ok := shipped(a.Name)
	var schema struct {
		Properties map[string]jsontext.Value `json:"properties"`
		Unknown    map[string]jsontext.Value `json:",embed"`
	}
	return ok && json.Unmarshal(a.Parameters, &schema) == nil && s.covers(schema.Properties)
}

// leaves are the strings of a JSON value, and the numbers as they are written;
// plain is false where it holds anything else that could matter.
func leaves(value jsontext.Value) (texts []string, plain bool) {
	plain = true
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
			inner, ok := leaves(v)
			texts, plain = append(texts, inner...), plain && ok
		}
	case '[':
		var items []jsontext.Value
		if json.Unmarshal(value, &items) != nil {
			return nil, false
		}
		for _, v := range items {
			inner, ok := leaves(v)
			texts, plain = append(texts, inner...), plain && ok
		}
	default:
		return nil, false
	}
	slices.Sort(texts)
	return texts, plain
}
