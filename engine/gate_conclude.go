package engine

import (
	"context"
	"time"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// conclude puts what the review and the stages came to on the log, in one frame:
// the verdict with the dispatch, with the refusal's result, or with a question.
func (op *operation) conclude(ctx context.Context, j judged, next Decision) (Answer, error) {
	c := &concludeCall{op: op, judged: j, next: next, ending: op.ending(ctx)}
	var answer Answer
	err := op.record(ctx, "verdict", c, func(done Done) { answer = c.ending.answer(done) })
	switch {
	case err != nil:
		return Answer{}, err
	case c.question != "":
		return op.await(ctx, c.question)
	case c.over:
		return Answer{Refused: &Refused{Kind: Cancelled, Text: textEndedByOthers}}, nil
	case answer.Permit == nil && answer.Refused == nil:
		return op.reread(ctx)
	}
	return answer, nil
}

// ending is what decides between dispatch and refusal at the end: the same behind
// a review as behind an approval.
type ending struct {
	op         *operation
	callerGone bool
	aborted    bool     // the integration went away
	guard      *Refused // nil if the guards let the call pass
	expiresAt  int64

	refused *Refused // what was decided, nil for a dispatch
	// signed is the permit of a dispatch, made while its frame is stored; nobody is
	// given it before.
	signed *permit.Signed
}

func (op *operation) ending(ctx context.Context) ending {
	return ending{
		op: op, callerGone: ctx.Err() != nil, aborted: op.aborted(),
		guard: op.gate.guarded(op.pending()), expiresAt: time.Now().Add(permitLife).UnixMilli(),
	}
}

// decide gives the dispatch on what allows it, or the refusal (reference 4: a
// guard's denial goes before a cancellation).
func (e *ending) decide(s *projections.Session, by events.ToolDispatched) events.Draft {
	e.refused, e.signed = nil, nil
	switch {
	case e.aborted:
		e.refused = cancelledCall()
	case e.guard != nil:
		e.refused = e.guard
	case e.callerGone:
		e.refused = cancelledCall()
	case e.op.stale(s):
		e.refused = &Refused{Kind: Failed, Text: textStale}
	case !e.op.confined():
		e.refused = noSandbox(e.op.plan.mode)
	}
	if e.refused != nil {
		return e.op.target(s, e.op.asOf).refusal(e.refused)
	}
	by.CallID, by.ArgumentHash = e.op.req.CallID, e.op.hash()
	by.Mode, by.Nonce, by.ExpiresAt, by.Files = e.op.plan.mode, e.op.req.Nonce, e.expiresAt, e.op.files
	return events.Draft{Event: by}
}

// prepare signs the permit of a frame that ends in a dispatch.
func (e *ending) prepare(envelopes []events.Envelope, head events.Head) {
	e.signed = nil
	last := envelopes[len(envelopes)-1]
	if d, ok := last.Event.(events.ToolDispatched); ok && e.refused == nil {
		if signed, err := e.op.sign(head, d, last.Seq); err == nil {
			e.signed = &signed
		}
	}
}

// stale reports whether something that tightens came since the call was admitted
// (design section 6, stage 6): a narrower sandbox, or a preset with a review that
// this call has not had.
func (op *operation) stale(s *projections.Session) bool {
	now, err := op.gate.plan(s, op.req)
	if err != nil {
		return true // the preset is gone
	}
	return presets.WiderMode(op.plan.mode, now.mode) || now.integration != "" && now.integration != op.plan.integration
}

// concludeCall is the outcome matrix (reference 5.6).
type concludeCall struct {
	op     *operation
	judged judged
	next   Decision
	ending ending
	chain  func() events.Chain // the log's when it is decided

	over     bool   // somebody else has ended the call
	question string // that is open now
}

func (c *concludeCall) at(s *folded) { c.chain = func() events.Chain { return s.head.Chain } }

func (c *concludeCall) prepare(envelopes []events.Envelope, head events.Head) {
	c.ending.prepare(envelopes, head)
}

func (c *concludeCall) decide(s *projections.Session) ([]events.Draft, error) {
	c.over, c.question, c.ending.refused = false, "", nil
	op := c.op
	call, err := pending(s, op.req.CallID)
	if err != nil || call.seq != op.asOf {
		c.over = true
		return nil, nil
	}
	if call.Dispatched != nil || call.Verdict != nil { // another engine was first
		return nil, nil
	}
	j := &c.judged
	drafts, err := c.further(s)
	if err != nil || !j.reviewed {
		return drafts, err
	}
	verdict := events.Draft{Event: op.verdict(j, &c.ending)}
	return append([]events.Draft{verdict}, drafts...), nil
}

// further is all of the frame but the verdict.
func (c *concludeCall) further(s *projections.Session) ([]events.Draft, error) {
	op, j := c.op, &c.judged
	refuse := func(r *Refused) ([]events.Draft, error) {
		c.ending.refused = r
		return []events.Draft{op.target(s, op.asOf).refusal(r)}, nil
	}
	switch {
	case j.aborted || c.ending.aborted:
		j.aborted = j.reviewed
		return refuse(cancelledCall())
	case j.reviewed && j.failure != nil:
		return refuse(failedReview(op.words(), op.req.Name, j.failure))
	case j.denies() && (op.never || op.policy(s) == events.PolicyNever):
		return refuse(finalDenial(op.words(), op.req.Name, j.verdict.Reason))
	case c.next.Kind == DecisionCancel:
		return refuse(cancelledCall())
	case c.next.Kind == DecisionFail:
		return refuse(failedCall(codeCheckFailed, c.next.Reason))
	case c.next.Kind == DecisionAsk:
		return c.ask(s, c.next.Reason)
	case c.next.Kind != DecisionAllow:
		return refuse(refusedBy(op.req.Name, c.next.Reason, c.next.Error))
	case j.denies():
		return c.ask(s, op.words().Question(op.req.Name, j.verdict.Reason))
	}
	by := events.ToolDispatched{PresetSeq: &op.plan.presetSeq}
	if j.reviewed {
		at := s.Next() // the verdict's own place, in front of the dispatch
		by = events.ToolDispatched{VerdictSeq: &at}
	}
	return []events.Draft{c.ending.decide(s, by)}, nil
}

// ask puts a question to a person, and ends the call where it is decided at once.
func (c *concludeCall) ask(s *projections.Session, reason string) ([]events.Draft, error) {
	op := c.op
	drafts, err := approvals.Ask(&s.Approvals, approvals.Asking{
		ID: op.questionID(), CallID: op.req.CallID, Reason: reason,
		Shown:      approvals.Shown{Tool: op.req.Name, Arguments: op.arguments, CWD: op.cwd, Mode: op.plan.mode, Chain: c.chain()},
		Subject:    approvals.Subject{Action: op.req.Name},
		Policy:     op.gate.cfg.Registry.Catalogue().Defaults.Approval,
		Aborted:    c.ending.callerGone,
		Unattended: s.Presets.Headless && !op.gate.cfg.Reached(s),
	})
	if err != nil {
		return nil, err
	}
	last := drafts[len(drafts)-1].Event
	decided, settled := last.(events.ApprovalDecided)
	if !settled {
		c.ending.refused, c.question = nil, op.questionID()
		return drafts, nil
	}
	c.ending.refused = notApproved(op.req.Name, decided)
	if c.ending.callerGone {
		c.ending.refused = cancelledCall()
	}
	return append(drafts, op.target(s, op.asOf).refusal(c.ending.refused)), nil
}

// verdict is the event of what the review came to. What came too late to count
// was cancelled, or was stale.
func (op *operation) verdict(j *judged, e *ending) events.ReviewVerdict {
	v := events.ReviewVerdict{
		Turn: op.turn, Step: op.step, CallID: op.req.CallID, Mode: string(op.call().Mode), Preset: op.plan.preset,
		Reviewer: op.reviewerName(), Route: op.judgedBy(), Outcome: op.outcomeOf(*j), Evidence: j.verdict.Evidence,
	}
	failure := j.failure
	if v.Outcome == events.VerdictAllow && e.refused != nil {
		switch {
		case e.refused.Kind == Cancelled:
			v.Outcome = events.VerdictCancelled
		case e.refused.Text == textStale:
			v.Outcome, failure = events.VerdictFailure, errStaleReview
		}
	}
	switch v.Outcome {
	case events.VerdictDeny:
		v.Reason = j.verdict.Reason
	case events.VerdictFailure:
		v.Failure = &events.ReviewFailure{Class: string(failure.Class), Detail: failure.Error()}
	case events.VerdictCancelled:
		v.Evidence = nil
	}
	return v
}

func (op *operation) reviewerName() string {
	if op.with != nil {
		return op.with.reviewer.Name()
	}
	return op.lost
}

func (op *operation) words() reviewer.Words {
	if op.with != nil {
		return op.with.words
	}
	return plainWords()
}
