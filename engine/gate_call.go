package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// The gate's own refusals of a request, which write nothing.
const (
	CodeNotPublished  = "not-published"  // the log does not say which preset holds
	CodeReviewPending = "review-pending" // a sibling is under review
)

// errReplan says that the session's preset is another one than was planned for.
var errReplan = errors.New("engine: the session's preset has changed")

// operation is one call on its way through the gate.
type operation struct {
	gate  *Gate
	req   CallRequest
	meta  Meta
	local bool // its permit is for an executor of this gate's own

	arguments jsontext.Value // parsed
	hashed    string         // their hash, "" before it is needed
	plan      plan
	with      *installed // whose reviewer judges, nil where nobody does
	closed    bool       // it admits no more
	gone      bool       // the caller was gone before the call was admitted
	never     bool       // the policy was never when the review denied: nobody else was consulted
	cancel    context.CancelCauseFunc
	files     []events.ExecutedFile // that the body would execute, before the review
	unread    error                 // why they are not known
	ancestors []reviewer.Ancestor   // as they were right before the call was admitted
	looked    bool                  // they were looked for
	unknown   error                 // why they are not known, or why nobody may judge
	made      []events.Artifact     // that the session made, before the review
	nonce     string                // of the review's request, "" where nobody is asked
	review    reviewer.Review
	failure   *reviewer.Failure // why there is no review
	lost      string            // the reviewer that was asked and is gone, "" for none
	asOf      events.Seq
	turn      int
	step      int
	cwd       string

	done   chan struct{} // closed when answer and err are there
	answer Answer
	err    error
}

// Call takes a call through the gate and gives a permit or a refusal. It blocks
// while the call is reviewed and while a person is asked. The end of ctx is the
// caller going away: the call is then cancelled, and what became of it is on the
// log all the same.
//
// The same call asked for again, with the same nonce, gets the same answer: also
// where the first one's reply was lost, or its engine died. A call that another
// nonce was dispatched to is refused with [CodeCallRunning]. Errors are
// *[events.Refusal] where nothing was written, [ErrShutdown], or those of
// [Engine.Do].
func (g *Gate) Call(ctx context.Context, r CallRequest, m Meta) (Answer, error) {
	return g.callFor(ctx, nil, r, m)
}

// callFor is Call for an executor of this process, nil for one elsewhere.
func (g *Gate) callFor(ctx context.Context, x *permit.Executor, r CallRequest, m Meta) (Answer, error) {
	a, err := g.call(ctx, &operation{gate: g, req: r, meta: m, local: x != nil && x.Trusts(g.local)})
	if err != nil {
		return Answer{}, fmt.Errorf("engine: call %s of session %s: %w", r.CallID, r.Session, err)
	}
	return a, nil
}

func (g *Gate) call(ctx context.Context, asked *operation) (Answer, error) {
	// The id of each frame is made of the command's: the longest one must be good
	// before the call is on the record.
	if err := errors.Join(asked.meta.part("concluded").check(), asked.req.check()); err != nil {
		return Answer{}, firstRefusal(err)
	}
	if err := g.enter(); err != nil {
		return Answer{}, err
	}
	defer g.work.Done()
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked.cancel, asked.done = cancel, make(chan struct{})
	op, first := g.join(asked)
	if !first {
		return op.wait(ctx, asked)
	}
	a, err := op.run(running)
	g.finish(op, a, err)
	g.records.write()
	return a, err
}

