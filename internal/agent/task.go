package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/tools"
)

// TaskName is the tool that hands a task to a child, a session of its own. It is
// offered where [Config.Delegate] is there, and never to programs.
const TaskName = "task"

// Child is a session that a call of task has made: its first turn and step are
// open, and the prompt is in it.
type Child struct {
	Agent  *Agent
	CallID string // the parent's call
	Prompt string
}

func taskTool() tools.Tool {
	return tools.Tool{
		Name: TaskName,
		Description: "Hands a task to an agent of its own, which starts with the prompt and nothing else, and works in the same folder. " +
			"What it says at its end is the result. Each of its calls is reviewed like one of yours, and nobody is asked about them.",
		Parameters: jsontext.Value(`{"type":"object","properties":{"prompt":{"type":"string","description":"All that the agent has to know."}},` +
			`"required":["prompt"],"additionalProperties":false}`),
	}
}

// task is the body of a call of task.
func (a *Agent) task(ctx context.Context, p permit.Permit) engine.BodyResult {
	prompt, err := taskPrompt(p.Arguments)
	if err != nil {
		return failedTask(tools.CodeInvalidArguments, err)
	}
	child, err := a.spawn(ctx, p, prompt)
	if err != nil {
		return failedTask("TASK_NOT_STARTED", err)
	}
	said, err := a.cfg.Delegate(ctx, Child{Agent: child, CallID: p.CallID, Prompt: prompt})
	if err != nil {
		ended := child.do(context.WithoutCancel(ctx), child.actor(), engine.EndSession{By: "disposed"})
		return failedTask("TASK_FAILED", errors.Join(err, ended))
	}
	return engine.BodyResult{Content: text(said)}
}

func taskPrompt(arguments jsontext.Value) (string, error) {
	var parsed struct {
		Prompt string `json:"prompt"`
	}
	if err := json.Unmarshal(arguments, &parsed, json.RejectUnknownMembers(true)); err != nil {
		return "", fmt.Errorf("the arguments must be an object with a prompt and nothing else: %w", err)
	}
	if parsed.Prompt == "" {
		return "", errors.New("prompt must not be empty")
	}
	return parsed.Prompt, nil
}

func failedTask(code tools.Code, err error) engine.BodyResult {
	return engine.BodyResult{
		Content: text("Error: " + err.Error()), IsError: true, Error: &events.ToolError{Name: "ToolError", Code: string(code)},
	}
}

// spawn makes the child. Its prompt has the authority of this session because it is
// the dispatched call's own (reference 6).
func (a *Agent) spawn(ctx context.Context, p permit.Permit, prompt string) (*Agent, error) {
	id, err := newID()
	if err != nil {
		return nil, err
	}
	promptID, err := newID()
	if err != nil {
		return nil, err
	}
	m, err := newMeta(a.actor())
	if err != nil {
		return nil, err
	}
	spawned, err := a.cfg.Gate.Spawn(ctx, a.session, engine.SpawnRequest{
		Delegation: lineage.Delegation{
			SpawnID: p.Nonce, ChildID: events.SessionID(id), CreatedAt: time.Now().UnixMilli(),
			Mode: events.ChildOneShot, Provider: lineage.ProviderSpawn, Prompt: prompt, PromptID: promptID, CallID: p.CallID,
		},
		Meta: m,
	})
	if err != nil {
		return nil, err
	}
	child, err := New(a.cfg, spawned.Header)
	if err != nil {
		return nil, err
	}
	child.opened = true
	return child, nil
}
