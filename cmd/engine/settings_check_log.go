package main

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
	"github.com/docket-engine/docket/tools"
)

// The action that a check of a route asks about: a person wants a file read that is in
// the project, and that is the call. It is the same each time.
const (
	checkAction    = `read README.md, as a person asked`
	checkSaid      = "Please read README.md and tell me in one sentence what this project is."
	checkTool      = "read"
	checkArguments = `{"path":"README.md"}`
	checkFolder    = "/workspace/project"
	checkTime      = 1_767_225_600_000 // 1 January 2026
)

// checkedCall is a session in memory, up to that call, on the route: what a review folds
// from a log is folded here from the same events.
func checkedCall(route reviewer.RouteName) (reviewer.View, reviewer.Call, error) {
	tool, known := tools.Shipped().Tool(checkTool)
	description, err := jsontext.AppendQuote(nil, tool.Description)
	if err != nil || !known {
		return reviewer.View{}, reviewer.Call{}, errors.Join(errors.New("the tool is not there"), err)
	}
	header, err := events.NewHeader(events.Header{ID: "route-check", CreatedAt: checkTime, CWD: checkFolder})
	if err != nil {
		return reviewer.View{}, reviewer.Call{}, err
	}
	said := events.UserMessage{
		ID: "user-1", Role: "user", Source: events.Source{Kind: events.SourceUser}, Content: []events.Block{events.TextBlock(checkSaid)},
	}
	asked := events.RequestHeader{Reason: "initial", Header: events.RequestConfiguration{
		Config: events.RequestConfig{Provider: route.Provider, Model: route.Model},
		Tools:  []events.ToolDefinition{{Name: tool.Name, Description: description, Parameters: tool.Parameters}},
	}}
	called := events.AssistantMessage{Turn: 1, Step: 1, Stream: jsontext.Value("[]"), Message: events.Message{
		ID: "assistant-1", Role: "assistant", Source: &events.Source{Raw: jsontext.Value(`{"kind":"model"}`)},
		Content: []events.Block{events.ToolCallBlock("call-1", checkTool, checkArguments)},
	}}
	view := reviewer.View{Session: projections.NewSession(header), History: projections.NewHistory()}
	var last events.Envelope
	for i, ev := range []events.Event{
		events.TurnStart{Turn: 1},
		events.StepStart{Turn: 1, Step: 1},
		said, asked, called,
		events.ToolCall{Turn: 1, Step: 1, CallID: "call-1", Name: checkTool, Arguments: new(checkArguments)},
	} {
		if last, err = (events.Draft{Event: ev}).At(events.Seq(i), checkTime+int64(i)); err == nil {
			err = view.Session.Apply(last)
		}
		if err != nil {
			return reviewer.View{}, reviewer.Call{}, err
		}
		view.History.Apply(view.Session, last)
	}
	call, err := auto.CallAt(view.Session, last, nil)
	return view, call, err
}
