package events_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// withCall is a step with a started call, at seq 3.
func withCall(s *eventstest.Script) {
	inStep(s)
	s.Assistant("", events.ToolCallBlock("c", "bash", "{}"))
	s.Call("c", "bash", "{}")
}

func TestAResultAnswersACallOfItsStep(t *testing.T) {
	result := func(call string, change func(*events.ToolResult)) events.ToolResult {
		r := events.ToolResult{Turn: 1, Step: 1, Message: events.Message{
			Source: &events.Source{Kind: events.SourceTool, CallID: call}, Content: []events.Block{},
		}}
		if change != nil {
			change(&r)
		}
		return r
	}
	failed := func(code string) func(*events.ToolResult) {
		return func(r *events.ToolResult) {
			r.Message.IsError, r.Error = true, &events.ToolError{Name: "n", Code: code}
		}
	}
	cite := func(r events.ToolResult, sources ...events.Seq) func(*eventstest.Script) {
		return func(s *eventstest.Script) { s.Add(r, sources...) }
	}
	nextStep := func(s *eventstest.Script) { withCall(s); s.EndStep(); s.StartStep() }
	inStep2 := func(r *events.ToolResult) { r.Step = 2 }
	checkRules(t, map[string]rule{
		"it cites the call":                       {log: withCall, next: cite(result("c", nil), 3)},
		"it may cite more":                        {log: withCall, next: cite(result("c", nil), 2, 3)},
		"it must cite it":                         {log: withCall, next: cite(result("c", nil)), field: "sourceEventSeqs"},
		"and not something else":                  {log: withCall, next: cite(result("c", nil), 2), field: "sourceEventSeqs"},
		"the call must have started":              {log: withCall, next: cite(result("d", nil), 3), field: "data.message.source.callId"},
		"an error needs a call too":               {log: withCall, next: cite(result("d", failed("ABORTED")), 3), field: "data.message.source.callId"},
		"an unknown outcome too":                  {log: withCall, next: cite(result("d", failed(events.CodeOutcomeUnknown)), 3), field: "data.message.source.callId"},
		"one that did not start needs none":       {log: withCall, next: cite(result("d", failed(events.CodeNotStarted)))},
		"but the step":                            {next: cite(result("d", failed(events.CodeNotStarted))), field: "data.step"},
		"a call that started is cited even so":    {log: withCall, next: cite(result("c", failed(events.CodeNotStarted))), field: "sourceEventSeqs"},
		"a call of an earlier step is none":       {log: nextStep, next: cite(result("c", inStep2), 3), field: "data.message.source.callId"},
		"not even in the name of that step":       {log: nextStep, next: cite(result("c", nil), 3), field: "data.step"},
		"an id that is used again is the new one": {log: func(s *eventstest.Script) { nextStep(s); s.Call("c", "bash", "{}") }, next: cite(result("c", inStep2), 6)},
		"and not the old one":                     {log: func(s *eventstest.Script) { nextStep(s); s.Call("c", "bash", "{}") }, next: cite(result("c", inStep2), 3), field: "sourceEventSeqs"},
	})
}

// A result that replaces another, as pruning writes it, repeats the turn and step
// of the first one, which are long over.
func TestAResultThatReplacesAnotherIsExemptFromNesting(t *testing.T) {
	settled := func(s *eventstest.Script) { withCall(s); s.Result("c", "long") }
	again := func(s *eventstest.Script) {
		r := s.Events[4].Event.(events.ToolResult)
		r.Message.Content = []events.Block{events.TextBlock("short")}
		s.Replace(r, 4, 4)
	}
	checkRules(t, map[string]rule{
		"in its step":    {log: settled, next: again},
		"in a later one": {log: func(s *eventstest.Script) { settled(s); s.EndStep(); s.StartStep() }, next: again},
		"between turns":  {log: func(s *eventstest.Script) { settled(s); s.EndStep(); s.EndTurn(events.EndCompleted) }, next: again},
	})
}

func TestACheckpointIsExemptFromNesting(t *testing.T) {
	settled := func(s *eventstest.Script) {
		inStep(s)
		s.User("do it")
		s.EndStep()
		s.EndTurn(events.EndCompleted)
	}
	compact := func(s *eventstest.Script) { s.Compact(2, 2, "did it") }
	notACheckpoint := func(s *eventstest.Script) {
		s.Replace(events.UserMessage{ID: "m", Role: "user", Source: events.Source{Kind: events.SourceUser}, Content: []events.Block{}}, 2, 2)
	}
	checkRules(t, map[string]rule{
		"between turns":                  {log: settled, next: compact},
		"in a turn, between its steps":   {log: func(s *eventstest.Script) { settled(s); s.StartTurn() }, next: compact},
		"another message's is not":       {log: settled, next: notACheckpoint, field: "type"},
		"another message's in a step is": {log: func(s *eventstest.Script) { settled(s); inStep(s) }, next: notACheckpoint},
	})
}

