package agent

import (
	"context"
	"errors"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// Said is what the agent's model said in a step.
type Said struct {
	Text  string // "" for none
	Calls []Call
}

// Call is a call that the model asks for.
type Call struct {
	ID        string
	Name      string
	Arguments string // as the model wrote them
	// Context, unless it is nil, ends when the agent gives this call up.
	Context context.Context
}

// Step is one step of the loop (reference 1.4): what waits is claimed, the model's
// message is put on the record, and its calls go through the gate. It gives what
// became of each call. An error leaves the step open, as a crash would.
func (a *Agent) Step(ctx context.Context, said Said) ([]engine.Ran, error) {
	if a.opened {
		a.opened = false
	} else if err := a.StartStep(ctx); err != nil {
		return nil, err
	}
	ran, err := a.Within(ctx, said)
	if err != nil {
		return ran, err
	}
	return ran, a.EndStep(context.WithoutCancel(ctx))
}

// StartStep opens a step, which claims what waits, and leaves it open.
func (a *Agent) StartStep(ctx context.Context) error { return a.do(ctx, a.actor(), engine.StartStep{}) }

// EndStep ends it, once every call that the model asked for has its result.
func (a *Agent) EndStep(ctx context.Context) error { return a.do(ctx, a.actor(), engine.EndStep{}) }

// Within is a step that somebody else has opened and ends: the model's message,
// which no other one may have come before in it, and its calls.
func (a *Agent) Within(ctx context.Context, said Said) ([]engine.Ran, error) {
	if err := a.do(ctx, a.actor(), engine.SetRequest{Header: a.request, Reason: "initial", ContextWindow: a.cfg.ContextWindow}); err != nil {
		return nil, err
	}
	if err := a.say(ctx, said); err != nil {
		return nil, err
	}
	return a.calls(ctx, said.Calls)
}

func (a *Agent) say(ctx context.Context, said Said) error {
	var content []events.Block
	if said.Text != "" {
		content = append(content, events.TextBlock(said.Text))
	}
	for _, c := range said.Calls {
		content = append(content, events.ToolCallBlock(c.ID, c.Name, c.Arguments))
	}
	id, err := newID()
	if err != nil {
		return err
	}
	return a.do(ctx, a.actor(), engine.AssistantMessage{
		MessageID: id, Provider: a.cfg.Route.Provider, Model: a.cfg.Route.Model, Content: content,
	})
}

// calls starts the calls in their order. A body that may change something runs
// alone; those that only read overlap.
func (a *Agent) calls(ctx context.Context, calls []Call) ([]engine.Ran, error) {
	started := make([]*under, 0, len(calls))
	var last *under
	var stopped error
	for _, c := range calls {
		if last, stopped = a.begin(ctx, c, last); stopped != nil {
			break
		}
		started = append(started, last)
	}
	ran := make([]engine.Ran, 0, len(started))
	for _, u := range started {
		<-u.settled
		ran = append(ran, u.ran)
		stopped = errors.Join(stopped, u.err)
	}
	return ran, stopped
}

// reads reports whether a tool changes nothing, so that its bodies may overlap.
func reads(tool string) bool { return tool == "read" }

// under is a call whose body is under way.
type under struct {
	alone   bool          // its body does not overlap with others
	settled chan struct{} // closed when what follows is there, and all results up to this one on the log
	ran     engine.Ran
	err     error
}

// begin takes a call through the gate and starts its body.
func (a *Agent) begin(ctx context.Context, c Call, last *under) (*under, error) {
	if c.Context != nil {
		ctx = c.Context
	}
	r := engine.CallRequest{Session: a.session, CallID: c.ID, Name: c.Name, Arguments: c.Arguments, Executor: ExecutorName}
	return a.run(ctx, r, last)
}

// run takes a call through the gate and starts its body, if it has its leave. last
// is the call before, nil for none: bodies that do not overlap wait for it, and
// every result does.
func (a *Agent) run(ctx context.Context, r engine.CallRequest, last *under) (*under, error) {
	var before <-chan struct{}
	if last != nil {
		before = last.settled
		if last.alone || !reads(r.Name) {
			<-before
		}
	}
	if a.cfg.Pace != nil {
		a.cfg.Pace(ctx, a.session)
	}
	m, err := newMeta(a.actor())
	if err != nil {
		return nil, err
	}
	s, err := a.cfg.Gate.Start(ctx, a.cfg.Executor, r, m)
	if err != nil {
		return nil, err
	}
	u := &under{settled: make(chan struct{}), alone: !reads(r.Name)}
	go func() {
		defer close(u.settled)
		u.finish(ctx, s, a.bodyOf(r), before)
	}()
	return u, nil
}

// finish runs the body of a call that was not refused. One that was has its result
// on the log already.
func (u *under) finish(ctx context.Context, s *engine.Started, body engine.Body, before <-chan struct{}) {
	var result engine.BodyResult
	if s.Refused == nil {
		result = s.Run(ctx, body)
	}
	if before != nil {
		<-before
	}
	if u.ran.Refused = s.Refused; u.ran.Refused == nil {
		u.ran.Result, u.err = &result, s.Settle(ctx, result)
	}
}
