package events

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"
)

// decoders maps a type to its decoder. TestEveryTypeRoundTrips finds a line that
// is forgotten here.
var decoders = map[Type]func([]byte, json.Options) (Event, error){
	TypeTurnStart:          decode[TurnStart],
	TypeTurnEnd:            decode[TurnEnd],
	TypeStepStart:          decode[StepStart],
	TypeStepEnd:            decode[StepEnd],
	TypeUserMessage:        decode[UserMessage],
	TypeSystemMessage:      decode[SystemMessage],
	TypeDeveloperMessage:   decode[DeveloperMessage],
	TypeAssistantMessage:   decode[AssistantMessage],
	TypeAssistantAttempt:   decode[AssistantAttempt],
	TypeAssistantChunk:     decode[AssistantChunk],
	TypeToolCall:           decode[ToolCall],
	TypeToolResult:         decode[ToolResult],
	TypePTCDispatchStart:   decode[PTCDispatchStart],
	TypePTCDispatch:        decode[PTCDispatch],
	TypeRequestHeader:      decode[RequestHeader],
	TypeRequestContext:     decode[RequestContext],
	TypePermissionPreset:   decode[PermissionPreset],
	TypeSandboxMode:        decode[SandboxMode],
	TypeApprovalPolicy:     decode[ApprovalPolicy],
	TypeApprovalAsked:      decode[ApprovalAsked],
	TypeApprovalDecided:    decode[ApprovalDecided],
	TypeApprovalTier:       decode[ApprovalTier],
	TypeSubagentDescriptor: decode[SubagentDescriptor],
	TypeSubagentCatalog:    decode[SubagentCatalog],
	TypeCompactionStart:    decode[CompactionStart],
	TypeCompactionSummary:  decode[CompactionSummary],
	TypeCompactionPrune:    decode[CompactionPrune],
	TypeCompactionEnd:      decode[CompactionEnd],
	TypeEndSeed:            decode[EndSeed],
	TypeInboxSpliced:       decode[InboxSpliced],
	TypeAgentMessage:       decode[AgentMessage],
	TypeReviewRequested:    decode[ReviewRequested],
	TypeReviewVerdict:      decode[ReviewVerdict],
	TypeReviewNotice:       decode[ReviewNotice],
	TypeReviewRoute:        decode[ReviewRoute],
	TypeToolDispatched:     decode[ToolDispatched],
	TypeArtifactObserved:   decode[ArtifactObserved],
	TypeGrantIssued:        decode[GrantIssued],
	TypeGrantConsumed:      decode[GrantConsumed],
	TypeSessionAdopted:     decode[SessionAdopted],
	TypeSessionMembers:     decode[SessionMembers],

	TypeProjectSensitiveResources:      decode[ProjectSensitiveResources],
	TypeProjectWriteSensitiveResources: decode[ProjectWriteSensitiveResources],
	TypeProjectGrant:                   decode[ProjectGrant],
	TypeProjectGrantRevoked:            decode[ProjectGrantRevoked],
}

// Known reports whether the type is in the vocabulary of the current format.
func Known(t Type) bool {
	if t == TypeAssistantChunk {
		return false
	}
	_, typed := decoders[t]
	return typed || KnownByName(t)
}

// Types lists the types that have data of their own here, in no order.
func Types() []Type {
	types := make([]Type, 0, len(decoders))
	for t := range decoders {
		types = append(types, t)
	}
	return types
}

func decode[E Event](data []byte, opts json.Options) (Event, error) {
	var e E
	if jsontext.Value(data).Kind() != '{' {
		return nil, fieldf("data", "must be an object, is %s", kindName(jsontext.Value(data).Kind()))
	}
	if err := unmarshal(data, &e, opts); err != nil {
		return nil, within("data", err)
	}
	if err := firstError(checkRequired(e.Type(), data), e.check()); err != nil {
		return nil, within("data", err)
	}
	return e, nil
}

// required are the members that must be there although the zero value is legal,
// so that the decoded event cannot tell.
var required = map[Type][]string{
	TypeRequestHeader:     {"header.config"},
	TypeInboxSpliced:      {"start"},
	TypeReviewRequested:   {"asOfSeq"},
	TypeToolDispatched:    {"expiresAt"},
	TypeGrantConsumed:     {"grantSeq"},
	TypeCompactionSummary: {"shadowedRange.start", "shadowedRange.end"},
	TypeCompactionPrune:   {"shadowedRange.start", "shadowedRange.end"},
}

func checkRequired(t Type, data []byte) error {
	for _, path := range required[t] {
		if !gjson.GetBytes(data, path).Exists() {
			return fieldf(path, "is missing")
		}
	}
	return nil
}

// decoding are the options for data that may hold a lone surrogate (loose), and for
// data that has no members but the known ones (closed).
func decoding(loose, closed bool) json.Options {
	return json.JoinOptions(jsontext.AllowInvalidUTF8(loose), json.RejectUnknownMembers(closed))
}

var strictDecoding = decoding(false, false) // of nearly all data

// decodeEvent gives the event of a type in its current form.
func decodeEvent(t Type, data []byte, loose bool) (Event, error) {
	dec, typed := decoders[t]
	if !typed {
		return Opaque{Name: t}, nil
	}
	if closed := t == TypeSubagentDescriptor; loose || closed {
		return dec(data, decoding(loose, closed))
	}
	return dec(data, strictDecoding)
}
