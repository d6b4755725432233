package lineage

import (
	"fmt"

	"github.com/docket-engine/docket/events"
)

// Fork plans the seed of a fork in one pass over its parent's records: the
// copied prefix, the marker behind it, and the closers. It decodes the end of the
// prefix alone, so that a long log is copied at the speed of its hash.
type Fork struct {
	next   events.Seq // the prefix ends before it
	copied events.Head
	ending ending
}

// NewFork begins a plan that copies the parent's first count events.
func NewFork(parent events.SessionID, count events.Seq) *Fork {
	return &Fork{next: count, copied: events.Head{Chain: events.ChainStart()}, ending: ending{session: parent}}
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
		return dst, &events.CorruptError{Session: f.ending.session, Seq: f.copied.Next, Type: r.Type(), Err: err}
	}
	if r.End() <= f.next {
		return append(dst, r), f.take(r)
	}
	rows, err := r.Cut(f.next)
	if err != nil {
		return dst, f.ending.corrupt(r, err)
	}
	for _, row := range rows {
		if err := f.take(row); err != nil {
			return dst, err
		}
	}
	return append(dst, rows...), nil
}

func (f *Fork) take(r events.Record) error {
	f.copied = events.Head{Next: r.End(), Chain: f.copied.Chain.Over(r)}
	return f.ending.take(r)
}

// Own gives the records that follow the prefix, the child's own: the marker
// session/end-seed, which holds the chain of the prefix, and the closers; all
// with the time of the boundary, or with the child's createdAt (Unix ms) if the
// prefix is empty. The seed is what the child's creation declares: prefix, marker
// and closers, so that a fork that was cut short anywhere is incomplete.
func (f *Fork) Own(createdAt int64) ([]events.Record, events.Seed, error) {
	if f.copied.Next != f.next {
		return nil, events.Seed{}, fmt.Errorf("lineage: fork session %s: %d of %d events are there", f.ending.session, f.copied.Next, f.next)
	}
	if err := f.ending.settle(); err != nil {
		return nil, events.Seed{}, err
	}
	tail := f.ending.tail // the plan stays as it is
	if f.next == 0 {
		tail.Time = createdAt
	}
	return own(tail, f.copied.Chain)
}

func own(tail Tail, prefix events.Chain) ([]events.Record, events.Seed, error) {
	marker, err := events.NewEnvelope(tail.Next, tail.Time, events.EndSeed{Inherited: true, ParentChain: prefix.String()})
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
