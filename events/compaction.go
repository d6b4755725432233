package events

import "github.com/go-json-experiment/json/jsontext"

// CompactionStart takes the durable lock of a compaction.
type CompactionStart struct {
	CompactionID    string `json:"compactionId"`
	SourceCommandID string `json:"sourceCommandId,omitzero"`
	// Turn is null for one that a person asked for between turns.
	Turn    jsontext.Value `json:"turn"`
	Unknown Unknown        `json:",embed"`
}

// CompactionSummary is what the model made of the range; the replacement
// message follows it.
type CompactionSummary struct {
	CompactionID       string         `json:"compactionId"`
	SourceCommandID    string         `json:"sourceCommandId,omitzero"`
	Summary            []Block        `json:"summary"`
	ShadowedRange      SeqRange       `json:"shadowedRange"`
	ShadowedSeqs       []Seq          `json:"shadowedSeqs"`
	ShadowedTokenCount jsontext.Value `json:"shadowedTokenCount,omitzero"`
	Provider           string         `json:"provider,omitzero"`
	Model              string         `json:"model,omitzero"`
	Unknown            Unknown        `json:",embed"`
}

// SeqRange is an inclusive range of surface nodes, by their seqs.
type SeqRange struct {
	Start Seq `json:"start"`
	End   Seq `json:"end"`
}

// CompactionPrune precedes the rewrite of one tool result without a model.
type CompactionPrune struct {
	ShadowedRange      SeqRange       `json:"shadowedRange"`
	ShadowedSeqs       []Seq          `json:"shadowedSeqs"`
	ShadowedTokenCount jsontext.Value `json:"shadowedTokenCount,omitzero"`
	Unknown            Unknown        `json:",embed"`
}

// CompactionEnd releases the lock; with an error nothing was replaced.
type CompactionEnd struct {
	CompactionID    string         `json:"compactionId"`
	SourceCommandID string         `json:"sourceCommandId,omitzero"`
	Turn            jsontext.Value `json:"turn"`
	Error           *string        `json:"error,omitzero"`
	Unknown         Unknown        `json:",embed"`
}

// Type is "compaction/start".
func (CompactionStart) Type() Type { return TypeCompactionStart }

// Type is "compaction/summary".
func (CompactionSummary) Type() Type { return TypeCompactionSummary }

// Type is "compaction/prune".
func (CompactionPrune) Type() Type { return TypeCompactionPrune }

// Type is "compaction/end".
func (CompactionEnd) Type() Type { return TypeCompactionEnd }

func (e CompactionStart) check() error {
	return firstError(nonEmpty("compactionId", e.CompactionID), numberOrNull("turn", e.Turn))
}

func (e CompactionEnd) check() error {
	return firstError(nonEmpty("compactionId", e.CompactionID), numberOrNull("turn", e.Turn))
}

func (e CompactionSummary) check() error {
	return firstError(nonEmpty("compactionId", e.CompactionID), array("summary", e.Summary), array("shadowedSeqs", e.ShadowedSeqs))
}

func (e CompactionPrune) check() error { return array("shadowedSeqs", e.ShadowedSeqs) }

func numberOrNull(field string, v jsontext.Value) error {
	if len(v) > 0 && (v.Kind() == '0' || v.Kind() == 'n') {
		return nil
	}
	return fieldf(field, "must be a number or null")
}
