package client

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

// Call is a call that an agent's model asks for, or a program of the agent's.
type Call struct {
	ID        string // the model's; of a program's call <parent>:ptc:<n>
	Name      string // of the tool
	Arguments string // as the model wrote them, byte for byte
	// Inner is there for a call that a program makes.
	Inner *api.InnerCall
	// Overlaps says that the body changes nothing: it may run beside those of its
	// siblings. Others run alone, one after the other.
	Overlaps bool
}

// Body is the code of a tool. It gets the permit's arguments and mode, and is waited
// for to its end, also when ctx ends meanwhile.
type Body func(ctx context.Context, p permit.Permit) Result

// Result is what a body came to.
type Result struct {
	Content []events.Block
	IsError bool
	Error   *api.ToolError // only with IsError
	Meta    jsontext.Value // of a native call, an object of the executor's
	// Artifacts are the files that the body made, changed or deleted.
	Artifacts []api.Artifact
}

// Text is the result of a body that succeeded.
func Text(text string) Result { return Result{Content: []events.Block{events.TextBlock(text)}} }

// Failure is the result of a body that failed: what the agent reads, and which error
// it is, for programs.
func Failure(code, text string) Result {
	return Result{
		Content: []events.Block{events.TextBlock("Error: " + text)}, IsError: true,
		Error: &api.ToolError{Name: "ToolError", Code: code},
	}
}

// Ran is how a call ended: its body's result, or the refusal of the body. Exactly one
// of the two is there.
type Ran struct {
	Result  *Result
	Refused *Refused
}

// Err is the refusal, nil for a call whose body ran.
func (r Ran) Err() error {
	if r.Refused == nil {
		return nil
	}
	return r.Refused
}

// Text is what the agent reads of the call.
func (r Ran) Text() string {
	if r.Refused != nil {
		return "Error: " + r.Refused.Text
	}
	if r.Result == nil {
		return ""
	}
	texts := make([]string, len(r.Result.Content))
	for i, b := range r.Result.Content {
		texts[i] = b.Text
	}
	return strings.Join(texts, "\n")
}

// The errors of results that this package makes itself.
const (
	abortName   = "AbortError"
	codeAborted = "ABORTED"
	changedName = "FileChangedError"
	codeChanged = "FILE_CHANGED"
	panicName   = "ToolPanicError"
	codePanic   = "TOOL_PANIC"
	resultName  = "ToolResultError"
	codeResult  = "RESULT_NOT_STORABLE"
)

// run runs a body, once. A panic is the body's error. A body that succeeded although
// its caller has gone away is ABORTED; its own errors stay.
func run(ctx context.Context, body Body, p permit.Permit) Result {
	if err := p.CheckFiles(); err != nil {
		return Result{
			Content: []events.Block{events.TextBlock("Error: " + err.Error() + "; nothing was run")}, IsError: true,
			Error: &api.ToolError{Name: changedName, Code: codeChanged},
		}
	}
	result := guarded(ctx, body, p)
	if ctx.Err() != nil && !result.IsError {
		return Result{
			Content: []events.Block{events.TextBlock("Error: The call was cancelled while its body ran")}, IsError: true,
			Error: &api.ToolError{Name: abortName, Code: codeAborted}, Meta: result.Meta, Artifacts: result.Artifacts,
		}
	}
	return result
}

// guarded runs a body on a goroutine of its own, so that one that ends its goroutine
// ends its call, too.
func guarded(ctx context.Context, body Body, p permit.Permit) Result {
	got := make(chan Result, 1)
	go func() {
		result, why := Result{}, any("its goroutine ended")
		defer func() {
			if v := recover(); v != nil {
				why = v
			}
			if why != nil {
				result = Result{
					Content: []events.Block{events.TextBlock(fmt.Sprintf("Error: the body of tool %q failed: %v", p.Tool, why))}, IsError: true,
					Error: &api.ToolError{Name: panicName, Code: codePanic},
				}
			}
			got <- result
		}()
		result = body(ctx, p)
		why = nil
	}()
	return <-got
}
