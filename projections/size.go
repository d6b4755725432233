package projections

import (
	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/lineage"
)

// What the parts of a session hold in bytes, as it was measured, roughly: for a
// cache that is bounded by bytes.
const (
	sizeSession  = 4 << 10
	sizeNode     = 208 // a visible event and what each part knows of it
	sizeStep     = 320
	sizeCall     = 384
	sizeWanted   = 64
	sizeCommand  = 64
	sizeMessage  = 512
	sizeTool     = 192
	sizeChild    = 448
	sizeQuestion = 320
	sizeSettled  = 96
	sizeArtifact = 272
	sizeJudge    = 128
)

// Size estimates how many bytes of memory the session holds. It looks at what is
// kept, whose size does not grow with the log.
func (s *Session) Size() int64 {
	n := int64(sizeSession) + int64(len(s.header.Line))*3
	n += int64(len(s.Surface().Nodes())) * sizeNode
	n += int64(len(s.Commands.Recent)) * sizeCommand
	for _, in := range s.Compaction.Instructions {
		n += messagesSize([]Waiting{{Message: in.Message}})
	}
	for _, m := range s.Artifacts.Made {
		n += sizeArtifact + int64(len(m.Path))
	}
	return n + s.Calls.size() + s.Request.size() + s.Inbox.size() + int64(len(s.Judges.Routes)+len(s.Judges.Reviewers))*sizeJudge + childrenSize(&s.Lineage) + approvalsSize(&s.Approvals)
}

func (c *Calls) size() int64 {
	n := int64(0)
	if c.Open != nil {
		n += c.Open.size()
	}
	for i := range c.Shown {
		n += c.Shown[i].size()
	}
	return n
}

// size counts the arguments of an open call as often as they are kept: here and, of
// inner calls, for a repair.
func (s *StepCalls) size() int64 {
	n := int64(sizeStep) + int64(len(s.Native)+len(s.Inner))*sizeCall
	for _, w := range s.Wanted {
		n += sizeWanted + int64(len(w.Arguments))
	}
	for _, c := range s.Native {
		n += int64(len(c.Arguments))
	}
	for _, c := range s.Inner {
		n += 2 * int64(len(c.Arguments))
	}
	return n
}

func (r *Request) size() int64 {
	n := int64(len(r.Allowed)) * sizeTool
	if r.Header == nil {
		return n
	}
	n += sizeMessage
	for _, t := range r.Header.Tools {
		n += sizeTool + int64(len(t.Name)+len(t.Description)+len(t.Parameters)+len(t.Unknown))*2
	}
	return n
}

func (b *Inbox) size() int64 {
	n := messagesSize(b.NextStep) + messagesSize(b.NextTurn)
	for _, id := range b.Known {
		n += sizeWanted + int64(len(id))
	}
	return n
}

func messagesSize(waiting []Waiting) int64 {
	n := int64(0)
	for _, w := range waiting {
		n += sizeMessage
		for _, block := range w.Message.Content {
			n += int64(len(block.Text) + len(block.Raw))
		}
	}
	return n
}

func childrenSize(s *lineage.State) int64 {
	n := int64(len(s.Creations)) * sizeChild
	for _, c := range s.Children {
		n += sizeChild + int64(len(c.Descriptor))
	}
	return n
}

func approvalsSize(s *approvals.State) int64 {
	n := int64(len(s.Settled))*sizeSettled + int64(len(s.Rules)+len(s.Grants))*sizeQuestion
	for _, q := range s.Open {
		n += sizeQuestion + int64(len(q.Reason)+len(q.Pattern))
		for _, r := range q.Resources {
			n += int64(len(r))
		}
	}
	return n
}
