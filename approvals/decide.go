package approvals

import (
	"slices"
	"strings"

	"github.com/docket-engine/docket/events"
)

// ScopeAlways is the scope of a decision that stays good for later calls.
const ScopeAlways = "always"

// Answer is what a person says to a question.
type Answer struct {
	ID string
	Reply
	// Hash is of what was shown: that of [Shown], or its [ShortHash] while the
	// arguments are not opened.
	Hash string
	// By is the person, as the engine established them, never from a payload.
	By string
}

// Decide settles a question by a person's answer. The answer must be about what
// was shown, an allow about all of it. An "always" is on the log as allowed-once
// with its scope; what it covers is the question's pattern.
func Decide(s *State, a Answer) ([]events.Draft, error) {
	q, err := s.open(a.ID)
	if err != nil {
		return nil, err
	}
	if err := a.check(q); err != nil {
		return nil, err
	}
	d := events.ApprovalDecided{ID: a.ID, Outcome: events.OutcomeAllowedOnce, Feedback: a.Feedback, By: a.By}
	switch a.Kind {
	case ReplyAlways:
		d.Scope = ScopeAlways
	case ReplyReject:
		d.Outcome = events.OutcomeRejected
	}
	return events.Drafts(d), nil
}

// check holds an answer against its question.
func (a Answer) check(q Question) error {
	if err := a.Reply.check(); err != nil {
		return err
	}
	if a.By == "" {
		return events.Refuse(CodeNoPerson, "by", "an answer is a person's, and this one names nobody")
	}
	allow := a.Kind != ReplyReject
	switch {
	case q.Hash == "" && allow:
		return events.Refuse(CodeStaleAnswer, "hash", "the question does not say what was shown, it can only be rejected")
	case q.Hash == "" || a.Hash == q.Hash:
	case a.Hash == ShortHash(q.Hash):
		if allow {
			return events.Refuse(CodeNotOpened, "hash", "the arguments were shown shortened; open them before allowing")
		}
	default:
		return events.Refuse(CodeStaleAnswer, "hash", "the answer is about something else than the question shows")
	}
	if a.Kind == ReplyAlways && q.Pattern == "" {
		return events.Refuse(CodeNoAlways, "reply", "this question has no always; it can be allowed once")
	}
	return nil
}

// Conclusion is how a question ends without a person's own answer.
type Conclusion struct {
	ID      string
	Outcome string
	// Hash must be the question's for allowed-once, which only an [Answerer] gives.
	Hash string
	Note string
}

// Conclude settles a question that was aborted, timed out, or answered by a
// program. An outcome that is none of the four, and an allow without the
// question's hash, count as unavailable (reference 3).
func Conclude(s *State, c Conclusion) ([]events.Draft, error) {
	q, err := s.open(c.ID)
	if err != nil {
		return nil, err
	}
	outcome := known(c.Outcome)
	if outcome == events.OutcomeAllowedOnce && (q.Hash == "" || c.Hash != q.Hash) {
		outcome = events.OutcomeUnavailable
	}
	return events.Drafts(events.ApprovalDecided{ID: c.ID, Outcome: outcome, Feedback: dropBlank(cut(c.Note))}), nil
}

// cut bounds a program's note, which is no reason to leave a question open.
func cut(note string) string {
	if len(note) > MaxNote {
		note = note[:MaxNote]
	}
	return strings.ToValidUTF8(note, "")
}

// CancelAll settles every open question as cancelled: before a turn ends.
func CancelAll(s *State) []events.Draft {
	var out []events.Event
	for _, q := range s.Questions() {
		out = append(out, events.ApprovalDecided{ID: q.ID, Outcome: events.OutcomeCancelled})
	}
	return events.Drafts(out...)
}

// known is an outcome if it is one of the four, else unavailable.
func known(outcome string) string {
	four := []string{events.OutcomeAllowedOnce, events.OutcomeRejected, events.OutcomeCancelled, events.OutcomeUnavailable}
	if slices.Contains(four, outcome) {
		return outcome
	}
	return events.OutcomeUnavailable
}

// open finds a question that can still be settled.
func (s *State) open(id string) (Question, error) {
	if q, ok := s.Open[id]; ok {
		return q, nil
	}
	q, ended := s.settledAs(id)
	switch {
	case !ended:
		return Question{}, events.Refuse(CodeUnknownQuestion, "id", "no question %q is open", id)
	case q.Outcome == "":
		return Question{}, events.Refuse(CodeQuestionClosed, "id", "the turn of question %q has ended", id)
	default:
		return Question{}, events.Refuse(CodeQuestionSettled, "id", "question %q is settled: %s", id, q.Outcome)
	}
}
