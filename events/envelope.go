package events

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Envelope is one event at its place in a log, in the current format's shape
// (reference 1.2), whatever format it is stored in.
type Envelope struct {
	Seq  Seq
	Time int64 // Unix ms
	// Event is the typed data; Data the same as JSON, with every member that was
	// stored and in its order.
	Event Event
	Data  jsontext.Value
	// Ignorable says that a reader that does not know the type may go on.
	Ignorable bool
	Surface   SurfaceOp
	// Sources are the earlier events that this one stands for.
	Sources []Seq
	// Format is the one that the event is stored in; its rules apply.
	Format Format
}

// Type is the event's name on the wire.
func (e Envelope) Type() Type { return e.Event.Type() }

// NewEnvelope puts an event of our own at a place in a log. Surface events are
// appended to the surface; what is different is set on the result. Its event is
// what a reader will find there, so that what is folded before it is stored and
// what is folded later cannot differ. (A user/message whose source is an agent's,
// which only an export writes, is an agent-message to a reader.)
func NewEnvelope(seq Seq, timeMs int64, ev Event) (Envelope, error) {
	data, loose, err := encodeData(ev)
	if err != nil {
		return Envelope{}, within("data", jsonError(err))
	}
	e := Envelope{Seq: seq, Time: timeMs, Data: data, Ignorable: ev.Type().Ignorable(), Format: Format4}
	if e.Event, err = readBack(ev, data, loose); err != nil {
		return Envelope{}, err
	}
	if ev.Type().Surface() {
		e.Surface = SurfaceAppend()
	}
	return e, nil
}

// readBack gives the event as a reader finds it in the data that was encoded of it.
func readBack(ev Event, data jsontext.Value, loose bool) (Event, error) {
	read, plain := asRead(ev)
	if !plain {
		return decodeEvent(ev.Type(), data, loose)
	}
	if err := read.check(); err != nil {
		return nil, within("data", err)
	}
	return read, nil
}

// encodeData writes an event's data. Members that are kept as JSON text are
// written as they are; a reason's literal may hold a lone surrogate (loose),
// which must not let a Go string that is not UTF-8 through.
func encodeData(ev Event) (data jsontext.Value, loose bool, err error) {
	data, err = json.Marshal(ev, jsontext.PreserveRawStrings(true))
	if err == nil {
		return data, false, nil
	}
	plain, had := withoutReason(ev)
	if !had {
		return nil, false, err
	}
	if _, err := json.Marshal(plain); err != nil {
		return nil, false, err
	}
	data, err = json.Marshal(ev, jsontext.PreserveRawStrings(true), jsontext.AllowInvalidUTF8(true))
	return data, true, err
}

// withoutReason is an event without its reason literal, and whether it had one.
func withoutReason(ev Event) (plain Event, had bool) {
	switch ev := any(ev).(type) { // the three that carry one: no complete switch
	case ReviewVerdict:
		had, ev.Reason = ev.Reason != nil, nil
		return ev, had
	case ToolResult:
		ev.Error, had = ev.Error.withoutReason()
		return ev, had
	case PTCDispatch:
		ev.Error, had = ev.Error.withoutReason()
		return ev, had
	default:
		return nil, false
	}
}

// wireEnvelope has the members of a stored event, in the order in which they are
// written.
type wireEnvelope struct {
	Type      Type           `json:"type"`
	Seq       *Seq           `json:"seq"`
	Time      *int64         `json:"time"`
	Data      jsontext.Value `json:"data"`
	Ignorable *bool          `json:"ignorable,omitzero"`
	SurfaceOp jsontext.Value `json:"surfaceOp,omitzero"`
	Sources   []Seq          `json:"sourceEventSeqs,omitzero"`
}

var strictMembers = json.RejectUnknownMembers(true)

