package approvals

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxPattern bounds a pattern, so that it can be shown whole.
const maxPattern = 1000

// Subject is what a permission is about: the action, which is not the wire name
// of a tool, on resources, and what is special about it.
type Subject struct {
	Action    string
	Resources []string
	Widening  bool // in a mode wider than the session's
	Failure   bool // the review failed
	Protected bool // touches a sensitive resource
}

// Pattern is what an "always" for the subject covers, and how it is shown: this
// action on exactly these resources, each as a JSON string. It is made here and
// never by a person or an agent, it has no wildcards, and there is none ("") for a
// widening, a failure, a protected resource, or a call whose resources are not
// known (design section 6; the rule on "always").
func (s Subject) Pattern() string {
	if s.Widening || s.Failure || s.Protected || s.Action == "" || len(s.Resources) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(s.Action)
	for i, r := range s.Resources {
		quoted, err := jsontext.AppendQuote(nil, r)
		if err != nil || r == "" {
			return ""
		}
		b.WriteString([]string{"(", ", "}[min(i, 1)])
		b.Write(quoted)
	}
	b.WriteByte(')')
	if b.Len() > maxPattern {
		return ""
	}
	return b.String()
}
