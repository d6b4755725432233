package events

import "strconv"

// InboxSpliced changes what waits to be said to the agent: messages that came
// while a step was open, or between turns. They enter the surface when they are
// claimed, at the next step or the next turn.
type InboxSpliced struct {
	Target string `json:"target"` // next-step or next-turn
	// Start is the place in the target's queue; RemovedCount messages are taken
	// from there, and Inserted put there.
	Start        int           `json:"start"`
	RemovedCount int           `json:"removedCount,omitzero"`
	Inserted     []UserMessage `json:"inserted"`
	// Outcome says what became of removed messages that were not claimed:
	// "canceled".
	Outcome string  `json:"outcome,omitzero"`
	Unknown Unknown `json:",embed"`
}

// The queues of an inbox.
const (
	InboxNextStep = "next-step"
	InboxNextTurn = "next-turn"
)

// Type is "agent/inbox/spliced".
func (InboxSpliced) Type() Type { return TypeInboxSpliced }

func (e InboxSpliced) check() error {
	for i, m := range e.Inserted {
		if err := m.check(); err != nil {
			return within("inserted."+strconv.Itoa(i), err)
		}
	}
	return firstError(safeSeq("start", Seq(e.Start)), safeSeq("removedCount", Seq(e.RemovedCount)), oneOf("target", e.Target, InboxNextStep, InboxNextTurn), array("inserted", e.Inserted))
}
