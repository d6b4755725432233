package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// begun is where a call stands after its beginning: answered, with a question that
// is open, or, if neither, on its way to the next stage.
type begun struct {
	answer   *Answer
	question string
}

func (b begun) get() Answer {
	if b.answer == nil {
		return Answer{}
	}
	return *b.answer
}

func refusedAs(r *Refused) begun { return begun{answer: &Answer{Refused: r}} }

// begin puts the call on the record and makes the request of its review, or finds
// out where the log says that the call stands.
func (op *operation) begin(ctx context.Context) (begun, error) {
	var b begun
	op.gone = ctx.Err() != nil
	ctx, cancel := context.WithTimeout(recording(ctx), recordTimeout)
	defer cancel()
	// Before the session's own lock is held: whoever waits for another log under it would
	// hold up everybody who wants this one.
	op.ancestors, op.looked, op.unknown = op.gate.engine.ancestorsOf(ctx, op.req.Session, op.gate.reviews)
	err := op.gate.engine.withShown(ctx, op.req.Session, op.gate.reviews, func(s *folded) (err error) {
		if err := Adopted(s.state); err != nil {
			return err
		}
		if started(s.state, op.req.CallID) {
			if err := s.catchUp(ctx); err != nil {
				return err
			}
		}
		if !started(s.state, op.req.CallID) {
			b, err = op.admit(ctx, s)
			if r := asRefusal(err); r == nil || r.Code != CodeCallDuplicate {
				return err
			}
		}
		b, err = op.resume(ctx, s)
		return err
	})
	return b, err
}

func started(s *projections.Session, id string) bool {
	_, native := s.Calls.Find(id)
	_, inner := s.Calls.FindInner(id)
	return native+inner > 0
}

// admit is the way of a call that is new.
func (op *operation) admit(ctx context.Context, s *folded) (begun, error) {
	arguments, refusedArguments := op.req.parsed()
	op.arguments, op.cwd = arguments, s.state.Header().CWD
	for range raceAttempts {
		c, err := op.prepare(ctx, s)
		if err != nil {
			return begun{}, err
		}
		c.arguments = refusedArguments
		done, err := op.gate.engine.do(ctx, s, c, op.meta)
		switch {
		case errors.Is(err, errReplan):
			op.unenrol()
			continue
		case err != nil:
			return begun{}, err
		case done.Already: // another request had this id
			return begun{}, events.Refuse(CodeDuplicate, "id", "the command id %s was used for something else", op.meta.ID)
		case c.refused != nil:
			last := done.Next - 1
			c.refused.Seq = &last
			return refusedAs(c.refused), nil
		}
		op.noteStart(s.state)
		op.taken()
		return begun{}, op.makeRequest(ctx, s)
	}
	return begun{}, errReplan
}

// prepare plans the call and enrols it with the integration that reviews it: at
// once, so that from here on an unload waits for it (reference 5.7).
func (op *operation) prepare(ctx context.Context, at *folded) (*admitCall, error) {
	s := at.state
	p, err := op.gate.plan(s, op.req)
	if err != nil {
		return nil, err
	}
	c := &admitCall{op: op, planned: p}
	op.plan = p
	op.turn, op.step, _ = s.OpenStep()
	op.made = slices.Clone(s.Artifacts.Made)
	c.forbidden = op.gate.forbidden(op.pending())
	if p.integration == "" {
		return c, nil
	}
	err = op.enrol(p.integration)
	if err != nil {
		return nil, err
	}
	if c.closing = op.closed; !c.closing && !op.gone {
		op.judgedAs(ctx, at)
		op.nonce = rand.Text()
		c.asked = &events.ReviewRequested{
			CallID: op.req.CallID, Engine: op.gate.cfg.Instance, Reviewer: op.with.reviewer.Name(), Nonce: op.nonce, Files: op.evidence(), Ancestors: reviewer.Pins(op.ancestors),
		}
	}
	return c, nil
}

// enrol takes the call into the integration's active set, once: what was enrolled
// before, for a plan that did not hold, is taken out, or no removal would ever find
// the set empty.
func (op *operation) enrol(integration string) (err error) {
	op.unenrol()
	op.with, op.closed, err = op.gate.enrol(integration, op.req.Session)
	return err
}

func (op *operation) unenrol() {
	if op.with != nil {
		op.with.leave()
		op.with = nil
	}
}

// plan is planCall for a request of this gate.
func (g *Gate) plan(s *projections.Session, r CallRequest) (plan, error) {
	return planCall(g.cfg.Registry.Catalogue(), s, g.runsProgram(s, r))
}

func (op *operation) noteStart(s *projections.Session) {
	op.turn, op.step, _ = s.OpenStep()
	if call, err := findCall(s, op.req.CallID); err == nil {
		op.asOf = call.seq
	}
}

