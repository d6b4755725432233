package reviewer

import "github.com/go-json-experiment/json/jsontext"

// Words are how a reviewer's answers read where a call does not run. Each refusal
// has its own, so that nobody takes one for another.
type Words struct {
	// Denied is what the agent reads of a final denial: no reason, since the agent
	// would work around it. DeniedName and DeniedCode are the structured error, which
	// carries the raw reason.
	Denied                 func(tool string) string
	DeniedName, DeniedCode string
	// Failed is what the agent reads of a review that came to no answer.
	Failed func(tool string, f *Failure) string
	// Question is the reason of the question to a person that a denial becomes.
	// reason is the raw literal, nil for none.
	Question func(tool string, reason jsontext.Value) string
}
