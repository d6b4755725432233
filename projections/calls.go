package projections

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Calls knows the tool calls of the open step, and those of every step that has
// an assistant message on the surface. Two facts it keeps for the whole log,
// since a review refuses a log that has them anywhere (reference 5.4, checks 3
// and 4).
type Calls struct {
	// Open is the open step's, nil between steps.
	Open *StepCalls `json:"open,omitempty"`
	// Shown are those of ended steps with a visible assistant message, in order.
	Shown []StepCalls `json:"shown,omitempty"`
	// InnerOutsideStep is the first inner start that was logged while no step was
	// open; InnerDuplicate the first one that repeats an id of its step. Nil for
	// none.
	InnerOutsideStep *events.Seq `json:"innerOutsideStep,omitempty"`
	InnerDuplicate   *events.Seq `json:"innerDuplicate,omitempty"`
}

// StepCalls are the calls of one step, in the order of the log. A call's scope is
// its turn, its step and its id: ids repeat in other steps.
type StepCalls struct {
	Turn     int          `json:"turn"`
	Step     int          `json:"step"`
	Start    events.Seq   `json:"start"`              // its step/start
	Messages []events.Seq `json:"messages,omitempty"` // its visible assistant messages
	// Said says that an assistant message was logged, visible or not, while the step
	// is open.
	Said bool `json:"said,omitempty"`
	// Wanted are the calls that its assistant messages ask for, in the model's
	// order, while the step is open; without those that a repair has answered
	// although they never started.
	Wanted []Wanted    `json:"wanted,omitempty"`
	Native []Call      `json:"native,omitempty"`
	Inner  []InnerCall `json:"inner,omitempty"`
}

// Wanted is a call that the model asks for.
type Wanted struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Call is a tool/call and what became of it. Seqs are nil where that has not
// happened.
type Call struct {
	ID   string     `json:"id"`
	Seq  events.Seq `json:"seq"`
	Name string     `json:"name"`
	// Arguments is the raw text, while the step is open.
	Arguments string `json:"arguments,omitempty"`
	Progress
}

// InnerCall is a program's inner call.
type InnerCall struct {
	ID        string     `json:"id"` // <parent>:ptc:<n>
	Seq       events.Seq `json:"seq"`
	Root      string     `json:"root"`
	Parent    string     `json:"parent"`
	Name      string     `json:"name"`
	Arguments string     `json:"arguments,omitempty"` // JSON, while the step is open
	Progress
}

// Progress is what happened to a call.
type Progress struct {
	Requested  *events.Seq `json:"requested,omitempty"` // its review/requested
	Verdict    *events.Seq `json:"verdict,omitempty"`
	Outcome    string      `json:"outcome,omitempty"` // the verdict's, "" where there are two
	Dispatched *events.Seq `json:"dispatched,omitempty"`
	Nonce      string      `json:"nonce,omitempty"`   // the executor's, of the dispatch
	Settled    *events.Seq `json:"settled,omitempty"` // its result
}

// Find gives the call of the open step with an id, the last one if the id
// repeats, and how many have it.
func (c *Calls) Find(id string) (call *Call, count int) {
	if c.Open == nil {
		return nil, 0
	}
	for i := range c.Open.Native {
		if c.Open.Native[i].ID == id {
			call = &c.Open.Native[i]
			count++
		}
	}
	return call, count
}

// FindInner gives the inner call of the open step with an id, the last one if
// the id repeats, and how many have it.
func (c *Calls) FindInner(id string) (call *InnerCall, count int) {
	if c.Open == nil {
		return nil, 0
	}
	for i := range c.Open.Inner {
		if c.Open.Inner[i].ID == id {
			call = &c.Open.Inner[i]
			count++
		}
	}
	return call, count
}

// Apply folds an event that the Validator has accepted.
func (c *Calls) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) {
	case events.StepStart:
		c.Open = &StepCalls{Turn: ev.Turn, Step: ev.Step, Start: e.Seq}
	case events.StepEnd:
		c.endStep()
	case events.AssistantMessage:
		c.said(e.Seq, ev)
	case events.ToolCall:
		c.Open.Native = append(c.Open.Native, Call{ID: ev.CallID, Seq: e.Seq, Name: ev.Name, Arguments: *ev.Arguments})
	case events.PTCDispatchStart:
		c.startInner(e.Seq, ev)
	case events.ToolResult:
		c.answered(e, ev)
	case events.PTCDispatch:
		if call, _ := c.FindInner(ev.SubCallID); call != nil {
			call.Settled = new(e.Seq)
		}
	default:
		c.applyReview(e)
	}
	if _, _, replaces := e.Surface.Replace(); replaces {
		c.forgetHidden(e)
	}
}

