package engine

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// unkept refuses events that claim to hold kept words: what people said is the
// engine's to keep, in the checkpoint that takes its place, and nobody else writes
// such a mark, in whatever message. c is the command that the events are of.
func unkept(c Command, evs []events.Envelope) error {
	_, finish := c.(FinishCompaction)
	for _, e := range evs {
		m, message := e.Event.(events.UserMessage)
		own := finish && message && m.Source.Checkpoint()
		for _, b := range events.Blocks(e.Event) {
			if b.Kept != nil && !(own && b.Kept.Valid() && b.Kept.Seq < e.Seq) {
				return events.Refuse(CodeInvalid, "content", "must not have a member kept, which is for the engine's own checkpoints")
			}
		}
	}
	return nil
}

// withoutKept is content without marks that count for nothing.
func withoutKept(content []events.Block) []events.Block {
	if !slices.ContainsFunc(content, func(b events.Block) bool { return b.Kept != nil }) {
		return content
	}
	out := make([]events.Block, 0, len(content))
	for _, b := range content {
		out = append(out, b.WithoutKept())
	}
	return out
}
