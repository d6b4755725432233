package approvals

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// NoteText is how an agent reads the note of a person's approval (seed 003,
// section 2).
func NoteText(note string) string { return "User approved this tool call with feedback: " + note }

// WithNote adds the note of an approval to what the agent reads of the call's
// result, so that it is honoured in the same turn. Without a note the content is
// what it was. The note of a tier is not called a person's.
func WithNote(content []events.Block, d events.ApprovalDecided) []events.Block {
	switch {
	case d.Outcome != events.OutcomeAllowedOnce || dropBlank(d.Feedback) == "":
		return content
	case d.By == "":
		return append(slices.Clip(content), events.TextBlock("This tool call was approved without a person: "+d.Feedback))
	default:
		return append(slices.Clip(content), events.TextBlock(NoteText(d.Feedback)))
	}
}

// RefusalText is what the agent reads of a call that was not allowed: a text for
// each of the three outcomes, none of which holds a reviewer's reason (reference
// 3). A person's note is their word to the agent.
func RefusalText(tool string, d events.ApprovalDecided) string {
	name, note := quote(tool), dropBlank(d.Feedback)
	switch known(d.Outcome) {
	case events.OutcomeRejected:
		switch {
		case d.By == "" && note == "":
			return "Approval of " + name + " was refused without asking anyone; its body was not executed."
		case d.By == "":
			return "Approval of " + name + " was refused without asking anyone (" + note + "); its body was not executed."
		case note == "":
			return "The user rejected " + name + "; its body was not executed."
		default:
			return "The user rejected " + name + "; its body was not executed. The user says: " + note
		}
	case events.OutcomeCancelled:
		return "The approval of " + name + " was cancelled; its body was not executed."
	default:
		return "Nobody was there to approve " + name + "; its body was not executed."
	}
}
