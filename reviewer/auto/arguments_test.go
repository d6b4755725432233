package auto

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestArgumentsAreParsedAsTheBodyGetsThem(t *testing.T) {
	for raw, want := range map[string]string{
		"":                    `{}`,
		`{"a":1}`:             `{"a":1}`,
		" [1, 2] ":            " [1, 2] ",
		`"text"`:              `"text"`,
		"null":                "null",
		"not-json":            `"not-json"`,
		`{"a":`:               `"{\"a\":"`,
		`{"a":1} {"b":2}`:     `"{\"a\":1} {\"b\":2}"`,
		"{'a':1}":             `"{'a':1}"`,
		"\u00a0{}":            "\"\u00a0{}\"",
		`{"a":1,"a":2}`:       "",
		`{"a":1,"\u0061":2}`:  "",
		`{"a":{"b":1,"b":1}}`: "",
		`{"a":"\ud800"}`:      "",
		"{\"a\":\"\xff\"}":    "",
		`{"a":1e400}`:         "",
		`{"a":-0}`:            "",
	} {
		got, ok := parseArguments(raw)
		if ok != (want != "") || ok && string(got) != want {
			t.Errorf("%q: got %s, %t, want %s", raw, got, ok, want)
		}
	}
}

func TestValuesAreComparedByWhatTheyAre(t *testing.T) {
	for name, tc := range map[string]struct {
		a, b string
		same bool
	}{
		"spaces":                          {`{"a": [1, 2]}`, `{"a":[1,2]}`, true},
		"order of members":                {`{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		"order of elements":               {`[1,2]`, `[2,1]`, false},
		"escapes":                         {`"\u0061"`, `"a"`, true},
		"a double that is whole":          {`1.0`, `1`, true},
		"an exponent":                     {`1e2`, `100`, true},
		"digits beyond a double":          {`9007199254740993`, `9007199254740992`, false},
		"a string is no number":           {`"1"`, `1`, false},
		"nothing is not null":             {``, `null`, false},
		"a member more":                   {`{"a":1}`, `{"a":1,"b":null}`, false},
		"what is no JSON is like nothing": {`{`, `{`, false},
	} {
		if got := same(jsontext.Value(tc.a), jsontext.Value(tc.b)); got != tc.same {
			t.Errorf("%s: got %t for %s and %s", name, got, tc.a, tc.b)
		}
	}
}

// FuzzArguments: whatever a model writes is read as one JSON value that is the same
// as itself, or refused.
func FuzzArguments(f *testing.F) {
	for _, raw := range []string{"", "{}", `{"a":1,"a":2}`, "not json", `"\ud800"`, "\xff", "1e400", "-0", "[[[["} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		v, ok := parseArguments(raw)
		if !ok {
			return
		}
		if !v.IsValid() {
			t.Fatalf("%q is read as %s, which is no JSON", raw, v)
		}
		again, ok := parseArguments(string(v))
		if !ok || !same(v, again) {
			t.Fatalf("%q is read as %s, which is not the same as itself", raw, v)
		}
	})
}
