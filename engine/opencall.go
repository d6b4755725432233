package engine

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/projections"
)

// openCall is a call of the open step, native or inner.
type openCall struct {
	projections.Progress
	seq   events.Seq
	name  string
	raw   string // arguments as they are on the log
	inner bool
}

func findCall(s *projections.Session, id string) (openCall, error) {
	if call, _ := s.Calls.Find(id); call != nil {
		return openCall{Progress: call.Progress, seq: call.Seq, name: call.Name, raw: call.Arguments}, nil
	}
	if call, _ := s.Calls.FindInner(id); call != nil {
		return openCall{Progress: call.Progress, seq: call.Seq, name: call.Name, raw: call.Arguments, inner: true}, nil
	}
	return openCall{}, events.Refuse(CodeCallUnknown, "callId", "the open step has no call %s", id)
}

// pending is a call that has no result yet.
func pending(s *projections.Session, id string) (openCall, error) {
	if _, _, err := needStep(s); err != nil {
		return openCall{}, err
	}
	call, err := findCall(s, id)
	if err == nil && call.Settled != nil {
		err = events.Refuse(CodeCallSettled, "callId", "call %s has its result", id)
	}
	return call, err
}

// parsed are the call's arguments as its body gets them (reference 4): nothing is
// an empty object, and what is no JSON a string. What one reader takes for another
// value than the next, a member that is there twice, is refused (design section 6,
// stage 1).
func (c openCall) parsed() (jsontext.Value, error) {
	raw := jsontext.Value(c.raw)
	switch {
	case c.raw == "":
		return jsontext.Value("{}"), nil
	case raw.IsValid():
		return raw, nil
	case raw.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)):
		return nil, events.Refuse(CodeNotAllowed, "arguments", "of the call are not strict JSON: a member is there twice, or a string is not Unicode")
	default:
		return json.Marshal(c.raw)
	}
}

// holds refuses arguments, a member of a command, that are not the call's own.
func (c openCall) holds(field string, arguments jsontext.Value) error {
	own, err := c.parsed()
	if err != nil {
		return err
	}
	if len(arguments) == 0 {
		return invalid(field, "is missing")
	}
	if !arguments.IsValid() || permit.ArgumentHash(arguments) != permit.ArgumentHash(own) {
		return events.Refuse(CodeNotAllowed, field, "are not those of the call")
	}
	return nil
}
