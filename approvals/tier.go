package approvals

import "github.com/docket-engine/docket/events"

// The tiers: how readily a judge asks a person (seed 003, section 6). They belong
// to a session and change only what becomes of a call that was escalated.
const (
	TierAggressive = "aggressive"
	TierStandard   = "standard"
	TierPassive    = "passive"
)

// The notes of calls that a tier answered: fixed, so that a judge knows that no
// person decided them (seed 003, section 6).
const (
	NoteAggressive = "aggressive mode, auto-approve all escalated tool calls"
	NotePassive    = "passive mode, reject all escalated tool calls"
)

// TierOf is a tier by its name; none is standard.
func TierOf(name string) (string, error) {
	switch name {
	case "":
		return TierStandard, nil
	case TierAggressive, TierStandard, TierPassive:
		return name, nil
	default:
		return "", events.Refuse(CodeBadTier, "tier", "must be %s, %s or %s, is %q", TierAggressive, TierStandard, TierPassive, name)
	}
}

// SetTier decides the switch of a session's tier; the same one writes nothing.
func SetTier(s *State, tier string) ([]events.Draft, error) {
	to, err := TierOf(tier)
	if err != nil {
		return nil, err
	}
	if from, err := TierOf(s.Tier); err == nil && from == to {
		return nil, nil
	}
	return events.Drafts(events.ApprovalTier{Tier: to}), nil
}

// Escalate says what a tier does with an escalated call: the outcome and its
// fixed note, or answered false for a question to a person. The passive tier
// rejects everything. The aggressive tier allows what a judge could not decide,
// and nothing else: not a widening, not a protected resource, not a call whose
// review failed; being unattended is no permission (the review of seed 003).
func Escalate(tier string, about Subject) (outcome, note string, answered bool) {
	switch {
	case tier == TierPassive:
		return events.OutcomeRejected, NotePassive, true
	case tier == TierAggressive && !about.Widening && !about.Protected && !about.Failure:
		return events.OutcomeAllowedOnce, NoteAggressive, true
	default:
		return "", "", false
	}
}

// SetPolicy decides the switch of a session's approval policy; the one that holds
// already writes nothing.
func SetPolicy(s *State, policy, configured string) ([]events.Draft, error) {
	if policy != events.PolicyAsk && policy != events.PolicyNever {
		return nil, events.Refuse(CodeBadPolicy, "policy", "must be %s or %s, is %q", events.PolicyAsk, events.PolicyNever, policy)
	}
	if s.EffectivePolicy(configured) == policy {
		return nil, nil
	}
	return events.Drafts(events.ApprovalPolicy{Policy: policy}), nil
}
