package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

func wantTail(t *testing.T, y *yard, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, y.tail(events.TypeToolCall)); diff != "" {
		t.Errorf("the log is another one (-want +got):\n%s", diff)
	}
}

func wantBodies(t *testing.T, y *yard, want ...string) {
	t.Helper()
	if !slices.Equal(y.bodies, want) {
		t.Errorf("got the bodies %q, want %q", y.bodies, want)
	}
}

func wantRefused(t *testing.T, ran engine.Ran, kind engine.RefusalKind, text string) *engine.Refused {
	t.Helper()
	if ran.Refused == nil {
		t.Fatalf("got a result, want a refusal")
	}
	if ran.Refused.Kind != kind || !strings.Contains(ran.Refused.Text, text) {
		t.Errorf("got %s: %s, want %s: %s", ran.Refused.Kind, ran.Refused.Text, kind, text)
	}
	return ran.Refused
}

const echo1 = `c1 {"command":"echo c1"} danger-full-access`

func TestAnAllowedCallRunsOnceWithWhatWasReviewed(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
	ran := y.ran(t.Context(), "c1")
	if ran.Result == nil || ran.Result.IsError {
		t.Fatalf("got %+v, want a result", ran)
	}
	wantBodies(t, y, echo1)
	wantTail(t, y, "tool/call c1", "review/requested", "review/verdict c1 allow", "tool/dispatched c1 by verdict", "tool/result c1 ok")
	if got := y.judge.calls[0]; got.Turn != 1 || got.Step != 1 || got.Name != "shell" || got.RootCallID != "c1" || string(got.Arguments) != argumentsOf("c1") {
		t.Errorf("the reviewer was asked about %+v", got)
	}
}

// TestVerdictAndDispatchAreOneFrame: no reader ever finds an allow that was not
// dispatched.
func TestVerdictAndDispatchAreOneFrame(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
	y.ran(t.Context(), "c1")
	appends := map[events.Type]events.AppendID{}
	for r, err := range y.memory.Read(t.Context(), y.id, 0) {
		if err != nil {
			t.Fatal(err)
		}
		appends[r.Type()] = r.Append
	}
	if appends[events.TypeToolCall] != appends[events.TypeReviewRequested] || appends[events.TypeReviewVerdict] != appends[events.TypeToolDispatched] ||
		appends[events.TypeToolCall] == appends[events.TypeReviewVerdict] || appends[events.TypeToolResult] == appends[events.TypeToolDispatched] {
		t.Errorf("got the frames %v", appends)
	}
}

func TestAFinalDenialHasTheFixedLineAndTheRawReason(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Deny, `"two\nlines \ud800"`)}, events.PolicyNever, "c1")
	r := wantRefused(t, y.ran(t.Context(), "c1"), engine.Denied, `Auto review rejected tool "shell"; its body was not executed`)
	if r.Error == nil || r.Error.Name != "AutoReviewDeniedError" || r.Error.Code != "AUTO_REVIEW_DENIED" || string(r.Error.Reason) != `"two\nlines \ud800"` {
		t.Errorf("got %+v", r.Error)
	}
	wantBodies(t, y)
	wantTail(t, y, "tool/call c1", "review/requested", `review/verdict c1 deny "two\nlines \ud800"`, "tool/result c1 AUTO_REVIEW_DENIED")
	result := last(t, y).(events.ToolResult)
	if got := result.Message.Content[0].Text; got != `Error: Auto review rejected tool "shell"; its body was not executed` {
		t.Errorf("the agent reads %q: no reason, or it would work around it", got)
	}
}

func last(t *testing.T, y *yard) events.Event {
	t.Helper()
	all := eventstest.Check(t, y.memory, y.id)
	return all[len(all)-1].Event
}

func TestAFailedReviewIsNoDenial(t *testing.T) {
	for _, policy := range []string{events.PolicyAsk, events.PolicyNever} {
		t.Run(policy, func(t *testing.T) {
			y := asks(t, &judge{answer: fails}, policy, "c1")
			r := wantRefused(t, y.ran(t.Context(), "c1"), engine.Failed, "MODEL_IDLE: nothing came for 60 s")
			if r.Error != nil {
				t.Errorf("got the structured error %+v, want none", r.Error)
			}
			wantTail(t, y, "tool/call c1", "review/requested", "review/verdict c1 failure timeout", "tool/result c1 error")
			wantBodies(t, y)
		})
	}
}

