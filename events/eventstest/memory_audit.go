package eventstest

import (
	"bytes"
	"context"
	"iter"
	"slices"

	"github.com/docket-engine/docket/events"
)

// RecordReview keeps how a review came about. A log in memory signs nothing.
func (m *Memory) RecordReview(ctx context.Context, r events.ReviewRecord) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.Check(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.reviews == nil {
		m.reviews = map[events.SessionID][]events.ReviewRecord{}
	}
	m.reviews[r.Session] = append(m.reviews[r.Session], cloneReview(r))
	return nil
}

// Reviews yields a session's review records.
func (m *Memory) Reviews(ctx context.Context, id events.SessionID) iter.Seq2[events.ReviewRecord, error] {
	return func(yield func(events.ReviewRecord, error) bool) {
		if err := id.Check(); err != nil {
			yield(events.ReviewRecord{}, err)
			return
		}
		m.mu.Lock()
		stored := slices.Clone(m.reviews[id])
		m.mu.Unlock()
		for _, r := range stored {
			if err := ctx.Err(); err != nil {
				yield(events.ReviewRecord{}, err)
				return
			}
			if !yield(cloneReview(r), nil) {
				return
			}
		}
	}
}

// Seals yields none: a log in memory has nobody to convince.
func (m *Memory) Seals(context.Context, events.SessionID) iter.Seq2[events.SealRecord, error] {
	return func(func(events.SealRecord, error) bool) {}
}

// cloneReview copies what the record points to.
func cloneReview(r events.ReviewRecord) events.ReviewRecord {
	if r.Schema != nil {
		schema := *r.Schema
		schema.Description = clonePointer(schema.Description)
		schema.Parameters = bytes.Clone(schema.Parameters)
		r.Schema = &schema
	}
	r.Failure, r.Usage = clonePointer(r.Failure), clonePointer(r.Usage)
	return r
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

var _ events.Audit = (*Memory)(nil)
