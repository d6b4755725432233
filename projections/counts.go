package projections

import "github.com/docket-engine/docket/events"

// Counts are numbers that a person asks for.
type Counts struct {
	Events    int64            `json:"events"`
	Turns     int64            `json:"turns"`
	Steps     int64            `json:"steps"`
	Calls     int64            `json:"calls"`
	Inner     int64            `json:"inner"`
	Failed    int64            `json:"failed"` // results that are errors
	Verdicts  map[string]int64 `json:"verdicts,omitempty"`
	Approvals map[string]int64 `json:"approvals,omitempty"`
	Messages  int64            `json:"messages"` // of people
	First     int64            `json:"first"`    // Unix ms, of the first event
	Last      int64            `json:"last"`
}

// Apply folds an event that the Validator has accepted.
func (c *Counts) Apply(e events.Envelope) {
	if c.Events == 0 {
		c.First = e.Time
	}
	c.Events++
	c.Last = e.Time
	switch ev := any(e.Event).(type) {
	case events.TurnStart:
		c.Turns++
	case events.StepStart:
		c.Steps++
	case events.ToolCall:
		c.Calls++
	case events.PTCDispatchStart:
		c.Inner++
	case events.ToolResult:
		if ev.Message.IsError && e.Surface.Append() {
			c.Failed++
		}
	case events.ReviewVerdict:
		c.Verdicts = count(c.Verdicts, ev.Outcome)
	case events.ApprovalDecided:
		c.Approvals = count(c.Approvals, ev.Outcome)
	case events.UserMessage:
		if ev.Source.Kind == events.SourceUser {
			c.Messages++
		}
	}
}

func count(m map[string]int64, key string) map[string]int64 {
	if m == nil {
		m = map[string]int64{}
	}
	m[key]++
	return m
}
