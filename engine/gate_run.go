package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

// Body is the code of a tool. It gets the permit's arguments and mode, and is
// waited for to its end, also when ctx ends meanwhile.
type Body func(ctx context.Context, p permit.Permit) BodyResult

// BodyResult is what a body came to.
type BodyResult struct {
	Content   []events.Block
	IsError   bool
	Error     *events.ToolError
	Meta      jsontext.Value
	Artifacts []events.Artifact
}

// Ran is how a call ended: its body's result, or the gate's refusal. Exactly one
// of the two is there.
type Ran struct {
	Result  *BodyResult
	Refused *Refused
}

// Start takes a call through the gate for an executor of this process and burns
// its permit. It returns when the gate has answered: a refused call has ended
// then, and of one that was not, whoever started it runs the body and settles it.
// So a program's calls can start and settle in the order in which they were made,
// while their bodies overlap (reference 4).
func (g *Gate) Start(ctx context.Context, x *permit.Executor, r CallRequest, m Meta) (*Started, error) {
	r.Nonce = x.Expect(r.scope())
	answer, err := g.callFor(ctx, x, r, m)
	if err != nil || answer.Refused != nil {
		x.Forget(r.Nonce)
		return &Started{Refused: answer.Refused}, err
	}
	s := &Started{gate: g, executor: x, req: r, meta: m}
	if ctx.Err() != nil {
		return s, s.giveBack(ctx, true)
	}
	s.permit, err = x.Burn(answer.Permit.Signed, time.Now())
	if err != nil {
		return s, s.giveBack(ctx, false)
	}
	return s, nil
}

// Started is a call that the gate has answered.
type Started struct {
	// Refused says that the body does not run; its result is on the log.
	Refused *Refused

	gate     *Gate
	executor *permit.Executor
	req      CallRequest
	meta     Meta
	permit   permit.Permit // burnt
}

// giveBack returns a permit whose body does not start.
func (s *Started) giveBack(ctx context.Context, cancelled bool) error {
	proof, err := s.executor.Return(s.req.Nonce)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(recording(ctx), recordTimeout)
	defer cancel()
	r := Returned{Session: s.req.Session, CallID: s.req.CallID, Proof: proof, Cancelled: cancelled}
	done, err := s.gate.Return(ctx, r, s.later("returned"))
	if err != nil {
		return err
	}
	s.Refused = r.refused()
	if done.Next > 0 {
		last := done.Next - 1
		s.Refused.Seq = &last
	}
	return nil
}

func (s *Started) later(part string) Meta {
	m := s.meta.part(part)
	m.Now, m.Expect = max(m.Now, time.Now().UnixMilli()), nil
	return m
}

// Run runs the body of a call that was not refused, once, and gives its result. A
// panic is the body's error. A body that succeeded although its caller has gone
// away is ABORTED; its own errors stay (reference 4).
func (s *Started) Run(ctx context.Context, body Body) BodyResult {
	result := guardedBody(ctx, body, s.permit)
	if ctx.Err() != nil && !result.IsError {
		result.IsError = true
		result.Error = &events.ToolError{Name: AbortName, Code: CodeAborted}
		result.Content = []events.Block{events.TextBlock("Error: The call was cancelled while its body ran")}
	}
	return result
}

func guardedBody(ctx context.Context, body Body, p permit.Permit) (result BodyResult) {
	if err := p.CheckFiles(); err != nil {
		return BodyResult{
			Content: []events.Block{events.TextBlock("Error: " + err.Error() + "; nothing was run")},
			IsError: true, Error: &events.ToolError{Name: "FileChangedError", Code: CodeFileChanged},
		}
	}
	defer func() {
		if v := recover(); v != nil {
			result = BodyResult{
				Content: []events.Block{events.TextBlock(fmt.Sprintf("Error: the body of tool %q failed: %v", p.Tool, v))},
				IsError: true, Error: &events.ToolError{Name: "ToolPanicError", Code: "TOOL_PANIC"},
			}
		}
	}()
	return body(ctx, p)
}

// Settle puts what the body came to on the log.
func (s *Started) Settle(ctx context.Context, r BodyResult) error {
	ctx, cancel := context.WithTimeout(recording(ctx), recordTimeout)
	defer cancel()
	_, err := s.gate.Settle(ctx, Settlement{
		Session: s.req.Session, CallID: s.req.CallID, Nonce: s.req.Nonce,
		Content: r.Content, IsError: r.IsError, Error: r.Error, Meta: r.Meta, Artifacts: r.Artifacts, Source: s.source(),
	}, s.later("result"))
	return err
}

// source is who looked at the files of a body that was run here.
func (s *Started) source() string {
	if s.executor.Trusts(s.gate.local) {
		return events.SourceEngine
	}
	return events.SourceCaller
}

// Run takes a call through the gate and, if it is dispatched, runs its body and
// settles it. The body runs at most once, with what the permit says.
func (g *Gate) Run(ctx context.Context, x *permit.Executor, r CallRequest, m Meta, body Body) (Ran, error) {
	s, err := g.Start(ctx, x, r, m)
	if err != nil {
		return Ran{}, err
	}
	if s.Refused != nil {
		return Ran{Refused: s.Refused}, nil
	}
	result := s.Run(ctx, body)
	return Ran{Result: &result}, s.Settle(ctx, result)
}
