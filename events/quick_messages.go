package events

import "github.com/go-json-experiment/json/jsontext"

// userMessage reads one that stays a user message, in every format.
func (q *quick) userMessage(lifts bool) (e UserMessage) {
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			return e
		}
		switch string(name) {
		case "id":
			e.ID = q.str()
		case "role":
			e.Role = q.str()
		case "source":
			e.Source = q.source()
			if mayBeOwn(e.Source.Kind) || lifts && e.Source.Kind == sourcePlugin {
				q.giveUp()
			}
		case "content":
			e.Content = q.blocks()
		default:
			q.giveUp()
		}
	}
}

func (q *quick) assistantMessage() (e AssistantMessage) {
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			return e
		}
		switch string(name) {
		case "turn":
			e.Turn = int(q.whole())
		case "step":
			e.Step = int(q.whole())
		case "message":
			e.Message = q.message()
		case "stream":
			e.Stream = q.value()
		case "usage":
			e.Usage = q.value()
		case "interrupted":
			e.Interrupted = q.boolean()
		default:
			q.giveUp()
		}
	}
}

func (q *quick) assistantChunk() (e AssistantChunk) {
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			return e
		}
		switch string(name) {
		case "turn":
			e.Turn = int(q.whole())
		case "step":
			e.Step = int(q.whole())
		case "chunk":
			e.Chunk = q.value()
		default:
			q.giveUp()
		}
	}
}

func (q *quick) toolResult() (e ToolResult) {
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			return e
		}
		switch string(name) {
		case "turn":
			e.Turn = int(q.whole())
		case "step":
			e.Step = int(q.whole())
		case "message":
			e.Message = q.message()
		case "error":
			e.Error = q.toolError()
		case "meta":
			e.Meta = q.value()
		default:
			q.giveUp()
		}
	}
}

// toolError reads one without a reason, which the strict decoder has rules for.
func (q *quick) toolError() *ToolError {
	e := &ToolError{}
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			return e
		}
		switch string(name) {
		case "name":
			e.Name = q.str()
		case "code":
			e.Code = q.str()
		default:
			q.giveUp()
		}
	}
}

func (q *quick) message() (msg Message) {
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			return msg
		}
		switch string(name) {
		case "id":
			msg.ID = q.str()
		case "role":
			msg.Role = q.str()
		case "source":
			msg.Source = new(q.source())
		case "content":
			msg.Content = q.blocks()
		case "isError":
			msg.IsError = q.boolean()
		default:
			q.giveUp()
		}
	}
}

func (q *quick) source() (s Source) {
	start := q.i
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			break
		}
		switch string(name) {
		case "kind":
			s.Kind = q.str()
		case "plugin":
			s.Plugin = q.str()
		case "form":
			s.Form = q.str()
		case "rpcId":
			s.RPCID = q.str()
		case "callId":
			s.CallID = q.str()
		case "senderSessionId":
			s.SenderSessionID = SessionID(q.str())
		case "compactionId":
			s.CompactionID = q.str()
		case "sourceCommandId":
			s.SourceCommandID = q.str()
		default:
			q.skip()
		}
	}
	if s.Kind == "" {
		q.giveUp()
	}
	s.Raw = q.since(start)
	return s
}

func (q *quick) blocks() []Block {
	blocks := []Block{}
	for begun := false; q.element(&begun); {
		blocks = append(blocks, q.block())
	}
	return blocks
}

func (q *quick) block() (b Block) {
	start := q.i
	var f struct{ text, id, name, arguments bool }
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			break
		}
		switch string(name) {
		case "type":
			b.Type = q.str()
		case "text":
			b.Text, f.text = q.str(), true
		case "id":
			b.ID, f.id = q.str(), true
		case "name":
			b.Name, f.name = q.str(), true
		case "arguments":
			b.Arguments, f.arguments = q.str(), true
		default:
			q.skip()
		}
	}
	switch b.Type {
	case "text", "reasoning":
		q.need(f.text)
	case "tool-call":
		q.need(f.arguments && b.ID != "" && b.Name != "")
	case "":
		q.giveUp()
	}
	b.Raw = q.since(start)
	return b
}

func (q *quick) need(there bool) {
	if !there {
		q.giveUp()
	}
}

// since is the text of the value that began at start.
func (q *quick) since(start int) jsontext.Value {
	if q.bad {
		return nil
	}
	return q.b[start:q.i:q.i]
}
