package tools

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// RunCodeName is the name of the tool that runs programs. A program is never
// bound to it.
const RunCodeName = "run_code"

// Schema is a tool's definition as a program was bound to it.
type Schema struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  jsontext.Value `json:"parameters"`
}

// clone is a copy that shares nothing.
func (s Schema) clone() Schema {
	s.Parameters = slices.Clone(s.Parameters)
	return s
}

// Caller puts a program's inner calls on the record, has them reviewed, and runs
// them. A run has one Caller; two runs have two.
type Caller interface {
	// Bindings are the tools that the program may call. It is asked once, before the
	// program starts. What it gives is copied and does not change while the program
	// runs; run_code itself is left out.
	Bindings() []Schema

	// Start puts the call on the record and returns when the gate has answered: the
	// body has its leave, or the call was refused, and a refused call is a [Running]
	// that ends at once. A run calls it for one call at a time, in the order of
	// their numbers, so that reviews of siblings never overlap and starts are on the
	// record in the order of submission. It may wait for earlier bodies, where the
	// tools do not go together.
	//
	// An error says that the call is not on the record. It ends the run.
	// ctx ends when the run is cancelled or has failed, never because the program
	// came to its end.
	Start(ctx context.Context, c InnerCall) (Running, error)
}

// Running is an inner call that was started.
type Running interface {
	// Wait returns when the body has ended, or at once for a call that was refused.
	// The run calls it exactly once, from a goroutine of its own, and does not
	// return before it has. The settle events are on the record when it returns, in
	// the order of the numbers: to hold back a later one until the earlier ones
	// are there is up to the Caller, and so is cancelling the body when the context
	// of Start ends.
	Wait() InnerResult
}

// InnerCall is a call that a program makes.
type InnerCall struct {
	// Number counts the run's calls in the order of submission, from 1. A call that
	// was never submitted, because its arguments are no JSON, has none.
	Number int
	Name   string
	// Arguments are lossless JSON, of any shape: the tool judges them.
	Arguments jsontext.Value
	// Schema is the definition that the program was bound to when it started.
	Schema Schema
}

// InnerResult is what the program gets to know of a call.
type InnerResult struct {
	Text    string // what the call resolves to
	IsError bool
	// Message is that of the exception, if IsError, without a leading "Error: ".
	Message string
}
