package auto

import (
	"fmt"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// CallAt is the call that an event starts, as it stood when s had folded that event
// and nothing behind it. schema is what a program's call was bound to, nil where it
// is not known. The error says that the event starts no call.
func CallAt(s *projections.Session, e events.Envelope, schema *reviewer.Schema) (reviewer.Call, error) {
	switch ev := any(e.Event).(type) { // the two that start a call
	case events.ToolCall:
		arguments, _ := parseArguments(*ev.Arguments) // what is not lossless is refused as a mismatch
		return reviewer.Call{
			Turn: ev.Turn, Step: ev.Step, CallID: ev.CallID, RootCallID: ev.CallID,
			Mode: reviewer.ModeNative, Name: ev.Name, Arguments: arguments,
		}, nil
	case events.PTCDispatchStart:
		turn, step, _ := s.OpenStep() // it belongs to the one that is open, if any
		return reviewer.Call{
			Turn: turn, Step: step, CallID: ev.SubCallID, RootCallID: ev.RootCallID,
			Mode: reviewer.ModeInner, Name: ev.Name, Arguments: ev.Arguments, Schema: schema,
		}, nil
	default:
		return reviewer.Call{}, fmt.Errorf("auto: the event at seq %d is a %s, it starts no call", e.Seq, e.Type())
	}
}
