// Package offline is the reviewer for machines without a model: rules in code
// that answer where a model would. It is given the same prompt, reads it strictly,
// and answers in the same protocol, so that everything around it is the same.
//
// # Invariants
//
//   - It allows what it can prove to be harmless and within the project, and what
//     a person named, action and target, in words that leave no doubt. Everything
//     else is denied, by a rule that has a name.
//   - A prompt that is other than expected is a failure and never an answer.
//   - No text but an instruction's can lead to an allow. Descriptions, arguments,
//     facts, checkpoints and project instructions only ever count against a call.
//   - It reads no file, clock or network. What it says of a path is said of the
//     path's spelling.
//
// Start reading at [New], then at the rules in rules.go.
package offline

import (
	"context"
	"errors"
	"iter"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/reviewer"
)

// Route is where requests to the offline reviewer go: builtin/policy.
func Route() reviewer.Route { return reviewer.BuiltinRoute() }

// New makes the offline reviewer. It holds no state, and the same prompt has the
// same answer for ever.
func New() reviewer.Model { return policy{} }

type policy struct{}

// codePrompt says that the prompt is not one that the offline reviewer knows.
const codePrompt = "PROMPT_NOT_UNDERSTOOD"

// Stream answers at once.
func (policy) Stream(ctx context.Context, p reviewer.Prompt) iter.Seq2[reviewer.Chunk, error] {
	return func(yield func(reviewer.Chunk, error) bool) {
		if err := context.Cause(ctx); err != nil {
			yield(nil, ended(err))
			return
		}
		for _, chunk := range answer(p) {
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

func ended(err error) *reviewer.Failure {
	f := &reviewer.Failure{Class: reviewer.ClassCancelled, Code: "REVIEW_CANCELLED", Detail: "the review was cancelled", Err: err}
	if errors.Is(err, context.DeadlineExceeded) {
		f.Class, f.Code, f.Detail = reviewer.ClassTimeout, "TIMEOUT", "the review took too long"
	}
	return f
}

// answer is the whole stream of an answer.
func answer(p reviewer.Prompt) []reviewer.Chunk {
	r, err := parseRequest(p.User)
	var text []byte
	if err == nil {
		text, err = json.Marshal(judge(r).result())
	}
	if err != nil {
		return []reviewer.Chunk{reviewer.Finish{Kind: reviewer.FinishError, Code: codePrompt, Message: err.Error()}}
	}
	return []reviewer.Chunk{
		reviewer.Delta{Kind: reviewer.BlockText, Text: string(text)},
		reviewer.BlockEnd{Kind: reviewer.BlockText},
		reviewer.Finish{Kind: reviewer.FinishStop},
	}
}
