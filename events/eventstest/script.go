package eventstest

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
)

// Script writes a session's log event by event, in the order in which an engine
// does, and keeps what later events must say: the next seq, the open turn and
// step, which call stands where. It checks nothing; [events.Validator] does, and
// knows nothing of it.
type Script struct {
	Header events.Header
	Events []events.Envelope

	tb                 rapid.TB
	turn, step         int
	turnOpen, stepOpen bool
	calls              map[string]events.Seq // where the calls of the open step are
	surface            []events.Seq
	made               int // ids
}

// NewScript begins an empty log under the header.
func NewScript(tb rapid.TB, h events.Header) *Script {
	return &Script{Header: h, tb: tb}
}

// Next is the seq of the event that comes next.
func (s *Script) Next() events.Seq { return events.Seq(len(s.Events)) }

// Surface lists the visible events.
func (s *Script) Surface() []events.Seq { return slices.Clone(s.surface) }

// Records is the log as it is stored.
func (s *Script) Records() []events.Record {
	s.tb.Helper()
	return Records(s.tb, s.Events...)
}

// ID makes an id that nothing else in the log has.
func (s *Script) ID(kind string) string {
	s.made++
	return fmt.Sprintf("%s-%d", kind, s.made)
}

// Add puts an event behind the last one, at the end of the surface if it is a
// visible one, with the sources that it cites. It gives the event's seq.
func (s *Script) Add(ev events.Event, sources ...events.Seq) events.Seq {
	s.tb.Helper()
	e := Envelope(s.tb, s.Next(), ev)
	e.Sources = sources
	return s.put(e)
}

// Replace puts a visible event in the place of a range of the surface; it cites
// all that it replaces, and sources.
func (s *Script) Replace(ev events.Event, start, end events.Seq, sources ...events.Seq) events.Seq {
	s.tb.Helper()
	e := Envelope(s.tb, s.Next(), ev)
	first, last := slices.Index(s.surface, start), slices.Index(s.surface, end)
	if first < 0 || last < first {
		s.tb.Fatalf("the range from %d to %d is not on the surface %v", start, end, s.surface)
	}
	e.Surface = events.SurfaceReplace(start, end)
	e.Sources = slices.Concat(sources, s.surface[first:last+1])
	s.surface = slices.Concat(s.surface[:first], []events.Seq{e.Seq}, s.surface[last+1:])
	s.Events = append(s.Events, e)
	return e.Seq
}

// Opaque puts an event whose data this project does not know; of a type that is
// not in the vocabulary it must be ignorable.
func (s *Script) Opaque(name events.Type, data string) events.Seq {
	s.tb.Helper()
	return s.put(events.Envelope{
		Seq: s.Next(), Time: Epoch + int64(s.Next()), Event: events.Opaque{Name: name}, Data: jsontext.Value(data),
		Ignorable: !events.Known(name), Format: events.Format4,
	})
}

func (s *Script) put(e events.Envelope) events.Seq {
	if e.Type().Surface() {
		s.surface = append(s.surface, e.Seq)
	}
	s.Events = append(s.Events, e)
	return e.Seq
}

// StartTurn opens the next turn.
func (s *Script) StartTurn() events.Seq {
	s.turn, s.turnOpen, s.step = s.turn+1, true, 0
	return s.Add(events.TurnStart{Turn: s.turn})
}

// EndTurn closes the open turn for a reason, one of the End constants of events.
func (s *Script) EndTurn(kind string) events.Seq {
	s.turnOpen = false
	return s.Add(events.TurnEnd{Turn: s.turn, Reason: events.TurnEndReason{Kind: kind}})
}

// StartStep opens the next step.
func (s *Script) StartStep() events.Seq {
	s.step, s.stepOpen, s.calls = s.step+1, true, map[string]events.Seq{}
	return s.Add(events.StepStart{Turn: s.turn, Step: s.step})
}

// EndStep closes the open step.
func (s *Script) EndStep() events.Seq {
	s.stepOpen = false
	return s.Add(events.StepEnd{Turn: s.turn, Step: s.step})
}

