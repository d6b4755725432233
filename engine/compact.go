package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// CompactRequest asks for a compaction of what the model sees.
type CompactRequest struct {
	compaction.Request
	// Summarizer is required. What another one than [compaction.Extractive] says stands
	// behind an extract.
	Summarizer compaction.Summarizer
	MessageID  string // of the checkpoint
	Meta       Meta   // its ID names the compaction's appends
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
// what left the surface is no instruction any more. What people and the parent said
// there stands in the checkpoint word for word, whatever the summary says, and counts
// against a call as before; the project's instructions come back behind it.
//
// A *[events.Refusal] says that nothing was started. A summarizer that fails, and
// a summary that saves nothing, end the compaction on the log, and are told as
// its Failure. The same request again finishes what was cut short, or tells how it
// ended.
func (e *Engine) Compact(ctx context.Context, id events.SessionID, req CompactRequest) (Compacted, error) {
	if err := req.meta("finish").check(); err != nil { // the longest one
		return Compacted{}, fmt.Errorf("engine: session %s: %w", id, err)
	}
	planned, ended, err := e.planCompaction(ctx, id, req)
	if err != nil || ended != nil {
		return endedAs(ended), err
	}
	if !planned.started {
		if _, err := e.Do(ctx, id, StartCompaction{req.Request}, req.meta("start")); err != nil {
			return Compacted{}, err
		}
	}
	done, err := e.Do(ctx, id, e.summarized(ctx, req, planned), req.meta("finish"))
	if err != nil {
		return Compacted{}, err
	}
	return Compacted{Range: planned.Range, Failure: compactionFailure(done.Events)}, nil
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

// plannedCompaction is what a compaction replaces.
type plannedCompaction struct {
	compaction.Range
	messages []events.Envelope // of the range
	input    compaction.Input
	started  bool // the lock is held already
}

// planCompaction plans, and reads what is to be replaced, so that nothing is started
// that what people said keeps from being finished. What others append meanwhile does
// not touch the range; if they replace something, finishing finds the plan stale.
func (e *Engine) planCompaction(ctx context.Context, id events.SessionID, req CompactRequest) (planned plannedCompaction, ended *compaction.Outcome, err error) {
	if req.Summarizer == nil {
		return planned, nil, errors.New("engine: CompactRequest.Summarizer is nil")
	}
	if req.MessageID == "" {
		return planned, nil, fmt.Errorf("engine: session %s: %w", id, invalid("messageId", "is missing"))
	}
	var state *compaction.State
	err = e.View(ctx, id, func(s *projections.Session) (err error) {
		state = heard(s)
		planned.Range, planned.started, ended, err = req.plan(s)
		return err
	})
	if err != nil || ended != nil {
		return planned, ended, err
	}
	if planned.messages, err = e.eventsAt(ctx, id, planned.Seqs); err != nil {
		return planned, nil, err
	}
	if planned.input, err = state.Input(planned.Range, planned.messages, e.cfg.Restricts); err == nil && !planned.started {
		err = state.Check(planned.Range, planned.input)
	}
	if err != nil {
		return planned, nil, fmt.Errorf("engine: session %s: %w", id, err)
	}
	if _, own := req.Summarizer.(compaction.Extractive); own {
		planned.input.Limit = state.Room(planned.Range, planned.input, req.Budget)
	}
	return planned, nil, nil
}

// heard is the state of the session's compactions with its lineage's word on who
// said what. A copy of what is folded: it may be read when the session goes on.
func heard(s *projections.Session) *compaction.State {
	a := s.Authority()
	return s.Compaction.Heard(func(n compaction.Node) compaction.Voice {
		role := lineage.RoleFact
		switch {
		case n.Voice == compaction.VoiceProject:
			return n.Voice
		case n.Voice == compaction.VoiceEngine && n.Seq >= s.Imported:
			return n.Voice
		case n.Type == events.TypeAgentMessage:
			role = a.Agent(n.Seq, events.AgentMessage{SenderSessionID: n.Sender, Parent: &events.ParentProof{}})
		case n.Voice == compaction.VoicePerson:
			role = a.User(n.Seq)
		}
		switch role {
		case lineage.RoleHuman:
			return compaction.VoicePerson
		case lineage.RoleParent:
			return compaction.VoiceParent
		default:
			return ""
		}
	})
}

// plan is the range, or the end of the very compaction if it has one. The lock
// that it holds itself does not keep it out.
func (r CompactRequest) plan(s *projections.Session) (planned compaction.Range, started bool, ended *compaction.Outcome, err error) {
	state, start := heard(s), r.meta("start").ID
	if s.Commands.Reused(start) { // before there may be nothing to replace any more
		return planned, false, nil, reused()
	}
	_, started = s.Commands.Find(start)
	switch last, held := state.Last, state.Held(); {
	case !started:
	case held != nil && held.CompactionID == r.CompactionID:
		state.Lock = nil
		r.Turn, r.Budget = state.Turn, 0 // as they were when it started
	case last != nil && last.CompactionID == r.CompactionID:
		return planned, started, last, nil
	}
	planned, err = compaction.Plan(state, r.Request)
	return planned, started, nil, err
}

// summarized is the command that ends the compaction.
func (e *Engine) summarized(ctx context.Context, req CompactRequest, p plannedCompaction) Command {
	summary, err := req.Summarizer.Summarize(ctx, p.input)
	if err != nil {
		return FailCompaction{CompactionID: req.CompactionID, Reason: "the summarizer failed: " + err.Error()}
	}
	return FinishCompaction{compaction.Completion{
		CompactionID: req.CompactionID, Range: p.Range, Messages: p.messages, Summary: summary, MessageID: req.MessageID,
		Budget: req.Budget, Restricts: e.cfg.Restricts,
	}}
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
