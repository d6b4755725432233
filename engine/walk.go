package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/docket-engine/docket/events"
)

// walk reads a stored log from its beginning up to the head that was found when
// it was opened, decodes it on all cores, and holds it against every rule that a
// log has: records without a gap, accepted by the Validator, with the chains
// that its seed and its head declare.
type walk struct {
	log       events.Log
	opened    events.Opened
	validator *events.Validator
	head      events.Head // so far
	observer  Observer

	// visit, unless it is nil, sees each event that was accepted, with the head
	// before its record.
	visit func(before events.Head, e events.Envelope)
}

func newWalk(log events.Log, opened events.Opened) *walk {
	return &walk{
		log: log, opened: opened, validator: events.NewValidator(opened.Header),
		head: events.Head{Chain: events.ChainStart()},
	}
}

// run reads the log. What is wrong with it is a *[events.CorruptError].
func (w *walk) run(ctx context.Context) error {
	id, end := w.opened.Header.ID, w.opened.Head.Next
	records := stored(ctx, w.log, id, 0, end)
	for batch, err := range inOrder(batches(records), decodeAll) {
		if err != nil {
			return err
		}
		for _, d := range batch {
			if err := w.record(d); err != nil {
				return err
			}
		}
		w.observer.tell(StageRead, int64(w.head.Next), int64(end))
	}
	return w.finish()
}

// decoded is a record with its events, or with why it has none.
type decoded struct {
	record events.Record
	events []events.Envelope
	err    error
}

func decodeAll(records []events.Record) []decoded {
	out := make([]decoded, len(records))
	for i, r := range records {
		es, err := r.Decode()
		out[i] = decoded{r, es, err}
		if err != nil {
			return out[:i+1] // nothing behind it counts
		}
	}
	return out
}

func (w *walk) record(d decoded) error {
	before := w.head
	if d.err != nil {
		return w.corrupt(d.record.Seq, d.record.Type(), d.err)
	}
	for _, e := range d.events {
		if err := w.validator.Apply(e); err != nil {
			return w.corrupt(w.validator.Next(), e.Type(), err)
		}
		if w.visit != nil {
			w.visit(before, e)
		}
	}
	if w.validator.Next() != d.record.End() {
		return w.corrupt(d.record.Seq, d.record.Type(), errors.New("the record does not stand for as many events as it says"))
	}
	w.head = events.Head{Next: d.record.End(), Chain: before.Chain.Over(d.record)}
	return w.atSeed(before)
}

// atSeed compares the place where the seed ends with what its creation declared.
func (w *walk) atSeed(before events.Head) error {
	seed := w.opened.Seed
	switch {
	case seed.Kind == events.SeedNone || before.Next >= seed.Next || w.head.Next < seed.Next:
		return nil
	case w.head.Next > seed.Next:
		return w.corrupt(before.Next, "", fmt.Errorf("a record reaches over the end of the seed at %d", seed.Next))
	case w.head.Chain != seed.Chain:
		return w.corrupt(before.Next, "", fmt.Errorf("the events up to here are not the seed that was declared: the chain is %s, declared is %s", w.head.Chain, seed.Chain))
	default:
		return nil
	}
}

// finish compares where the log ends with what its head says.
func (w *walk) finish() error {
	head := w.opened.Head
	if w.head != head {
		return w.corrupt(max(w.head.Next-1, 0), "", fmt.Errorf("the events up to here are not those of the log's head: the chain is %s at seq %d, the head says %s at %d",
			w.head.Chain, w.head.Next, head.Chain, head.Next))
	}
	if !w.opened.Complete() {
		return nil
	}
	if err := w.validator.Finish(); err != nil {
		return w.corrupt(w.head.Next, "", errors.New("the header says that the log is seeded, but nothing ends the inherited events"))
	}
	return nil
}

func (w *walk) corrupt(seq events.Seq, t events.Type, err error) error {
	return &events.CorruptError{Session: w.opened.Header.ID, Seq: seq, Type: t, Err: err}
}