// decodeEnvelope reads a stored line that is one event.
func decodeEnvelope(format Format, line []byte) (Envelope, error) {
	w, loose, err := readWire(line)
	if err != nil {
		return Envelope{}, err
	}
	if err := w.check(); err != nil {
		return Envelope{}, err
	}
	e := Envelope{Seq: *w.Seq, Time: *w.Time, Data: w.Data, Ignorable: value(w.Ignorable), Sources: w.Sources, Format: format}
	if e.Surface, err = parseSurfaceOp(format, w.SurfaceOp); err != nil {
		return Envelope{}, err
	}
	t, err := lift(format, w.Type, &e)
	if err != nil {
		return Envelope{}, err
	}
	if !known(format, t) {
		if !e.Ignorable {
			return Envelope{}, &UnknownTypeError{Seq: e.Seq, Type: w.Type}
		}
		e.Event = Opaque{Name: t}
		return e, nil
	}
	if e.Event, err = decodeEvent(t, e.Data, loose); err != nil {
		return Envelope{}, err
	}
	if m, ok := e.Event.(UserMessage); ok && mayBeOwn(m.Source.Kind) {
		if t, err = liftSender(&e); err == nil && t != TypeUserMessage {
			e.Event, err = decodeEvent(t, e.Data, loose)
		}
	}
	return e, err
}

func known(format Format, t Type) bool {
	return Known(t) || format == Format0 && t == TypeAssistantChunk
}

// readWire parses a line strictly. Only reasons, which are kept as the literals
// that a model wrote, may hold lone surrogates (reference 8, item 7); loose says
// that this line has one.
func readWire(line []byte) (w wireEnvelope, loose bool, err error) {
	err = unmarshal(line, &w, strictMembers)
	if err != nil && utf8.Valid(line) {
		w = wireEnvelope{}
		if looseErr := unmarshal(line, &w, strictMembers, jsontext.AllowInvalidUTF8(true)); looseErr == nil && onlyReasonLoose(w) {
			err, loose = nil, true
		}
	}
	if err != nil {
		return w, false, err
	}
	return w, loose, checkNumbers(line)
}

// onlyReasonLoose reports whether the data is strict but for its reason literal.
func onlyReasonLoose(w wireEnvelope) bool {
	var path string
	switch w.Type {
	case TypeReviewVerdict:
		path = "reason"
	case TypeToolResult, TypePTCDispatch:
		path = "error.reason"
	default:
		return false
	}
	rest, found := blank(w.Data, path)
	return found && strictSyntax(rest) == nil
}

func (w wireEnvelope) check() error {
	if w.Type == "" {
		return fieldf("type", "must not be empty or missing")
	}
	if err := firstError(present("seq", w.Seq), present("time", w.Time)); err != nil {
		return err
	}
	if w.Ignorable != nil && !*w.Ignorable {
		return fieldf("ignorable", "must be true where it is there")
	}
	if w.Sources != nil && len(w.Sources) == 0 {
		return fieldf("sourceEventSeqs", "must not be empty")
	}
	if len(w.Data) == 0 {
		return fieldf("data", "is missing")
	}
	return firstError(safeSeq("seq", *w.Seq), safeSeq("time", Seq(*w.Time)))
}

// encode writes the envelope as a stored line of format 4, without a newline.
func (e Envelope) encode() ([]byte, error) {
	w, err := e.wire()
	if err != nil {
		return nil, err
	}
	return w.encode()
}

func (e Envelope) wire() (wireEnvelope, error) {
	w := wireEnvelope{Type: e.Type(), Seq: &e.Seq, Time: &e.Time, Data: e.Data, Sources: e.Sources}
	if e.Ignorable {
		w.Ignorable = &e.Ignorable
	}
	if !e.Surface.None() {
		op, err := json.Marshal(e.Surface)
		if err != nil {
			return w, jsonError(err)
		}
		w.SurfaceOp = op
	}
	return w, nil
}

func (w wireEnvelope) encode() ([]byte, error) {
	line, err := json.Marshal(w, jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	return line, jsonError(err)
}
