package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

const program = `{"code":"await tools.shell({command:'ls'})"}`

var runCode = events.ToolDefinition{Name: "run_code", Description: jsontext.Value(`"runs a program"`), Parameters: jsontext.Value(`{"type":"object"}`)}

// withRunner makes the yard's executor "runner" the one that runs programs.
func withRunner(g *engine.GateConfig, _ *yard) {
	g.Programs = []engine.Program{{Executor: "runner", Tool: "run_code", SchemaHash: engine.SchemaHash(runCode)}}
}

// programmed is a yard whose step wants the call c1 of run_code.
func programmed(t *testing.T, j *judge, policy string) *yard {
	t.Helper()
	y := newYard(t, j, withRunner)
	y.on(presets.Auto, policy)
	h := shellHeader()
	h.Tools = append(h.Tools, runCode)
	y.do(engine.StartTurn{}, engine.StartStep{}, engine.SetRequest{Header: h, Reason: "initial"},
		engine.AssistantMessage{MessageID: "a", Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c1", "run_code", program)}})
	return y
}

func (y *yard) program() engine.CallRequest {
	return engine.CallRequest{Session: y.id, CallID: "c1", Name: "run_code", Arguments: program, Executor: "runner"}
}

func (y *yard) inner(n int) engine.CallRequest {
	description := "runs"
	return engine.CallRequest{
		Session: y.id, CallID: fmt.Sprint("c1:ptc:", n), Name: "shell", Arguments: fmt.Sprintf(`{"command":"ls %d"}`, n), Executor: "runner",
		Inner: &engine.InnerRequest{RootCallID: "c1", ParentCallID: "c1", Schema: &reviewer.Schema{Name: "shell", Description: &description, Parameters: jsontext.Value(`{"type":"object"}`)}},
	}
}

// TestTheOuterCallOfOurOwnRunnerIsNotReviewedAndItsInnerCallsAre is reference 5.1.
func TestTheOuterCallOfOurOwnRunnerIsNotReviewedAndItsInnerCallsAre(t *testing.T) {
	y := programmed(t, &judge{answer: always(reviewer.Allow, "")}, "")
	outer, err := y.gate.Start(t.Context(), y.executor, y.program(), y.meta())
	if err != nil || outer.Refused != nil {
		t.Fatalf("got %+v, %v", outer, err)
	}
	result := outer.Run(t.Context(), func(ctx context.Context, p permit.Permit) engine.BodyResult {
		if ran, err := y.run(ctx, y.inner(1)); err != nil || ran.Result == nil {
			t.Errorf("got %+v, %v", ran, err)
		}
		return engine.BodyResult{Content: []events.Block{events.TextBlock("ok")}}
	})
	if err := outer.Settle(t.Context(), result); err != nil {
		t.Fatal(err)
	}
	wantTail(t, y, "tool/call c1", "tool/dispatched c1 by preset",
		"tool/ptc-dispatch-start c1:ptc:1", "review/requested", "review/verdict c1:ptc:1 allow", "tool/dispatched c1:ptc:1 by verdict", "tool/ptc-dispatch c1:ptc:1 ok",
		"tool/result c1 ok")
	got := y.judge.calls[0]
	if got.Mode != reviewer.ModeInner || got.RootCallID != "c1" || got.CallID != "c1:ptc:1" || got.Schema == nil || got.Schema.Name != "shell" {
		t.Errorf("the reviewer was asked about %+v", got)
	}
}

// TestAToolsNameProvesNothing: run_code of another executor, or as another
// definition, is reviewed as any call is.
func TestAToolsNameProvesNothing(t *testing.T) {
	for name, change := range map[string]func(*engine.CallRequest, *yard){
		"another executor": func(r *engine.CallRequest, _ *yard) { r.Executor = "agent" },
		"no executor":      func(r *engine.CallRequest, _ *yard) { r.Executor = "" },
		"another definition": func(_ *engine.CallRequest, y *yard) {
			h := shellHeader()
			other := runCode
			other.Description = jsontext.Value(`"runs anything"`)
			h.Tools = append(h.Tools, other)
			y.do(engine.SetRequest{Header: h, Reason: "change"})
		},
		"defined twice": func(_ *engine.CallRequest, y *yard) {
			h := shellHeader()
			h.Tools = append(h.Tools, runCode, runCode)
			y.do(engine.SetRequest{Header: h, Reason: "change"})
		},
		"not defined": func(_ *engine.CallRequest, y *yard) {
			y.do(engine.SetRequest{Header: shellHeader(), Reason: "change"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			y := programmed(t, &judge{answer: always(reviewer.Deny, "")}, events.PolicyNever)
			r := y.program()
			change(&r, y)
			ran, err := y.run(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			wantRefused(t, ran, engine.Denied, `Auto review rejected tool "run_code"`)
			if n := y.judge.asked(); n != 1 {
				t.Errorf("got %d reviews, want 1", n)
			}
			wantBodies(t, y)
		})
	}
}

// TestANestedRunCodeIsReviewed: only the outer call is exempt.
func TestANestedRunCodeIsReviewed(t *testing.T) {
	y := programmed(t, &judge{answer: always(reviewer.Deny, "")}, events.PolicyNever)
	if _, err := y.gate.Start(t.Context(), y.executor, y.program(), y.meta()); err != nil {
		t.Fatal(err)
	}
	r := y.inner(1)
	r.Name, r.Arguments, r.Inner.Schema.Name = "run_code", program, "run_code"
	ran, err := y.run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	wantRefused(t, ran, engine.Denied, `rejected tool "run_code"`)
}

// TestAnInnerDenialUnderNeverKeepsTheRawReason, on several lines, in its settle
// event; the text is the fixed line.
func TestAnInnerDenialUnderNeverKeepsTheRawReason(t *testing.T) {
	y := programmed(t, &judge{answer: always(reviewer.Deny, `"one\ntwo"`)}, events.PolicyNever)
	if _, err := y.gate.Start(t.Context(), y.executor, y.program(), y.meta()); err != nil {
		t.Fatal(err)
	}
	ran, err := y.run(t.Context(), y.inner(1))
	if err != nil {
		t.Fatal(err)
	}
	wantRefused(t, ran, engine.Denied, `Auto review rejected tool "shell"; its body was not executed`)
	settle := last(t, y).(events.PTCDispatch)
	if string(settle.Error.Reason) != `"one\ntwo"` || settle.Content[0].Text != `Error: Auto review rejected tool "shell"; its body was not executed` {
		t.Errorf("got %+v", settle)
	}
}

// TestAProgramThatWasNotDispatchedMakesNoCall: an inner call needs a running root.
func TestAProgramThatWasNotDispatchedMakesNoCall(t *testing.T) {
	y := programmed(t, &judge{answer: always(reviewer.Allow, "")}, "")
	_, err := y.run(t.Context(), y.inner(1))
	wantRefusal(t, err, engine.CodeCallUnknown, "rootCallId")
	y.do(engine.StartCall{CallID: "c1", Name: "run_code", Arguments: program})
	_, err = y.run(t.Context(), y.inner(1))
	wantRefusal(t, err, engine.CodeNotAllowed, "rootCallId")
}

// TestSiblingsAreReviewedOneAfterTheOtherAndBodiesOverlap is reference 4.
func TestSiblingsAreReviewedOneAfterTheOtherAndBodiesOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var order []string
		note := func(what string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, what)
		}
		step := make(chan struct{})
		y := asks(t, &judge{answer: func(_ context.Context, c reviewer.Call) (reviewer.Verdict, error) {
			note("review " + c.CallID)
			<-step
			note("verdict " + c.CallID)
			return reviewer.Verdict{Outcome: reviewer.Allow}, nil
		}}, "", "c1", "c2")
		finish := make(chan struct{})
		var wg sync.WaitGroup
		for _, id := range []string{"c1", "c2"} {
			wg.Go(func() {
				_, err := y.gate.Run(t.Context(), y.executor, y.request(id), y.meta(), func(context.Context, permit.Permit) engine.BodyResult {
					note("body " + id)
					<-finish
					return engine.BodyResult{}
				})
				if err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		if want := []string{"review c1"}; !slices.Equal(order, want) {
			t.Errorf("got %v while the first review is under way, want %v", order, want)
		}
		step <- struct{}{}
		synctest.Wait()
		step <- struct{}{}
		synctest.Wait()
		if got := strings.Join(order, ", "); !strings.HasPrefix(got, "review c1, verdict c1,") || !strings.HasSuffix(got, "verdict c2, body c2") || strings.Index(got, "review c2") < strings.Index(got, "verdict c1") {
			t.Errorf("got %s", got)
		}
		close(finish) // both bodies were running
		wg.Wait()
	})
}
