package auto

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// parseArguments reads the raw arguments of a native call as its body gets them
// (reference 4): nothing is an empty object, and what is no JSON is the text itself.
// ok is false for JSON that one reader takes for another value than the next: a
// member that is there twice, a string that is not UTF-8, a number that no double
// holds.
func parseArguments(raw string) (value jsontext.Value, ok bool) {
	v := jsontext.Value(raw)
	switch {
	case raw == "":
		return jsontext.Value("{}"), true
	case events.CheckJSON(v) == nil:
		return v, true
	case v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)):
		return nil, false
	}
	text, err := jsontext.AppendQuote(nil, raw)
	return text, err == nil
}

// same compares two values: members in any order, and numbers as doubles (1.0 is 1),
// but for whole ones, whose digits count, since two long ones can be one double. What
// is not lossless JSON is like nothing.
func same(a, b jsontext.Value) bool {
	if bytes.Equal(a, b) {
		return events.CheckJSON(a) == nil // as they mostly are: nothing needs to be put in order
	}
	x, okX := canonical(a)
	y, okY := canonical(b)
	return okX && okY && bytes.Equal(x, y)
}

func canonical(v jsontext.Value) (jsontext.Value, bool) {
	if events.CheckJSON(v) != nil {
		return nil, false
	}
	c := slices.Clone(v)
	err := c.Canonicalize(jsontext.CanonicalizeRawInts(false))
	return c, err == nil
}