func TestAQuestionHasOneDecision(t *testing.T) {
	ask := func(s *eventstest.Script) {
		s.StartTurn()
		s.Add(events.ApprovalAsked{ID: "a", ToolName: "bash"})
	}
	decide := func(id string) func(*eventstest.Script) {
		return add(events.ApprovalDecided{ID: id, Outcome: events.OutcomeRejected})
	}
	checkRules(t, map[string]rule{
		"it is decided":           {log: ask, next: decide("a")},
		"another one is not":      {log: ask, next: decide("b"), field: "data.id"},
		"it is not decided twice": {log: func(s *eventstest.Script) { ask(s); decide("a")(s) }, next: decide("a"), field: "data.id"},
		"nothing is before it":    {log: func(s *eventstest.Script) { s.StartTurn() }, next: decide("a"), field: "data.id"},
		"it may be asked again": {log: func(s *eventstest.Script) {
			ask(s)
			decide("a")(s)
			s.Add(events.ApprovalAsked{ID: "a", ToolName: "bash"})
		}, next: decide("a")},
		"it is not decided outside": {log: func(s *eventstest.Script) { ask(s); s.EndTurn(events.EndAborted) }, next: decide("a"), field: "type"},
		"a later turn may":          {log: func(s *eventstest.Script) { ask(s); s.EndTurn(events.EndAborted); s.StartTurn() }, next: decide("a")},
	})
}

// developer is a message that adds tools, and says where they are defined.
func developer(headerSeq *events.Seq, added ...string) events.Event {
	m := events.DeveloperMessage{Turn: 1, Step: 1, HeaderSeq: headerSeq, Message: events.Message{Content: []events.Block{events.TextBlock("tools")}}}
	for _, name := range added {
		m.Message.Content = append(m.Message.Content, events.Block{Type: "tool-addition", Name: name, Raw: jsontext.Value(`{"type":"tool-addition","name":"` + name + `"}`)})
	}
	return m
}

func TestAddedToolsAreDefinedByAnEarlierRequestHeader(t *testing.T) {
	tool := func(name string) events.ToolDefinition { return events.ToolDefinition{Name: name} }
	headers := func(s *eventstest.Script) {
		inStep(s)
		s.Add(events.RequestHeader{Reason: "initial", Header: events.RequestConfiguration{Tools: []events.ToolDefinition{tool("a"), tool("b"), tool("b")}}})
		s.Add(events.RequestHeader{Reason: "change", Header: events.RequestConfiguration{Tools: []events.ToolDefinition{tool("c")}}})
	}
	at := func(seq events.Seq) *events.Seq { return &seq }
	checkRules(t, map[string]rule{
		"none are added":                {log: headers, next: add(developer(nil))},
		"one is":                        {log: headers, next: add(developer(at(2), "a"))},
		"a later header defines it":     {log: headers, next: add(developer(at(3), "c"))},
		"headerSeq must be there":       {log: headers, next: add(developer(nil, "a")), field: "data.headerSeq"},
		"it must not without additions": {log: headers, next: add(developer(at(2))), field: "data.headerSeq"},
		"it must be a request/header":   {log: headers, next: add(developer(at(1), "a")), field: "data.headerSeq"},
		"it must be earlier":            {log: headers, next: add(developer(at(4), "a")), field: "data.headerSeq"},
		"it must define the tool":       {log: headers, next: add(developer(at(3), "a")), field: "data.headerSeq"},
		"it must define every tool":     {log: headers, next: add(developer(at(2), "a", "c")), field: "data.headerSeq"},
		"it must define it once":        {log: headers, next: add(developer(at(2), "b")), field: "data.headerSeq"},
	})
}

func TestOnlyASeededLogEndsAnInheritedPart(t *testing.T) {
	seeded := func(h *events.Header) { h.IsSeeded = new(true) }
	checkRules(t, map[string]rule{
		"a restart ends what it found":       {next: add(events.EndSeed{})},
		"also in a log that is seeded":       {header: seeded, next: add(events.EndSeed{})},
		"a fork ends what it took over":      {header: seeded, next: add(events.EndSeed{Inherited: true})},
		"nothing else says that":             {next: add(events.EndSeed{Inherited: true}), field: "data.inherited"},
		"a fork of a fork has one from each": {header: seeded, log: add(events.EndSeed{Inherited: true}), next: add(events.EndSeed{Inherited: true})},
	})
}