// makeRequest renders the review's request from the state that the call is in,
// before anybody else can change it.
func (op *operation) makeRequest(ctx context.Context, s *folded) error {
	if op.with == nil {
		return nil
	}
	if op.unread != nil {
		op.failure = asFailure(op.unread)
		return nil
	}
	if op.unknown != nil {
		op.failure = asFailure(op.unknown)
		return nil
	}
	history, err := s.visible(ctx)
	if err != nil {
		return err
	}
	view := reviewer.View{Session: s.state, History: history, Head: s.head, Ancestors: op.ancestors}
	op.review, err = prepared(op.with.reviewer, view, op.call())
	if err != nil {
		op.failure = asFailure(err)
	}
	return nil
}

func (op *operation) call() reviewer.Call {
	c := reviewer.Call{
		Turn: op.turn, Step: op.step, CallID: op.req.CallID, RootCallID: op.req.CallID,
		Mode: reviewer.ModeNative, Name: op.req.Name, Arguments: op.arguments, Nonce: op.nonce,
	}
	if in := op.req.Inner; in != nil {
		c.Mode, c.RootCallID, c.Schema = reviewer.ModeInner, in.RootCallID, in.Schema
	}
	return c
}

// resume is the way of a call that is on the log already: its caller asks again,
// or the engine that had it is gone.
func (op *operation) resume(ctx context.Context, s *folded) (begun, error) {
	call, err := findCall(s.state, op.req.CallID)
	if err != nil {
		return begun{}, err
	}
	if err := op.same(call); err != nil {
		return begun{}, err
	}
	op.noteStart(s.state)
	op.cwd = s.state.Header().CWD
	if op.arguments, err = op.req.parsed(); err != nil && call.Settled == nil {
		return begun{}, err
	}
	question := op.questionID()
	_, open := s.state.Approvals.Open[question]
	switch {
	case call.Settled != nil:
		return op.answered(ctx, s, call)
	case call.Dispatched != nil:
		return op.permitted(ctx, s, call)
	case op.gate.cfg.Elsewhere(ctx, op.req.Session, op.req.CallID):
		return begun{}, ErrElsewhere
	}
	op.taken()
	switch {
	case open || settledQuestion(s.state, question):
		if err := op.recall(ctx, call); err != nil {
			return begun{}, err
		}
		op.plan, err = op.gate.plan(s.state, op.req)
		if err == nil && op.plan.integration != "" {
			err = op.enrol(op.plan.integration)
		}
		return begun{question: question}, err
	default:
		return begun{}, op.takeOver(ctx, s, call)
	}
}

// taken tells the caller that the call is this gate's.
func (op *operation) taken() {
	if op.req.Taken != nil {
		op.req.Taken()
	}
}

// takeOver goes on with a call that nobody has under way. The model is not asked
// twice about one call, so that a review whose verdict never came is lost
// (reference 8, item 9); so is one that was not asked for with its call.
func (op *operation) takeOver(ctx context.Context, s *folded, call openCall) (err error) {
	if op.plan, err = op.gate.plan(s.state, op.req); err != nil {
		return err
	}
	if op.plan.integration != "" {
		if err = op.enrol(op.plan.integration); err != nil {
			return err
		}
		op.failure, op.lost = errReviewerLost, op.plan.integration
	}
	if call.Requested == nil {
		return nil
	}
	op.failure = errReviewerLost
	found, err := op.gate.engine.eventsAt(ctx, op.req.Session, []events.Seq{*call.Requested})
	for _, e := range found {
		if r, ok := e.Event.(events.ReviewRequested); ok {
			op.lost = r.Reviewer
		}
	}
	return err
}

var errReviewerLost = &reviewer.Failure{Class: reviewer.ClassLost, Code: "REVIEWER_LOST", Detail: "whoever was asked about the call is gone, and nobody is asked twice"}

// same refuses a request that is about another call than the log has under its id.
func (op *operation) same(call openCall) error {
	switch {
	case call.name != op.req.Name:
		return events.Refuse(CodeCallDuplicate, "name", "the step has a call %s, of %s", op.req.CallID, call.name)
	case call.raw != op.req.Arguments:
		return events.Refuse(CodeCallDuplicate, "arguments", "the step has a call %s with other arguments", op.req.CallID)
	case call.inner != (op.req.Inner != nil):
		return events.Refuse(CodeCallDuplicate, "callId", "the step has a call %s of the other kind", op.req.CallID)
	}
	return nil
}

func settledQuestion(s *projections.Session, id string) bool {
	for _, q := range slices.Backward(s.Approvals.Settled) {
		if q.ID == id {
			return true
		}
	}
	return false
}
