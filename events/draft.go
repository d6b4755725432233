package events

import "strconv"

// Draft is an event that was decided and has no place yet: what a pure decision
// gives. The zero Surface and no Sources are what the type has by itself: surface
// events are appended.
type Draft struct {
	Event   Event
	Surface SurfaceOp
	Sources []Seq
}

// Drafts wraps events that are what their types are by themselves.
func Drafts(evs ...Event) []Draft {
	out := make([]Draft, 0, len(evs))
	for _, ev := range evs {
		out = append(out, Draft{Event: ev})
	}
	return out
}

// At puts the draft at a place in a log, with a time in Unix ms.
func (d Draft) At(seq Seq, timeMs int64) (Envelope, error) {
	e, err := NewEnvelope(seq, timeMs, d.Event)
	if err != nil {
		return Envelope{}, err
	}
	if !d.Surface.None() {
		e.Surface = d.Surface
	}
	e.Sources = d.Sources
	return e, nil
}

// Stored is [Draft.At] with the line that is stored of the event, as [NewRecord]
// makes it: what At has read back already is not read a second time.
func (d Draft) Stored(seq Seq, timeMs int64) (Envelope, Record, error) {
	e, err := d.At(seq, timeMs)
	if err != nil {
		return Envelope{}, Record{}, err
	}
	r, err := e.recordOfOwn()
	return e, r, err
}

// recordOfOwn is NewRecord for an envelope that At has just made. Its event was
// decoded from its data, which was encoded strictly, so that what remains to be
// checked is what stands around the data, and its numbers. Whatever a reader takes
// in another way than it comes is read back as a whole.
func (e Envelope) recordOfOwn() (Record, error) {
	if e.readDifferently() {
		return NewRecord(e)
	}
	w := wireEnvelope{Type: e.Type(), Seq: &e.Seq, Time: &e.Time, Data: e.Data, Sources: e.Sources}
	if err := w.check(); err != nil {
		return Record{}, err
	}
	line := e.line()
	if _, plain := asRead(e.Event); !plain { // which has whole numbers alone
		if err := checkNumbers(line); err != nil {
			return Record{}, err
		}
	}
	return Record{Format: Format4, Seq: e.Seq, Count: 1, Line: line}, nil
}

// line is what [wireEnvelope.encode] writes of an envelope of a known type, whose
// data At has just encoded, and which replaces nothing. Encoding it once more would
// read all of the data again.
func (e Envelope) line() []byte {
	const around = 128 // bytes beside type, data and sources
	const digits = 17  // of a seq, with a comma
	b := make([]byte, 0, around+len(e.Type())+len(e.Data)+digits*len(e.Sources))
	b = append(append(b, `{"type":"`...), e.Type()...)
	b = strconv.AppendInt(append(b, `","seq":`...), int64(e.Seq), 10)
	b = strconv.AppendInt(append(b, `,"time":`...), e.Time, 10)
	b = append(append(b, `,"data":`...), e.Data...)
	if e.Ignorable {
		b = append(b, `,"ignorable":true`...)
	}
	if e.Surface.Append() {
		b = append(b, `,"surfaceOp":"append"`...)
	}
	for i, s := range e.Sources {
		if i == 0 {
			b = append(b, `,"sourceEventSeqs":[`...)
		} else {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(s), 10)
	}
	if len(e.Sources) > 0 {
		b = append(b, ']')
	}
	return append(b, '}')
}

// readDifferently reports whether reading the line takes more than reading its
// data: a reason that need not be strict, a message that becomes an event of its
// own, a replacement's range, a type that is not known or has no data of its own here.
func (e Envelope) readDifferently() bool {
	if _, loose := withoutReason(e.Event); loose || !known(Format4, e.Type()) || e.Data.Kind() != '{' {
		return true
	}
	if _, _, replaces := e.Surface.Replace(); replaces {
		return true
	}
	switch ev := any(e.Event).(type) { // the two that are not what their type says
	case UserMessage:
		return mayBeOwn(ev.Source.Kind)
	case Opaque:
		return true
	default:
		return false
	}
}
