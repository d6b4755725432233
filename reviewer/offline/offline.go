// Package offline is the reviewer for machines without a model: rules in code
// that answer where a model would. It is given the same prompt, reads it strictly,
// and answers in the same protocol, so that everything around it is the same.
//
// What a call would do is found out by package effects. What a person or a direct
// parent wants is found out here.
//
// # Invariants
//
//   - It allows what the analysis proves to be harmless, and what a person named,
//     action and target, in words that leave no doubt. Everything else is denied, by a
//     rule that has a name.
//   - What the guard of the analysis denies is denied whoever asks for it, and so is
//     what has to be planned anew.
//   - A prompt that is other than expected is a failure and never an answer.
//   - No text but an instruction's can lead to an allow. Descriptions, arguments,
//     facts, checkpoints and project instructions only ever count against a call.
//   - It reads no clock and no network, and files only through what its [Config] gives
//     it. Without that, what it says of a path is said of its spelling, and no file is
//     the session's own.
//
// Start reading at [New], then at the order of decisions in judge.go.
package offline

import (
	"context"
	"errors"
	"iter"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/reviewer"
)

// Route is where requests to the offline reviewer go: builtin/policy.
func Route() reviewer.Route { return reviewer.BuiltinRoute() }

// Config is what is known of the machine that calls run on. All of it may be left
// out: what is not known proves nothing.
type Config struct {
	// Home is the user's folder, absolute.
	Home string
	// Platform is a GOOS; "" is linux.
	Platform string
	// Engine is what belongs to the engine itself, which no reviewed call may touch.
	Engine effects.Engine
	// Files gives a view of what exists for a session's folder. Leave it nil where
	// calls may run on another machine than this.
	Files func(workspace string) effects.FileSystem
	// Identity tells those files from one another. Leave it nil where Files is.
	Identity Identity
}

// facts are those of a call in a session's folder.
func (c Config) facts(cwd string) effects.Facts {
	f := effects.Facts{Workspace: cwd, Dir: cwd, Home: c.Home, Platform: c.Platform, Engine: c.Engine}
	if c.Files != nil {
		f.Files = c.Files(cwd)
	}
	return f
}

// New makes the offline reviewer. It holds no state: the same prompt and the same
// files have the same answer for ever.
func New(c Config) reviewer.Model { return policy{config: c} }

type policy struct{ config Config }

// codePrompt says that the prompt is not one that the offline reviewer knows.
const codePrompt = "PROMPT_NOT_UNDERSTOOD"

// Stream answers at once.
func (p policy) Stream(ctx context.Context, prompt reviewer.Prompt) iter.Seq2[reviewer.Chunk, error] {
	return func(yield func(reviewer.Chunk, error) bool) {
		if err := context.Cause(ctx); err != nil {
			yield(nil, ended(err))
			return
		}
		for _, chunk := range p.answer(prompt) {
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
func (p policy) answer(prompt reviewer.Prompt) []reviewer.Chunk {
	r, err := parseRequest(prompt.User)
	var text []byte
	if err == nil {
		err = r.known(prompt.Record, p.config.Identity)
	}
	if err == nil {
		r.facts = p.config.facts(r.cwd)
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
