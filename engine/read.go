package engine

import (
	"context"
	"fmt"
	"iter"

	"github.com/docket-engine/docket/events"
)

// stored yields the records of a log with events at or behind from, up to a seq
// that its head has passed; the first may be a packed row that begins before
// from. Wherever they do not follow each other without a gap up to there, the
// error is a *[events.CorruptError].
func stored(ctx context.Context, log events.Log, id events.SessionID, from, to events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		next := from
		if next >= to {
			return
		}
		for r, err := range log.Read(ctx, id, from) {
			within := next == from && r.Seq < from && r.End() > from
			if err == nil && r.Seq != next && !within {
				err = &events.CorruptError{Session: id, Seq: next, Type: r.Type(), Err: fmt.Errorf("seq %d stands in its place", r.Seq)}
			}
			if err != nil {
				yield(events.Record{}, err)
				return
			}
			next = r.End()
			if !yield(r, nil) || next >= to {
				return
			}
		}
		yield(events.Record{}, &events.CorruptError{Session: id, Seq: next, Err: fmt.Errorf("the log ends here, its head is at %d", to)})
	}
}

// prefix yields a log's records with events from one seq up to another, the last
// one cut there as a fork cuts it.
func prefix(ctx context.Context, log events.Log, id events.SessionID, from, to events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for r, err := range stored(ctx, log, id, from, to) {
			if err != nil || r.End() <= to {
				if !yield(r, err) || err != nil {
					return
				}
				continue
			}
			rows, err := r.Cut(to)
			if err != nil {
				yield(events.Record{}, &events.CorruptError{Session: id, Seq: r.Seq, Type: r.Type(), Err: err})
				return
			}
			for _, row := range rows {
				if row.Seq >= from && !yield(row, nil) {
					return
				}
			}
		}
	}
}

// batchSize is how many bytes of lines are handed from one goroutine to another
// at once.
const batchSize = 128 << 10

// batches groups records for inOrder.
func batches(records iter.Seq2[events.Record, error]) iter.Seq2[[]events.Record, error] {
	return func(yield func([]events.Record, error) bool) {
		var batch []events.Record
		size := 0
		for r, err := range records {
			if err != nil {
				if len(batch) == 0 || yield(batch, nil) {
					yield(nil, err)
				}
				return
			}
			batch = append(batch, r)
			if size += len(r.Line); size < batchSize {
				continue
			}
			if !yield(batch, nil) {
				return
			}
			batch, size = make([]events.Record, 0, len(batch)), 0
		}
		if len(batch) > 0 {
			yield(batch, nil)
		}
	}
}

// ahead reads records on another goroutine while the caller works on those
// before them.
func ahead(records iter.Seq2[events.Record, error]) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for batch, err := range inOrder(batches(records), func(b []events.Record) []events.Record { return b }) {
			if err != nil {
				yield(events.Record{}, err)
				return
			}
			for _, r := range batch {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// opened gives a session that may be used: one whose seed is complete.
func opened(ctx context.Context, log events.Log, id events.SessionID) (events.Opened, error) {
	o, err := log.Open(ctx, id)
	if err != nil {
		return events.Opened{}, err
	}
	if !o.Complete() {
		return events.Opened{}, incomplete(o)
	}
	return o, nil
}

// incomplete says which command finishes a seed that was cut short.
func incomplete(o events.Opened) error {
	how := "importing the same file again finishes it"
	if o.Seed.Kind == events.SeedFork {
		how = fmt.Sprintf("forking session %s into it again finishes it", o.Header.ParentSession)
	}
	return fmt.Errorf("session %s has %d of the %d events of its %s: %s: %w",
		o.Header.ID, o.Head.Next, o.Seed.Next, o.Seed.Kind, how, events.ErrSeedIncomplete)
}
