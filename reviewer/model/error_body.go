package model

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxNesting bounds how deep an error's words are looked for.
const maxNesting = 4

// reported reads what providers call an error. Each has its own form: an object "error"
// with code, type and message, that object in an array, a text "error", the members
// without it, "detail" with a text or a list of complaints, "base_resp". What is none of
// them is an error without a word.
func reported(data []byte) *providerError {
	members := membersOf(firstOf(data))
	if base := members["base_resp"]; failedBase(base) {
		of := membersOf(base)
		return &providerError{code: plain(of["status_code"]), message: wordsOf(of["status_msg"], 0), kinds: []string{plain(of["status_code"])}}
	}
	for _, name := range []string{"error", "errors", "detail"} {
		inner := firstOf(members[name])
		if inner.Kind() == jsontext.KindBeginObject && (name != "detail" || membersOf(inner)["loc"] == nil) {
			members = membersOf(inner)
			break
		}
	}
	r := &providerError{}
	for _, name := range []string{"code", "type", "error_type", "status"} {
		if kind := plain(members[name]); kind != "" {
			r.kinds = append(r.kinds, kind)
		}
	}
	if len(r.kinds) > 0 {
		r.code = r.kinds[0]
	}
	for _, name := range []string{"message", "error", "detail", "msg"} {
		if r.message == "" {
			r.message = wordsOf(members[name], 0)
		}
	}
	r.pass(membersOf(members["metadata"])["raw"])
	return r
}

// pass adds what a provider behind the provider said.
func (e *providerError) pass(raw jsontext.Value) {
	text := plain(raw)
	if text == "" {
		return
	}
	if behind := reported([]byte(text)); behind.said() {
		e.kinds = slices.Concat(e.kinds, behind.kinds)
		text = behind.message
	}
	e.message = strings.TrimPrefix(e.message+": "+text, ": ")
}

// said reports whether the error has a word or a code.
func (e *providerError) said() bool { return e.code != "" || e.message != "" }

// failedBase reports whether a base_resp, which stands in good answers as well, tells
// of a failure.
func failedBase(value jsontext.Value) bool {
	code := plain(membersOf(value)["status_code"])
	return code != "" && code != "0"
}

// firstOf is the value, or the first one of an array.
func firstOf(data []byte) jsontext.Value {
	var all []jsontext.Value
	if jsontext.Value(data).Kind() != jsontext.KindBeginArray {
		return data
	}
	if json.Unmarshal(data, &all, forgiving()) != nil || len(all) == 0 {
		return nil
	}
	return all[0]
}

// forgiving reads errors, in which nothing is decided: what can be read is shown.
func forgiving() jsontext.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func membersOf(data []byte) map[string]jsontext.Value {
	var members map[string]jsontext.Value
	if json.Unmarshal(data, &members, forgiving()) != nil {
		return nil
	}
	return members
}

// wordsOf is what a value says to people: a text, that of an object, or those of a list.
// What was sent, which some quote, is not among it.
func wordsOf(value jsontext.Value, depth int) string {
	switch {
	case depth > maxNesting:
		return ""
	case value.Kind() == jsontext.KindString:
		return plain(value)
	case value.Kind() == jsontext.KindBeginArray:
		var all []jsontext.Value
		if json.Unmarshal(value, &all, forgiving()) != nil {
			return ""
		}
		var said []string
		for _, one := range all {
			if words := wordsOf(one, depth+1); words != "" {
				said = append(said, words)
			}
		}
		return strings.Join(said, "; ")
	case value.Kind() != jsontext.KindBeginObject:
		return ""
	}
	members := membersOf(value)
	for _, name := range []string{"message", "msg", "detail", "error"} {
		if words := wordsOf(members[name], depth+1); words != "" {
			return placeOf(members["loc"]) + words
		}
	}
	return ""
}

// placeOf is where in the request a complaint finds its cause.
func placeOf(value jsontext.Value) string {
	var steps []jsontext.Value
	if json.Unmarshal(value, &steps, forgiving()) != nil || len(steps) == 0 {
		return ""
	}
	names := make([]string, len(steps))
	for i, step := range steps {
		names[i] = plain(step)
	}
	return strings.Join(names, ".") + ": "
}

// plain is a string's text and a number's digits.
func plain(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindString:
		text, err := jsontext.AppendUnquote(nil, value)
		if err != nil && len(text) == 0 {
			return ""
		}
		return string(text)
	case jsontext.KindNumber:
		return string(value)
	default:
		return ""
	}
}
