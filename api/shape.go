package api

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// shape is what a type says of the JSON that it is read from. It is made once for a
// kind of requests.
type shape struct {
	list    bool // of objects
	members []member
}

// member is one of an object.
type member struct {
	name     string
	raw      bool // the caller's own JSON, which may be null
	optional bool
	inner    *shape // nil where nothing of it is this package's own
}

var rawType = reflect.TypeFor[jsontext.Value]()

// shapeOf gives the shape of an object or a list of objects that are this package's
// own; nil for anything else.
func shapeOf(t reflect.Type) *shape {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Slice && ours(t.Elem()):
		s := shapeOf(t.Elem())
		return &shape{list: true, members: s.members}
	case ours(t):
		return &shape{members: membersOf(t)}
	default:
		return nil
	}
}

// membersOf are the members of a struct, those of embedded structs included.
func membersOf(t reflect.Type) []member {
	var out []member
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		out = append(out, member{name: name, raw: f.Type == rawType, optional: strings.Contains(options, "omitzero"), inner: shapeOf(f.Type)})
	}
	return out
}

// ours reports whether a type is a struct of this package.
func ours(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[Error]().PkgPath()
}

// required finds the first member that is missing, also in objects and lists that are
// this package's own. data is what the decoder has accepted.
func (s *shape) required(data []byte, path string) *Error {
	switch {
	case s == nil:
		return nil
	case !s.list:
		return s.requiredMembers(data, path)
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	for i := 0; dec.PeekKind() != ']'; i++ {
		v, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		if err := s.requiredMembers(v, join(path, strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

func (s *shape) requiredMembers(data []byte, path string) *Error {
	found, ok := s.find(data)
	if !ok {
		return invalid(path, "must be an object")
	}
	for i, m := range s.members {
		switch v := found[i]; {
		case len(v) == 0 && m.optional:
		case len(v) == 0:
			return invalid(join(path, m.name), "is missing")
		case v.Kind() == 'n' && !m.raw:
			return invalid(join(path, m.name), "must not be null: leave it out")
		default:
			if err := m.inner.required(v, join(path, m.name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// find gives the members of an object in the shape's order, nothing for those that
// are not there. They are parts of data. Null has none, anything else is no object.
func (s *shape) find(data []byte) (found []jsontext.Value, ok bool) {
	found = make([]jsontext.Value, len(s.members))
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	switch tok, err := dec.ReadToken(); {
	case err != nil:
		return nil, false
	case tok.Kind() != '{':
		return found, tok.Kind() == 'n'
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, false
		}
		at := s.index(name.String())
		v, err := dec.ReadValue()
		if err != nil {
			return nil, false
		}
		if at >= 0 {
			end := int(dec.InputOffset())
			found[at] = data[end-len(v) : end]
		}
	}
	_, err := dec.ReadToken()
	return found, err == nil
}

func (s *shape) index(name string) int {
	for i, m := range s.members {
		if m.name == name {
			return i
		}
	}
	return -1
}
