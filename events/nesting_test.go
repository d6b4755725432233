package events_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func TestTurnsAreNumberedOverTheWholeLog(t *testing.T) {
	twoTurns := func(s *eventstest.Script) {
		for range 2 {
			s.StartTurn()
			s.EndTurn(events.EndCompleted)
		}
	}
	checkRules(t, map[string]rule{
		"the first is 1":                  {next: add(events.TurnStart{Turn: 1})},
		"the first is not 2":              {next: add(events.TurnStart{Turn: 2}), field: "data.turn"},
		"the third is 3":                  {log: twoTurns, next: add(events.TurnStart{Turn: 3})},
		"the third is not 2":              {log: twoTurns, next: add(events.TurnStart{Turn: 2}), field: "data.turn"},
		"the third is not 4":              {log: twoTurns, next: add(events.TurnStart{Turn: 4}), field: "data.turn"},
		"it goes on behind a fork's seed": {log: func(s *eventstest.Script) { twoTurns(s); s.Add(events.EndSeed{}) }, next: add(events.TurnStart{Turn: 3})},
		"it does not begin again there":   {log: func(s *eventstest.Script) { twoTurns(s); s.Add(events.EndSeed{}) }, next: add(events.TurnStart{Turn: 1}), field: "data.turn"},
	})
}

func TestOneTurnIsOpenAtMost(t *testing.T) {
	one := func(s *eventstest.Script) { s.StartTurn() }
	end := func(turn int) func(*eventstest.Script) {
		return add(events.TurnEnd{Turn: turn, Reason: events.TurnEndReason{Kind: events.EndCompleted}})
	}
	checkRules(t, map[string]rule{
		"a turn ends":                          {log: one, next: end(1)},
		"no turn starts inside another":        {log: one, next: add(events.TurnStart{Turn: 2}), field: "data.turn"},
		"a turn does not start twice":          {log: one, next: add(events.TurnStart{Turn: 1}), field: "data.turn"},
		"no other turn ends":                   {log: one, next: end(2), field: "data.turn"},
		"none ends where none is open":         {next: end(1), field: "data.turn"},
		"none ends twice":                      {log: func(s *eventstest.Script) { one(s); s.EndTurn(events.EndBlocked) }, next: end(1), field: "data.turn"},
		"none ends while a step of it is open": {log: inStep, next: end(1), field: "data.turn"},
		"it ends behind its step":              {log: func(s *eventstest.Script) { inStep(s); s.EndStep() }, next: end(1)},
	})
}

func TestStepsAreNumberedInTheirTurn(t *testing.T) {
	start := func(turn, step int) func(*eventstest.Script) { return add(events.StepStart{Turn: turn, Step: step}) }
	end := func(turn, step int) func(*eventstest.Script) { return add(events.StepEnd{Turn: turn, Step: step}) }
	one := func(s *eventstest.Script) { s.StartTurn() }
	betweenSteps := func(s *eventstest.Script) { inStep(s); s.EndStep() }
	secondTurn := func(s *eventstest.Script) { betweenSteps(s); s.EndTurn(events.EndCompleted); s.StartTurn() }
	checkRules(t, map[string]rule{
		"the first is 1":                       {log: one, next: start(1, 1)},
		"the first is not 2":                   {log: one, next: start(1, 2), field: "data.step"},
		"the second is 2":                      {log: betweenSteps, next: start(1, 2)},
		"the second is not 1":                  {log: betweenSteps, next: start(1, 1), field: "data.step"},
		"the second is not 3":                  {log: betweenSteps, next: start(1, 3), field: "data.step"},
		"they begin again in the next turn":    {log: secondTurn, next: start(2, 1)},
		"and do not go on":                     {log: secondTurn, next: start(2, 2), field: "data.step"},
		"none starts without a turn":           {next: start(1, 1), field: "data.turn"},
		"none starts in another turn":          {log: one, next: start(2, 1), field: "data.turn"},
		"none starts inside another":           {log: inStep, next: start(1, 2), field: "data.step"},
		"none starts behind its turn":          {log: func(s *eventstest.Script) { one(s); s.EndTurn(events.EndCompleted) }, next: start(1, 1), field: "data.turn"},
		"a step ends":                          {log: inSecondStep, next: end(2, 2)},
		"no other step ends":                   {log: inSecondStep, next: end(2, 1), field: "data.step"},
		"no step of another turn ends":         {log: inSecondStep, next: end(1, 2), field: "data.turn"},
		"none ends where none is open":         {log: one, next: end(1, 1), field: "data.step"},
		"none ends twice":                      {log: betweenSteps, next: end(1, 1), field: "data.step"},
		"none ends where there is no turn yet": {next: end(1, 1), field: "data.step"},
	})
}