// System puts the system prompt.
func (s *Script) System(text string) events.Seq {
	return s.Add(events.SystemMessage{Turn: s.turn, Step: s.step, Message: s.message("system", text)})
}

// User puts what a person said.
func (s *Script) User(text string) events.Seq {
	return s.UserFrom(events.Source{Kind: events.SourceUser}, text)
}

// UserFrom puts a message with the user's role from some source.
func (s *Script) UserFrom(from events.Source, text string) events.Seq {
	return s.Add(s.userMessage(from, text))
}

func (s *Script) userMessage(from events.Source, text string) events.UserMessage {
	return events.UserMessage{ID: s.ID("message"), Role: "user", Source: from, Content: []events.Block{events.TextBlock(text)}}
}

// Assistant puts what the model said, and the calls that it wants.
func (s *Script) Assistant(text string, calls ...events.Block) events.Seq {
	m := s.message("assistant", text)
	m.Source = &events.Source{Raw: jsontext.Value(`{"kind":"model","provider":"p","model":"m"}`)}
	m.Content = append(m.Content, calls...)
	return s.Add(events.AssistantMessage{Turn: s.turn, Step: s.step, Message: m, Stream: jsontext.Value("[]")})
}

func (s *Script) message(role, text string) events.Message {
	return events.Message{ID: s.ID("message"), Role: role, Content: []events.Block{events.TextBlock(text)}}
}

// Call puts the start of a call.
func (s *Script) Call(id, name, arguments string) events.Seq {
	s.calls[id] = s.Next()
	return s.Add(events.ToolCall{Turn: s.turn, Step: s.step, CallID: id, Name: name, Arguments: &arguments})
}

// Result puts what a call of this step came to, and cites it.
func (s *Script) Result(callID, text string) events.Seq {
	return s.Add(s.result(callID, text), s.calls[callID])
}

// Failed puts the failure of a call of this step. It cites the call, unless the
// code says that it was not started.
func (s *Script) Failed(callID, code string) events.Seq {
	r := s.result(callID, "Error: "+code)
	r.Message.IsError, r.Error = true, &events.ToolError{Name: "ToolError", Code: code}
	if code == events.CodeNotStarted {
		return s.Add(r)
	}
	return s.Add(r, s.calls[callID])
}

func (s *Script) result(callID, text string) events.ToolResult {
	m := s.message("tool", text)
	m.Source = &events.Source{Kind: events.SourceTool, CallID: callID}
	return events.ToolResult{Turn: s.turn, Step: s.step, Message: m}
}

// Compact replaces a range of the surface by a checkpoint, as a compaction does:
// the lock, the summary, the message, the release.
func (s *Script) Compact(start, end events.Seq, summary string) events.Seq {
	s.tb.Helper()
	id, turn := s.ID("compaction"), s.turnOrNull()
	first, last := slices.Index(s.surface, start), slices.Index(s.surface, end)
	if first < 0 || last < first {
		s.tb.Fatalf("the range from %d to %d is not on the surface %v", start, end, s.surface)
	}
	begun := s.Add(events.CompactionStart{CompactionID: id, Turn: turn})
	told := s.Add(events.CompactionSummary{
		CompactionID: id, Summary: []events.Block{events.TextBlock(summary)},
		ShadowedRange: events.SeqRange{Start: start, End: end}, ShadowedSeqs: slices.Clone(s.surface[first : last+1]),
		ShadowedTokenCount: jsontext.Value("10"), Provider: "p", Model: "m",
	})
	checkpoint := s.userMessage(events.Source{Kind: events.SourceCheckpoint, CompactionID: id}, summary)
	at := s.Replace(checkpoint, start, end, begun, told)
	s.Add(events.CompactionEnd{CompactionID: id, Turn: turn})
	return at
}

// turnOrNull is the open turn as compaction events name it.
func (s *Script) turnOrNull() jsontext.Value {
	if !s.turnOpen {
		return jsontext.Value("null")
	}
	return jsontext.Value(fmt.Sprint(s.turn))
}