// wait gives a second caller of the same call the first one's answer.
func (op *operation) wait(ctx context.Context, second *operation) (Answer, error) {
	if op.req.Nonce != second.req.Nonce || op.local != second.local {
		return Answer{}, events.Refuse(CodeCallRunning, "nonce", "call %s is under way for another executor", op.req.CallID)
	}
	select {
	case <-op.done:
		return op.answer, op.err
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// run is the pipeline (design section 6): whatever is not an answer goes on to
// the next stage.
func (op *operation) run(ctx context.Context) (Answer, error) {
	leave, err := op.queue(ctx)
	if err != nil {
		return Answer{}, err
	}
	defer leave()
	defer func() {
		if op.with != nil {
			op.with.leave()
		}
	}()
	begun, err := op.begin(ctx)
	switch {
	case err != nil || begun.answer != nil:
		return begun.get(), err
	case begun.question != "":
		return op.await(ctx, begun.question)
	}
	judged := op.judge(ctx)
	next, err := op.rest(ctx, judged)
	if err != nil {
		return Answer{}, err
	}
	return op.conclude(ctx, judged, next)
}

// queue waits for the session's lane. A call whose caller is gone by then is still
// put on the record, as cancelled, if its turn comes soon: the agent's message
// asks for it, and every call of a message has a result (reference 4).
func (op *operation) queue(ctx context.Context) (leave func(), err error) {
	if leave, err = op.gate.take(ctx, op.req.Session); err == nil {
		return leave, nil
	}
	soon, cancel := context.WithTimeout(recording(ctx), recordTimeout)
	defer cancel()
	return op.gate.take(soon, op.req.Session)
}

// rest asks the stages behind the review, unless it leaves nothing to ask them
// about: a failure, a cancellation and a denial under the policy never are final
// (reference 5.6). The policy is the one that holds when the review has settled.
func (op *operation) rest(ctx context.Context, j judged) (Decision, error) {
	if j.final() {
		return Decision{Kind: DecisionAllow}, nil
	}
	if j.denies() {
		never := false
		err := op.gate.engine.View(recording(ctx), op.req.Session, func(s *projections.Session) error {
			never = op.policy(s) == events.PolicyNever
			return nil
		})
		if op.never = never; err != nil || never {
			return Decision{Kind: DecisionAllow}, err
		}
	}
	return op.gate.further(ctx, op.pending()), nil
}

func (op *operation) policy(s *projections.Session) string {
	return op.gate.cfg.Registry.Catalogue().Effective(s.Presets).Approval
}

// aborted reports whether the integration that judges the call goes away.
func (op *operation) aborted() bool { return op.closed || op.with != nil && op.with.aborted() }

// during is the caller's context, which also ends when the integration goes away.
func (op *operation) during(ctx context.Context) (context.Context, func()) {
	if op.with != nil {
		return op.with.during(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	if op.closed {
		cancel()
	}
	return ctx, cancel
}

// hash names the arguments in the dispatch.
func (op *operation) hash() string {
	if op.hashed == "" {
		op.hashed = permit.ArgumentHash(op.arguments)
	}
	return op.hashed
}

// pending is the call as stages and guards see it.
func (op *operation) pending() PendingCall {
	root := op.req.CallID
	if op.req.Inner != nil {
		root = op.req.Inner.RootCallID
	}
	return PendingCall{
		Session: op.req.Session, Turn: op.turn, Step: op.step, CallID: op.req.CallID, RootCallID: root,
		Name: op.req.Name, Arguments: op.arguments, Mode: op.plan.mode, Preset: op.plan.preset, CWD: op.cwd, Made: op.made,
	}
}

// recording is a context for what is still written when the caller is gone.
func recording(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }

// record does a command of this call, also when its caller is gone, for a bounded
// time. then is told what it came to before anybody else gets the session.
func (op *operation) record(ctx context.Context, part string, c Command, then func(Done)) error {
	ctx, cancel := context.WithTimeout(recording(ctx), recordTimeout)
	defer cancel()
	m := op.meta.part(part)
	m.Now, m.Expect = max(m.Now, time.Now().UnixMilli()), nil
	return op.gate.engine.with(ctx, op.req.Session, func(s *folded) error {
		if looking, ok := c.(interface{ at(*folded) }); ok {
			looking.at(s)
		}
		done, err := op.gate.engine.do(ctx, s, c, m)
		if err == nil && then != nil {
			then(done)
		}
		return err
	})
}

// firstRefusal gives the first refusal of joined ones, so that a request has one
// clear error.
func firstRefusal(err error) error {
	if r := asRefusal(err); r != nil {
		return r
	}
	return err
}
