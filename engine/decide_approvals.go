package engine

import (
	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// AskApproval asks a person about a call, or about none; see [approvals.Ask]. What
// is shown of a call is what the log says of it.
type AskApproval struct {
	approvals.Asking
}

func (c AskApproval) decide(s *projections.Session) ([]events.Draft, error) {
	if c.CallID != "" {
		call, err := pending(s, c.CallID)
		switch {
		case err != nil:
			return nil, err
		case call.name != c.Shown.Tool:
			return nil, events.Refuse(CodeNotAllowed, "shown.tool", "is not the call's, which is %s", call.name)
		}
		if err := call.holds("shown.arguments", c.Shown.Arguments); err != nil {
			return nil, err
		}
	}
	return approvals.Ask(&s.Approvals, c.Asking)
}

// AnswerApprovals settles questions by a person's answers, all or none; see
// [approvals.DecideAll]. The refusal is that of the first answer that is refused.
type AnswerApprovals struct {
	Answers []approvals.Answer
}

func (c AnswerApprovals) decide(s *projections.Session) ([]events.Draft, error) {
	if len(c.Answers) == 0 {
		return nil, invalid("answers", "must not be empty")
	}
	drafts, results := approvals.DecideAll(&s.Approvals, c.Answers)
	for _, r := range results {
		if r.Refusal != nil && r.Refusal.Code != approvals.CodeNotApplied {
			return nil, r.Refusal
		}
	}
	return drafts, nil
}

// ConcludeApproval settles a question that nobody answered: it was cancelled,
// timed out, or answered by a program.
type ConcludeApproval struct {
	approvals.Conclusion
}

func (c ConcludeApproval) decide(s *projections.Session) ([]events.Draft, error) {
	return approvals.Conclude(&s.Approvals, c.Conclusion)
}

// SetTier says how readily a judge asks a person in this session.
type SetTier struct {
	Tier string
}

func (c SetTier) decide(s *projections.Session) ([]events.Draft, error) {
	return approvals.SetTier(&s.Approvals, c.Tier)
}

// SetPolicy says whether people are asked in this session. Configured is what
// holds where the log says nothing.
type SetPolicy struct {
	Policy, Configured string
}

func (c SetPolicy) decide(s *projections.Session) ([]events.Draft, error) {
	return approvals.SetPolicy(&s.Approvals, c.Policy, c.Configured)
}

// IssueGrant allows one exact widening of one call of the open step.
type IssueGrant struct {
	Grant events.GrantIssued
}

func (c IssueGrant) decide(s *projections.Session) ([]events.Draft, error) {
	call, err := pending(s, c.Grant.CallID)
	switch {
	case err != nil:
		return nil, err
	case call.Dispatched != nil:
		return nil, events.Refuse(CodeCallRunning, "callId", "call %s was dispatched", c.Grant.CallID)
	case call.name != c.Grant.Tool:
		return nil, events.Refuse(CodeNotAllowed, "tool", "is not the call's, which is %s", call.name)
	}
	return approvals.IssueGrant(&s.Approvals, c.Grant)
}
