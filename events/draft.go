package events

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
