package events

import "bytes"

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
	w, err := e.wire()
	if err == nil {
		err = w.check()
	}
	if err != nil {
		return Record{}, err
	}
	line, err := w.encode()
	if err != nil {
		return Record{}, err
	}
	if !bytes.Contains(line, e.Data) {
		return NewRecord(e)
	}
	if err := checkNumbers(line); err != nil {
		return Record{}, err
	}
	return Record{Format: Format4, Seq: e.Seq, Count: 1, Line: line}, nil
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
