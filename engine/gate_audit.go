package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

const (
	// recordsPause is how long records wait at most before they are written, so that
	// a call's own frames go before its record, and what comes meanwhile is written
	// together.
	recordsPause = 20 * time.Millisecond
	// recordsUndigested is how many records may wait for their digests: until then
	// they hold the texts of their requests.
	recordsUndigested = 256
	// recordsWriters is how many records are written at once; recordsEach is how many
	// of a short batch make another writer worth it.
	recordsWriters, recordsEach = 64, 16
)

// recorder writes how reviews came about, behind the replies to their calls and in
// batches.
type recorder struct {
	gate *Gate

	writing sync.Mutex // held by whoever writes a batch

	mu      sync.Mutex // guards what follows; never held while calling out
	waiting []waitingRecord
	planned bool // somebody is going to write them
}

// waitingRecord is a record that lacks its digest as long as there is a review.
type waitingRecord struct {
	events.ReviewRecord
	review reviewer.Review
	until  time.Time // when it is given up
}

func (w *waitingRecord) digest() {
	if w.review == nil {
		return
	}
	defer func() {
		_ = recover() // a record without its digest is refused, and so told
		w.review = nil
	}()
	w.Digest = w.review.Digest()
}

// add takes a record in, which is written when somebody has said so.
func (r *recorder) add(w waitingRecord) {
	w.until = time.Now().Add(recordTimeout)
	r.mu.Lock()
	many := len(r.waiting) >= recordsUndigested
	r.mu.Unlock()
	if many {
		w.digest()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, w)
}

// write has what waits written soon.
func (r *recorder) write() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.planned && len(r.waiting) > 0 {
		r.planned = true
		time.AfterFunc(recordsPause, r.writeNow)
	}
}

// writeNow writes batches until nothing waits, nor is being written.
func (r *recorder) writeNow() {
	r.writing.Lock()
	defer r.writing.Unlock()
	for {
		r.mu.Lock()
		batch := r.waiting
		r.waiting, r.planned = nil, len(batch) > 0
		r.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		r.writeAll(batch)
	}
}

func (r *recorder) writeAll(batch []waitingRecord) {
	if len(batch) <= recordsEach {
		for _, w := range batch {
			r.gate.writeRecord(w)
		}
		return
	}
	next := make(chan waitingRecord)
	var writers sync.WaitGroup
	for range min(recordsWriters, (len(batch)+recordsEach-1)/recordsEach) {
		writers.Go(func() {
			for w := range next {
				r.gate.writeRecord(w)
			}
		})
	}
	for _, w := range batch {
		next <- w
	}
	close(next)
	writers.Wait()
}

func (g *Gate) writeRecord(w waitingRecord) {
	ctx, cancel := context.WithDeadline(context.Background(), w.until)
	defer cancel()
	w.digest()
	if err := g.cfg.Audit.RecordReview(ctx, w.ReviewRecord); err != nil {
		g.cfg.Failed(fmt.Errorf("engine: record the review of call %s of session %s: %w", w.CallID, w.Session, err))
	}
}

// audit has it recorded how the review came about, when the call is answered or has
// to wait for a person.
func (op *operation) audit(j judged) {
	if op.gate.cfg.Audit == nil || op.with == nil {
		return
	}
	op.gate.records.add(op.reviewRecord(j))
}

func (op *operation) reviewRecord(j judged) waitingRecord {
	w := waitingRecord{review: op.review, ReviewRecord: events.ReviewRecord{
		Session: op.req.Session, Turn: op.turn, Step: op.step, CallID: op.req.CallID, Mode: string(op.call().Mode), Name: op.req.Name,
		Reviewer: op.with.reviewer.Name(), AsOfSeq: op.asOf, Outcome: op.outcomeOf(j),
		StartedAt: j.startedAt.UnixMilli(), EndedAt: j.endedAt.UnixMilli(),
	}}
	if op.review != nil {
		w.Route = op.review.Route()
	}
	if in := op.req.Inner; in != nil && in.Schema != nil {
		w.Schema = &events.ReviewSchema{Name: in.Schema.Name, Description: in.Schema.Description, Parameters: in.Schema.Parameters}
	}
	if w.Outcome == events.VerdictFailure {
		w.Failure = &events.ReviewFailureCode{Class: string(j.failure.Class), Code: j.failure.Code}
	}
	return w
}
