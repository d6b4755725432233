package approvals

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// NoteText is how an agent reads the note of an approval (seed 003, section 2).
func NoteText(note string) string { return "User approved this tool call with feedback: " + note }

// WithNote adds the note of an approval to what the agent reads of the call's
// result, so that it is honoured in the same turn. Without a note the content is
// what it was.
func WithNote(content []events.Block, note string) []events.Block {
	if dropBlank(note) == "" {
		return content
	}
	return append(slices.Clip(content), events.TextBlock(NoteText(note)))
}

// RefusalText is what the agent reads of a call that was not allowed: a text for
// each of the three outcomes, none of which holds a reviewer's reason (reference
// 3). A rejection's note is the person's word to the agent.
func RefusalText(outcome, tool, note string) string {
	switch known(outcome) {
	case events.OutcomeRejected:
		text := "The user rejected " + quote(tool) + "; its body was not executed."
		if dropBlank(note) != "" {
			text += " The user says: " + note
		}
		return text
	case events.OutcomeCancelled:
		return "The approval of " + quote(tool) + " was cancelled; its body was not executed."
	default:
		return "Nobody was there to approve " + quote(tool) + "; its body was not executed."
	}
}
