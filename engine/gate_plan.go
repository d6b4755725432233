package engine

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

// plan is what has to happen to a call, by the session's preset when the call is
// admitted.
type plan struct {
	// integration is the one whose reviewer judges the call, "" where nobody does.
	integration string
	preset      string // its name, or custom
	mode        string // of the sandbox, as the session has it
	presetSeq   events.Seq
}

// planCall decides who judges a call (reference 5.1). A session whose log does not
// say what holds in it, or whose preset is not installed, is refused.
func planCall(c presets.Catalogue, s *projections.Session, runsProgram bool) (plan, error) {
	if err := c.Usable(s.Presets); err != nil {
		return plan{}, err
	}
	if s.Presets.At == nil {
		return plan{}, events.Refuse(CodeNotPublished, "session", "its log does not say which preset it is on: it was not published")
	}
	p := plan{preset: c.Current(s.Presets), mode: c.Effective(s.Presets).Sandbox, presetSeq: *s.Presets.At}
	installed, ok := c.Find(p.preset)
	if ok && installed.Reviews == presets.ReviewsCalls && !runsProgram {
		p.integration = installed.Integration
	}
	return p, nil
}

// reviews reports whether a session's calls are reviewed.
func (g *Gate) reviews(s *projections.Session) bool {
	c := g.cfg.Registry.Catalogue()
	p, ok := c.Find(c.Current(s.Presets))
	return ok && p.Reviews == presets.ReviewsCalls
}

// admitCall puts a call on the record, with review/requested where a reviewer is
// asked (design section 6, stages 1 and 2), or with the result of a call that ends
// here.
type admitCall struct {
	op        *operation
	arguments error // why they are refused, nil if they are not
	asked     *events.ReviewRequested
	// planned is what the caller has made ready for; another plan is errReplan.
	planned   plan
	closing   bool     // the reviewer's integration admits no more
	forbidden *Refused // what the gate forbids, nil for nothing
	refused   *Refused
}

func (c *admitCall) decide(s *projections.Session) ([]events.Draft, error) {
	c.refused = nil
	if p, err := c.op.gate.plan(s, c.op.req); err != nil {
		return nil, err
	} else if p != c.planned {
		return nil, errReplan
	}
	if id, waiting := underReview(s); waiting {
		return nil, events.Refuse(CodeReviewPending, "callId", "call %s of the session is under review: siblings are reviewed one after the other", id)
	}
	drafts, err := c.op.start(s)
	if err != nil {
		return nil, err
	}
	call := c.op.target(s, s.Next())
	switch refused := c.early(); {
	case refused != nil:
		c.refused = refused
		return append(drafts, call.refusal(refused)), nil
	case c.asked != nil:
		asked := *c.asked
		asked.AsOfSeq = s.Next()
		return append(drafts, events.Draft{Event: asked}), nil
	}
	return drafts, nil
}

// prepare hashes the arguments for the dispatch that may come.
func (c *admitCall) prepare([]events.Envelope, events.Head) {
	if c.asked != nil && c.arguments == nil {
		c.op.hash()
	}
}

// early ends a call that no reviewer needs to see.
func (c *admitCall) early() *Refused {
	switch {
	case c.arguments != nil:
		return failedCall("INVALID_ARGUMENTS", "The call's arguments are refused and its body was not executed: "+c.arguments.Error())
	case c.forbidden != nil:
		return c.forbidden
	case c.closing || c.op.gone:
		return cancelledCall()
	case !c.op.confined():
		return noSandbox(c.planned.mode)
	}
	return nil
}

// confined reports whether the executor can enforce the mode that the call would
// be dispatched in: a mode proves nothing without one that can (design section 6).
func (op *operation) confined() bool {
	mode := op.plan.mode
	return mode == events.ModeDangerFullAccess || op.req.Confines != nil && op.req.Confines(mode)
}

func noSandbox(mode string) *Refused {
	return failedCall("SANDBOX_UNAVAILABLE", "The session's mode is "+mode+", and the executor cannot confine to it; the body was not executed")
}

// underReview finds a call of the open step that waits for its verdict.
func underReview(s *projections.Session) (id string, waiting bool) {
	waits := func(p projections.Progress) bool {
		return p.Requested != nil && p.Verdict == nil && p.Settled == nil
	}
	if s.Calls.Open == nil {
		return "", false
	}
	for _, c := range s.Calls.Open.Native {
		if waits(c.Progress) {
			return c.ID, true
		}
	}
	for _, c := range s.Calls.Open.Inner {
		if waits(c.Progress) {
			return c.ID, true
		}
	}
	return "", false
}

// start gives the event of the call itself.
func (op *operation) start(s *projections.Session) ([]events.Draft, error) {
	r := op.req
	if r.Inner == nil {
		return StartCall{CallID: r.CallID, Name: r.Name, Arguments: r.Arguments}.decide(s)
	}
	if root, n := s.Calls.Find(r.Inner.RootCallID); n > 0 && root.Dispatched == nil {
		return nil, events.Refuse(CodeNotAllowed, "rootCallId", "call %s was not dispatched, so that no program of it runs", r.Inner.RootCallID)
	}
	return StartInner{
		RootCallID: r.Inner.RootCallID, ParentCallID: r.Inner.ParentCallID, SubCallID: r.CallID,
		Name: r.Name, Arguments: jsontext.Value(r.Arguments),
	}.decide(s)
}
