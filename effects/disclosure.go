package effects

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects/secrets"
)

// disclosure marks a call with a secret whose end cannot be told: it can be hidden
// from no model but with everything around it, so that a person decides (design
// section 8).
func (a *analysis) disclosure(arguments jsontext.Value) {
	if _, delimited := secrets.Find(string(arguments)); !delimited {
		a.undisclosable = true
		a.say("secret-undelimited", Span{}, "")
	}
}
