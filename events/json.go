package events

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth bounds how deep a stored value may be nested, so that no reader of a
// log needs a deep stack.
const maxDepth = 512

// CheckJSON reports whether data is one value of lossless JSON (reference 1.2):
// strict syntax, valid UTF-8 without lone surrogates, no duplicate members, no
// negative zero, no number beyond a double, at most 512 levels deep.
func CheckJSON(data []byte) error {
	if !jsontext.Value(data).IsValid() { // which does not say why
		return jsonError(strictSyntax(data))
	}
	return checkNumbers(data)
}

// unmarshal decodes strict JSON and turns the library's errors into field errors
// whose path starts below the given value. Null is a type of its own: only
// members that are kept as JSON text may hold it.
func unmarshal(data []byte, into any, opts ...json.Options) error {
	if bytes.Contains(data, []byte("null")) { // the check is not free
		opts = append(opts, refuseNull)
	}
	return jsonError(json.Unmarshal(data, into, opts...))
}

var refuseNull = json.WithUnmarshalers(json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
	if _, text := into.(*jsontext.Value); text || dec.PeekKind() != 'n' {
		return errors.ErrUnsupported // the default
	}
	return fieldf(wholeValue, "must not be null")
}))

func jsonError(err error) error {
	if err == nil {
		return nil
	}
	if sem, ok := errors.AsType[*json.SemanticError](err); ok {
		if f, ok := errors.AsType[*FieldError](sem.Err); ok {
			return within(fieldPath(sem.JSONPointer), f)
		}
		return &FieldError{Field: fieldPath(sem.JSONPointer), Rule: semanticRule(sem)}
	}
	if syn, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return &FieldError{Field: fieldPath(syn.JSONPointer), Rule: "is not strict JSON: " + syn.Err.Error()}
	}
	return &FieldError{Field: wholeValue, Rule: "is not strict JSON: " + err.Error()}
}

func semanticRule(err *json.SemanticError) string {
	if errors.Is(err, json.ErrUnknownName) {
		return "is not a known member"
	}
	if err.JSONKind == 0 || err.GoType == nil {
		return "has the wrong type"
	}
	got := kindName(err.JSONKind)
	if len(err.JSONValue) > 0 && len(err.JSONValue) <= 32 {
		got = string(err.JSONValue)
	}
	return "must be " + goName(err.GoType.Kind().String()) + ", is " + got
}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	default:
		return "an array"
	}
}

func goName(kind string) string {
	switch {
	case strings.HasPrefix(kind, "uint"):
		return "a whole number from 0"
	case strings.HasPrefix(kind, "int"):
		return "an integer"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	case kind == "bool":
		return "a boolean"
	case kind == "slice":
		return "an array"
	case kind == "string":
		return "a string"
	default:
		return "an object"
	}
}

// fieldPath writes a JSON pointer as the dotted path that people read.
func fieldPath(p jsontext.Pointer) string {
	if p == "" {
		return wholeValue
	}
	var b strings.Builder
	for token := range p.Tokens() {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		if token == "" {
			token = `""`
		}
		b.WriteString(token)
	}
	return b.String()
}

// checkNumbers finds what strict syntax lets through: negative zero, numbers
// that overflow a double, and nesting beyond maxDepth. It walks the tokens only
// where a first look finds a suspect.
func checkNumbers(data []byte) error {
	if !suspect(data) {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true))
	for {
		tok, err := dec.ReadToken()
		if err != nil {
			return nil // the end: syntax has been checked before
		}
		if dec.StackDepth() > maxDepth {
			return fieldf(fieldPath(dec.StackPointer()), "is nested deeper than %d levels", maxDepth)
		}
		if tok.Kind() != '0' {
			continue
		}
		f, err := strconv.ParseFloat(tok.String(), 64)
		if err != nil || math.IsInf(f, 0) {
			return fieldf(fieldPath(dec.StackPointer()), "must be a number that a double can hold")
		}
		if f == 0 && math.Signbit(f) {
			return fieldf(fieldPath(dec.StackPointer()), "must not be negative zero")
		}
	}
}

// suspect reports whether data could hold a number or a nesting that the token
// walk would refuse: "-0", an exponent, a very long run of digits, or many
// opening brackets. It looks only at what may stand in front of a number, so that
// it costs little beside the parse; text that looks like JSON only costs a walk.
func suspect(data []byte) bool {
	if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxDepth {
		return true
	}
	for i, c := range data {
		if (c == ':' || c == ',' || c == '[') && suspectNumber(data[i+1:]) {
			return true
		}
	}
	return suspectNumber(data)
}

// suspectNumber reports whether data begins with a number in exponent form, one
// of more than 300 characters, or one that begins with -0.
func suspectNumber(data []byte) bool {
	i := 0
	for i < len(data) && (data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n') {
		i++
	}
	data = data[i:]
	for i, c := range data {
		switch {
		case c >= '1' && c <= '9' || c == '.' || c == '-':
		case c == '0':
			if i == 1 && data[0] == '-' {
				return true
			}
		case c == 'e' || c == 'E':
			return i > 0
		default:
			return false
		}
		if i > 300 {
			return true
		}
	}
	return false
}

// strictSyntax reads one value and nothing behind it.
func strictSyntax(data []byte) error {
	var v jsontext.Value
	return json.Unmarshal(data, &v)
}
