package auto

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// parseArguments reads the raw arguments of a native call as its body gets them
// (reference 4): nothing is an empty object, and what is no JSON is the text itself.
// ok is false for what one reader takes for another value than the next: a member
// that is there twice, or a string that is not UTF-8.
func parseArguments(raw string) (value jsontext.Value, ok bool) {
	v := jsontext.Value(raw)
	switch {
	case raw == "":
		return jsontext.Value("{}"), true
	case v.IsValid():
		return v, true
	case v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)):
		return nil, false
	}
	text, err := jsontext.AppendQuote(nil, raw)
	return text, err == nil
}

// same compares two values: members in any order, and numbers as doubles (1.0 is 1),
// but for whole ones, whose digits count, since two long ones can be one double.
func same(a, b jsontext.Value) bool {
	x, okX := canonical(a)
	y, okY := canonical(b)
	return okX && okY && bytes.Equal(x, y)
}

func canonical(v jsontext.Value) (jsontext.Value, bool) {
	c := slices.Clone(v)
	err := c.Canonicalize(jsontext.CanonicalizeRawInts(false))
	return c, err == nil
}
