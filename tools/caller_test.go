package tools_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/tools"
)

// gateDouble stands for the gate: it is a double of what judges and of what keeps
// the record. The calls that it lets through are what its test says.
type gateDouble struct {
	bound []tools.Schema
	// start is the gate's answer to a call; nil lets each through at once.
	start func(ctx context.Context, c tools.InnerCall) error
	// body is what a call comes to; nil is an echo of its arguments.
	body func(ctx context.Context, c tools.InnerCall) tools.InnerResult

	mu     sync.Mutex // guards what follows
	log    []string   // "start 1 read {…}", "settle 1"
	inGate int
	most   int // at once before the gate
	bodies int
	widest int // bodies at once
}

func (g *gateDouble) Bindings() []tools.Schema {
	if g.bound != nil {
		return g.bound
	}
	var bound []tools.Schema
	for _, tool := range tools.Shipped().All() {
		bound = append(bound, tool.Schema())
	}
	return bound
}

func (g *gateDouble) note(format string, args ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.log = append(g.log, fmt.Sprintf(format, args...))
}

func (g *gateDouble) count(n, most *int, by int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	*n += by
	*most = max(*most, *n)
}

// notes are what was put on the record, in order.
func (g *gateDouble) notes() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string{}, g.log...)
}

func (g *gateDouble) Start(ctx context.Context, c tools.InnerCall) (tools.Running, error) {
	g.note("start %d %s %s", c.Number, c.Name, c.Arguments)
	g.count(&g.inGate, &g.most, 1)
	defer g.count(&g.inGate, &g.most, -1)
	if g.start != nil {
		err := g.start(ctx, c)
		if denied, ok := errors.AsType[denial](err); ok {
			return ending(func() tools.InnerResult {
				g.note("settle %d", c.Number)
				return tools.InnerResult{IsError: true, Message: string(denied)}
			}), nil
		}
		if err != nil {
			return nil, err
		}
	}
	g.count(&g.bodies, &g.widest, 1)
	result := make(chan tools.InnerResult, 1)
	go func() { result <- g.run(ctx, c) }()
	return ending(func() tools.InnerResult {
		r := <-result
		g.note("settle %d", c.Number)
		return r
	}), nil
}

func (g *gateDouble) run(ctx context.Context, c tools.InnerCall) tools.InnerResult {
	defer g.count(&g.bodies, &g.widest, -1)
	if g.body == nil {
		return tools.InnerResult{Text: string(c.Arguments)}
	}
	return g.body(ctx, c)
}

// ending is an inner call that was started.
type ending func() tools.InnerResult

func (e ending) Wait() tools.InnerResult { return e() }

// denial is the line of a refused call.
type denial string

func (d denial) Error() string { return string(d) }

// runCode runs a program with limits that are short enough for a test.
func runCode(t *testing.T, g *gateDouble, code string) tools.Result {
	t.Helper()
	return runLimited(t.Context(), t, g, tools.Limits{Time: 10 * time.Second}, code)
}

func runLimited(ctx context.Context, t *testing.T, g *gateDouble, l tools.Limits, code string) tools.Result {
	t.Helper()
	quoted, err := jsontext.AppendQuote(nil, code)
	if err != nil {
		t.Fatal(err)
	}
	args := jsontext.Value(`{"code":` + string(quoted) + `}`)
	return tools.RunCode(l).Run(ctx, tools.Env{CWD: os.TempDir(), Caller: g}, args)
}

// want compares a result with what it must be: a code, empty for success, and the
// whole text.
func want(t *testing.T, got tools.Result, code tools.Code, text string) {
	t.Helper()
	if got.Code != code || got.IsError != (code != "") || got.Text != text {
		t.Errorf("got %q (error %v): %q, want %q: %q", got.Code, got.IsError, got.Text, code, text)
	}
}
