package lineage

import "github.com/docket-engine/docket/events"

// looseSize bounds the bytes that an [ending] keeps of a step before it decodes
// them.
const looseSize = 1 << 20

// ending finds what a log leaves open from its stored records, from seq 0 on. It
// decodes the last step alone, or the last bytes of it: what belongs to steps that
// are over is passed over as it is stored.
type ending struct {
	session events.SessionID
	tail    Tail
	// loose are the records that tail has not seen: the last turn/start, if tail has
	// not seen that, then those from the last event on that opens or closes a step.
	loose []events.Record
	size  int
}

// take sees the next record. One that has to be decoded and cannot be is a
// *[events.CorruptError].
func (e *ending) take(r events.Record) error {
	switch r.Type() {
	case events.TypeTurnStart, events.TypeTurnEnd:
		e.forget(0)
	case events.TypeStepStart, events.TypeStepEnd:
		e.forget(e.turnStarts())
	}
	e.loose = append(e.loose, r)
	e.size += len(r.Line)
	if e.size > looseSize {
		return e.settle()
	}
	return nil
}

// turnStarts is how many of the records that are kept open the turn.
func (e *ending) turnStarts() int {
	if len(e.loose) > 0 && e.loose[0].Type() == events.TypeTurnStart {
		return 1
	}
	return 0
}

// forget drops the kept records but the first n: they are of a step that is over.
func (e *ending) forget(n int) {
	e.loose = e.loose[:n]
	e.size = 0
}

// settle folds the records that were kept.
func (e *ending) settle() error {
	for _, r := range e.loose {
		decoded, err := r.Decode()
		if err != nil {
			return e.corrupt(r, err)
		}
		for _, ev := range decoded {
			e.tail.Apply(ev)
		}
	}
	e.forget(0)
	return nil
}

func (e *ending) corrupt(r events.Record, err error) error {
	return &events.CorruptError{Session: e.session, Seq: r.Seq, Type: r.Type(), Err: err}
}
