package auto

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
)

// The structured error of a final denial (seed 000, "Result and cancellation").
const (
	DeniedName = "AutoReviewDeniedError"
	DeniedCode = "AUTO_REVIEW_DENIED"
)

// Words are how auto's refusals read. The line of a denial is the seed's, to the
// letter.
func Words() reviewer.Words {
	return reviewer.Words{
		Denied: func(tool string) string {
			return fmt.Sprintf("Auto review rejected tool %q; its body was not executed", tool)
		},
		DeniedName: DeniedName,
		DeniedCode: DeniedCode,
		Failed: func(tool string, f *reviewer.Failure) string {
			return fmt.Sprintf("Auto review of tool %q failed and its body was not executed: %v", tool, f)
		},
		Question: question,
	}
}

// question is in English, as it goes on the log; what a person reads is localised
// where it is shown.
func question(tool string, reason jsontext.Value) string {
	text := fmt.Sprintf("Auto review denied tool %q", tool)
	if reason == nil {
		return text + "."
	}
	return text + ": " + plain(reason)
}
