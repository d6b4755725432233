package events_test

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// more is what somebody else added to an object.
var more = events.Unknown(`{"later":[1,null]}`)

var executed = []events.ExecutedFile{{Path: "/srv/demo/build.sh", SHA256: strings.Repeat("0f", 32), Size: 9, Unknown: more}}

var ancestors = []events.AncestorHead{{Session: "parent", Next: 7, Chain: events.ChainStart().String(), Unknown: more}}

// examples has events of every type; together those of a type set every member.
func examples() map[events.Type][]events.Event {
	return map[events.Type][]events.Event{
		events.TypeTurnStart:        {events.TurnStart{Turn: 1, Unknown: more}},
		events.TypeTurnEnd:          turnEnds(),
		events.TypeStepStart:        {events.StepStart{Turn: 1, Step: 2, Unknown: more}},
		events.TypeStepEnd:          {events.StepEnd{Turn: 1, Step: 2, Unknown: more}},
		events.TypeUserMessage:      userMessages(),
		events.TypeSystemMessage:    {events.SystemMessage{Turn: 1, Step: 2, Message: message("system", nil), Unknown: more}},
		events.TypeDeveloperMessage: {events.DeveloperMessage{Turn: 1, Step: 2, Message: message("developer", nil), HeaderSeq: new(events.Seq(3)), Unknown: more}},
		events.TypeAssistantMessage: {assistantMessage()},
		events.TypeAssistantAttempt: {events.AssistantAttempt{Turn: 1, Step: 2, Stream: jsontext.Value(`[{"type":"x"}]`), Unknown: more}},
		events.TypeAssistantChunk:   {events.AssistantChunk{Turn: 1, Step: 2, Chunk: jsontext.Value(`{"type":"x"}`), Unknown: more}},
		events.TypeToolCall:         {events.ToolCall{Turn: 1, Step: 2, CallID: "c", Name: "bash", Arguments: new("{}"), Unknown: more}},
		events.TypeToolResult:       {toolResult()},
		events.TypePTCDispatchStart: {events.PTCDispatchStart{RootCallID: "c", ParentCallID: "c", SubCallID: "c:ptc:1", Name: "read", Arguments: jsontext.Value(`{"a":1}`), Unknown: more}},
		events.TypePTCDispatch:      {ptcDispatch()},
		events.TypeRequestHeader:    {requestHeader()},
		events.TypeRequestContext:   {events.RequestContext{Provider: "p", Model: "m", ContextWindow: new(int64(9)), SystemPromptUpdate: jsontext.Value(`"x"`), Unknown: more}},
		events.TypePermissionPreset: {events.PermissionPreset{Preset: "auto", Headless: true, Unknown: more}},
		events.TypeSandboxMode:      {events.SandboxMode{Mode: events.ModeReadOnly, Source: events.SourceDelegation, Unknown: more}},
		events.TypeApprovalPolicy:   {events.ApprovalPolicy{Policy: events.PolicyAsk, Source: events.SourceDelegation, Unknown: more}},
		events.TypeApprovalAsked: {
			events.ApprovalAsked{
				ID: "a", ToolName: "bash", CallID: "c", Reason: "why", Unknown: more,
				Shown: &events.ApprovalShown{Hash: strings.Repeat("0", 64), Action: "run", Resources: []string{"ls"}, Pattern: `run("ls")`, Unknown: more},
			},
			events.ApprovalAsked{
				ID: "b", ToolName: "bash",
				Shown: &events.ApprovalShown{Hash: strings.Repeat("a", 64), Action: "run", Widening: true, Failure: true, Protected: true},
			},
		},
		events.TypeApprovalDecided:    {events.ApprovalDecided{ID: "a", Outcome: events.OutcomeAllowedOnce, Feedback: "f", Scope: "once", By: "human", Unknown: more}},
		events.TypeApprovalTier:       {events.ApprovalTier{Tier: "standard", Unknown: more}},
		events.TypeSubagentDescriptor: descriptors(),
		events.TypeSubagentCatalog:    {events.SubagentCatalog{ChildID: "child", Descriptor: jsontext.Value(`{"version":3}`), CallID: "c", ChildHeaderHash: "ab", Unknown: more}},
		events.TypeInboxSpliced: {
			events.InboxSpliced{Target: events.InboxNextTurn, Inserted: []events.UserMessage{userMessages()[0].(events.UserMessage)}, Unknown: more},
			events.InboxSpliced{Target: events.InboxNextStep, Start: 1, RemovedCount: 1, Inserted: []events.UserMessage{}, Outcome: "canceled"},
		},
		events.TypeEndSeed:         {events.EndSeed{Inherited: true, ParentChain: events.ChainStart().String(), Unknown: more}, events.EndSeed{}},
		events.TypeAgentMessage:    {agentMessage()},
		events.TypeSessionAdopted:  {events.SessionAdopted{Owner: "ada", By: "local", Unknown: more}},
		events.TypeSessionMembers:  {events.SessionMembers{Members: []string{"bob"}, By: "ada", Unknown: more}, events.SessionMembers{Members: []string{}, By: "ada"}},
		events.TypeReviewRoute:     {events.ReviewRoute{Provider: "p", Model: "m/1", By: "human", Unknown: more}},
		events.TypeReviewRequested: {events.ReviewRequested{CallID: "c", Engine: "e", Reviewer: "auto", Nonce: "n", AsOfSeq: 4, Files: executed, Ancestors: ancestors, Unknown: more}},
		events.TypeReviewVerdict:   verdicts(),
		events.TypeReviewNotice:    {events.ReviewNotice{ID: "m", Role: "user", Reviewer: "auto", Content: blocks(), Unknown: more}},
		events.TypeToolDispatched:  dispatches(),
		events.TypeArtifactObserved: {events.ArtifactObserved{CallID: "c", Artifacts: []events.Artifact{{Path: "/w/a", Device: 1, Inode: 1<<64 - 1, BirthTime: 3, Kind: "file", Unknown: more}}, Unknown: more}, events.ArtifactObserved{CallID: "c", Source: "engine", Artifacts: []events.Artifact{{
			Path: "/w/a", Device: 1, Inode: 2, BirthTime: 3, Kind: "file", Change: "changed", SHA256: "aa", Size: 4, ChangeTime: 5, ObservedAt: 6,
			Before: &events.Replaced{Device: 1, Inode: 7, BirthTime: 8, SHA256: "bb", Unknown: more},
		}}}},
		events.TypeGrantIssued:       {events.GrantIssued{CallID: "c", Tool: "bash", Mode: events.ModeWorkspaceWrite, Justification: "j", Unknown: more}},
		events.TypeGrantConsumed:     {events.GrantConsumed{CallID: "c", GrantSeq: 4, Unknown: more}},
		events.TypeCompactionStart:   {events.CompactionStart{CompactionID: "k", SourceCommandID: "d", Turn: jsontext.Value("1"), Unknown: more}, events.CompactionStart{CompactionID: "k", Turn: jsontext.Value("null")}},
		events.TypeCompactionSummary: {compactionSummary()},
		events.TypeCompactionPrune:   {events.CompactionPrune{ShadowedRange: events.SeqRange{Start: 1, End: 1}, ShadowedSeqs: []events.Seq{1}, ShadowedTokenCount: jsontext.Value("5"), Unknown: more}},
		events.TypeCompactionEnd:     {events.CompactionEnd{CompactionID: "k", SourceCommandID: "d", Turn: jsontext.Value("1"), Error: new("no"), Unknown: more}},

		events.TypeProjectSensitiveResources:      {events.ProjectSensitiveResources{Patterns: []string{"**/.env"}, Unknown: more}},
		events.TypeProjectWriteSensitiveResources: {events.ProjectWriteSensitiveResources{Patterns: []string{}, Unknown: more}, events.ProjectWriteSensitiveResources{Patterns: []string{"x"}}},
		events.TypeProjectGrant:                   {events.ProjectGrant{GrantID: "g", Tool: "bash", Pattern: "ls *", By: "human", Unknown: more}},
		events.TypeProjectGrantRevoked:            {events.ProjectGrantRevoked{GrantID: "g", By: "human", Unknown: more}},
	}
}

