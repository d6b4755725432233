package eventstest

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
)

// drawStep is one model request and what came of it.
func (d *drawer) drawStep() {
	d.StartStep()
	d.input()
	d.maybe("request header", d.request)
	d.maybe("attempt", func() {
		d.Add(events.AssistantAttempt{Turn: d.turn, Step: d.step, Stream: jsontext.Value(`[{"type":"text-delta"}]`)})
	})
	d.maybe("answer", d.answer)
	d.EndStep()
}

// input draws what the model is told before its request.
func (d *drawer) input() {
	if len(d.surface) == 0 || d.chance("another system message") {
		d.System(d.text())
	}
	choices := []func(){
		func() { d.User(d.text()) },
		func() {
			d.UserFrom(events.Source{Raw: jsontext.Value(`{"kind":"user","rpcId":"r-1","clientTimeZone":"UTC"}`)}, d.text())
		},
		func() {
			d.UserFrom(events.Source{Kind: events.SourceAgentInstructions, Form: "instructions"}, d.text())
		},
		func() { d.UserFrom(events.Source{Kind: "runtime-context"}, d.text()) },
		func() { d.Add(d.agentMessage()) },
		func() {
			d.Add(events.ReviewNotice{ID: d.ID("notice"), Role: "user", Reviewer: "auto", Content: []events.Block{events.TextBlock(d.text())}})
		},
	}
	for range rapid.IntRange(0, 2).Draw(d.rt, "messages") {
		choices[rapid.IntRange(0, len(choices)-1).Draw(d.rt, "which")]()
	}
}

func (d *drawer) agentMessage() events.AgentMessage {
	m := events.AgentMessage{
		ID: d.ID("message"), Role: "user", SenderSessionID: "session-other", Form: "relay",
		Content: []events.Block{events.TextBlock(d.text())},
	}
	if d.chance("parent's") {
		m.SenderSessionID = "session-parent"
		m.Parent = &events.ParentProof{Seq: 3, RecordHash: "00"}
	}
	return m
}

// request draws the snapshot that the next request is made with, and tools that
// came or went since.
func (d *drawer) request() {
	h := events.RequestHeader{
		Reason: d.oneOf("reason", "initial", "resume", "change", "series"),
		Header: events.RequestConfiguration{
			Config: events.RequestConfig{Provider: "p", Model: "m", Temperature: new(0.5), MaxTokens: new(int64(2000))},
		},
	}
	for i := range rapid.IntRange(0, 2).Draw(d.rt, "tools") {
		h.Header.Tools = append(h.Header.Tools, events.ToolDefinition{
			Name: fmt.Sprintf("tool-%d", i), Description: jsontext.Value(`"does it"`), Parameters: jsontext.Value(`{"type":"object"}`),
		})
	}
	at := d.Add(h)
	d.maybe("request context", func() {
		d.Add(events.RequestContext{Provider: "p", Model: "m", ContextWindow: new(int64(22000))})
	})
	d.maybe("developer message", func() {
		m := events.DeveloperMessage{Turn: d.turn, Step: d.step, Message: d.message("developer", d.text())}
		if len(h.Header.Tools) > 0 {
			m.Message.Content = append(m.Message.Content, events.Block{Raw: jsontext.Value(`{"type":"tool-addition","name":"tool-0"}`)})
			m.HeaderSeq = &at
		}
		d.Add(m)
	})
}

// answer draws the model's message and its calls: some start and get a result,
// and where the step was cut short the last one does not start.
func (d *drawer) answer() {
	n := rapid.IntRange(0, 3).Draw(d.rt, "calls")
	var blocks []events.Block
	var ids []string
	for range n {
		ids = append(ids, d.ID("call"))
		blocks = append(blocks, events.ToolCallBlock(ids[len(ids)-1], d.oneOf("tool", "bash", "run_code"), d.oneOf("arguments", "", "{}", `{"a":1}`, "not json")))
	}
	d.Assistant(d.text(), blocks...)
	for i, b := range blocks {
		if i == n-1 && d.chance("not started") {
			d.Failed(b.ID, events.CodeNotStarted)
			return
		}
		d.Call(b.ID, b.Name, b.Arguments)
		d.judged(b.ID)
		d.maybe("inner call", func() { d.inner(b.ID, b.ID, 1) })
		d.settled(b.ID)
	}
}

