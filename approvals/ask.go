package approvals

import "github.com/docket-engine/docket/events"

// Asking is the command to ask a person about a call.
type Asking struct {
	ID     string // fresh
	CallID string // "" for a question about no call
	Reason string // the engine's words, with a reviewer's where one gave some
	Shown  Shown
	Subject
	// Always offers an "always", where the rules allow one.
	Always bool

	// Policy is the configured one, "" for ask; the log's own wins.
	Policy string
	// Escalated says that a judge could not decide, so that the tier may.
	Escalated bool
	// Aborted says that nobody waits for the answer any more.
	Aborted bool
	// Unattended says that the session says headless and that no human channel is
	// connected.
	Unattended bool
}

// Ask decides a question (reference 3). Inside an open turn it is always on the
// log, and what can be decided without a person is decided at once, in this
// order: an aborted one is cancelled; under the policy never it is rejected, and
// nobody can be asked instead; an escalated one is the tier's, if that answers;
// in an unattended session it is unavailable. Else it is open.
func Ask(s *State, a Asking) ([]events.Draft, error) {
	if err := s.checkAsking(a); err != nil {
		return nil, err
	}
	hash, err := a.Shown.Hash()
	if err != nil {
		return nil, err
	}
	shown := events.ApprovalShown{
		Hash: hash, Action: a.Action, Resources: a.Resources,
		Widening: a.Widening, Failure: a.Failure, Protected: a.Protected,
	}
	if a.Always {
		shown.Pattern = a.Pattern()
	}
	asked := events.ApprovalAsked{ID: a.ID, ToolName: a.Shown.Tool, CallID: a.CallID, Reason: a.Reason, Shown: &shown}
	if outcome, note, decided := s.atOnce(a); decided {
		return events.Drafts(asked, events.ApprovalDecided{ID: a.ID, Outcome: outcome, Feedback: note}), nil
	}
	return events.Drafts(asked), nil
}

// atOnce is the outcome of a question that nobody is asked.
func (s *State) atOnce(a Asking) (outcome, note string, decided bool) {
	switch {
	case a.Aborted:
		return events.OutcomeCancelled, "", true
	case s.EffectivePolicy(a.Policy) == events.PolicyNever:
		return events.OutcomeRejected, "", true
	}
	if a.Escalated {
		if outcome, note, decided = Escalate(s.Tier, a.Subject); decided {
			return outcome, note, true
		}
	}
	return events.OutcomeUnavailable, "", a.Unattended
}

func (s *State) checkAsking(a Asking) error {
	if !s.TurnOpen {
		return events.Refuse(CodeNoTurn, "", "a question needs an open turn")
	}
	for _, m := range []struct{ field, value string }{{"id", a.ID}, {"shown.tool", a.Shown.Tool}, {"action", a.Action}} {
		if m.value == "" {
			return events.Refuse(CodeBadQuestion, m.field, "must not be empty")
		}
	}
	if mode := a.Shown.Mode; mode != events.ModeReadOnly && mode != events.ModeWorkspaceWrite && mode != events.ModeDangerFullAccess {
		return events.Refuse(CodeBadQuestion, "shown.mode", "must be a sandbox mode, is %q", mode)
	}
	_, open := s.Open[a.ID]
	if _, settled := s.settledAs(a.ID); open || settled {
		return events.Refuse(CodeQuestionExists, "id", "%q is another question's", a.ID)
	}
	return nil
}
