package api

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// MaxRequest is how large a request may be, in bytes: a record of the log has to
// hold what it says (design section 11).
const MaxRequest = 960 << 10

// Decode reads a request strictly. An empty one stands for {}.
func Decode[T any](data []byte) (T, *Error) {
	var v T
	if len(data) > MaxRequest {
		return v, &Error{Code: CodeTooLarge, Message: fmt.Sprintf("the request takes %d bytes, and %d are allowed", len(data), MaxRequest)}
	}
	if len(data) == 0 {
		data = []byte("{}")
	}
	if jsontext.Value(data).Kind() != '{' {
		return v, invalid("", "the request is not a JSON object")
	}
	if err := refuseNulls(data, reflect.TypeFor[T]()); err != nil {
		return v, err
	}
	if err := json.Unmarshal(data, &v, json.RejectUnknownMembers(true)); err != nil {
		return v, decodeError(err)
	}
	if err := required(data, reflect.TypeFor[T](), ""); err != nil {
		return v, err
	}
	if c, ok := any(v).(checker); ok {
		if err := c.check(); err != nil {
			return v, err
		}
	}
	return v, nil
}

// checker is a request with rules beyond its members' types.
type checker interface{ check() *Error }

func invalid(field, message string, args ...any) *Error {
	return &Error{Code: CodeInvalid, Field: field, Message: fmt.Sprintf(message, args...)}
}

// decodeError says in our own words at which member a decoder stopped, without
// what it found there: that may be a secret in a wrong place.
func decodeError(err error) *Error {
	if f, ok := errors.AsType[*events.FieldError](err); ok {
		path := ""
		if s, ok := errors.AsType[*json.SemanticError](err); ok {
			path = dotted(s.JSONPointer)
		}
		return invalid(join(path, f.Field), "does not have the shape that it needs")
	}
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return invalid(dotted(s.JSONPointer), "is given twice")
		}
		return invalid(dotted(s.JSONPointer), "the request is not strict JSON, from byte %d on", s.ByteOffset)
	}
	s, ok := errors.AsType[*json.SemanticError](err)
	switch {
	case !ok:
		return invalid("", "the request is not strict JSON")
	case errors.Is(err, json.ErrUnknownName):
		return invalid(dotted(s.JSONPointer), "is not a member of this request")
	default:
		return invalid(dotted(s.JSONPointer), "has the wrong type")
	}
}

// dotted writes a pointer as the path that people read: answers.0.hash.
func dotted(p jsontext.Pointer) string { return strings.Join(slices.Collect(p.Tokens()), ".") }

func join(outer, inner string) string {
	switch {
	case outer == "":
		return inner
	case inner == "" || inner == "value":
		return outer
	default:
		return outer + "." + inner
	}
}

// refuseNulls finds what the decoder would take for a member that is not there.
// Values that are the caller's own may hold nulls.
func refuseNulls(data []byte, t reflect.Type) *Error {
	if !strings.Contains(string(data), "null") {
		return nil
	}
	var members map[string]jsontext.Value
	if json.Unmarshal(data, &members) != nil {
		return nil // the decoder says what is wrong
	}
	for _, f := range fieldsOf(t) {
		v, there := members[f.name]
		if there && v.Kind() == 'n' && f.typ != rawType {
			return invalid(f.name, "must not be null: leave it out")
		}
	}
	return nil
}

// field is a member of a request.
type field struct {
	name     string
	typ      reflect.Type
	optional bool
}

var rawType = reflect.TypeFor[jsontext.Value]()

// fieldsOf are the members of a struct, those of embedded structs included.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		out = append(out, field{name, f.Type, strings.Contains(options, "omitzero")})
	}
	return out
}

// required finds the first member that is missing, also in objects and lists that
// are this package's own.
func required(data []byte, t reflect.Type, path string) *Error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Slice && ours(t.Elem()):
		var list []jsontext.Value
		if json.Unmarshal(data, &list) != nil {
			return nil // the decoder has accepted it
		}
		for i, v := range list {
			if err := required(v, t.Elem(), join(path, strconv.Itoa(i))); err != nil {
				return err
			}
		}
	case ours(t):
		return requiredMembers(data, t, path)
	}
	return nil
}

func requiredMembers(data []byte, t reflect.Type, path string) *Error {
	var members map[string]jsontext.Value
	if json.Unmarshal(data, &members) != nil {
		return invalid(path, "must be an object")
	}
	for _, f := range fieldsOf(t) {
		v, there := members[f.name]
		switch {
		case there && v.Kind() == 'n' && f.typ != rawType:
			return invalid(join(path, f.name), "must not be null: leave it out")
		case there:
			if err := required(v, f.typ, join(path, f.name)); err != nil {
				return err
			}
		case !f.optional:
			return invalid(join(path, f.name), "is missing")
		}
	}
	return nil
}

// ours reports whether a type is a struct of this package.
func ours(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[Error]().PkgPath()
}