// judged draws what a reviewer and a person say of a call, and its dispatch.
func (d *drawer) judged(call string) {
	dispatch := events.ToolDispatched{
		CallID: call, ArgumentHash: "00", Mode: events.ModeReadOnly, Nonce: "n", ExpiresAt: Epoch,
	}
	d.maybe("review", func() {
		d.Add(events.ReviewRequested{CallID: call, Engine: "e", Reviewer: "auto", Nonce: "n", AsOfSeq: d.Next() - 1})
		dispatch.VerdictSeq = new(d.Add(d.verdict(call)))
	})
	d.maybe("approval", func() {
		id := d.ID("approval")
		d.Add(events.ApprovalAsked{ID: id, ToolName: "bash", CallID: call, Reason: d.text()})
		dispatch.VerdictSeq = nil
		dispatch.DecisionSeq = new(d.Add(events.ApprovalDecided{
			ID: id, Feedback: d.text(), Scope: "once", By: "human",
			Outcome: d.oneOf("outcome", events.OutcomeAllowedOnce, events.OutcomeRejected, events.OutcomeCancelled, events.OutcomeUnavailable),
		}))
	})
	d.maybe("grant", func() {
		grant := d.Add(events.GrantIssued{CallID: call, Tool: "bash", Mode: events.ModeWorkspaceWrite, Justification: "needs it"})
		d.Add(events.GrantConsumed{CallID: call, GrantSeq: grant})
		dispatch.VerdictSeq, dispatch.DecisionSeq, dispatch.GrantSeq = nil, nil, &grant
	})
	if dispatch.VerdictSeq != nil || dispatch.DecisionSeq != nil || dispatch.GrantSeq != nil {
		d.Add(dispatch)
	}
}

// verdict may carry a reason that no Go string can hold.
func (d *drawer) verdict(call string) events.ReviewVerdict {
	v := events.ReviewVerdict{
		Turn: d.turn, Step: d.step, CallID: call, Mode: d.oneOf("mode", "native", "ptc-inner"), Preset: "auto", Reviewer: "auto",
		Outcome: d.oneOf("verdict", events.VerdictAllow, events.VerdictDeny, events.VerdictFailure, events.VerdictCancelled),
	}
	switch v.Outcome {
	case events.VerdictDeny:
		v.Reason = jsontext.Value(d.oneOf("reason", `"too risky"`, `"a \ud83d lone surrogate"`))
	case events.VerdictFailure:
		v.Failure = &events.ReviewFailure{Class: "TIMEOUT", Detail: d.text()}
	}
	return v
}

// inner draws an inner call and, now and then, one inside that.
func (d *drawer) inner(root, parent string, depth int) {
	start := events.PTCDispatchStart{
		RootCallID: root, ParentCallID: parent, SubCallID: fmt.Sprintf("%s:ptc:%d", parent, depth),
		Name: "read", Arguments: jsontext.Value(d.oneOf("arguments", "{}", "null", `"text"`, "[1]")),
	}
	d.Add(start)
	if depth < 2 && d.chance("deeper") {
		d.inner(root, start.SubCallID, depth+1)
	}
	failed := d.chance("inner call fails")
	settle := events.PTCDispatch{
		RootCallID: start.RootCallID, ParentCallID: parent, SubCallID: start.SubCallID, Name: start.Name, Arguments: start.Arguments,
		IsError: &failed, Content: []events.Block{events.TextBlock(d.text())},
	}
	if failed {
		settle.Error = &events.ToolError{Name: "Denied", Code: "AUTO_REVIEW_DENIED", Reason: jsontext.Value(`"\udc00"`)}
	}
	d.Add(settle)
}

// settled draws a call's result and what it left behind.
func (d *drawer) settled(call string) {
	if d.chance("fails") {
		d.Failed(call, d.oneOf("code", "ABORTED", events.CodeOutcomeUnknown))
		return
	}
	d.Result(call, d.text())
	d.maybe("artifact", func() {
		d.Add(events.ArtifactObserved{CallID: call, Source: d.oneOf("source", "engine", "caller"), Artifacts: []events.Artifact{
			{Path: "/workspace/demo/a", Device: 1, Inode: 2, BirthTime: 3, Kind: "file", Change: "created", SHA256: "aa"},
		}})
	})
}
