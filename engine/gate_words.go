package engine

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
)

// plainWords are for a review whose integration is not there any more.
func plainWords() reviewer.Words {
	return reviewer.Words{
		Denied: func(tool string) string {
			return fmt.Sprintf("The review rejected tool %q; its body was not executed", tool)
		},
		DeniedName: "ReviewDeniedError", DeniedCode: "REVIEW_DENIED",
		Failed: func(tool string, f *reviewer.Failure) string {
			return fmt.Sprintf("The review of tool %q failed and its body was not executed: %v", tool, f)
		},
		Question: func(tool string, _ jsontext.Value) string { return fmt.Sprintf("The review denied tool %q.", tool) },
	}
}
