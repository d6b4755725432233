package client

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

// lookEvery is how often new questions are looked for.
const lookEvery = 500 * time.Millisecond

// Question is one that waits for a person, shown whole: what it shows is escaped, and
// may be put on a screen as it is.
type Question struct {
	api.Question
	h *Human
}

// Questions are the open ones of a session, in the order in which they were asked.
func (h *Human) Questions(ctx context.Context, id events.SessionID) ([]*Question, error) {
	list, err := ask[api.Approvals](ctx, h.c, "approvals.list", api.ApprovalsList{Query: api.Query{Session: id}, Open: true})
	if err != nil {
		return nil, err
	}
	out := make([]*Question, len(list.Questions))
	for i, q := range list.Questions {
		out[i] = &Question{q, h}
	}
	return out, nil
}

// Approvals yields the questions of all sessions that are the person's, those that are
// open and then those that come, each once, until ctx ends, which is not an error. It
// looks for them twice a second, in the sessions that are the newest, as many as the
// engine lists at once.
func (h *Human) Approvals(ctx context.Context) iter.Seq2[*Question, error] {
	return func(yield func(*Question, error) bool) {
		seen := map[string]bool{}
		for {
			fresh, err := h.fresh(ctx, seen)
			for _, q := range fresh {
				if !yield(q, nil) {
					return
				}
			}
			if err == nil {
				err = h.c.link.pause(ctx, lookEvery)
			}
			if err != nil {
				if ctx.Err() == nil {
					yield(nil, err)
				}
				return
			}
		}
	}
}

// fresh are the open questions that were not seen yet. It forgets those that are not
// open any more.
func (h *Human) fresh(ctx context.Context, seen map[string]bool) ([]*Question, error) {
	list, err := ask[api.Approvals](ctx, h.c, "approvals.list", api.ApprovalsList{})
	if err != nil {
		return nil, err
	}
	open := map[string]bool{}
	asking := []events.SessionID{}
	for _, q := range list.Questions {
		key := string(q.Session) + " " + q.ID
		open[key] = true
		if !seen[key] && (len(asking) == 0 || asking[len(asking)-1] != q.Session) {
			asking = append(asking, q.Session)
		}
	}
	var out []*Question
	for _, id := range asking {
		questions, err := h.Questions(ctx, id)
		if err != nil {
			return out, err
		}
		for _, q := range questions {
			key := string(id) + " " + q.ID
			if !seen[key] {
				out = append(out, q)
			}
			open[key] = true
		}
	}
	clear(seen)
	for key := range open {
		seen[key] = true
	}
	return out, nil
}

// Allow lets the call run once. It reads the session's log, and works out by itself
// what an answer to what is shown must carry: where that is not what was asked, the
// error is [ErrNotAsShown] and nothing is allowed.
func (q *Question) Allow(ctx context.Context, feedback string) error {
	return q.allow(ctx, "once", feedback)
}

// AllowAlways lets the call run, and from now on whatever [Question].Always names, in
// the session's project.
func (q *Question) AllowAlways(ctx context.Context, feedback string) error {
	return q.allow(ctx, "always", feedback)
}

func (q *Question) allow(ctx context.Context, reply, feedback string) error {
	hash, err := q.hash(ctx)
	if err != nil {
		return err
	}
	return q.answer(ctx, api.Reply{Reply: reply, Hash: hash, Feedback: feedback})
}

// Reject says no, and what the agent is to know. It needs no look at the log.
func (q *Question) Reject(ctx context.Context, feedback string) error {
	return q.answer(ctx, api.Reply{Reply: "reject", Hash: q.Hash, Feedback: feedback})
}

func (q *Question) answer(ctx context.Context, r api.Reply) error {
	id, err := unescape(q.ID)
	if err != nil {
		return fmt.Errorf("client: question %s: %w", q.ID, err)
	}
	r.ID = id
	_, err = ask[api.Answered](ctx, q.h.c, "approvals.answer", api.ApprovalsAnswer{Command: about(q.Session), Answers: []api.Reply{r}})
	return err
}

// Verify reports whether the question is about what it shows: see [Question.Allow].
func (q *Question) Verify(ctx context.Context) error {
	_, err := q.hash(ctx)
	return err
}

// frameBefore is how many records may stand between the log that a question was asked
// on and the question: those of one frame.
const frameBefore = 8

// hash is the one of what is shown, on the log that the question was asked on.
func (q *Question) hash(ctx context.Context) (string, error) {
	if q.LeftOut > 0 {
		return "", fmt.Errorf("client: question %s: %w: part of it is left out", q.ID, ErrNotAsShown)
	}
	var chains []events.Chain // the last ones, the newest at the end
	chain := events.ChainStart()
	for r, err := range q.h.Read(ctx, q.Session, 0) {
		if err != nil {
			return "", err
		}
		if chains = append(chains, chain); len(chains) > frameBefore {
			chains = chains[1:]
		}
		chain = chain.Over(r)
		if r.Type() == events.TypeApprovalAsked && asks(r, q.ID) {
			return q.among(chains)
		}
	}
	return "", fmt.Errorf("client: question %s: %w: it is not on the log", q.ID, ErrNotAsShown)
}

// asks reports whether a record asks the question.
func asks(r events.Record, id string) bool {
	decoded, err := r.Decode()
	if err != nil || len(decoded) != 1 {
		return false
	}
	asked, ok := decoded[0].Event.(events.ApprovalAsked)
	return ok && escapedID(asked.ID, id)
}

// escapedID compares an id with one that is shown.
func escapedID(id, shown string) bool {
	text, err := unescape(shown)
	return err == nil && text == id
}

func (q *Question) among(chains []events.Chain) (string, error) {
	for _, chain := range chains {
		hash, err := shownHash(q.Question, chain)
		if err != nil {
			return "", fmt.Errorf("client: question %s: %w: %w", q.ID, ErrNotAsShown, err)
		}
		if hash == q.Hash {
			return hash, nil
		}
	}
	return "", fmt.Errorf("client: question %s: %w", q.ID, ErrNotAsShown)
}
