package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/tools"
)

// caller takes the calls of one program through the gate (reference 4).
type caller struct {
	agent        *Agent
	parent, root string // call ids
	last         *under
}

func newCaller(a *Agent, parent, root string) *caller {
	return &caller{agent: a, parent: parent, root: root}
}

// Bindings are all tools but the one that runs programs.
func (c *caller) Bindings() []tools.Schema {
	var out []tools.Schema
	for _, t := range c.agent.cfg.Tools.All() {
		if t.Name != tools.RunCodeName {
			out = append(out, t.Schema())
		}
	}
	return out
}

// Start is asked for one call at a time.
func (c *caller) Start(ctx context.Context, in tools.InnerCall) (tools.Running, error) {
	description := in.Schema.Description
	r := engine.CallRequest{
		Session: c.agent.session, CallID: fmt.Sprintf("%s:ptc:%d", c.parent, in.Number), Name: in.Name, Arguments: string(in.Arguments), Executor: ExecutorName,
		Inner: &engine.InnerRequest{
			RootCallID: c.root, ParentCallID: c.parent,
			Schema: &reviewer.Schema{Name: in.Schema.Name, Description: &description, Parameters: in.Schema.Parameters},
		},
	}
	u, err := c.agent.run(ctx, r, c.last)
	if err != nil {
		return nil, err
	}
	c.last = u
	return running{u}, nil
}

type running struct{ *under }

// Wait gives what the program gets to know.
func (r running) Wait() tools.InnerResult {
	<-r.settled
	switch {
	case r.err != nil:
		return tools.InnerResult{IsError: true, Message: "the call's result could not be recorded: " + r.err.Error()}
	case r.ran.Refused != nil:
		return tools.InnerResult{IsError: true, Message: r.ran.Refused.Text}
	}
	out := tools.InnerResult{IsError: r.ran.Result.IsError}
	for _, b := range r.ran.Result.Content {
		out.Text += b.Text
	}
	if out.IsError {
		out.Message = strings.TrimPrefix(out.Text, "Error: ")
	}
	return out
}
