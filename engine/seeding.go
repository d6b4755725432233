package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
)

// keptSize is how many bytes of a seed stay in memory between its check and its
// appends, unless the caller says otherwise. It holds the whole of nearly every
// log.
const keptSize = 64 << 20

// recordSize is what a record takes beside its line.
const recordSize = 64

// seeding is the seed of a fork or an import: planned whole, then stored as
// sequential frames. What is stored already, from a run that was cut short, ends
// a frame of the plan, so that the plan goes on exactly there.
type seeding struct {
	log   events.Log
	id    events.SessionID
	actor events.Actor
	kind  events.SeedKind
	at    events.Head // what is stored already

	fill   lineage.Frames
	frames []frame
	head   events.Head // behind the records so far
	budget int         // bytes that may still be kept

	// again reads the planned records again, from the beginning of a frame on. They
	// are compared with the plan before they are stored.
	again    func(ctx context.Context, from events.Seq) iter.Seq2[events.Record, error]
	observer Observer
}

// frame is one append of the plan.
type frame struct {
	end     events.Head
	records []events.Record // nil if they are not kept
}

func newSeeding(log events.Log, id events.SessionID, kind events.SeedKind, actor events.Actor) *seeding {
	return &seeding{
		log: log, id: id, kind: kind, actor: actor, budget: keptSize,
		at: events.Head{Chain: events.ChainStart()}, head: events.Head{Chain: events.ChainStart()},
	}
}

// add plans the next record; behind is the head behind it.
func (s *seeding) add(r events.Record, behind events.Head) {
	if s.head.Next == s.at.Next {
		s.frame(s.fill.Rest()) // what is stored ends here
	}
	s.frame(s.fill.Add(r))
	s.head = behind
}

// frame notes a frame that ends at the head.
func (s *seeding) frame(records []events.Record) {
	if len(records) == 0 {
		return
	}
	f := frame{end: s.head}
	size := 0
	for _, r := range records {
		size += len(r.Line) + recordSize
	}
	if s.budget -= size; s.budget >= 0 {
		f.records = records
	}
	s.frames = append(s.frames, f)
}

// plan ends the plan and gives the seed that the creation declares.
func (s *seeding) plan() events.Seed {
	s.frame(s.fill.Rest())
	return events.Seed{Kind: s.kind, Next: s.head.Next, Chain: s.head.Chain}
}

// errNotThePlan says that what is stored is not the beginning of the plan.
var errNotThePlan = errors.New("what is stored is not the beginning of it")

// store appends the frames that are not stored yet.
func (s *seeding) store(ctx context.Context) error {
	first, err := s.first()
	if err != nil {
		return err
	}
	for first < len(s.frames) && s.frames[first].records != nil {
		if err := s.append(ctx, s.frames[first].records); err != nil {
			return err
		}
		first++
	}
	return s.storeAgain(ctx, first)
}

// first is the first frame that is not stored.
func (s *seeding) first() (int, error) {
	if s.at.Next == 0 {
		return 0, nil
	}
	for i, f := range s.frames {
		if f.end == s.at {
			return i + 1, nil
		}
	}
	return 0, errNotThePlan
}

// storeAgain appends the frames from one on that are not kept.
func (s *seeding) storeAgain(ctx context.Context, first int) error {
	if first == len(s.frames) {
		return nil
	}
	from := events.Head{Chain: events.ChainStart()}
	if first > 0 {
		from = s.frames[first-1].end
	}
	var records []events.Record
	for r, err := range ahead(s.again(ctx, from.Next)) {
		if err != nil {
			return err
		}
		records = append(records, r)
		from = events.Head{Next: r.End(), Chain: from.Chain.Over(r)}
		if from.Next < s.frames[first].end.Next {
			continue
		}
		if from != s.frames[first].end {
			return errors.New("what is read is not what was checked: it has changed in between")
		}
		if err := s.append(ctx, records); err != nil {
			return err
		}
		records = nil
		if first++; first == len(s.frames) {
			return nil
		}
	}
	return errors.New("what is read ends before what was checked: it has changed in between")
}

func (s *seeding) append(ctx context.Context, records []events.Record) error {
	next := records[0].Seq
	end, err := s.log.Append(ctx, s.id, events.Append{
		ID: events.AppendID(fmt.Sprintf("%s-%d", s.kind, next)), Next: next, Actor: s.actor, Records: records, Seeding: true,
	})
	if err != nil {
		return err
	}
	s.observer.tell(StageStore, int64(end), int64(s.head.Next))
	return nil
}
