package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// StartCall puts a call on the record: the next one that the step's assistant
// message asks for, so that the calls of a message form a started prefix in the
// model's order.
type StartCall struct {
	CallID    string
	Name      string
	Arguments string // as the model wrote them
}

func (c StartCall) decide(s *projections.Session) ([]events.Draft, error) {
	turn, step, err := needStep(s)
	if err != nil {
		return nil, err
	}
	if _, n := s.Calls.Find(c.CallID); n > 0 {
		return nil, events.Refuse(CodeCallDuplicate, "callId", "the step has a call %s", c.CallID)
	}
	next, ok := nextWanted(s)
	switch {
	case !ok:
		return nil, events.Refuse(CodeCallNotWanted, "callId", "the model asks for no further call")
	case next.ID != c.CallID:
		return nil, events.Refuse(CodeCallNotWanted, "callId", "the model asks for %s next", next.ID)
	case next.Name != c.Name:
		return nil, events.Refuse(CodeCallNotWanted, "name", "the model asks for %s", next.Name)
	case next.Arguments != c.Arguments:
		return nil, events.Refuse(CodeCallNotWanted, "arguments", "are not those that the model wrote")
	}
	return events.Drafts(events.ToolCall{Turn: turn, Step: step, CallID: c.CallID, Name: c.Name, Arguments: &c.Arguments}), nil
}

// nextWanted is the first call that the model asks for and that has not started.
func nextWanted(s *projections.Session) (projections.Wanted, bool) {
	for _, w := range s.Calls.Open.Wanted {
		if _, n := s.Calls.Find(w.ID); n == 0 {
			return w, true
		}
	}
	return projections.Wanted{}, false
}

// SettleCall is what a call came to, once.
type SettleCall struct {
	CallID    string
	MessageID string
	Content   []events.Block
	IsError   bool
	Error     *events.ToolError
	Meta      jsontext.Value
}

func (c SettleCall) decide(s *projections.Session) ([]events.Draft, error) {
	turn, step, err := needStep(s)
	if err != nil {
		return nil, err
	}
	call, n := s.Calls.Find(c.CallID)
	switch {
	case n == 0:
		return nil, events.Refuse(CodeCallUnknown, "callId", "the open step has no call %s", c.CallID)
	case call.Settled != nil:
		return nil, events.Refuse(CodeCallSettled, "callId", "call %s has its result", c.CallID)
	case c.Error != nil && !c.IsError:
		return nil, invalid("error", "must only be there when isError is true")
	}
	if err := drained(s, func(in projections.InnerCall) bool { return in.Root == c.CallID }); err != nil {
		return nil, err
	}
	m := events.Message{ID: c.MessageID, Role: "tool", Source: &events.Source{Kind: events.SourceTool, CallID: c.CallID}, Content: c.Content, IsError: c.IsError}
	result := events.ToolResult{Turn: turn, Step: step, Message: m, Error: c.Error, Meta: c.Meta}
	return []events.Draft{{Event: result, Sources: []events.Seq{call.Seq}}}, nil
}

// drained: a program's result comes when all of its inner calls have theirs
// (reference 4).
func drained(s *projections.Session, of func(projections.InnerCall) bool) error {
	for _, in := range s.Calls.Open.Inner {
		if in.Settled == nil && of(in) {
			return events.Refuse(CodeCallsOpen, "", "inner call %s is not settled", in.ID)
		}
	}
	return nil
}

// StartInner puts a program's inner call on the record.
type StartInner struct {
	RootCallID, ParentCallID, SubCallID string
	Name                                string
	Arguments                           jsontext.Value
}

func (c StartInner) decide(s *projections.Session) ([]events.Draft, error) {
	if _, _, err := needStep(s); err != nil {
		return nil, err
	}
	if err := c.checkParent(s); err != nil {
		return nil, err
	}
	if err := c.checkID(s); err != nil {
		return nil, err
	}
	if len(c.Arguments) == 0 {
		return nil, invalid("arguments", "is missing")
	}
	return events.Drafts(events.PTCDispatchStart{
		RootCallID: c.RootCallID, ParentCallID: c.ParentCallID, SubCallID: c.SubCallID, Name: c.Name, Arguments: c.Arguments,
	}), nil
}

// checkID: verdicts and dispatches name a call by its id alone, so that an inner
// call must not have one that the model gave to another.
func (c StartInner) checkID(s *projections.Session) error {
	n, ok := strings.CutPrefix(c.SubCallID, c.ParentCallID+":ptc:")
	if number, err := strconv.ParseUint(n, 10, 31); !ok || err != nil || strconv.FormatUint(number, 10) != n {
		return invalid("subCallId", "must be %s:ptc:<n>", c.ParentCallID)
	}
	_, taken := s.Calls.FindInner(c.SubCallID)
	wanted := slices.ContainsFunc(s.Calls.Open.Wanted, func(w projections.Wanted) bool { return w.ID == c.SubCallID })
	if taken > 0 || wanted {
		return events.Refuse(CodeCallDuplicate, "subCallId", "the step has a call %s", c.SubCallID)
	}
	return nil
}

// checkParent: the root is a running call of the step, and the parent is the root
// or a running inner call of it.
func (c StartInner) checkParent(s *projections.Session) error {
	root, n := s.Calls.Find(c.RootCallID)
	if n == 0 {
		return events.Refuse(CodeCallUnknown, "rootCallId", "the open step has no call %s", c.RootCallID)
	}
	if root.Settled != nil {
		return events.Refuse(CodeCallSettled, "rootCallId", "call %s has its result", c.RootCallID)
	}
	if c.ParentCallID == c.RootCallID {
		return nil
	}
	parent, n := s.Calls.FindInner(c.ParentCallID)
	switch {
	case n == 0 || parent.Root != c.RootCallID:
		return events.Refuse(CodeCallUnknown, "parentCallId", "call %s has no inner call %s", c.RootCallID, c.ParentCallID)
	case parent.Settled != nil:
		return events.Refuse(CodeCallSettled, "parentCallId", "inner call %s is settled", c.ParentCallID)
	default:
		return nil
	}
}

// SettleInner is what an inner call came to, once.
type SettleInner struct {
	SubCallID string
	Content   []events.Block
	IsError   bool
	Error     *events.ToolError
}

func (c SettleInner) decide(s *projections.Session) ([]events.Draft, error) {
	if _, _, err := needStep(s); err != nil {
		return nil, err
	}
	call, n := s.Calls.FindInner(c.SubCallID)
	switch {
	case n == 0:
		return nil, events.Refuse(CodeCallUnknown, "subCallId", "the open step has no inner call %s", c.SubCallID)
	case call.Settled != nil:
		return nil, events.Refuse(CodeCallSettled, "subCallId", "inner call %s is settled", c.SubCallID)
	case c.Error != nil && !c.IsError:
		return nil, invalid("error", "must only be there when isError is true")
	}
	if err := drained(s, func(in projections.InnerCall) bool { return in.Parent == c.SubCallID }); err != nil {
		return nil, err
	}
	content := c.Content
	if content == nil {
		content = []events.Block{}
	}
	return events.Drafts(events.PTCDispatch{
		RootCallID: call.Root, ParentCallID: call.Parent, SubCallID: call.ID, Name: call.Name, Arguments: jsontext.Value(call.Arguments),
		IsError: &c.IsError, Content: content, Error: c.Error,
	}), nil
}
