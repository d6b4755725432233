package engine

import (
	"context"
	"fmt"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
)

// Repair ends what a crash left open in a session's log: it appends what
// [lineage.Repair] gives, as one frame where it fits into one, and returns those
// events; a compaction that was under way is ended before, as failed. A balanced
// log gets none, so that repairing twice changes nothing. A corrupt log and one
// whose seed is incomplete are refused as [Load] refuses them. The session must
// have no other writer that still has a turn open; if one appends meanwhile, the
// error is a *[events.ConflictError] and the log has what that one wrote.
func Repair(ctx context.Context, log events.Log, id events.SessionID, actor events.Actor) ([]events.Envelope, error) {
	s, err := Load(ctx, log, id)
	if err != nil {
		return nil, err
	}
	return s.Repair(ctx, actor)
}

// Repair is the function of that name for a session that is loaded.
func (s *Session) Repair(ctx context.Context, actor events.Actor) ([]events.Envelope, error) {
	released, err := s.releaseCompaction(ctx, actor)
	if err != nil {
		return nil, err
	}
	closers, err := lineage.Repair(&s.folded.state.Tail)
	if err != nil {
		return nil, fmt.Errorf("engine: repair session %s: %w", s.Header().ID, err)
	}
	groups, err := framed(closers)
	if err != nil {
		return nil, fmt.Errorf("engine: repair session %s: %w", s.Header().ID, err)
	}
	for _, g := range groups {
		if err := s.AppendEnvelopes(ctx, repairID(g), actor, g...); err != nil {
			return nil, err
		}
	}
	return append(released, closers...), nil
}

// releaseCompaction ends a compaction whose owner is gone: it would keep every
// other one from starting.
func (s *Session) releaseCompaction(ctx context.Context, actor events.Actor) ([]events.Envelope, error) {
	held := s.folded.state.Compaction.Held()
	if held == nil {
		return nil, nil
	}
	drafts, err := compaction.Fail(&s.folded.state.Compaction, held.CompactionID, "whoever started it is gone")
	if err != nil {
		return nil, fmt.Errorf("engine: repair session %s: %w", s.Header().ID, err)
	}
	u, err := s.folded.drafts(drafts, s.folded.state.Tail.Time)
	if err != nil {
		return nil, fmt.Errorf("engine: repair session %s: %w", s.Header().ID, err)
	}
	return u.envelopes, s.AppendEnvelopes(ctx, repairID(u.envelopes), actor, u.envelopes...)
}

// repairID makes a repair repeatable: its place says what it repairs.
func repairID(es []events.Envelope) events.AppendID {
	return events.AppendID(fmt.Sprintf("repair-%d", es[0].Seq))
}

// framed groups events by the frame that they are stored in. More than one is
// rare, for closers repeat the arguments of inner calls, which may be large. It is
// safe: cut short, the log needs the rest of the same closers.
func framed(es []events.Envelope) ([][]events.Envelope, error) {
	var groups [][]events.Envelope
	var fill lineage.Frames
	take := func(frame []events.Record) {
		groups = append(groups, es[:len(frame)])
		es = es[len(frame):]
	}
	for _, e := range es {
		r, err := events.NewRecord(e)
		if err != nil {
			return nil, err
		}
		if full := fill.Add(r); full != nil {
			take(full)
		}
	}
	if rest := fill.Rest(); rest != nil {
		take(rest)
	}
	return groups, nil
}
