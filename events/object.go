package events

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// object is a JSON object whose members keep their order and bytes, so that an
// older format can be lifted without touching what it has in common with ours.
type object []member

type member struct {
	name  string
	value jsontext.Value
}

// parseObject reads an object that is known to be valid JSON.
func parseObject(v jsontext.Value) (object, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowInvalidUTF8(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil, fieldf("value", "must be an object")
	}
	var o object
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, jsonError(err)
		}
		n := name.String()
		val, err := dec.ReadValue()
		if err != nil {
			return nil, jsonError(err)
		}
		o = append(o, member{n, val.Clone()})
	}
	return o, nil
}

func (o object) get(name string) (jsontext.Value, bool) {
	for _, m := range o {
		if m.name == name {
			return m.value, true
		}
	}
	return nil, false
}

// text is a string member's value, or "".
func (o object) text(name string) string {
	v, _ := o.get(name)
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return ""
	}
	return string(s)
}

// set replaces a member in its place or adds it at the end.
func (o object) set(name string, v jsontext.Value) object {
	for i, m := range o {
		if m.name == name {
			o[i].value = v
			return o
		}
	}
	return append(o, member{name, v})
}

func (o object) setText(name, s string) object { return o.set(name, quote(s)) }

func (o object) without(name string) object {
	return slices.DeleteFunc(o, func(m member) bool { return m.name == name })
}

func (o object) bytes() jsontext.Value {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(m.name))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func quote(s string) jsontext.Value {
	q, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\ufffd"))
	if err != nil {
		return jsontext.Value(`""`)
	}
	return q
}

// blank replaces the string at a dotted path by an empty one and leaves all
// other bytes as they are. found is false where there is no such string.
func blank(v jsontext.Value, path string) (rest jsontext.Value, found bool) {
	head, deeper, nested := strings.Cut(path, ".")
	dec := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowInvalidUTF8(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil, false
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, false
		}
		wanted := name.String() == head
		inner, err := dec.ReadValue()
		if err != nil {
			return nil, false
		}
		if !wanted {
			continue
		}
		blanked := jsontext.Value(`""`)
		if found = inner.Kind() == '"'; nested {
			blanked, found = blank(inner.Clone(), deeper)
		}
		end := dec.InputOffset()
		return slices.Concat(v[:end-int64(len(inner))], blanked, v[end:]), found
	}
	return nil, false
}
