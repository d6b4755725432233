package api

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// MaxRequest is how large a request may be, in bytes: a record of the log has to
// hold what it says (design section 11).
const MaxRequest = 960 << 10

// Decode reads a request strictly. An empty one stands for {}.
func Decode[T any](data []byte) (T, *Error) { return Decoder[T]()(data) }

// Decoder gives a Decode for many requests of one kind.
func Decoder[T any]() func(data []byte) (T, *Error) {
	s := shapeOf(reflect.TypeFor[T]())
	return func(data []byte) (T, *Error) { return decode[T](s, data) }
}

func decode[T any](s *shape, data []byte) (T, *Error) {
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
	if err := s.refuseNulls(data); err != nil {
		return v, err
	}
	if err := json.Unmarshal(data, &v, json.RejectUnknownMembers(true)); err != nil {
		return v, decodeError(err)
	}
	if err := s.required(data, ""); err != nil {
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
func (s *shape) refuseNulls(data []byte) *Error {
	if s == nil || !bytes.Contains(data, []byte("null")) {
		return nil
	}
	found, ok := s.find(data)
	if !ok {
		return nil // the decoder says what is wrong
	}
	for i, m := range s.members {
		if found[i].Kind() == 'n' && !m.raw {
			return invalid(m.name, "must not be null: leave it out")
		}
	}
	return nil
}
