package projections

// What the parts of a session hold, in bytes, roughly: for a cache that is bounded
// by bytes.
const (
	sizeSession = 4 << 10
	sizeNode    = 96 // a visible event and what is known of it
	sizeCall    = 256
	sizeStep    = 160
	sizeCommand = 64
	sizeMessage = 512
)

// Size estimates how many bytes of memory the session holds. It looks at what is
// kept, whose size does not grow with the log.
func (s *Session) Size() int64 {
	n := int64(sizeSession) + int64(len(s.header.Line))*3
	n += int64(len(s.Surface().Nodes())) * sizeNode
	n += int64(len(s.Commands.Recent)) * sizeCommand
	n += s.Calls.size() + s.Request.size() + s.Inbox.size()
	return n
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

func (s *StepCalls) size() int64 {
	n := int64(sizeStep) + int64(len(s.Native)+len(s.Inner)+len(s.Wanted))*sizeCall
	for _, w := range s.Wanted {
		n += int64(len(w.Arguments))
	}
	for _, c := range s.Native {
		n += int64(len(c.Arguments))
	}
	for _, c := range s.Inner {
		n += int64(len(c.Arguments))
	}
	return n
}

func (r *Request) size() int64 {
	if r.Header == nil {
		return 0
	}
	n := int64(sizeMessage)
	for _, t := range r.Header.Tools {
		n += int64(len(t.Name)+len(t.Description)+len(t.Parameters)+len(t.Unknown)) + sizeNode
	}
	return n
}

func (b *Inbox) size() int64 { return messagesSize(b.NextStep) + messagesSize(b.NextTurn) }

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
