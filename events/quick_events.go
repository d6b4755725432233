package events

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// quickEnvelope reads a stored line of one of the types that logs are full of,
// if it is as plain as such lines are. ok says whether it is; else the strict
// decoder has to look at it.
func quickEnvelope(format Format, line []byte) (e Envelope, ok bool) {
	q := quick{b: bytes.Clone(line)}
	q.names = q.buf[:0]
	e.Format = format
	var t Type
	var has struct{ seq, time bool }
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			break
		}
		switch string(name) {
		case "type":
			t = q.kind()
		case "seq":
			e.Seq, has.seq = Seq(q.whole()), true
		case "time":
			e.Time, has.time = q.whole(), true
		case "data":
			start := q.i
			e.Event = q.event(format, t)
			e.Data = q.b[start:q.i:q.i]
		case "ignorable":
			if e.Ignorable = q.boolean(); !e.Ignorable {
				q.giveUp()
			}
		case "surfaceOp":
			q.surfaceAppend(&e)
		case "sourceEventSeqs":
			e.Sources = q.seqs()
		default:
			q.giveUp()
		}
	}
	if q.bad || q.i != len(q.b) || !has.seq || !has.time || e.Event == nil {
		return Envelope{}, false
	}
	return e, e.Event.check() == nil
}

// kind reads the type, if it is one of those that are read here; empty else.
func (q *quick) kind() Type {
	raw, escaped := q.text()
	if escaped {
		q.giveUp()
		return ""
	}
	for _, t := range quickTypes {
		if string(raw) == string(t) {
			return t
		}
	}
	for _, t := range knownByName {
		if string(raw) == string(t) {
			return t
		}
	}
	q.giveUp()
	return ""
}

// quickTypes are those that [quick.event] reads, but for opaque ones.
var quickTypes = [...]Type{
	TypeTurnStart, TypeTurnEnd, TypeStepStart, TypeStepEnd, TypeUserMessage, TypeAssistantMessage,
	TypeToolCall, TypeToolResult, TypeAssistantChunk,
}

// event reads the data. In format 0, types whose data is lifted are left to the
// strict decoder.
func (q *quick) event(format Format, t Type) Event {
	if q.peek() != '{' {
		q.giveUp()
		return nil
	}
	lifts := format == Format0
	switch {
	case t == TypeTurnStart:
		return q.turnStart()
	case t == TypeTurnEnd:
		return q.turnEnd()
	case t == TypeStepStart:
		turn, step := q.step()
		return StepStart{Turn: turn, Step: step}
	case t == TypeStepEnd:
		turn, step := q.step()
		return StepEnd{Turn: turn, Step: step}
	case t == TypeToolCall:
		return q.toolCall()
	case t == TypeUserMessage:
		return q.userMessage(lifts)
	case t == TypeAssistantMessage && !lifts:
		return q.assistantMessage()
	case t == TypeToolResult && !lifts:
		return q.toolResult()
	case t == TypeAssistantChunk && lifts:
		return q.assistantChunk()
	case KnownByName(t):
		q.skip()
		return Opaque{Name: t}
	default:
		q.giveUp()
		return nil
	}
}

func (q *quick) surfaceAppend(e *Envelope) {
	if raw, _ := q.text(); string(raw) != "append" {
		q.giveUp()
	}
	e.Surface = SurfaceAppend()
}

func (q *quick) seqs() (seqs []Seq) {
	for begun := false; q.element(&begun); {
		seqs = append(seqs, Seq(q.whole()))
	}
	if len(seqs) == 0 {
		q.giveUp()
	}
	return seqs
}

func (q *quick) turnStart() (e TurnStart) {
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			return e
		}
		switch string(name) {
		case "turn":
			e.Turn = int(q.whole())
		default:
			q.giveUp()
		}
	}
}

func (q *quick) turnEnd() (e TurnEnd) {
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			return e
		}
		switch string(name) {
		case "turn":
			e.Turn = int(q.whole())
		case "reason":
			e.Reason.Kind = q.endKind()
		default:
			q.giveUp()
		}
	}
}

// endKind reads a reason that says nothing else.
func (q *quick) endKind() (kind string) {
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			return kind
		}
		switch string(name) {
		case "kind":
			kind = q.str()
		default:
			q.giveUp()
		}
	}
}

func (q *quick) step() (turn, step int) {
	for m := q.object(); ; {
		name := q.member(&m)
		if name == nil {
			return turn, step
		}
		switch string(name) {
		case "turn":
			turn = int(q.whole())
		case "step":
			step = int(q.whole())
		default:
			q.giveUp()
		}
	}
}

func (q *quick) toolCall() (e ToolCall) {
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
		case "callId":
			e.CallID = q.str()
		case "name":
			e.Name = q.str()
		case "arguments":
			e.Arguments = new(q.str())
		default:
			q.giveUp()
		}
	}
}

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
