package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/projections"
)

// Permitted is the leave to run a call's body.
type Permitted struct {
	permit.Signed
}

// answer is the one that a frame has just been stored for; the zero Answer where
// it was not this call's to write.
func (e *ending) answer(done Done) Answer {
	switch {
	case len(done.Events) == 0:
		return Answer{}
	case e.refused != nil:
		e.refused.Seq = &done.Events[len(done.Events)-1].Seq
		return Answer{Refused: e.refused}
	case e.signed != nil:
		return Answer{Permit: &Permitted{*e.signed}}
	default:
		return Answer{}
	}
}

// sign makes the permit of a dispatch, with the log's head behind its frame or
// later.
func (op *operation) sign(head events.Head, d events.ToolDispatched, seq events.Seq) (permit.Signed, error) {
	p := permit.Permit{
		Session: op.req.Session, Turn: op.turn, Step: op.step, CallID: op.req.CallID, Tool: op.req.Name, Arguments: op.arguments,
		Seq: seq, VerdictSeq: d.VerdictSeq, DecisionSeq: d.DecisionSeq, GrantSeq: d.GrantSeq, PresetSeq: d.PresetSeq,
		ArgumentHash: d.ArgumentHash, Mode: d.Mode, Nonce: d.Nonce, ExpiresAt: d.ExpiresAt, Files: executedBy(d),
		Next: head.Next, Chain: head.Chain.String(),
	}
	if op.local {
		return op.gate.local.Seal(p)
	}
	return permit.Sign(p, op.gate.cfg.Key)
}

// permitted gives the permit of a call that is dispatched again, to the same
// nonce only (design section 6, stage 7).
func (op *operation) permitted(ctx context.Context, s *folded, call openCall) (begun, error) {
	if call.Nonce != op.req.Nonce {
		return begun{}, events.Refuse(CodeCallRunning, "nonce", "call %s was dispatched to another executor", op.req.CallID)
	}
	found, err := op.gate.engine.eventsAt(ctx, op.req.Session, []events.Seq{*call.Dispatched})
	if err != nil {
		return begun{}, err
	}
	for _, e := range found {
		if d, ok := e.Event.(events.ToolDispatched); ok && d.CallID == op.req.CallID {
			signed, err := op.sign(s.head, d, e.Seq)
			return begun{answer: &Answer{Permit: &Permitted{signed}}}, err
		}
	}
	return begun{}, errors.New("the dispatch is not where the log had it")
}

// answered gives the refusal of a call that has ended without its body, once more.
// One that ran is refused.
func (op *operation) answered(ctx context.Context, s *folded, call openCall) (begun, error) {
	if call.Dispatched != nil {
		return begun{}, events.Refuse(CodeCallSettled, "callId", "call %s has its result", op.req.CallID)
	}
	found, err := op.gate.engine.eventsAt(ctx, op.req.Session, []events.Seq{*call.Settled})
	if err != nil {
		return begun{}, err
	}
	for _, e := range found {
		if text, structured, ok := errorOf(e.Event, op.req.CallID); ok {
			return refusedAs(&Refused{Kind: refusalKind(call.Progress, structured, lastOutcome(s.state, op.questionID())), Text: text, Error: structured, Seq: &e.Seq}), nil
		}
	}
	return begun{}, fmt.Errorf("the result of call %s is not where the log had it", op.req.CallID)
}

// errorOf reads the result of a call that failed.
func errorOf(ev events.Event, id string) (text string, structured *events.ToolError, ok bool) {
	switch ev := any(ev).(type) {
	case events.ToolResult:
		return textOf(ev.Message.Content), ev.Error, ev.CallID() == id && ev.Message.IsError
	case events.PTCDispatch:
		return textOf(ev.Content), ev.Error, ev.SubCallID == id && *ev.IsError
	default:
		return "", nil, false
	}
}

func lastOutcome(s *projections.Session, question string) (outcome string) {
	for _, q := range s.Approvals.Settled {
		if q.ID == question {
			outcome = q.Outcome
		}
	}
	return outcome
}

// refusalKind tells the kind of a refusal from what the log says of it.
func refusalKind(p projections.Progress, structured *events.ToolError, approval string) RefusalKind {
	switch {
	case structured != nil && structured.Code == CodeBeforeDispatch:
		return Cancelled
	case p.Outcome == events.VerdictFailure, structured != nil && structured.Name == gateError:
		return Failed
	case approval == events.OutcomeUnavailable:
		return Unasked
	case approval == events.OutcomeCancelled:
		return Cancelled
	default:
		return Denied
	}
}

// reread finds out what became of a call that somebody else has ended, or whose
// frame was written by a command that came before.
func (op *operation) reread(ctx context.Context) (Answer, error) {
	ctx, cancel := context.WithTimeout(recording(ctx), recordTimeout)
	defer cancel()
	var b begun
	err := op.gate.engine.with(ctx, op.req.Session, func(s *folded) (err error) {
		if err = s.catchUp(ctx); err == nil {
			b, err = op.resume(ctx, s)
		}
		return err
	})
	switch {
	case err != nil:
		return Answer{}, err
	case b.answer == nil:
		return Answer{}, errors.New("what became of the call is not on the log")
	}
	return *b.answer, nil
}

// textOf is what the agent was told, without the word in front.
func textOf(content []events.Block) string {
	if len(content) == 0 {
		return ""
	}
	return strings.TrimPrefix(content[0].Text, "Error: ")
}
