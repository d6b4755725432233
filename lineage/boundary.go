package lineage

import (
	"fmt"
	"iter"

	"github.com/docket-engine/docket/events"
)

// BoundaryError says that a fork's boundary is not an event of the parent.
type BoundaryError struct {
	Session events.SessionID // the parent
	At      events.Seq       // the boundary that was asked for
	Next    events.Seq       // how many events the parent has
}

// Error names the boundary and what could be one.
func (e *BoundaryError) Error() string {
	if e.Next == 0 {
		return fmt.Sprintf("session %s cannot be forked at seq %d: it has no events", e.Session, e.At)
	}
	return fmt.Sprintf("session %s cannot be forked at seq %d: the boundary is one of its events, 0 to %d", e.Session, e.At, e.Next-1)
}

// Boundary gives how many events a fork of a log of next events copies: those
// up to and including at, or all if at is nil. Any event may be the last one,
// also inside a turn. Else the error is a *[BoundaryError].
func Boundary(parent events.SessionID, at *events.Seq, next events.Seq) (events.Seq, error) {
	switch {
	case at == nil:
		return next, nil
	case *at < 0 || *at >= next:
		return 0, &BoundaryError{Session: parent, At: *at, Next: next}
	default:
		return *at + 1, nil
	}
}

// FindBoundary gives how many events of the parent a fork copied, or was to
// copy, from the seed that its creation declared and its createdAt; records are
// the parent's, from seq 0. It is for a fork that was asked for without a
// boundary, cut short, and asked for again after the parent has grown. It decodes
// all records. found is false if no boundary gives this seed.
func FindBoundary(records iter.Seq2[events.Record, error], seed events.Seed, createdAt int64) (count events.Seq, found bool, err error) {
	seed.Imported = 0 // it says nothing of where the boundary is
	m := match{seed: seed, chain: events.ChainStart(), tail: Tail{Time: createdAt}}
	if m.fits(m.chain) {
		return 0, true, nil
	}
	for r, err := range records {
		if err != nil {
			return 0, false, err
		}
		if r.Seq >= seed.Next {
			break
		}
		if found, err := m.record(r); found || err != nil {
			return m.tail.Next, found, err
		}
	}
	return 0, false, nil
}

// match looks for the boundary of a declared seed.
type match struct {
	seed  events.Seed
	chain events.Chain // behind the records so far
	tail  Tail
}

// record folds a record event by event, since a boundary may cut it.
func (m *match) record(r events.Record) (found bool, err error) {
	decoded, err := r.Decode()
	if err != nil {
		return false, fmt.Errorf("lineage: seq %d of the parent: %w", r.Seq, err)
	}
	for _, e := range decoded {
		m.tail.Apply(e)
		if m.tail.Next+1+m.tail.closers() != m.seed.Next {
			continue
		}
		cut, err := r.Cut(m.tail.Next)
		if err != nil {
			return false, fmt.Errorf("lineage: cut seq %d of the parent: %w", r.Seq, err)
		}
		if m.fits(m.chain.Over(cut...)) {
			return true, nil
		}
	}
	m.chain = m.chain.Over(r)
	return false, nil
}

func (m *match) fits(prefix events.Chain) bool {
	if m.tail.Next+1+m.tail.closers() != m.seed.Next {
		return false
	}
	_, seed, err := own(m.tail, prefix)
	return err == nil && seed == m.seed
}

// closers is how many there are.
func (t *Tail) closers() events.Seq {
	if t.Balanced() {
		return 0
	}
	n := len(t.Scope.Inner) + len(t.unanswered()) + 1
	if t.StepOpen {
		n++
	}
	return events.Seq(n)
}
