package events

import (
	"bytes"
	"math"
)

// quickEnvelope reads a stored line of one of the types that logs are full of,
// if it is as plain as such lines are. ok says whether it is; else the strict
// decoder has to look at it.
func quickEnvelope(format Format, line []byte) (e Envelope, ok bool) {
	if len(line) > math.MaxInt32 {
		return Envelope{}, false
	}
	q := quick{b: bytes.Clone(line)}
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
