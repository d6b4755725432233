package events

import "github.com/go-json-experiment/json/jsontext"

// Event is a fact that has been decided. Only this package implements it, so a
// type switch over Event can be complete.
//
//sumtype:decl
type Event interface {
	// Type is the name on the wire: "tool/call".
	Type() Type
	// check reports the first member that is missing or out of range, as a
	// *FieldError whose path starts below data.
	check() error
}

// Type is the name of an event on the wire.
type Type string

// Unknown is what an event's data holds beyond the members that this package
// knows. It is kept, and written again, byte for byte.
type Unknown = jsontext.Value

// The types that have data of their own here (reference 1.4, design section 4).
const (
	TypeTurnStart          Type = "turn/start"
	TypeTurnEnd            Type = "turn/end"
	TypeStepStart          Type = "step/start"
	TypeStepEnd            Type = "step/end"
	TypeUserMessage        Type = "user/message"
	TypeSystemMessage      Type = "system/message"
	TypeDeveloperMessage   Type = "developer/message"
	TypeAssistantMessage   Type = "assistant/message"
	TypeAssistantAttempt   Type = "assistant/attempt"
	TypeAssistantChunk     Type = "assistant/chunk" // format 0 only
	TypeToolCall           Type = "tool/call"
	TypeToolResult         Type = "tool/result"
	TypePTCDispatchStart   Type = "tool/ptc-dispatch-start"
	TypePTCDispatch        Type = "tool/ptc-dispatch"
	TypeRequestHeader      Type = "request/header"
	TypeRequestContext     Type = "request/context"
	TypePermissionPreset   Type = "permission/preset"
	TypeSandboxMode        Type = "sandbox/mode"
	TypeApprovalPolicy     Type = "approval/policy"
	TypeApprovalAsked      Type = "approval/asked"
	TypeApprovalDecided    Type = "approval/decided"
	TypeApprovalTier       Type = "approval/tier"
	TypeSubagentDescriptor Type = "subagent/descriptor"
	TypeSubagentCatalog    Type = "subagent/catalog"
	TypeCompactionStart    Type = "compaction/start"
	TypeCompactionSummary  Type = "compaction/summary"
	TypeCompactionPrune    Type = "compaction/prune"
	TypeCompactionEnd      Type = "compaction/end"
	TypeEndSeed            Type = "session/end-seed"
	TypeInboxSpliced       Type = "agent/inbox/spliced"
	TypeAgentMessage       Type = "agent-message"
	TypeReviewRequested    Type = "review/requested"
	TypeReviewVerdict      Type = "review/verdict"
	TypeReviewNotice       Type = "review/notice"
	TypeReviewRoute        Type = "review/route"
	TypeToolDispatched     Type = "tool/dispatched"
	TypeArtifactObserved   Type = "artifact/observed"
	TypeGrantIssued        Type = "grant/issued"
	TypeGrantConsumed      Type = "grant/consumed"
	TypeSessionAdopted     Type = "session/adopted"
	TypeSessionMembers     Type = "session/members"

	TypeProjectSensitiveResources      Type = "project/sensitive-resources"
	TypeProjectWriteSensitiveResources Type = "project/write-sensitive-resources"
	TypeProjectGrant                   Type = "project/grant"
	TypeProjectGrantRevoked            Type = "project/grant-revoked"
)

// Surface reports whether events of the type can be visible to the model, so
// that they need a surface op (reference 1.4). All others must not carry one.
func (t Type) Surface() bool {
	switch t {
	case TypeUserMessage, TypeSystemMessage, TypeDeveloperMessage, TypeAssistantMessage,
		TypeToolResult, TypeAgentMessage, TypeReviewNotice:
		return true
	default:
		return false
	}
}

// Ignorable reports whether records of the type are written with the ignorable
// marker: a reader that does not know them loses nothing that it could act on
// (design section 4).
func (t Type) Ignorable() bool {
	switch t {
	case TypeReviewRequested, TypeToolDispatched, TypeReviewRoute, TypeSessionAdopted, TypeSessionMembers:
		return true
	default:
		return false
	}
}

// Ours reports whether the type is one that this project added to the
// reference's vocabulary.
func (t Type) Ours() bool {
	switch t {
	case TypeAgentMessage, TypeReviewRequested, TypeReviewVerdict, TypeReviewNotice, TypeReviewRoute, TypeToolDispatched,
		TypeApprovalTier, TypeArtifactObserved, TypeGrantIssued, TypeGrantConsumed, TypeSessionAdopted, TypeSessionMembers,
		TypeProjectSensitiveResources, TypeProjectWriteSensitiveResources, TypeProjectGrant, TypeProjectGrantRevoked:
		return true
	default:
		return false
	}
}
