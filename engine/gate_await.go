package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"time"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// questionID names the question of a call: one call has at most one, so that
// whoever takes the call over finds it. A person may paste it into a shell, and the
// agent chose the call's id: of that there is only a digest in it.
func (op *operation) questionID() string {
	sum := sha256.Sum256([]byte(op.req.CallID))
	return "approval-" + strconv.Itoa(op.turn) + "-" + strconv.Itoa(op.step) + "-" + hex.EncodeToString(sum[:questionDigest])
}

// questionDigest is how many bytes of a call id's digest tell the questions of a step
// apart.
const questionDigest = 6

// await waits for the outcome of the call's question and ends the call by it.
func (op *operation) await(ctx context.Context, id string) (Answer, error) {
	op.gate.records.write()
	asking, stop := op.during(ctx)
	defer stop()
	if err := op.settleQuestion(ctx, asking, id); err != nil {
		return Answer{}, err
	}
	decided, err := op.decision(ctx, id)
	if err != nil {
		return Answer{}, err
	}
	c := &approvedCall{op: op, decided: decided, ending: op.ending(ctx)}
	var answer Answer
	err = op.record(ctx, "approved", c, func(done Done) { answer = c.ending.answer(done) })
	switch {
	case err != nil:
		return Answer{}, err
	case c.over:
		return Answer{Refused: &Refused{Kind: Cancelled, Text: textEndedByOthers}}, nil
	case answer.Permit == nil && answer.Refused == nil:
		return op.reread(ctx)
	}
	return answer, nil
}

// settleQuestion waits until the question has its outcome on the log: a person's
// answer that comes in by any engine, an answerer's, the end of the wait, or the
// caller's.
func (op *operation) settleQuestion(ctx, asking context.Context, id string) error {
	var q approvals.Question
	open := false
	err := op.gate.engine.View(recording(ctx), op.req.Session, func(s *projections.Session) error {
		q, open = s.Approvals.Open[id]
		return nil
	})
	if err != nil || !open {
		return err
	}
	// Whoever takes a question over waits only for what is left; clocks may differ.
	left := op.gate.cfg.Wait - time.Since(time.UnixMilli(q.Time))
	timer := time.NewTimer(min(max(left, 0), op.gate.cfg.Wait))
	defer timer.Stop()
	answerers := append(append([]approvals.Answerer{}, op.gate.cfg.Answerers...), op.person)
	end := approvals.Consult(asking, timer.C, q, answerers...)
	err = op.record(ctx, "concluded", ConcludeApproval{end}, nil)
	if r := asRefusal(err); r != nil && (r.Code == approvals.CodeQuestionSettled || r.Code == approvals.CodeQuestionClosed || r.Code == approvals.CodeUnknownQuestion) {
		return nil // the log has the outcome
	}
	return err
}

// person is the answerer that waits for people: their answers come as commands of
// their own, and all that it finds out is that there is an outcome on the log.
func (op *operation) person(ctx context.Context, q approvals.Question) (string, error) {
	for r, err := range op.gate.cfg.Tail.Tail(ctx, op.req.Session, q.Seq+1) {
		if err != nil {
			return "", err
		}
		decoded, err := r.Decode()
		if err != nil {
			return "", err
		}
		for _, e := range decoded {
			if ends(e.Event, q.ID) {
				return events.OutcomeUnavailable, nil // which the log, having one, does not take
			}
		}
	}
	return events.OutcomeCancelled, ctx.Err()
}

func ends(ev events.Event, id string) bool {
	switch ev := any(ev).(type) {
	case events.ApprovalDecided:
		return ev.ID == id
	case events.TurnEnd:
		return true
	default:
		return false
	}
}

// decision reads the decision of the call's question, which has an outcome.
func (op *operation) decision(ctx context.Context, id string) (d decidedAt, err error) {
	ctx = recording(ctx)
	var at *events.Seq
	err = op.gate.engine.View(ctx, op.req.Session, func(s *projections.Session) error {
		if seq := settledAt(s, id); seq != nil {
			at = new(*seq) // the state's own may move
		}
		return nil
	})
	if err != nil {
		return decidedAt{}, err
	}
	return op.decisionAt(ctx, at, id)
}

// settledAt is where the outcome of a question is, nil where it has none.
func settledAt(s *projections.Session, id string) (seq *events.Seq) {
	for i, q := range s.Approvals.Settled {
		if q.ID == id && q.Outcome != "" {
			seq = &s.Approvals.Settled[i].Seq
		}
	}
	return seq
}

func (op *operation) decisionAt(ctx context.Context, seq *events.Seq, id string) (decidedAt, error) {
	if seq == nil {
		return decidedAt{}, nil
	}
	found, err := op.gate.engine.eventsAt(ctx, op.req.Session, []events.Seq{*seq})
	if err != nil {
		return decidedAt{}, err
	}
	for _, e := range found {
		if d, ok := e.Event.(events.ApprovalDecided); ok && d.ID == id {
			return decidedAt{ApprovalDecided: d, seq: e.Seq, found: true}, nil
		}
	}
	return decidedAt{}, errors.New("the decision is not where the log had it")
}

// decidedAt is a decision and where it stands; not found where the turn ended
// before there was one.
type decidedAt struct {
	events.ApprovalDecided
	seq   events.Seq
	found bool
}

// approvedCall ends a call by the decision of its question.
type approvedCall struct {
	op      *operation
	decided decidedAt
	ending  ending
	over    bool
}

func (c *approvedCall) prepare(envelopes []events.Envelope, head events.Head) {
	c.ending.prepare(envelopes, head)
}

func (c *approvedCall) decide(s *projections.Session) ([]events.Draft, error) {
	c.over, c.ending.refused = false, nil
	op := c.op
	call, err := pending(s, op.req.CallID)
	if err != nil || call.seq != op.asOf || !c.decided.found {
		c.over = true
		return nil, nil
	}
	if call.Dispatched != nil {
		return nil, nil
	}
	if c.decided.Outcome == events.OutcomeAllowedOnce {
		return []events.Draft{c.ending.decide(s, events.ToolDispatched{DecisionSeq: &c.decided.seq})}, nil
	}
	c.ending.refused = notApproved(op.req.Name, c.decided.ApprovalDecided)
	if c.decided.Outcome == events.OutcomeCancelled && (c.ending.callerGone || c.ending.aborted) {
		c.ending.refused = cancelledCall()
	}
	return []events.Draft{op.target(s, op.asOf).refusal(c.ending.refused)}, nil
}
