package lineage

import (
	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage/delegation"
)

// applyCall keeps the open step's calls, which spawns and messages name.
func (s *State) applyCall(e events.Envelope) {
	switch ev := any(e.Event).(type) {
	case events.StepStart, events.StepEnd:
		s.Calls = nil
	case events.ToolCall:
		s.called(ev.CallID, ev.Name, []byte(*ev.Arguments))
	case events.PTCDispatchStart:
		s.called(ev.SubCallID, ev.Name, ev.Arguments)
	case events.ToolDispatched:
		s.eachCall(ev.CallID, func(c *StepCall) { c.Dispatched, c.ByPreset = new(e.Seq), ev.PresetSeq != nil })
	case events.ToolResult:
		if ev.Message.IsError || ev.Error != nil {
			s.eachCall(ev.CallID(), func(c *StepCall) { c.Void = true })
		}
	case events.PTCDispatch:
		if ev.Error != nil || ev.IsError == nil || *ev.IsError {
			s.eachCall(ev.SubCallID, func(c *StepCall) { c.Void = true })
		}
	case events.PermissionPreset, events.SandboxMode, events.ApprovalPolicy:
		for i := range s.Calls {
			s.Calls[i].Void = s.Calls[i].Void || s.Calls[i].ByPreset
		}
	}
}

func (s *State) called(id, name string, arguments []byte) {
	c := StepCall{ID: id}
	if kind, text, ok := delegation.Read(name, arguments); ok {
		c.Kind, c.TextHash = kind, digest([]byte(text))
	}
	s.Calls = append(s.Calls, c)
}

// eachCall does something to the calls of that id. More than one is none of our logs.
func (s *State) eachCall(id string, do func(*StepCall)) {
	for i := range s.Calls {
		if s.Calls[i].ID == id {
			do(&s.Calls[i])
		}
	}
}

// letterFact is the part of a catalogue event that says which message a call is used
// up by. It stands beside the members that the event has by itself.
type letterFact struct {
	MessageID string `json:"messageId"`
	TextHash  string `json:"textHash"` // SHA-256 of the text, hex
}

// use notes what a call is named for.
func (s *State) use(ev events.SubagentCatalog) {
	if ev.CallID == "" {
		return
	}
	u := Use{ChildID: ev.ChildID}
	if ev.ChildHeaderHash == "" {
		var l letterFact
		// What does not parse is another program's, and uses the call up all the same.
		_ = json.Unmarshal(ev.Unknown, &l)
		u.MessageID, u.TextHash = l.MessageID, l.TextHash
	}
	s.eachCall(ev.CallID, func(c *StepCall) { c.Used = &u })
}

// proven finds the call that proves a text: a dispatched call of the open step, of a
// tool of that kind, which hands over just this text, byte for byte, and was not named
// for anything else. Else the refusal says what is missing; field is the text's. A
// call that was imported was let run by nobody here, and an id that the step has twice
// names no call.
func (k Kin) proven(kind delegation.Kind, callID, field, text string) (StepCall, error) {
	var found []StepCall
	for _, c := range k.State.Calls {
		if c.ID == callID {
			found = append(found, c)
		}
	}
	unproven := func(field, rule string, args ...any) (StepCall, error) {
		return StepCall{}, events.Refuse(CodeUnproven, field, rule, args...)
	}
	switch {
	case callID == "":
		return unproven("callId", "must name the call that this comes from")
	case len(found) != 1:
		return unproven("callId", "%q is no call of the open step", callID)
	}
	c := found[0]
	switch {
	case c.Kind != kind:
		return unproven("callId", "%q is no call that %s an agent", callID, kind)
	case c.Dispatched == nil, *c.Dispatched < k.Imported:
		return unproven("callId", "%q was not dispatched", callID)
	case c.Void:
		return unproven("callId", "%q has failed, was given back, or was let run under another preset", callID)
	case c.TextHash != digest([]byte(text)):
		return unproven(field, "is not what the call %q hands over, byte for byte", callID)
	}
	return c, nil
}
