package approvals_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
)

func hashOf(t *testing.T, s approvals.Shown) string {
	t.Helper()
	h, err := s.Hash()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestAnyOfTheFiveChangesTheHash(t *testing.T) {
	base := hashOf(t, shown())
	seen := map[string]string{base: "nothing"}
	for name, change := range map[string]func(*approvals.Shown){
		"tool":                       func(s *approvals.Shown) { s.Tool = "edit" },
		"arguments":                  func(s *approvals.Shown) { s.Arguments = jsontext.Value(`{"command":"make tests"}`) },
		"cwd":                        func(s *approvals.Shown) { s.CWD = "/workspace" },
		"mode":                       func(s *approvals.Shown) { s.Mode = events.ModeDangerFullAccess },
		"chain":                      func(s *approvals.Shown) { s.Chain = s.Chain.Next([]byte("{}")) },
		"the place of the same text": func(s *approvals.Shown) { s.CWD, s.Mode = s.Mode, s.CWD },
		"a long number":              func(s *approvals.Shown) { s.Arguments = jsontext.Value(`{"n":9007199254740993}`) },
		"the next long one":          func(s *approvals.Shown) { s.Arguments = jsontext.Value(`{"n":9007199254740992}`) },
	} {
		s := shown()
		change(&s)
		h := hashOf(t, s)
		if other, taken := seen[h]; taken {
			t.Errorf("a change of %s has the hash of %s", name, other)
		}
		seen[h] = name
	}
}

func TestTheSpellingOfArgumentsDoesNotMatter(t *testing.T) {
	s, other := shown(), shown()
	s.Arguments = jsontext.Value(`{"a":"é","b":[1]}`)
	other.Arguments = jsontext.Value("{ \"b\" : [ 1 ],\n\"a\":\"\\u00e9\" }")
	if hashOf(t, s) != hashOf(t, other) {
		t.Error("got two hashes for one value")
	}
	if string(s.Arguments) != `{"a":"é","b":[1]}` {
		t.Errorf("got the arguments changed to %s", s.Arguments)
	}
}

func TestTheHashIsWhatItWas(t *testing.T) {
	// An open question must stay answerable by another version of the engine.
	const want = "04a3d4a74dda6261ec729219e2af6e7d92d632329b9a4e05fbe2ae2f7c4afff7"
	if got := hashOf(t, shown()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWhatIsNoJSONHasNoHash(t *testing.T) {
	for _, arguments := range []string{"", "{", `{"a":1,"a":2}`, `"\ud800"`} {
		s := shown()
		s.Arguments = jsontext.Value(arguments)
		_, err := s.Hash()
		wantCode(t, err, approvals.CodeBadQuestion)
	}
	s := shown()
	s.Tool = "\xff"
	_, err := s.Hash()
	wantCode(t, err, approvals.CodeBadQuestion)
}

func TestPatternsAreExactAndOnlyWhereAllowed(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for name, tc := range map[string]struct {
		about approvals.Subject
		want  string
	}{
		"one resource":      {approvals.Subject{Action: "run", Resources: []string{"npm test"}}, `run("npm test")`},
		"two":               {approvals.Subject{Action: "edit", Resources: []string{"a", "b"}}, `edit("a", "b")`},
		"quotes and stars":  {approvals.Subject{Action: "run", Resources: []string{`echo "*"`}}, `run("echo \"*\"")`},
		"a comma in one":    {approvals.Subject{Action: "edit", Resources: []string{`a", "b`}}, `edit("a\", \"b")`},
		"a widening":        {approvals.Subject{Action: "run", Resources: []string{"x"}, Widening: true}, ""},
		"a failure":         {approvals.Subject{Action: "run", Resources: []string{"x"}, Failure: true}, ""},
		"protected":         {approvals.Subject{Action: "run", Resources: []string{"x"}, Protected: true}, ""},
		"nothing known":     {approvals.Subject{Action: "run"}, ""},
		"an empty resource": {approvals.Subject{Action: "run", Resources: []string{""}}, ""},
		"no action":         {approvals.Subject{Resources: []string{"x"}}, ""},
		"too long to show":  {approvals.Subject{Action: "run", Resources: []string{long}}, ""},
		"not UTF-8":         {approvals.Subject{Action: "run", Resources: []string{"\xff"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tc.about.Pattern(); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