// stepEvents name a turn and a step, which must be the open ones.
func stepEvents(turn, step int) map[string]events.Event {
	m := events.Message{Role: "assistant", Content: []events.Block{}}
	return map[string]events.Event{
		"system/message":    events.SystemMessage{Turn: turn, Step: step, Message: m},
		"developer/message": events.DeveloperMessage{Turn: turn, Step: step, Message: m},
		"assistant/message": events.AssistantMessage{Turn: turn, Step: step, Message: m, Stream: jsontext.Value("[]")},
		"assistant/attempt": events.AssistantAttempt{Turn: turn, Step: step, Stream: jsontext.Value("[]")},
		"assistant/chunk":   events.AssistantChunk{Turn: turn, Step: step, Chunk: jsontext.Value("{}")},
		"tool/call":         events.ToolCall{Turn: turn, Step: step, CallID: "c", Name: "n", Arguments: new("")},
		"tool/result": events.ToolResult{
			Turn: turn, Step: step, Error: &events.ToolError{Name: "n", Code: events.CodeNotStarted},
			Message: events.Message{Source: &events.Source{Kind: events.SourceTool, CallID: "c"}, IsError: true, Content: []events.Block{}},
		},
		"review/verdict": events.ReviewVerdict{Turn: turn, Step: step, CallID: "c", Mode: "native", Preset: "p", Reviewer: "r", Outcome: events.VerdictAllow},
	}
}

func TestEventsOfAStepNameTheOpenOne(t *testing.T) {
	betweenSteps := func(s *eventstest.Script) { inStep(s); s.EndStep() }
	for typ, ev := range stepEvents(2, 2) {
		checkRules(t, map[string]rule{
			typ + " in its step":       {log: inSecondStep, next: add(ev)},
			typ + " in another step":   {log: inSecondStep, next: add(stepEvents(2, 1)[typ]), field: "data.step"},
			typ + " in another turn":   {log: inSecondStep, next: add(stepEvents(1, 2)[typ]), field: "data.turn"},
			typ + " behind its step":   {log: betweenSteps, next: add(stepEvents(1, 1)[typ]), field: "data.step"},
			typ + " before every step": {next: add(stepEvents(1, 1)[typ]), field: "data.step"},
		})
	}
}

func TestMessagesWithoutAStepAreInsideOne(t *testing.T) {
	betweenSteps := func(s *eventstest.Script) { inStep(s); s.EndStep() }
	for _, ev := range []events.Event{
		events.UserMessage{ID: "m", Role: "user", Source: events.Source{Kind: events.SourceUser}, Content: []events.Block{}},
		events.AgentMessage{ID: "m", Role: "user", SenderSessionID: "s", Form: "relay", Content: []events.Block{}},
		events.ReviewNotice{ID: "m", Role: "user", Reviewer: "auto", Content: []events.Block{}},
	} {
		checkRules(t, map[string]rule{
			string(ev.Type()) + " in a step":      {log: inStep, next: add(ev)},
			string(ev.Type()) + " between steps":  {log: betweenSteps, next: add(ev), field: "type"},
			string(ev.Type()) + " between turns":  {next: add(ev), field: "type"},
			string(ev.Type()) + " between others": {log: inSecondStep, next: add(ev)},
		})
	}
}

func TestEventsOfATurnAreInsideOne(t *testing.T) {
	open := func(s *eventstest.Script) { s.StartTurn() }
	for typ, ev := range map[string]events.Event{
		"tool/ptc-dispatch-start": examples()[events.TypePTCDispatchStart][0],
		"tool/ptc-dispatch":       examples()[events.TypePTCDispatch][0],
		"request/header":          examples()[events.TypeRequestHeader][0],
		"request/context":         examples()[events.TypeRequestContext][0],
		"approval/asked":          examples()[events.TypeApprovalAsked][0],
		"review/requested":        examples()[events.TypeReviewRequested][0],
		"tool/dispatched":         examples()[events.TypeToolDispatched][0],
	} {
		checkRules(t, map[string]rule{
			typ + " in a turn":     {log: open, next: add(ev)},
			typ + " in a step":     {log: inStep, next: add(ev)},
			typ + " between turns": {log: func(s *eventstest.Script) { open(s); s.EndTurn(events.EndCompleted) }, next: add(ev), field: "type"},
			typ + " before all":    {next: add(ev), field: "type"},
		})
	}
}

func TestOtherEventsStandAnywhere(t *testing.T) {
	anywhere := []events.Type{
		events.TypePermissionPreset, events.TypeSandboxMode, events.TypeApprovalPolicy, events.TypeApprovalTier, events.TypeReviewRoute,
		events.TypeSessionAdopted, events.TypeSessionMembers,
		events.TypeSubagentDescriptor, events.TypeSubagentCatalog,
		events.TypeCompactionStart, events.TypeCompactionSummary, events.TypeCompactionPrune, events.TypeCompactionEnd,
		events.TypeArtifactObserved, events.TypeGrantIssued, events.TypeGrantConsumed, events.TypeInboxSpliced,
	}
	for _, typ := range anywhere {
		ev := examples()[typ][0]
		checkRules(t, map[string]rule{
			string(typ) + " before all": {next: add(ev)},
			string(typ) + " in a turn":  {log: func(s *eventstest.Script) { s.StartTurn() }, next: add(ev)},
			string(typ) + " in a step":  {log: inStep, next: add(ev)},
		})
	}
	opaque := func(s *eventstest.Script) { s.Opaque("todo/write", "{}"); s.Opaque("someone/else", "{}") }
	checkRules(t, map[string]rule{"events of others before all": {next: opaque}, "events of others in a step": {log: inStep, next: opaque}})
}

func TestEventsOfProjectsAreNotInSessions(t *testing.T) {
	for _, typ := range []events.Type{
		events.TypeProjectSensitiveResources, events.TypeProjectWriteSensitiveResources, events.TypeProjectGrant, events.TypeProjectGrantRevoked,
	} {
		checkRules(t, map[string]rule{string(typ): {next: add(examples()[typ][0]), field: "type"}})
	}
}
