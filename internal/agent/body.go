package agent

import (
	"context"
	"fmt"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/tools"
)

// bodyOf is the body of a call: the shipped tool that its permit names.
func (a *Agent) bodyOf(r engine.CallRequest) engine.Body {
	root := r.CallID
	if r.Inner != nil {
		root = r.Inner.RootCallID
	}
	return func(ctx context.Context, p permit.Permit) engine.BodyResult { return a.body(ctx, p, root) }
}

func (a *Agent) body(ctx context.Context, p permit.Permit, root string) engine.BodyResult {
	if a.cfg.Starting != nil {
		a.cfg.Starting(p)
	}
	if p.Tool == TaskName && a.cfg.Delegate != nil {
		return a.task(ctx, p)
	}
	t, ok := a.cfg.Tools.Tool(p.Tool)
	if !ok {
		return engine.BodyResult{
			Content: text(fmt.Sprintf("Error: there is no tool %q", p.Tool)), IsError: true,
			Error: &events.ToolError{Name: "ToolError", Code: "UNKNOWN_TOOL"},
		}
	}
	env := tools.Env{CWD: a.cwd}
	if p.Tool == tools.RunCodeName {
		env.Caller = newCaller(a, p.CallID, root)
	}
	return resultOf(t.Run(ctx, env, p.Arguments))
}

func text(s string) []events.Block { return []events.Block{events.TextBlock(s)} }

// resultOf is a tool's result as the log has it.
func resultOf(r tools.Result) engine.BodyResult {
	out := engine.BodyResult{Content: text(r.Text), IsError: r.IsError}
	if r.IsError {
		out.Content = text("Error: " + r.Text)
		out.Error = &events.ToolError{Name: r.Name, Code: string(r.Code)}
	}
	for _, c := range r.Created {
		kind := "file"
		if c.Kind == tools.KindFolder {
			kind = "directory"
		}
		out.Artifacts = append(out.Artifacts, events.Artifact{Path: c.Path, Device: c.Device, Inode: c.Inode, BirthTime: c.BirthTime, Kind: kind})
	}
	return out
}