func turnEnds() []events.Event {
	end := func(r events.TurnEndReason) events.Event { return events.TurnEnd{Turn: 1, Reason: r, Unknown: more} }
	return []events.Event{
		end(events.TurnEndReason{Kind: events.EndCompleted, Unknown: more}),
		end(events.TurnEndReason{Kind: events.EndAborted, Reason: &events.AbortReason{Kind: "hook", Text: "t", Unknown: more}}),
		end(events.TurnEndReason{Kind: events.EndError, Failure: &events.Failure{
			Message: "m", Code: "c", Status: 500, ProviderRetryAfterMs: 1.5, RequestID: "r", Unknown: more,
		}}),
	}
}

// blocks have every kind of block; Raw stands for a kind that only others know.
func blocks() []events.Block {
	return []events.Block{
		events.TextBlock("é\u2028 <&>"),
		{Type: "reasoning", Text: ""},
		events.ToolCallBlock("c", "bash", "not json"),
		{Type: "image", Raw: jsontext.Value(`{"type":"image","url":"data:\u00e9","w":1.0}`)},
	}
}

func message(role string, from *events.Source) events.Message {
	if from == nil {
		from = &events.Source{Kind: "other"}
	}
	return events.Message{ID: "m", Role: role, Source: from, Content: blocks(), IsError: true, Unknown: more}
}

