package approvals

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// MaxAnswers bounds a batch.
const MaxAnswers = 100

// ParseAnswers reads a batch, {"answers":[{"id":…,"reply":…,"hash":…}]}. Reply and
// feedback stand beside the id, or reply is itself an object as in [ParseReply].
// One wrong answer refuses the batch. The person is by.
func ParseAnswers(data []byte, by string) ([]Answer, error) {
	var wire struct {
		Answers []wireAnswer `json:"answers"`
	}
	if err := unmarshal(data, &wire); err != nil {
		return nil, events.Refuse(CodeBadAnswers, "answers", "must be a list of answers with id, reply, hash and, if there is a note, feedback")
	}
	if len(wire.Answers) == 0 || len(wire.Answers) > MaxAnswers {
		return nil, events.Refuse(CodeBadAnswers, "answers", "must be 1 to %d, are %d", MaxAnswers, len(wire.Answers))
	}
	out := make([]Answer, 0, len(wire.Answers))
	seen := map[string]bool{}
	for i, w := range wire.Answers {
		a, err := w.answer(by)
		if err != nil {
			return nil, at(i, err)
		}
		if seen[a.ID] {
			return nil, at(i, events.Refuse(CodeBadAnswers, "id", "%q is answered twice", a.ID))
		}
		seen[a.ID] = true
		out = append(out, a)
	}
	return out, nil
}

type wireAnswer struct {
	ID       string         `json:"id"`
	Hash     string         `json:"hash"`
	Reply    jsontext.Value `json:"reply"`
	Feedback jsontext.Value `json:"feedback"`
}

func (w wireAnswer) answer(by string) (Answer, error) {
	if w.ID == "" {
		return Answer{}, events.Refuse(CodeBadAnswers, "id", "must not be empty or missing")
	}
	reply, err := ParseReply(w.Reply)
	if err != nil {
		return Answer{}, err
	}
	if len(w.Feedback) > 0 {
		if w.Reply.Kind() == '{' {
			return Answer{}, events.Refuse(CodeBadReply, "feedback", "must stand inside a reply that is an object")
		}
		if reply.Feedback, err = parseNote(w.Feedback); err != nil {
			return Answer{}, err
		}
	}
	return Answer{ID: w.ID, Reply: reply, Hash: w.Hash, By: by}, reply.check()
}

// at names the place of an answer in its batch.
func at(i int, err error) error {
	r, ok := errors.AsType[*events.Refusal](err)
	if !ok {
		return err
	}
	return &events.Refusal{Code: r.Code, Field: fmt.Sprintf("answers.%d.%s", i, r.Field), Text: r.Text}
}

// Result is what became of one answer of a batch: an outcome, or why there is
// none.
type Result struct {
	ID      string          `json:"id"`
	Outcome string          `json:"outcome,omitzero"`
	Refusal *events.Refusal `json:"refusal,omitzero"`
}

// DecideAll settles questions by a batch of answers: each is held against its
// question before any is applied, and if one is refused none is. There is a
// result for each, in order.
func DecideAll(s *State, answers []Answer) (drafts []events.Draft, results []Result) {
	refused := false
	seen := map[string]bool{}
	for _, a := range answers {
		ds, err := Decide(s, a)
		if err == nil && seen[a.ID] {
			err = events.Refuse(CodeBadAnswers, "id", "%q is answered twice", a.ID)
		}
		seen[a.ID] = true
		result := Result{ID: a.ID}
		if err != nil {
			refused = true
			result.Refusal, _ = errors.AsType[*events.Refusal](err)
		} else {
			result.Outcome = ds[0].Event.(events.ApprovalDecided).Outcome
			drafts = append(drafts, ds...)
		}
		results = append(results, result)
	}
	if !refused {
		return drafts, results
	}
	for i := range results {
		if results[i].Refusal == nil {
			results[i] = Result{ID: results[i].ID, Refusal: events.Refuse(CodeNotApplied, "answers", "another answer of the batch was refused")}
		}
	}
	return nil, results
}
