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
	for _, of := range []struct {
		change string
		files  []tools.Observed
	}{{events.ArtifactCreated, r.Created}, {events.ArtifactChanged, r.Changed}, {events.ArtifactDeleted, r.Deleted}} {
		for _, o := range of.files {
			out.Artifacts = append(out.Artifacts, artifact(of.change, o))
		}
	}
	return out
}

// artifact is an observed file as the log has it.
func artifact(change string, o tools.Observed) events.Artifact {
	a := events.Artifact{
		Path: o.Path, Device: o.Device, Inode: o.Inode, BirthTime: o.BirthTime, Change: change,
		SHA256: o.SHA256, ChangeTime: o.ChangeTime, ObservedAt: o.At.UnixNano(),
	}
	switch o.Kind {
	case tools.KindFolder:
		a.Kind = events.ArtifactFolder
	case tools.KindLink:
		a.Kind = events.ArtifactLink
	default:
		a.Kind, a.Size = events.ArtifactFile, o.Size
	}
	if b := o.Before; b != nil {
		a.Before = &events.Replaced{Device: b.File.Device, Inode: b.File.Inode, BirthTime: b.File.BirthTime, SHA256: b.SHA256}
	}
	return a
}
