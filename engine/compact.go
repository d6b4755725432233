package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// CompactRequest asks for a compaction of what the model sees.
type CompactRequest struct {
	compaction.Request
	Summarizer compaction.Summarizer // required
	MessageID  string                // of the checkpoint
	Meta       Meta                  // its ID names the compaction's appends
}

// Compacted is what a compaction came to.
type Compacted struct {
	Range compaction.Range
	// Failure says why nothing was replaced, as it is on the log; empty where the
	// checkpoint stands in the range's place.
	Failure string
	// Already says that it had ended before this request; its Range is not told
	// again.
	Already bool
}

// Compact takes the lock, has the range summarized, and puts the checkpoint in its
// place, or records why not. Nothing leaves the log, and the events stay readable;
// what left the surface is no instruction any more.
//
// A *[events.Refusal] says that nothing was started. A summarizer that fails, and
// a summary that saves nothing, end the compaction on the log, and are told as
// its Failure. The same request again finishes what was cut short, or tells how it
// ended.
func (e *Engine) Compact(ctx context.Context, id events.SessionID, req CompactRequest) (Compacted, error) {
	if err := req.meta("finish").check(); err != nil { // the longest one
		return Compacted{}, fmt.Errorf("engine: session %s: %w", id, err)
	}
	planned, ended, err := e.startCompaction(ctx, id, req)
	if err != nil || ended != nil {
		return endedAs(ended), err
	}
	finish, err := e.summarized(ctx, id, req, planned)
	if err != nil {
		return Compacted{}, err
	}
	done, err := e.Do(ctx, id, finish, req.meta("finish"))
	if err != nil {
		return Compacted{}, err
	}
	return Compacted{Range: planned, Failure: compactionFailure(done.Events)}, nil
}

func (r CompactRequest) meta(part string) Meta {
	m := r.Meta.part(part)
	m.Expect = nil
	return m
}

// endedAs tells of a compaction that had ended before.
func endedAs(ended *compaction.Outcome) Compacted {
	if ended == nil {
		return Compacted{}
	}
	return Compacted{Failure: ended.Error, Already: true}
}

// startCompaction plans, and takes the lock. What others append in between does
// not touch the range; if they replace something, finishing finds the plan stale.
func (e *Engine) startCompaction(ctx context.Context, id events.SessionID, req CompactRequest) (planned compaction.Range, ended *compaction.Outcome, err error) {
	if req.Summarizer == nil {
		return planned, nil, errors.New("engine: CompactRequest.Summarizer is nil")
	}
	if req.MessageID == "" {
		return planned, nil, fmt.Errorf("engine: session %s: %w", id, invalid("messageId", "is missing"))
	}
	err = e.View(ctx, id, func(s *projections.Session) (err error) {
		planned, ended, err = req.plan(s)
		return err
	})
	if err == nil && ended == nil {
		_, err = e.Do(ctx, id, StartCompaction{req.Request}, req.meta("start"))
	}
	return planned, ended, err
}

// plan is the range, or the end of the very compaction if it has one. The lock
// that it holds itself does not keep it out.
func (r CompactRequest) plan(s *projections.Session) (compaction.Range, *compaction.Outcome, error) {
	state, start := s.Compaction, r.meta("start").ID
	if s.Commands.Reused(start) { // before there may be nothing to replace any more
		return compaction.Range{}, nil, reused()
	}
	_, started := s.Commands.Find(start)
	switch last, held := state.Last, state.Held(); {
	case !started:
	case held != nil && held.CompactionID == r.CompactionID:
		state.Lock = nil
		r.Turn, r.Budget = state.Turn, 0 // as they were when it started
	case last != nil && last.CompactionID == r.CompactionID:
		return compaction.Range{}, last, nil
	}
	planned, err := compaction.Plan(&state, r.Request)
	return planned, nil, err
}

// summarized is the command that ends the compaction.
func (e *Engine) summarized(ctx context.Context, id events.SessionID, req CompactRequest, r compaction.Range) (Command, error) {
	es, err := e.eventsAt(ctx, id, r.Seqs)
	if err != nil {
		return nil, err
	}
	in, err := compaction.NewInput(r, es)
	if err != nil {
		return nil, err
	}
	summary, err := req.Summarizer.Summarize(ctx, in)
	if err != nil {
		return FailCompaction{CompactionID: req.CompactionID, Reason: "the summarizer failed: " + err.Error()}, nil
	}
	return FinishCompaction{compaction.Completion{CompactionID: req.CompactionID, Range: r, Summary: summary, MessageID: req.MessageID}}, nil
}

// eventsAt reads the events of some seqs from the log.
func (e *Engine) eventsAt(ctx context.Context, id events.SessionID, seqs []events.Seq) ([]events.Envelope, error) {
	var out []events.Envelope
	if len(seqs) == 0 {
		return nil, nil
	}
	for r, err := range stored(ctx, e.cfg.Log, id, slices.Min(seqs), slices.Max(seqs)+1) {
		if err != nil {
			return nil, fmt.Errorf("engine: %w", err)
		}
		decoded, err := r.Decode()
		if err != nil {
			return nil, fmt.Errorf("engine: %w", &events.CorruptError{Session: id, Seq: r.Seq, Type: r.Type(), Err: err})
		}
		for _, ev := range decoded {
			if slices.Contains(seqs, ev.Seq) {
				out = append(out, ev)
			}
		}
	}
	return out, nil
}

func compactionFailure(es []events.Envelope) string {
	for _, e := range es {
		if end, ok := e.Event.(events.CompactionEnd); ok && end.Error != nil {
			return *end.Error
		}
	}
	return ""
}