func userMessages() []events.Event {
	var out []events.Event
	for _, from := range []events.Source{
		{Kind: events.SourceUser, RPCID: "r"},
		{Kind: events.SourceTool, CallID: "c"},
		{Kind: "plugin", Plugin: "p", Form: "f", SenderSessionID: "s"},
		{Kind: events.SourceCheckpoint, CompactionID: "k", SourceCommandID: "d"},
		{Kind: "custom", Raw: jsontext.Value(`{"kind":"custom","x":[1.0,"\u00e9"]}`)},
	} {
		out = append(out, events.UserMessage{ID: "m", Role: "user", Source: from, Content: blocks(), Unknown: more})
	}
	checkpoint := events.Source{Kind: events.SourceCheckpoint, CompactionID: "k"}
	return append(out, events.UserMessage{ID: "m", Role: "user", Source: checkpoint, Content: []events.Block{
		events.TextBlock("what was said"), events.KeptBlock("é <&>", events.Kept{Seq: 3, From: events.FromPerson}),
		events.KeptBlock("a piece", events.Kept{Seq: 4, From: events.FromParent, Rest: &events.KeptRest{SHA256: strings.Repeat("0a", 32), Bytes: 9}}),
	}})
}

func assistantMessage() events.Event {
	return events.AssistantMessage{
		Turn: 1, Step: 2, Message: message("assistant", &events.Source{Kind: events.SourceModel}),
		Stream: jsontext.Value(`[]`), Usage: jsontext.Value(`{"input":1}`), Interrupted: true, Unknown: more,
	}
}

func toolResult() events.Event {
	return events.ToolResult{
		Turn: 1, Step: 2, Message: message("tool", &events.Source{Kind: events.SourceTool, CallID: "c"}),
		Error: &events.ToolError{Name: "n", Code: "c", Reason: jsontext.Value(`"\ud83d"`), Unknown: more},
		Meta:  jsontext.Value(`{"x":1}`), Unknown: more,
	}
}

func ptcDispatch() events.Event {
	return events.PTCDispatch{
		RootCallID: "c", ParentCallID: "c", SubCallID: "c:ptc:1", Name: "read", Arguments: jsontext.Value(`[1]`),
		IsError: new(true), Content: blocks(), Unknown: more,
		Error: &events.ToolError{Name: "n", Code: "c", Reason: jsontext.Value(`"r"`), Unknown: more},
	}
}

func requestHeader() events.Event {
	return events.RequestHeader{
		Header: events.RequestConfiguration{
			Config: events.RequestConfig{
				Provider: "p", Model: "m", ReasoningEffort: "high", Temperature: new(0.5), MaxTokens: new(int64(7)),
				Stop: jsontext.Value(`["x"]`), Unknown: more,
			},
			AdapterDefaults: jsontext.Value(`{"a":true}`),
			Tools:           []events.ToolDefinition{{Name: "t", Description: jsontext.Value(`"d"`), Parameters: jsontext.Value(`{}`), Unknown: more}},
			Unknown:         more,
		},
		Reason: "initial", StartsSeries: true, Unknown: more,
	}
}

func compactionSummary() events.Event {
	return events.CompactionSummary{
		CompactionID: "k", SourceCommandID: "d", Summary: blocks(), ShadowedRange: events.SeqRange{Start: 1, End: 3},
		ShadowedSeqs: []events.Seq{1, 3}, ShadowedTokenCount: jsontext.Value("9"), Provider: "p", Model: "m", Unknown: more,
	}
}

func descriptors() []events.Event {
	return []events.Event{
		events.SubagentDescriptor{Version: 3, Mode: events.ChildOneShot, Provider: "p", Label: "l"},
		events.SubagentDescriptor{
			Version: 3, Mode: events.ChildContinuable, Provider: "p", Label: "l", AgentProvider: "q", AgentModel: "m",
			AgentReasoningEffort: "low", Persona: jsontext.Value(`"x"`), ToolFilter: &events.ToolFilter{Allow: []string{"a"}, Deny: []string{"b"}},
		},
	}
}

func agentMessage() events.Event {
	return events.AgentMessage{
		ID: "m", Role: "user", SenderSessionID: "s", Form: "relay", Content: blocks(),
		Parent: &events.ParentProof{Seq: 3, RecordHash: "ab", Unknown: more}, Unknown: more,
	}
}

func verdicts() []events.Event {
	v := events.ReviewVerdict{
		Turn: 1, Step: 2, CallID: "c", Mode: "ptc-inner", Preset: "auto", Reviewer: "auto", Route: "p/m", Outcome: events.VerdictDeny,
		Reason: jsontext.Value(`"\udc00"`), Evidence: jsontext.Value(`{"x":1}`), Unknown: more,
	}
	failed := v
	failed.Outcome, failed.Failure = events.VerdictFailure, &events.ReviewFailure{Class: "TIMEOUT", Detail: "d", Unknown: more}
	return []events.Event{v, failed}
}

func dispatches() []events.Event {
	d := events.ToolDispatched{CallID: "c", ArgumentHash: "ab", Mode: events.ModeReadOnly, Nonce: "n", ExpiresAt: 9, Files: executed, Unknown: more}
	var out []events.Event
	for i := range 4 {
		one := d
		*[]**events.Seq{&one.VerdictSeq, &one.DecisionSeq, &one.GrantSeq, &one.PresetSeq}[i] = new(events.Seq(4))
		out = append(out, one)
	}
	return out
}
