package events

import "github.com/go-json-experiment/json/jsontext"

// SubagentDescriptor says what kind of child this session is. It survives
// compaction.
type SubagentDescriptor struct {
	Version              int            `json:"version"` // 3; 2 in format 0
	Mode                 string         `json:"mode"`    // one-shot or continuable
	Provider             string         `json:"provider"`
	Label                string         `json:"label,omitzero"` // required when continuable
	AgentProvider        string         `json:"agentProvider,omitzero"`
	AgentModel           string         `json:"agentModel,omitzero"`
	AgentReasoningEffort string         `json:"agentReasoningEffort,omitzero"`
	Persona              jsontext.Value `json:"persona,omitzero"`
	ToolFilter           *ToolFilter    `json:"toolFilter,omitzero"`
}

// ToolFilter narrows a child's tools.
type ToolFilter struct {
	Allow []string `json:"allow,omitzero"`
	Deny  []string `json:"deny,omitzero"`
}

// The modes of a child.
const (
	ChildOneShot     = "one-shot"
	ChildContinuable = "continuable"
)

// SubagentCatalog is the creation fact in a parent's log (reference 8, item 2).
// The reference's own has other members, which are kept.
type SubagentCatalog struct {
	ChildID         SessionID      `json:"childId,omitzero"`
	Descriptor      jsontext.Value `json:"descriptor,omitzero"`
	CallID          string         `json:"callId,omitzero"`
	ChildHeaderHash string         `json:"childHeaderHash,omitzero"` // SHA-256 of the header line, hex
	Unknown         Unknown        `json:",embed"`
}

// EndSeed ends the part of a log that was there when its session was made: the
// inherited prefix of a fork (Inherited), or what a restart found. Only forks
// and restores write it.
type EndSeed struct {
	Inherited bool `json:"inherited,omitzero"`
	// ParentChain is the parent's chain value at the boundary, hex; in our forks.
	ParentChain string  `json:"parentChain,omitzero"`
	Unknown     Unknown `json:",embed"`
}

// Type is "subagent/descriptor".
func (SubagentDescriptor) Type() Type { return TypeSubagentDescriptor }

// Type is "subagent/catalog".
func (SubagentCatalog) Type() Type { return TypeSubagentCatalog }

// Type is "session/end-seed".
func (EndSeed) Type() Type { return TypeEndSeed }

// Unknown members and a malformed current version are corrupt (reference 1.4):
// the descriptor decides what a child may do, so nothing in it is guessed.
func (e SubagentDescriptor) check() error {
	if e.Version != 3 {
		return fieldf("version", "must be 3, is %d", e.Version)
	}
	if err := firstError(oneOf("mode", e.Mode, ChildOneShot, ChildContinuable), nonEmpty("provider", e.Provider)); err != nil {
		return err
	}
	if e.Mode == ChildContinuable {
		return nonEmpty("label", e.Label)
	}
	if e.AgentProvider != "" || e.AgentModel != "" || e.AgentReasoningEffort != "" || e.Persona != nil || e.ToolFilter != nil {
		return fieldf("mode", "must be continuable for agentProvider, agentModel, agentReasoningEffort, persona and toolFilter")
	}
	return nil
}

func (e SubagentCatalog) check() error {
	if e.ChildID == "" {
		return nil
	}
	return memberID("childId", e.ChildID)
}

func (e EndSeed) check() error { return nil }