func TestARequestThatCannotBeMadeAsksNobody(t *testing.T) {
	j := &judge{answer: always(reviewer.Allow, ""), prepare: func(reviewer.View, reviewer.Call) error {
		return &reviewer.Failure{Class: reviewer.ClassInconsistent, Code: "ROUTE_MISSING", Detail: "no request header"}
	}}
	y := asks(t, j, "", "c1")
	wantRefused(t, y.ran(t.Context(), "c1"), engine.Failed, "ROUTE_MISSING")
	if n := j.asked(); n != 0 {
		t.Errorf("the reviewer was asked %d times", n)
	}
	wantTail(t, y, "tool/call c1", "review/requested", "review/verdict c1 failure inconsistent-log", "tool/result c1 error")
}

// TestWhatIsNoAnswerIsAFailure: the zero verdict, an unknown one, an allow with a
// reason, a panic.
func TestWhatIsNoAnswerIsAFailure(t *testing.T) {
	for name, answer := range map[string]func(context.Context, reviewer.Call) (reviewer.Verdict, error){
		"nothing":           func(context.Context, reviewer.Call) (reviewer.Verdict, error) { return reviewer.Verdict{}, nil },
		"maybe":             always("maybe", ""),
		"allow with reason": always(reviewer.Allow, `"because"`),
		"panic":             func(context.Context, reviewer.Call) (reviewer.Verdict, error) { panic("no") },
		"plain error": func(context.Context, reviewer.Call) (reviewer.Verdict, error) {
			return reviewer.Verdict{Outcome: reviewer.Allow}, errCut
		},
	} {
		t.Run(name, func(t *testing.T) {
			y := asks(t, &judge{answer: answer}, "", "c1")
			wantRefused(t, y.ran(t.Context(), "c1"), engine.Failed, "failed and its body was not executed")
			wantBodies(t, y)
		})
	}
}

