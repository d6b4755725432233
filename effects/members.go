package effects

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// members are a call's arguments, by name. What was read is taken out, since one that
// nobody has read means something that nobody knows.
type members struct {
	values map[string]jsontext.Value
}

// maxArguments bounds the arguments of a call, in bytes.
const maxArguments = 4 << 20

func membersOf(arguments jsontext.Value) (*members, bool) {
	if len(arguments) > maxArguments {
		return nil, false
	}
	m := &members{}
	err := json.Unmarshal(arguments, &m.values)
	return m, err == nil && m.values != nil
}

// text takes a member that is a string.
func (m *members) text(name string) (string, bool) {
	v, ok := m.values[name]
	if !ok || v.Kind() != '"' {
		return "", false
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		return "", false
	}
	delete(m.values, name)
	return s, true
}

// oneText takes the one string that goes by one of the names. Two of them contradict
// each other.
func (m *members) oneText(names ...string) (text, name string, ok bool) {
	for _, n := range names {
		if _, there := m.values[n]; !there {
			continue
		}
		if name != "" {
			return "", "", false
		}
		name = n
	}
	if name == "" {
		return "", "", false
	}
	text, ok = m.text(name)
	return text, name, ok
}

// texts takes a member that is a list of strings.
func (m *members) texts(name string) ([]string, bool) {
	v, ok := m.values[name]
	if !ok || v.Kind() != '[' {
		return nil, false
	}
	var list []string
	if json.Unmarshal(v, &list) != nil {
		return nil, false
	}
	delete(m.values, name)
	return list, true
}

// objects takes a member that is a list of objects.
func (m *members) objects(name string) ([]*members, bool) {
	v, ok := m.values[name]
	if !ok || v.Kind() != '[' {
		return nil, false
	}
	var list []map[string]jsontext.Value
	if json.Unmarshal(v, &list) != nil {
		return nil, false
	}
	delete(m.values, name)
	out := make([]*members, 0, len(list))
	for _, values := range list {
		out = append(out, &members{values: values})
	}
	return out, true
}

// is takes a member that is true or false.
func (m *members) is(name string) bool {
	v, ok := m.values[name]
	if !ok || v.Kind() != 't' && v.Kind() != 'f' {
		return false
	}
	delete(m.values, name)
	return v.Kind() == 't'
}

// skip takes members that change nothing about the effects.
func (m *members) skip(names ...string) {
	if len(m.values) == 0 {
		return
	}
	for _, n := range names {
		delete(m.values, n)
	}
}

// done reports whether all members were read.
func (m *members) done() bool { return len(m.values) == 0 }

// eachText calls f for all strings of a JSON value, also for the names of members, as
// long as it says so.
func eachText(v jsontext.Value, f func(string) bool) {
	d := jsontext.NewDecoder(bytes.NewReader(v))
	for {
		t, err := d.ReadToken()
		if err != nil || t.Kind() == '"' && !f(t.String()) {
			return
		}
	}
}