func (c *Calls) said(seq events.Seq, ev events.AssistantMessage) {
	c.Open.Messages, c.Open.Said = append(c.Open.Messages, seq), true
	for _, b := range ev.Message.Content {
		if b.Type == "tool-call" {
			c.Open.Wanted = append(c.Open.Wanted, Wanted{ID: b.ID, Name: b.Name, Arguments: b.Arguments})
		}
	}
}

func (c *Calls) answered(e events.Envelope, ev events.ToolResult) {
	if !e.Surface.Append() || c.Open == nil {
		return
	}
	if call, _ := c.Find(ev.CallID()); call != nil {
		call.Settled = new(e.Seq) // not the envelope's own, which would be kept with it
		return
	}
	c.Open.Wanted = slices.DeleteFunc(c.Open.Wanted, func(w Wanted) bool { return w.ID == ev.CallID() })
}

func (c *Calls) applyReview(e events.Envelope) {
	switch ev := any(e.Event).(type) {
	case events.ReviewRequested:
		c.note(ev.CallID, func(p *Progress) { p.Requested = new(e.Seq) })
	case events.ReviewVerdict:
		c.note(ev.CallID, func(p *Progress) { p.judged(e.Seq, ev.Outcome) })
	case events.ToolDispatched:
		c.note(ev.CallID, func(p *Progress) { p.Dispatched, p.Nonce = new(e.Seq), ev.Nonce })
	}
}

// judged notes a verdict. There is one a call; a foreign log that has two says
// neither the one nor the other.
func (p *Progress) judged(seq events.Seq, outcome string) {
	if p.Verdict != nil {
		outcome = ""
	}
	p.Verdict, p.Outcome = &seq, outcome
}

// note changes a call of the open step, native or inner.
func (c *Calls) note(id string, change func(*Progress)) {
	if call, _ := c.Find(id); call != nil {
		change(&call.Progress)
		return
	}
	if call, _ := c.FindInner(id); call != nil {
		change(&call.Progress)
	}
}

func (c *Calls) startInner(seq events.Seq, ev events.PTCDispatchStart) {
	if c.Open == nil {
		if c.InnerOutsideStep == nil {
			c.InnerOutsideStep = &seq
		}
		return
	}
	if _, repeats := c.FindInner(ev.SubCallID); repeats > 0 && c.InnerDuplicate == nil {
		c.InnerDuplicate = &seq
	}
	c.Open.Inner = append(c.Open.Inner, InnerCall{
		ID: ev.SubCallID, Seq: seq, Root: ev.RootCallID, Parent: ev.ParentCallID, Name: ev.Name, Arguments: string(ev.Arguments),
	})
}

// endStep keeps the step while the model sees its assistant message.
func (c *Calls) endStep() {
	step := c.Open
	c.Open = nil
	if step == nil || len(step.Messages) == 0 {
		return
	}
	step.Wanted, step.Said = nil, false
	for i := range step.Native {
		step.Native[i].Arguments = ""
	}
	for i := range step.Inner {
		step.Inner[i].Arguments = ""
	}
	c.Shown = append(c.Shown, *step)
}

// forgetHidden drops the steps whose assistant messages a replacement took from
// the surface: its sources name every one of them.
func (c *Calls) forgetHidden(e events.Envelope) {
	hidden := func(message events.Seq) bool { return slices.Contains(e.Sources, message) }
	c.Shown = slices.DeleteFunc(c.Shown, func(s StepCalls) bool {
		s.Messages = slices.DeleteFunc(slices.Clone(s.Messages), hidden)
		return len(s.Messages) == 0
	})
	for i := range c.Shown {
		c.Shown[i].Messages = slices.DeleteFunc(c.Shown[i].Messages, hidden)
	}
	if c.Open != nil {
		c.Open.Messages = slices.DeleteFunc(c.Open.Messages, hidden)
	}
}
