package engine

import (
	"cmp"
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/projections"
)

// Settlement is what a body that ran came to.
type Settlement struct {
	Session events.SessionID
	CallID  string
	Nonce   string // the one that the call was dispatched to
	Content []events.Block
	IsError bool
	Error   *events.ToolError
	Meta    jsontext.Value // of a native call
	// Artifacts are the files that the body made, changed or deleted, and Source is who
	// looked at them: what the engine knows of it, and never what is reported.
	Artifacts []events.Artifact
	Source    string
}

// Settle puts the result of a body that ran on the log, once (design section 6,
// stage 9). A person's note on the approval of the call is added to what the agent
// reads. A call that was not dispatched to the nonce is refused.
func (g *Gate) Settle(ctx context.Context, r Settlement, m Meta) (Done, error) {
	if err := m.check(); err != nil {
		return Done{}, fmt.Errorf("engine: session %s: %w", r.Session, err)
	}
	var done Done
	err := g.engine.with(ctx, r.Session, func(s *folded) error {
		note, err := g.noteOf(ctx, s, r)
		if err != nil {
			return err
		}
		r.Content = approvals.WithNote(r.Content, note)
		done, err = g.engine.do(ctx, s, settleDispatched{r}, m)
		return err
	})
	if err != nil {
		return Done{}, fmt.Errorf("engine: settle call %s of session %s: %w", r.CallID, r.Session, err)
	}
	return done, nil
}

// noteOf is the decision that allowed the call, where a person did; else one
// without a note. It stands in front of the dispatch: a state that has this one
// need not look for more.
func (g *Gate) noteOf(ctx context.Context, s *folded, r Settlement) (events.ApprovalDecided, error) {
	if call, err := pending(s.state, r.CallID); err != nil || call.Dispatched == nil || call.Nonce != r.Nonce {
		if err := s.catchUp(ctx); err != nil {
			return events.ApprovalDecided{}, err
		}
	}
	op := &operation{gate: g, req: CallRequest{Session: r.Session, CallID: r.CallID}}
	op.turn, op.step, _ = s.state.OpenStep()
	d, err := op.decisionAt(ctx, settledAt(s.state, op.questionID()), op.questionID())
	return d.ApprovalDecided, err
}

type settleDispatched struct {
	Settlement
}

func (c settleDispatched) decide(s *projections.Session) ([]events.Draft, error) {
	call, err := dispatchedTo(s, c.CallID, func(nonce string) bool { return nonce == c.Nonce })
	if err != nil {
		return nil, err
	}
	var drafts []events.Draft
	if call.inner {
		drafts, err = SettleInner{SubCallID: c.CallID, Content: c.Content, IsError: c.IsError, Error: c.Error}.decide(s)
	} else {
		drafts, err = SettleCall{CallID: c.CallID, Content: c.Content, IsError: c.IsError, Error: c.Error, Meta: c.Meta}.decide(s)
	}
	if observed := telling(s, c.Artifacts); err == nil && len(observed) > 0 {
		drafts = append(drafts, events.Draft{Event: events.ArtifactObserved{CallID: c.CallID, Source: cmp.Or(c.Source, events.SourceCaller), Artifacts: observed}})
	}
	return drafts, err
}

// telling is what of an observation says something: which files were made, and what was
// put in the place of those that the session had made. A change of any other file makes
// nothing the session's, and what was deleted needs no word: whatever stands there later
// is another file.
func telling(s *projections.Session, observed []events.Artifact) (out []events.Artifact) {
	for _, a := range observed {
		_, own := s.Artifacts.Find(a.Path)
		if a.Change == "" || a.Change == events.ArtifactCreated || own && a.Change == events.ArtifactChanged {
			out = append(out, a)
		}
	}
	return out
}

// dispatchedTo finds a call whose body may run or have run, by its nonce.
func dispatchedTo(s *projections.Session, id string, holds func(nonce string) bool) (openCall, error) {
	call, err := pending(s, id)
	switch {
	case err != nil:
		return openCall{}, err
	case call.Dispatched == nil:
		return openCall{}, events.Refuse(CodeNotAllowed, "callId", "call %s was not dispatched, so that no body of it ran", id)
	case !holds(call.Nonce):
		return openCall{}, events.Refuse(CodeNotAllowed, "nonce", "call %s was dispatched to another executor", id)
	}
	return call, nil
}

// Returned is a permit that was given back unused.
type Returned struct {
	Session events.SessionID
	CallID  string
	// Proof is the executor's, from [permit.Executor.Return]: the body never ran, and
	// never will.
	Proof string
	// Cancelled says that the caller went away before the body started; else the
	// executor could not use the permit, as when it came late.
	Cancelled bool
}

// Return ends a dispatched call whose body provably did not start.
func (g *Gate) Return(ctx context.Context, r Returned, m Meta) (Done, error) {
	return g.engine.Do(ctx, r.Session, returnPermit{r}, m)
}

type returnPermit struct {
	Returned
}

func (c returnPermit) decide(s *projections.Session) ([]events.Draft, error) {
	call, err := dispatchedTo(s, c.CallID, func(nonce string) bool { return permit.Returned(nonce, c.Proof) })
	if err != nil {
		return nil, err
	}
	refused := c.refused()
	t := target{id: c.CallID, name: call.name, seq: call.seq}
	t.turn, t.step, _ = s.OpenStep()
	if in, n := s.Calls.FindInner(c.CallID); call.inner && n > 0 {
		t.inner = &events.PTCDispatchStart{
			RootCallID: in.Root, ParentCallID: in.Parent, SubCallID: in.ID, Name: in.Name, Arguments: jsontext.Value(in.Arguments),
		}
	}
	return []events.Draft{t.refusal(refused)}, nil
}

func (r Returned) refused() *Refused {
	if r.Cancelled {
		return cancelledCall()
	}
	return &Refused{Kind: Failed, Text: textPermitReturned, Error: &events.ToolError{Name: permitReturnedError, Code: CodePermitReturned}}
}
