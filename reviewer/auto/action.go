package auto

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// action is the PENDING_ACTION.
type action struct {
	mode        reviewer.Mode
	name        string
	description jsontext.Value // a string
	parameters  jsontext.Value // an object
	arguments   jsontext.Value
}

// pendingAction is what the call would do, as the log has it (checks 15 to 19; for an
// inner call 17 comes last, since only then there is a schema). The registry of tools
// is never consulted.
func pendingAction(s *projections.Session, c reviewer.Call) (action, error) {
	var schema reviewer.Schema
	var description jsontext.Value
	var err error
	switch c.Mode {
	case reviewer.ModeNative:
		schema, description, err = nativeSchema(s, c)
	case reviewer.ModeInner:
		schema, description, err = innerSchema(s, c)
	default:
		err = ErrNativeActionMismatch.With("the call is neither native nor a program's")
	}
	if err != nil {
		return action{}, err
	}
	if description.Kind() != jsontext.KindString {
		return action{}, ErrSchemaIncomplete.With("the description of %q is no string", clip(c.Name))
	}
	if schema.Parameters.Kind() != jsontext.KindBeginObject || !schema.Parameters.IsValid() {
		return action{}, ErrSchemaIncomplete.With("the parameters of %q are no object", clip(c.Name))
	}
	return action{mode: c.Mode, name: c.Name, description: description, parameters: schema.Parameters, arguments: c.Arguments}, nil
}

// nativeSchema: checks 15 and 16.
func nativeSchema(s *projections.Session, c reviewer.Call) (reviewer.Schema, jsontext.Value, error) {
	logged, n := s.Calls.Find(c.CallID)
	if n != 1 || logged.Name != c.Name {
		return reviewer.Schema{}, nil, ErrNativeActionMismatch.With("the log has another name for the call %q", clip(c.CallID))
	}
	arguments, ok := parseArguments(logged.Arguments)
	if !ok {
		return reviewer.Schema{}, nil, ErrNativeActionMismatch.With("the arguments of the call %q are not lossless JSON", clip(c.CallID))
	}
	if !same(arguments, c.Arguments) {
		return reviewer.Schema{}, nil, ErrNativeActionMismatch.With("the log has other arguments for the call %q", clip(c.CallID))
	}
	found := 0
	var tool events.ToolDefinition
	for _, t := range s.Request.Header.Tools {
		if t.Name == c.Name {
			found++
			tool = t
		}
	}
	if found != 1 {
		return reviewer.Schema{}, nil, ErrNativeSchemaNotUnique.With("the latest request/header defines the tool %q %d times", clip(c.Name), found)
	}
	return reviewer.Schema{Name: tool.Name, Parameters: tool.Parameters}, tool.Description, nil
}

// innerSchema: checks 18 and 19.
func innerSchema(s *projections.Session, c reviewer.Call) (reviewer.Schema, jsontext.Value, error) {
	start, n := s.Calls.FindInner(c.CallID)
	switch {
	case n != 1 || start.Root != c.RootCallID:
		return reviewer.Schema{}, nil, ErrPTCActionMismatch.With("the log has another root for the inner call %q", clip(c.CallID))
	case !descends(&s.Calls, *start):
		return reviewer.Schema{}, nil, ErrPTCActionMismatch.With("the parent of the inner call %q is no call of its root", clip(c.CallID))
	case start.Name != c.Name:
		return reviewer.Schema{}, nil, ErrPTCActionMismatch.With("the log has another name for the inner call %q", clip(c.CallID))
	case !same(jsontext.Value(start.Arguments), c.Arguments):
		return reviewer.Schema{}, nil, ErrPTCActionMismatch.With("the log has other arguments for the inner call %q", clip(c.CallID))
	case c.Schema == nil:
		return reviewer.Schema{}, nil, ErrPTCSchemaMissing.With("the program's binding of %q was not kept", clip(c.Name))
	case c.Schema.Name != c.Name:
		return reviewer.Schema{}, nil, ErrPTCSchemaMissing.With("the program's binding is of another tool than %q", clip(c.Name))
	}
	var description jsontext.Value
	if c.Schema.Description != nil {
		text, err := jsontext.AppendQuote(nil, *c.Schema.Description)
		if err != nil {
			return reviewer.Schema{}, nil, ErrSchemaIncomplete.With("the description of %q is not UTF-8", clip(c.Name))
		}
		description = text
	}
	return *c.Schema, description, nil
}

// descends reports whether the parents of an inner call lead to its root, each of
// them logged before it in the step. That the root is logged and visible has been
// checked.
func descends(calls *projections.Calls, start projections.InnerCall) bool {
	for start.Parent != start.Root {
		parent, n := calls.FindInner(start.Parent)
		if n != 1 || parent.Root != start.Root || parent.Seq >= start.Seq {
			return false
		}
		start = *parent
	}
	return true
}