// TestARepeatedCallIsReviewedAgain: no exemption, cache, grant or retry.
func TestARepeatedCallIsReviewedAgain(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1", "c2")
	first, second := y.request("c1"), y.request("c2")
	y.do(engine.SetTier{Tier: "aggressive"})
	for _, r := range []engine.CallRequest{first, second} {
		if _, err := y.run(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if n := y.judge.asked(); n != 2 {
		t.Errorf("got %d reviews, want 2", n)
	}
	y.judge.answer = fails
	y.do(engine.EndStep{}, engine.EndTurn{Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	y.wants2("d1")
	wantRefused(t, y.ran(t.Context(), "d1"), engine.Failed, "MODEL_IDLE")
	if n := y.judge.asked(); n != 3 {
		t.Errorf("got %d reviews, want 3: a failure is not tried again", n)
	}
}

// wants2 is wants in a later turn.
func (y *yard) wants2(ids ...string) {
	y.t.Helper()
	var blocks []events.Block
	for _, id := range ids {
		blocks = append(blocks, events.ToolCallBlock(id, "shell", argumentsOf(id)))
	}
	y.do(engine.StartTurn{}, engine.StartStep{}, engine.AssistantMessage{MessageID: "b", Provider: "p", Model: "m", Content: blocks})
}

func TestASessionOnAnotherPresetIsNotReviewed(t *testing.T) {
	y := newYard(t, &judge{answer: always(reviewer.Deny, "")})
	y.on(presets.DangerFullAccess, "")
	y.wants("c1")
	y.ran(t.Context(), "c1")
	wantBodies(t, y, echo1)
	wantTail(t, y, "tool/call c1", "tool/dispatched c1 by preset", "tool/result c1 ok")
	if n := y.judge.asked(); n != 0 {
		t.Errorf("got %d reviews, want none", n)
	}
}

func TestAModeThatTheExecutorCannotConfineToIsUnavailable(t *testing.T) {
	y := newYard(t, &judge{answer: always(reviewer.Allow, "")})
	y.on(presets.WorkspaceWrite, "")
	y.wants("c1", "c2")
	r := wantRefused(t, y.ran(t.Context(), "c1"), engine.Failed, "cannot confine")
	if r.Error == nil || r.Error.Code != "SANDBOX_UNAVAILABLE" {
		t.Errorf("got %+v", r.Error)
	}
	confined := y.request("c2")
	confined.Confines = func(mode string) bool { return mode == events.ModeWorkspaceWrite }
	if _, err := y.run(t.Context(), confined); err != nil {
		t.Fatal(err)
	}
	wantBodies(t, y, `c2 {"command":"echo c2"} workspace-write`)
}

func TestASessionWhoseLogSaysNothingOfPresetsMakesNoCall(t *testing.T) {
	y := newYard(t, &judge{answer: always(reviewer.Allow, "")})
	y.wants("c1")
	_, err := y.run(t.Context(), y.request("c1"))
	wantRefusal(t, err, engine.CodeNotPublished, "session")
	if tail := y.tail(events.TypeToolCall); len(tail) > 0 {
		t.Errorf("got %v on the log, want nothing", tail)
	}
}

func TestAPersistedAutoSessionWithoutItsIntegrationMakesNoCallAndIsNotPublished(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
	before := linesOf(t, y.memory, y.id)
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	if err != nil {
		t.Fatal(err)
	}
	bare, err := engine.NewGate(engine.GateConfig{Engine: y.engine, Registry: presets.NewRegistry(table, nil), Tail: y.memory, Instance: "bare", Key: y.key})
	if err != nil {
		t.Fatal(err)
	}
	_, err = bare.Run(t.Context(), y.executor, y.request("c1"), y.meta(), y.body)
	wantRefusal(t, err, presets.CodePresetAbsent, "preset")
	_, err = bare.Publish(t.Context(), y.id, engine.Publish{}, y.meta())
	wantRefusal(t, err, presets.CodePresetAbsent, "preset")
	sameLines(t, linesOf(t, y.memory, y.id), before)
	wantBodies(t, y)
}

func TestArgumentsThatReadersTakeDifferentlyAreRefusedOnTheRecord(t *testing.T) {
	for name, arguments := range map[string]string{
		"a member twice":           `{"command":"ls","command":"rm -rf /"}`,
		"twice by an escape":       `{"command":"ls","\u0063ommand":"rm -rf /"}`,
		"equal but for their case": `{"command":"ls","Command":"rm -rf /"}`,
		"half a surrogate pair":    `{"command":"\ud800"}`,
		"negative zero":            `{"command":"ls","n":-0}`,
		"beyond a double":          `{"command":"ls","n":1e400}`,
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t, &judge{answer: always(reviewer.Allow, "")})
			y.on(presets.Auto, "")
			y.do(engine.StartTurn{}, engine.StartStep{}, engine.AssistantMessage{MessageID: "a", Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c1", "shell", arguments)}})
			r := y.request("c1")
			r.Arguments = arguments
			ran, err := y.run(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			wantRefused(t, ran, engine.Failed, "arguments are refused")
			wantTail(t, y, "tool/call c1", "tool/result c1 INVALID_ARGUMENTS")
			if y.judge.asked() != 0 {
				t.Error("the reviewer was asked")
			}
		})
	}
}

func TestRawArgumentsAreParsedAsTheReferenceDoes(t *testing.T) {
	for raw, want := range map[string]string{"": "{}", "not-json": `"not-json"`, `{"a":1}`: `{"a":1}`} {
		y := newYard(t, &judge{answer: always(reviewer.Allow, "")})
		y.on(presets.Auto, "")
		y.do(engine.StartTurn{}, engine.StartStep{}, engine.AssistantMessage{MessageID: "a", Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c1", "shell", raw)}})
		r := y.request("c1")
		r.Arguments = raw
		if _, err := y.run(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		wantBodies(t, y, "c1 "+want+" danger-full-access")
		if got := string(y.judge.calls[0].Arguments); got != want {
			t.Errorf("%q: the reviewer saw %s, want %s", raw, got, want)
		}
	}
}

func TestBadRequestsNameTheirFieldAndWriteNothing(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
	before := linesOf(t, y.memory, y.id)
	for field, change := range map[string]func(*engine.CallRequest){
		"session":      func(r *engine.CallRequest) { r.Session = "a b" },
		"callId":       func(r *engine.CallRequest) { r.CallID = "" },
		"name":         func(r *engine.CallRequest) { r.Name = "" },
		"rootCallId":   func(r *engine.CallRequest) { r.Inner = &engine.InnerRequest{ParentCallID: "c1"} },
		"parentCallId": func(r *engine.CallRequest) { r.Inner = &engine.InnerRequest{RootCallID: "c1"} },
		"arguments":    func(r *engine.CallRequest) { r.Arguments = `{"command":"rm"}` },
	} {
		r := y.request("c1")
		change(&r)
		_, err := y.run(t.Context(), r)
		if got := refusalOf(t, err); got.Field != field {
			t.Errorf("got %q (%v), want field %s", got.Field, got, field)
		}
	}
	r := y.request("c1")
	_, err := y.gate.Call(t.Context(), r, y.meta())
	wantRefusal(t, err, engine.CodeInvalid, "nonce")
	sameLines(t, linesOf(t, y.memory, y.id), before)
}
