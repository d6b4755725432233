package events

import "slices"

// Opaque is an event of the reference's wider vocabulary whose data no rule here
// depends on, or one that its record marks as ignorable. Its data is kept as it
// came, in the [Envelope].
type Opaque struct {
	Name Type
}

// Type is the name on the wire.
func (e Opaque) Type() Type { return e.Name }

func (e Opaque) check() error { return nil }

// KnownByName reports whether the type belongs to the reference's vocabulary
// (reference 1.3) without having data of its own here.
func KnownByName(t Type) bool {
	_, found := slices.BinarySearch(knownByName, t)
	return found
}

// knownByName is sorted.
var knownByName = []Type{
	"agent-preset/selected", "command/done", "command/run", "deliverables/presented",
	"feedback/message-delete", "feedback/message-put", "feedback/record", "goal/change", "hook/invoked", "hook/result",
	"image/offload", "llm/retry", "llm/retry-started", "model/selection", "plan/mode", "schedule/change",
	"session-log-deepseek/delivery-accepted", "session/title", "session/title-llm-request", "slots/dispatch",
	"subagent/model-selection-policy", "team/member", "team/message/delivered", "team/message/queued", "team/task",
	"todo/write", "tool-workflow/agent-end", "tool-workflow/agent-start", "tool-workflow/run-end",
	"tool-workflow/run-start", "web/deepseek-search-llm-request", "workspace/changes",
}
