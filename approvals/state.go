package approvals

import (
	"maps"
	"slices"

	"github.com/docket-engine/docket/events"
)

// MaxSettled bounds the settled questions that a [State] remembers.
const MaxSettled = 64

// State is what a session's log says of questions, notes, grants and the tier.
// The zero State is that of an empty log; its JSON is its snapshot. It holds the
// questions of the open turn, and of all else a bounded part. A copy shares what
// the State holds; see [State.Clone].
type State struct {
	// Policy is the override, "" where there is none.
	Policy string `json:"policy,omitzero"`
	// Tier is the last approval/tier, "" for none; see [TierOf].
	Tier     string `json:"tier,omitzero"`
	TurnOpen bool   `json:"turnOpen,omitzero"`
	// Open are the questions without an outcome, by id.
	Open map[string]Question `json:"open,omitzero"`
	// Settled are the last questions that ended, the oldest first.
	Settled []Settled `json:"settled,omitzero"`
	// Grants are those of the open step, used or not.
	Grants []Grant `json:"grants,omitzero"`
	// Rules are what people decided with lasting intent, the newest first, at most
	// [MaxRules]; TurnRules are they as of the open turn's start (seed 003, section 3).
	Rules     []Rule `json:"rules,omitzero"`
	TurnRules []Rule `json:"turnRules,omitzero"`
}

// Question is one that was asked and has no outcome yet.
type Question struct {
	ID     string     `json:"id"`
	Seq    events.Seq `json:"seq"`
	Time   int64      `json:"time"` // Unix ms
	Tool   string     `json:"tool"`
	CallID string     `json:"callId,omitzero"`
	Reason string     `json:"reason,omitzero"`
	// Hash is that of what was shown, "" in a log that another program wrote: such a
	// question cannot be allowed.
	Hash      string   `json:"hash,omitzero"`
	Action    string   `json:"action,omitzero"`
	Resources []string `json:"resources,omitzero"`
	// Pattern is what an "always" covers; without one there is no "always".
	Pattern   string `json:"pattern,omitzero"`
	Widening  bool   `json:"widening,omitzero"`
	Failure   bool   `json:"failure,omitzero"`
	Protected bool   `json:"protected,omitzero"`
}

// Settled is a question that ended. Without an outcome its turn ended first.
type Settled struct {
	ID      string     `json:"id"`
	Seq     events.Seq `json:"seq"` // of the decision, or of the turn's end
	Outcome string     `json:"outcome,omitzero"`
	By      string     `json:"by,omitzero"`
}

// Apply folds an event that an [events.Validator] has accepted.
func (s *State) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) { // few events matter here
	case events.TurnStart:
		s.TurnOpen, s.TurnRules = true, s.Rules
	case events.TurnEnd:
		s.endTurn(e.Seq)
	case events.StepEnd:
		s.Grants = nil // a call id is one call only within its step
	case events.ApprovalPolicy:
		s.Policy = ev.Policy
	case events.ApprovalTier:
		s.Tier = ev.Tier
	case events.ApprovalAsked:
		s.asked(e, ev)
	case events.ApprovalDecided:
		s.decided(e, ev)
	case events.GrantIssued:
		s.Grants = append(s.Grants, Grant{CallID: ev.CallID, Tool: ev.Tool, Mode: ev.Mode, Justification: ev.Justification, Seq: e.Seq})
	case events.GrantConsumed:
		s.consumed(ev)
	}
}

// Clone is a copy that shares nothing with the State that is changed later.
func (s State) Clone() State {
	s.Open = maps.Clone(s.Open)
	s.Settled = slices.Clone(s.Settled)
	s.Grants = slices.Clone(s.Grants)
	return s // lists of rules are made anew for each change
}

// Questions are the open ones in the order in which they were asked.
func (s *State) Questions() []Question {
	return slices.SortedFunc(maps.Values(s.Open), func(a, b Question) int { return int(a.Seq - b.Seq) })
}

// EffectivePolicy is the override, else what is configured, else ask (reference
// 3).
func (s *State) EffectivePolicy(configured string) string {
	switch {
	case s.Policy != "":
		return s.Policy
	case configured != "":
		return configured
	default:
		return events.PolicyAsk
	}
}

// endTurn closes what is still open: nobody is waiting any more.
func (s *State) endTurn(seq events.Seq) {
	for _, q := range s.Questions() {
		s.settle(Settled{ID: q.ID, Seq: seq})
	}
	s.TurnOpen, s.Open, s.Grants, s.TurnRules = false, nil, nil, nil
}

func (s *State) asked(e events.Envelope, ev events.ApprovalAsked) {
	q := Question{ID: ev.ID, Seq: e.Seq, Time: e.Time, Tool: ev.ToolName, CallID: ev.CallID, Reason: ev.Reason}
	if shown := ev.Shown; shown != nil {
		q.Hash, q.Action, q.Resources, q.Pattern = shown.Hash, shown.Action, shown.Resources, shown.Pattern
		q.Widening, q.Failure, q.Protected = shown.Widening, shown.Failure, shown.Protected
	}
	if s.Open == nil {
		s.Open = map[string]Question{}
	}
	s.Open[q.ID] = q
}

func (s *State) decided(e events.Envelope, ev events.ApprovalDecided) {
	q := s.Open[ev.ID] // of a turn that has ended, nothing but the id is known
	if delete(s.Open, ev.ID); len(s.Open) == 0 {
		s.Open = nil
	}
	s.settle(Settled{ID: ev.ID, Seq: e.Seq, Outcome: ev.Outcome, By: ev.By})
	if r, ok := ruleOf(q, ev, e); ok {
		s.Rules = withRule(s.Rules, r)
	}
}

// settle remembers the end of a question. The list moves down once in MaxSettled
// times, so that a question costs the same however many came before.
func (s *State) settle(q Settled) {
	if len(s.Settled) >= 2*MaxSettled {
		s.Settled = slices.Clone(s.Settled[MaxSettled:])
	}
	s.Settled = append(s.Settled, q)
}

// settledAs finds how a question ended.
func (s *State) settledAs(id string) (Settled, bool) {
	for _, q := range slices.Backward(s.Settled) {
		if q.ID == id {
			return q, true
		}
	}
	return Settled{}, false
}
