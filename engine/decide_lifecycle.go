package engine

import (
	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// EndSession stops what a session is doing: its open questions are cancelled, and
// calls without a result, the step and the turn are ended. It may be opened again.
// A session without an open turn has nothing to stop.
type EndSession struct {
	// By is who stops it: user, parent or disposed.
	By string
}

func (c EndSession) decide(s *projections.Session) ([]events.Draft, error) {
	switch c.By {
	case "user", "parent", "disposed":
	default:
		return nil, invalid("by", "must be user, parent or disposed, is %q", c.By)
	}
	closers, err := lineage.End(&s.Tail, events.TurnEndReason{Kind: events.EndAborted, Reason: &events.AbortReason{Kind: c.By}})
	if err != nil || len(closers) == 0 {
		return nil, err
	}
	return append(approvals.CancelAll(&s.Approvals), draftsOf(closers)...), nil
}

// Restart takes up a session whose agent's loop ended, in whatever way: what it
// left open is repaired (reference 1.4), and session/end-seed marks what was there
// (reference 1.2), which makes a compaction that was under way stale. A log that
// ends in the mark gets no second one.
type Restart struct{}

func (Restart) decide(s *projections.Session) ([]events.Draft, error) {
	closers, err := lineage.Repair(&s.Tail)
	if err != nil {
		return nil, err
	}
	if len(closers) == 0 && s.Marked {
		return nil, nil
	}
	return append(draftsOf(closers), events.Drafts(events.EndSeed{})...), nil
}

// draftsOf takes events out of the places that they were planned for.
func draftsOf(es []events.Envelope) []events.Draft {
	out := make([]events.Draft, 0, len(es))
	for _, e := range es {
		out = append(out, events.Draft{Event: e.Event, Surface: e.Surface, Sources: e.Sources})
	}
	return out
}
