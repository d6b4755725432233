package lineage

import (
	"fmt"

	"github.com/docket-engine/docket/events"
)

// looseSize bounds the bytes that a [Fork] keeps of a step before it decodes
// them.
const looseSize = 1 << 20

// Fork plans the seed of a fork in one pass over its parent's records: the
// copied prefix, the marker behind it, and the closers. It decodes what opens
// and closes turns and steps and, of all else, the end of the prefix alone, so
// that a long log is copied at the speed of its hash.
type Fork struct {
	parent events.SessionID
	next   events.Seq // the prefix ends before it
	copied events.Head
	tail   Tail
	// loose are the records of the open step that tail has not seen yet.
	loose []events.Record
	size  int
}

// NewFork begins a plan that copies the parent's first count events.
func NewFork(parent events.SessionID, count events.Seq) *Fork {
	return &Fork{parent: parent, next: count, copied: events.Head{Chain: events.ChainStart()}}
}

// Copied is where the copied part ends so far.
func (f *Fork) Copied() events.Head { return f.copied }

// Copy takes the parent's next record and appends what the child gets of it to
// dst: the record itself, or the events of a packed row before the boundary. A
// record that cannot be the next one, or that cannot be decoded, is a
// *[events.CorruptError].
func (f *Fork) Copy(dst []events.Record, r events.Record) ([]events.Record, error) {
	if r.Seq != f.copied.Next {
		err := fmt.Errorf("a record of seq %d stands in the place of seq %d", r.Seq, f.copied.Next)
		return dst, &events.CorruptError{Session: f.parent, Seq: f.copied.Next, Type: r.Type(), Err: err}
	}
	if r.End() <= f.next {
		return append(dst, r), f.take(r)
	}
	rows, err := r.Cut(f.next)
	if err != nil {
		return dst, f.corrupt(r, err)
	}
	for _, row := range rows {
		if err := f.take(row); err != nil {
			return dst, err
		}
	}
	return append(dst, rows...), nil
}

// take folds a record of the prefix.
func (f *Fork) take(r events.Record) error {
	f.copied = events.Head{Next: r.End(), Chain: f.copied.Chain.Next(r.Line)}
	switch r.Type() {
	case events.TypeTurnStart, events.TypeTurnEnd, events.TypeStepStart, events.TypeStepEnd:
		f.loose, f.size = f.loose[:0], 0 // of a step that is over
		return f.apply(r)
	}
	f.loose = append(f.loose, r)
	f.size += len(r.Line)
	if f.size > looseSize {
		return f.settle()
	}
	return nil
}

// settle folds the records that were kept.
func (f *Fork) settle() error {
	for _, r := range f.loose {
		if err := f.apply(r); err != nil {
			return err
		}
	}
	f.loose, f.size = f.loose[:0], 0
	return nil
}

func (f *Fork) apply(r events.Record) error {
	decoded, err := r.Decode()
	if err != nil {
		return f.corrupt(r, err)
	}
	for _, e := range decoded {
		f.tail.Apply(e)
	}
	return nil
}

func (f *Fork) corrupt(r events.Record, err error) error {
	return &events.CorruptError{Session: f.parent, Seq: r.Seq, Type: r.Type(), Err: err}
}

// Own gives the records that follow the prefix, the child's own: the marker
// session/end-seed, which holds the chain of the prefix, and the closers; all
// with the time of the boundary, or with the child's createdAt if the prefix is
// empty. The seed is what the child's creation declares: prefix, marker and
// closers, so that a fork that was cut short anywhere is incomplete.
func (f *Fork) Own(createdAt int64) ([]events.Record, events.Seed, error) {
	if f.copied.Next != f.next {
		return nil, events.Seed{}, fmt.Errorf("lineage: fork session %s: %d of %d events are there", f.parent, f.copied.Next, f.next)
	}
	if err := f.settle(); err != nil {
		return nil, events.Seed{}, err
	}
	tail := f.tail // the plan stays as it is
	if f.next == 0 {
		tail.time = createdAt
	}
	return own(tail, f.copied.Chain)
}

func own(tail Tail, prefix events.Chain) ([]events.Record, events.Seed, error) {
	marker, err := events.NewEnvelope(tail.next, tail.time, events.EndSeed{Inherited: true, ParentChain: prefix.String()})
	if err != nil {
		return nil, events.Seed{}, fmt.Errorf("lineage: end of the inherited events: %w", err)
	}
	tail.Apply(marker)
	closers, err := Closers(&tail)
	if err != nil {
		return nil, events.Seed{}, err
	}
	records, err := encode(append([]events.Envelope{marker}, closers...))
	if err != nil {
		return nil, events.Seed{}, err
	}
	return records, events.Seed{
		Kind:  events.SeedFork,
		Next:  records[len(records)-1].End(),
		Chain: prefix.Over(records...),
	}, nil
}

func encode(es []events.Envelope) ([]events.Record, error) {
	records := make([]events.Record, 0, len(es))
	for _, e := range es {
		r, err := events.NewRecord(e)
		if err != nil {
			return nil, fmt.Errorf("lineage: encode %s at seq %d: %w", e.Type(), e.Seq, err)
		}
		records = append(records, r)
	}
	return records, nil
}
